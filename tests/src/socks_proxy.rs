//! A SOCKS 5 proxy that wants a user and a password. It alone knows where the names of its network are.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::spawn;

/// A running proxy. It ends with the test program.
#[derive(Debug, Clone)]
pub struct SocksProxy {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    user: String,
    password: String,
    routes: HashMap<String, SocketAddr>,
    asked: Vec<String>,
}

impl SocksProxy {
    /// A proxy for whoever shows this user and password.
    pub fn start(user: &str, password: &str) -> SocksProxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let state = State {
            user: user.to_owned(),
            password: password.to_owned(),
            ..State::default()
        };
        let proxy = SocksProxy {
            address: listener.local_addr().expect("it is bound"),
            state: Arc::new(Mutex::new(state)),
        };
        let serving = proxy.clone();
        spawn(move || {
            for client in listener.incoming().flatten() {
                let proxy = serving.clone();
                spawn(move || proxy.serve(client));
            }
        });
        proxy
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Makes a server reachable by a name and port (`name:80`) that nobody else knows.
    pub fn route(&self, authority: &str, to: SocketAddr) {
        self.with(|state| state.routes.insert(authority.to_owned(), to));
    }

    /// The names and ports it was asked for.
    pub fn asked(&self) -> Vec<String> {
        self.with(|state| state.asked.clone())
    }

    fn with<T>(&self, with: impl FnOnce(&mut State) -> T) -> T {
        with(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn serve(&self, mut client: TcpStream) -> io::Result<()> {
        let [_, methods] = read(&mut client)?;
        let mut offered = vec![0; methods.into()];
        client.read_exact(&mut offered)?;
        if !offered.contains(&2) {
            return client.write_all(&[5, 0xff]);
        }
        client.write_all(&[5, 2])?;
        let [_] = read(&mut client)?;
        let credential = (text(&mut client)?, text(&mut client)?);
        if !self.with(|state| credential == (state.user.clone(), state.password.clone())) {
            return client.write_all(&[1, 1]);
        }
        client.write_all(&[1, 0])?;
        let [_, _, _, kind] = read(&mut client)?;
        let host = match kind {
            3 => text(&mut client)?,
            _ => std::net::Ipv4Addr::from(read(&mut client)?).to_string(),
        };
        let authority = format!("{host}:{}", u16::from_be_bytes(read(&mut client)?));
        let route = self.with(|state| {
            state.asked.push(authority.clone());
            state.routes.get(&authority).copied()
        });
        let answer = |reply| [5, reply, 0, 1, 0, 0, 0, 0, 0, 0];
        let Some(route) = route else {
            return client.write_all(&answer(2));
        };
        let mut server = TcpStream::connect(route)?;
        client.write_all(&answer(0))?;
        let (mut from_client, mut to_server) = (client.try_clone()?, server.try_clone()?);
        spawn(move || {
            let _ = io::copy(&mut from_client, &mut to_server);
            let _ = to_server.shutdown(Shutdown::Write);
        });
        io::copy(&mut server, &mut client)?;
        client.shutdown(Shutdown::Both)
    }
}

fn read<const LENGTH: usize>(client: &mut TcpStream) -> io::Result<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    client.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// A text behind its length.
fn text(client: &mut TcpStream) -> io::Result<String> {
    let [length] = read(client)?;
    let mut bytes = vec![0; length.into()];
    client.read_exact(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
