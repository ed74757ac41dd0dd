//! The interface's port.

use std::io::{self, ErrorKind};
use std::net::Ipv4Addr;

use tokio::net::TcpListener;

/// Tried first when none was asked for.
pub const DEFAULT: u16 = 4400;

/// Why there is no port to listen on.
#[derive(Debug, thiserror::Error)]
pub enum PortError {
    /// The one asked for is in use.
    #[error(
        "Port {0} is taken (--port {0}). End what listens there, or leave --port out: then the next free one is taken."
    )]
    Taken(u16),
    /// The one asked for cannot be used.
    #[error("The Editor cannot listen on port {0}: {1}")]
    Unusable(u16, #[source] io::Error),
    /// There is none at all.
    #[error("No port from {DEFAULT} up is free")]
    None,
}

/// Listens on the port asked for, or on the first free one from [`DEFAULT`] up.
///
/// # Errors
/// When there is none.
pub async fn listen(asked: Option<u16>) -> Result<TcpListener, PortError> {
    if let Some(port) = asked {
        return bind(port).await.map_err(|error| match error.kind() {
            ErrorKind::AddrInUse => PortError::Taken(port),
            _ => PortError::Unusable(port, error),
        });
    }
    for port in DEFAULT..=u16::MAX {
        match bind(port).await {
            Ok(listener) => return Ok(listener),
            // Another program's, or one the system keeps for itself.
            Err(error) if matches!(error.kind(), ErrorKind::AddrInUse | ErrorKind::PermissionDenied) => {}
            Err(error) => return Err(PortError::Unusable(port, error)),
        }
    }
    Err(PortError::None)
}

async fn bind(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_taken_port_that_was_asked_for_is_an_error() {
        let first = listen(Some(0)).await.unwrap();
        let port = first.local_addr().unwrap().port();
        assert!(matches!(listen(Some(port)).await, Err(PortError::Taken(taken)) if taken == port));
    }

    #[tokio::test]
    async fn a_taken_default_port_moves_up() {
        let first = listen(None).await.unwrap().local_addr().unwrap().port();
        assert!(first >= DEFAULT);
        let (one, two) = (listen(None).await.unwrap(), listen(None).await.unwrap());
        let ports = [one, two].map(|listener| listener.local_addr().unwrap().port());
        assert!(DEFAULT <= ports[0] && ports[0] < ports[1], "{ports:?}");
    }
}
