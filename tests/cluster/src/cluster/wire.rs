//! The way from a server to a machine of its database: a wire that can be silent or cut.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;

/// What a wire does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It carries.
    Whole,
    /// It carries nothing and says nothing, as a network that loses all packets. They arrive later, as packets that are sent again.
    Silent,
    /// Its connections end, and new ones end at once.
    Cut,
}

/// A wire. Its end at 127.0.0.1 stays until the program ends.
#[derive(Debug)]
pub struct Wire {
    end: SocketAddr,
    state: watch::Sender<State>,
}

impl Wire {
    /// A wire to this machine.
    ///
    /// # Panics
    /// When no port can be had.
    pub fn to(machine: SocketAddr) -> Wire {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let end = listener.local_addr().expect("it is bound");
        listener.set_nonblocking(true).expect("it can wait");
        let (state, seen) = watch::channel(State::Whole);
        let serve = async move {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a runtime");
            while let Ok((server, _)) = listener.accept().await {
                tokio::spawn(carry(server, machine, seen.clone()));
            }
        };
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(serve);
        });
        Wire { end, state }
    }

    /// The end of the server.
    pub fn address(&self) -> SocketAddr {
        self.end
    }

    /// Makes it so.
    pub fn set(&self, state: State) {
        self.state.send_replace(state);
    }
}

/// Carries a connection until one side ends it, or the wire is cut.
async fn carry(server: TcpStream, machine: SocketAddr, state: watch::Receiver<State>) {
    let mut cut = state.clone();
    tokio::select! {
        // Both sides see a connection that ends.
        _ = cut.wait_for(|state| *state == State::Cut) => {}
        _ = both_ways(server, machine, state) => {}
    }
}

async fn both_ways(server: TcpStream, machine: SocketAddr, mut state: watch::Receiver<State>) -> io::Result<()> {
    until_heard(&mut state).await;
    let machine = TcpStream::connect(machine).await?;
    server.set_nodelay(true)?;
    machine.set_nodelay(true)?;
    let (from_server, to_server) = server.into_split();
    let (from_machine, to_machine) = machine.into_split();
    tokio::try_join!(
        one_way(from_server, to_machine, state.clone()),
        one_way(from_machine, to_server, state),
    )?;
    Ok(())
}

async fn one_way(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut state: watch::Receiver<State>,
) -> io::Result<()> {
    let mut bytes = vec![0; 16 << 10];
    loop {
        let read = from.read(&mut bytes).await?;
        until_heard(&mut state).await;
        if read == 0 {
            return to.shutdown().await;
        }
        to.write_all(&bytes[..read]).await?;
    }
}

/// Waits as long as the wire is silent.
async fn until_heard(state: &mut watch::Receiver<State>) {
    let _ = state.wait_for(|state| *state != State::Silent).await;
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::time::Duration;

    use galley_harness::accept::accept;

    use super::*;

    /// A wire to a machine that says what it hears, and a connection over it.
    fn echo() -> (Wire, std::net::TcpStream) {
        let machine = accept(|mut stream| {
            let mut other = stream.try_clone().expect("a socket can be cloned");
            let _ = io::copy(&mut stream, &mut other);
        });
        let wire = Wire::to(machine);
        let connection = std::net::TcpStream::connect(wire.address()).expect("the wire listens");
        (wire, connection)
    }

    fn hear(connection: &mut std::net::TcpStream) -> io::Result<String> {
        let mut bytes = [0; 16];
        let read = connection.read(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes[..read]).into_owned())
    }

    #[test]
    fn a_silent_wire_carries_later() {
        let (wire, mut connection) = echo();
        connection.write_all(b"one").unwrap();
        assert_eq!(hear(&mut connection).unwrap(), "one");
        wire.set(State::Silent);
        connection.write_all(b"two").unwrap();
        connection.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        assert!(hear(&mut connection).is_err(), "it carried while it was silent");
        connection.set_read_timeout(None).unwrap();
        wire.set(State::Whole);
        assert_eq!(hear(&mut connection).unwrap(), "two");
    }

    #[test]
    fn a_cut_wire_ends_connections_and_takes_new_ones_when_it_is_mended() {
        let (wire, mut connection) = echo();
        connection.write_all(b"one").unwrap();
        assert_eq!(hear(&mut connection).unwrap(), "one");
        wire.set(State::Cut);
        assert!(hear(&mut connection).is_ok_and(|heard| heard.is_empty()));
        wire.set(State::Whole);
        let mut connection = std::net::TcpStream::connect(wire.address()).unwrap();
        connection.write_all(b"two").unwrap();
        assert_eq!(hear(&mut connection).unwrap(), "two");
    }
}
