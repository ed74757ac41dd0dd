//! A proxy in front of PostgreSQL that cuts a connection at a moment of a commit.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// When a proxy cuts the first connection that commits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cut {
    BeforeCommit,
    BeforeAnswer,
}

/// It listens until the test ends.
pub struct Proxy {
    pub address: SocketAddr,
    /// Connections that were cut.
    pub cuts: Arc<AtomicU32>,
}

impl Proxy {
    pub fn before(server: SocketAddr, cut: Cut) -> Proxy {
        Self::after(server, cut, 0)
    }

    /// The same, which lets so many commits pass first.
    pub fn after(server: SocketAddr, cut: Cut, commits: u32) -> Proxy {
        let left = Arc::new(AtomicU32::new(commits));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let cuts = Arc::new(AtomicU32::new(0));
        let counted = cuts.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let server = TcpStream::connect(server).unwrap();
                let (cuts, left) = (counted.clone(), left.clone());
                std::thread::spawn(move || serve(client, server, cut, (&left, &cuts)));
            }
        });
        Proxy { address, cuts }
    }
}

fn serve(mut client: TcpStream, mut server: TcpStream, cut: Cut, (left, cuts): (&AtomicU32, &AtomicU32)) {
    let (mut answers, mut to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    let answering = std::thread::spawn(move || std::io::copy(&mut answers, &mut to_client));
    let mut buffer = [0; 64 * 1024];
    while let Ok(len @ 1..) = client.read(&mut buffer) {
        let commits = buffer[..len].windows(6).any(|window| window == b"COMMIT");
        let passes = |left: u32| left.checked_sub(1);
        if commits
            && left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, passes).is_err()
            && cuts
                .compare_exchange(0, 1, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
        {
            // Whatever the server says from here on, nobody hears it.
            client.shutdown(Shutdown::Both).unwrap();
            if cut == Cut::BeforeAnswer {
                server.write_all(&buffer[..len]).unwrap();
                // Until the server ends the connection, so that it has committed.
                server.shutdown(Shutdown::Write).unwrap();
            }
            break;
        }
        if server.write_all(&buffer[..len]).is_err() {
            break;
        }
    }
    if cut == Cut::BeforeCommit {
        let _ = server.shutdown(Shutdown::Both);
    }
    let _ = answering.join();
}
