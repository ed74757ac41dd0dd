//! An HTTP proxy such as companies have in front of the internet: a real server on this machine that wants a credential,
//! opens tunnels and forwards plain requests. It alone knows where the names of its network are.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::spawn;

use galley_harness::accept::accept;

/// A running proxy. It ends with the test program.
#[derive(Debug, Clone)]
pub struct ForwardProxy {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    /// The value of `Proxy-Authorization` that is wanted.
    authorization: String,
    routes: HashMap<String, SocketAddr>,
    requests: Vec<Forwarded>,
}

/// One request that the proxy was asked to forward.
#[derive(Debug, Clone)]
pub struct Forwarded {
    /// Method and target, as they came.
    pub line: String,
    /// The values of `Proxy-Authorization`.
    pub authorization: Vec<String>,
}

impl ForwardProxy {
    /// A proxy for whoever shows this user and password.
    pub fn start(user: &str, password: &str) -> ForwardProxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("it is bound");
        let pair = data_encoding::BASE64.encode(format!("{user}:{password}").as_bytes());
        let state = State {
            authorization: format!("Basic {pair}"),
            ..State::default()
        };
        let proxy = ForwardProxy {
            address,
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

    /// What it was asked so far.
    pub fn requests(&self) -> Vec<Forwarded> {
        self.with(|state| state.requests.clone())
    }

    fn with<T>(&self, with: impl FnOnce(&mut State) -> T) -> T {
        with(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn serve(&self, mut client: TcpStream) -> Option<()> {
        let head = read_head(&mut client).ok()?;
        let mut lines = head.lines();
        let line = lines.next()?.to_owned();
        let mut parts = line.split(' ');
        let (method, target) = (parts.next()?, parts.next()?);
        let is_credential = |line: &&str| line.to_ascii_lowercase().starts_with("proxy-authorization:");
        let headers: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        let (credentials, others): (Vec<&str>, Vec<&str>) = headers.into_iter().partition(is_credential);
        let values = credentials.iter().filter_map(|line| line.split_once(':'));
        let authorization: Vec<String> = values.map(|(_, value)| value.trim().to_owned()).collect();
        let authority = match target.strip_prefix("http://") {
            Some(rest) => rest.split('/').next()?.to_owned(),
            None => target.to_owned(),
        };
        let with_port = if authority.contains(':') {
            authority.clone()
        } else {
            format!("{authority}:80")
        };
        let (is_welcome, route) = self.with(|state| {
            state.requests.push(Forwarded {
                line: format!("{method} {target}"),
                authorization: authorization.clone(),
            });
            (
                authorization == [state.authorization.clone()],
                state.routes.get(&with_port).copied(),
            )
        });
        let mut refuse = |status: &str| {
            let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            client.write_all(answer.as_bytes()).ok()
        };
        if !is_welcome {
            return refuse("407 Proxy Authentication Required");
        }
        let Some(mut server) = route.and_then(|route| TcpStream::connect(route).ok()) else {
            return refuse("403 Forbidden");
        };
        if method == "CONNECT" {
            client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").ok()?;
        } else {
            let path = target.strip_prefix(&format!("http://{authority}"))?;
            let path = if path.is_empty() { "/" } else { path };
            let head = format!("{method} {path} HTTP/1.1\r\n{}\r\n\r\n", others.join("\r\n"));
            server.write_all(head.as_bytes()).ok()?;
        }
        let (mut from_client, mut to_server) = (client.try_clone().ok()?, server.try_clone().ok()?);
        spawn(move || {
            let _ = io::copy(&mut from_client, &mut to_server);
            let _ = to_server.shutdown(Shutdown::Write);
        });
        let _ = io::copy(&mut server, &mut client);
        client.shutdown(Shutdown::Both).ok()
    }
}

/// Reads byte by byte up to the empty line: what follows is for the server.
fn read_head(client: &mut TcpStream) -> io::Result<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        client.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
}

/// A server that answers every request with this text.
pub fn answering(text: &'static str) -> SocketAddr {
    accept(move |mut client| {
        let _ = read_head(&mut client);
        let length = text.len();
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{text}"
        );
        let _ = client.write_all(answer.as_bytes());
    })
}
