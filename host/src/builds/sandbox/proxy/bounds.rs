//! The bounds of the proxy, and how it refuses.

use std::time::Duration;

/// The largest head of a request or an answer, in bytes.
pub const MAX_HEAD: usize = 32 << 10;
/// How long a client may take for the head of its request, and a proxy behind this one for its answer.
pub const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a server may take for accepting a connection.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// Why a request is not forwarded: status and sentence.
#[derive(Debug)]
pub struct Refused(pub &'static str, pub String);
