//! A balancer without sticky sessions: each connection goes to the next server, from the address that it came from.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::copy_bidirectional;
use tokio::net::{TcpSocket, TcpStream};

/// A balancer on this machine. It ends with the test program.
#[derive(Debug)]
pub struct Balancer {
    address: SocketAddr,
    servers: Arc<Mutex<Vec<SocketAddr>>>,
}

impl Balancer {
    /// One without servers yet; port 0 is any that is free.
    pub fn start(listen: SocketAddr) -> Balancer {
        let listener = TcpListener::bind(listen).expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        listener.set_nonblocking(true).expect("it can wait");
        let servers = Arc::new(Mutex::new(Vec::new()));
        let behind = servers.clone();
        let serve = async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a runtime");
            let next = Arc::new(AtomicUsize::new(0));
            while let Ok((client, from)) = listener.accept().await {
                let (behind, next) = (behind.clone(), next.clone());
                tokio::spawn(async move { pass_on(client, from.ip(), &behind, &next).await });
            }
        };
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(serve);
        });
        Balancer { address, servers }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Passes new connections on to these.
    pub fn set_servers(&self, servers: Vec<SocketAddr>) {
        *self.servers.lock().unwrap_or_else(PoisonError::into_inner) = servers;
    }
}

/// Passes a connection on to the next server that takes it.
async fn pass_on(
    mut client: TcpStream,
    from: IpAddr,
    servers: &Mutex<Vec<SocketAddr>>,
    next: &AtomicUsize,
) -> io::Result<()> {
    let servers = servers.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let first = next.fetch_add(1, Ordering::Relaxed);
    for at in 0..servers.len() {
        let socket = TcpSocket::new_v4()?;
        // Servers tell clients apart by their address.
        socket.bind(SocketAddr::new(from, 0))?;
        if let Ok(mut server) = socket.connect(servers[(first + at) % servers.len()]).await {
            client.set_nodelay(true)?;
            server.set_nodelay(true)?;
            return copy_bidirectional(&mut client, &mut server).await.map(drop);
        }
    }
    // Whoever asked sees a connection that ends.
    Ok(())
}
