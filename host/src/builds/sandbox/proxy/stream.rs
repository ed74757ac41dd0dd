//! Connections, whatever carries them.

use tokio::io::{AsyncRead, AsyncWrite};

/// What bytes go both ways through.
pub trait Duplex: AsyncRead + AsyncWrite + Unpin + Send {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send> Duplex for T {}

/// A connection to a server or to a proxy in front of it, with TLS or without.
pub type Stream = Box<dyn Duplex>;
