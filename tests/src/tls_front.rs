//! TLS in front of a server that does not speak it, with a certificate of an authority of its own.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;

use tempfile::TempDir;
use tokio::io::copy_bidirectional;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use crate::outside::certified;

/// A listener at 127.0.0.1. It ends with the test program.
#[derive(Debug)]
pub struct TlsFront {
    address: SocketAddr,
    folder: TempDir,
}

impl TlsFront {
    /// Passes on what comes by TLS.
    pub fn before(server: SocketAddr) -> TlsFront {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let config = certified(&["127.0.0.1".to_owned()], &folder.path().join("ca.pem"));
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        listener.set_nonblocking(true).expect("it can wait");
        let serve = async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a runtime");
            let acceptor = TlsAcceptor::from(config);
            while let Ok((client, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    let mut client = acceptor.accept(client).await?;
                    let mut server = TcpStream::connect(server).await?;
                    copy_bidirectional(&mut client, &mut server).await
                });
            }
        };
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(serve);
        });
        TlsFront { address, folder }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The file with the certificate of its authority.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }
}
