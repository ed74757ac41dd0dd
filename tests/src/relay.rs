//! A way to a server that can be cut, so that one of those that use the server does not reach it any more.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::Mutex;

use galley_harness::accept::accept;

/// A listener at 127.0.0.1, which ends with the test program.
#[derive(Debug)]
pub struct Relay {
    address: SocketAddr,
    ways: Arc<Mutex<Ways>>,
}

#[derive(Debug, Default)]
struct Ways {
    is_cut: bool,
    open: Vec<TcpStream>,
}

impl Relay {
    /// Passes on what comes, and the answers.
    pub fn to(server: SocketAddr) -> Relay {
        let ways: Arc<Mutex<Ways>> = Arc::default();
        let those = ways.clone();
        let address = accept(move |client| {
            // A way that ends badly is one that was cut.
            let _ = pass(&those, client, server);
        });
        Relay { address, ways }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Cuts all ways, and every later one.
    pub fn cut(&self) {
        let mut ways = self.ways.lock().expect("no thread panics here");
        ways.is_cut = true;
        for stream in ways.open.drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Passes on again what comes from now on.
    pub fn mend(&self) {
        self.ways.lock().expect("no thread panics here").is_cut = false;
    }
}

fn pass(ways: &Mutex<Ways>, client: TcpStream, server: SocketAddr) -> io::Result<()> {
    let server = TcpStream::connect(server)?;
    {
        let mut ways = ways.lock().expect("no thread panics here");
        if ways.is_cut {
            return Ok(());
        }
        ways.open.push(client.try_clone()?);
        ways.open.push(server.try_clone()?);
    }
    let back = (server.try_clone()?, client.try_clone()?);
    let answers = std::thread::spawn(move || copy(back.0, back.1));
    copy(client, server);
    let _ = answers.join();
    Ok(())
}

/// Copies what comes until one of both ends.
fn copy(mut from: TcpStream, mut to: TcpStream) {
    let mut piece = vec![0; 64 << 10];
    while let Ok(read) = from.read(&mut piece) {
        if read == 0 || to.write_all(&piece[..read]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}
