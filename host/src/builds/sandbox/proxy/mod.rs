//! The way out of a step's network: an HTTP proxy that forwards to open ports of other machines, or to one server only.
//!
//! It runs in the supervisor, outside of the sandbox; only its listener is inside. Names are resolved here, once, and the
//! addresses they lead to are what is checked and connected: a name that leads to this machine does not help. Programs
//! find it by the variables they know proxies by, so that nothing in a repository has to change.

mod address;
mod bounds;
mod request;
mod socks;
mod stream;
mod tls;
mod upstream;

use std::ffi::OsString;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy, copy_bidirectional, split};
use tokio::net::{TcpListener, TcpStream, lookup_host};
use tokio::sync::Semaphore;
use tokio::time::timeout;

pub use upstream::{Upstream, Ways, is_usable};

use address::is_open;
use bounds::{CONNECT_TIMEOUT, HEAD_TIMEOUT, MAX_HEAD, Refused};
use request::{Kind, Request};
use stream::Stream;
use upstream::{Connected, Hop};

/// Where the proxy listens in a network namespace, which has nothing else on any port.
pub const PORT: u16 = 41_980;

/// Connections of a step at a time.
const MAX_CONNECTIONS: usize = 256;
/// How long a name may take to be looked up that another proxy looks up as well.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(2);

/// A server: host and port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    host: String,
    port: u16,
}

impl FromStr for Server {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (host, port) = text.rsplit_once(':').ok_or("it looks like host:port")?;
        Ok(Self {
            host: host.trim_start_matches('[').trim_end_matches(']').to_owned(),
            port: port.parse().map_err(|_| "it looks like host:port")?,
        })
    }
}

/// The variables that lead programs to the proxy at this port. `is_only` says that it leads to one server, which may be on
/// this machine.
pub fn environment(port: u16, is_only: bool) -> Vec<(&'static str, OsString)> {
    let address = format!("http://127.0.0.1:{port}");
    let mut names = vec!["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"];
    let mut own = Vec::new();
    if !is_only {
        // What a repository's own files say of proxies counts less than these variables.
        names.extend(["npm_config_proxy", "npm_config_https_proxy"]);
        names.extend(["YARN_HTTP_PROXY", "YARN_HTTPS_PROXY"]);
        // A build may talk to servers it starts itself.
        own.extend(["no_proxy", "NO_PROXY", "npm_config_noproxy"]);
    }
    let variable = |value: &str| {
        let value = OsString::from(value);
        move |name| (name, value.clone())
    };
    let mut variables: Vec<_> = names.into_iter().map(variable(&address)).collect();
    variables.extend(own.into_iter().map(variable("localhost,127.0.0.1,::1")));
    // Node's own clients, from its version 24 on.
    variables.push(("NODE_USE_ENV_PROXY", "1".into()));
    variables
}

/// What a step reaches.
pub struct Policy {
    /// The open ports of other machines.
    pub ports: Vec<u16>,
    /// The only server that is open, wherever it is.
    pub only: Option<Server>,
    /// Chooses among the proxies of the operator's network.
    pub upstream: Option<Ways>,
}

/// Serves the listener from a thread of its own until this process ends.
pub fn serve(listener: std::net::TcpListener, policy: Policy) -> anyhow::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new()
        .name("proxy".to_owned())
        .spawn(move || runtime.block_on(accept(listener, Arc::new(policy))))
        .context("the proxy cannot be started")?;
    Ok(())
}

async fn accept(listener: std::net::TcpListener, policy: Arc<Policy>) {
    let Ok(listener) = TcpListener::from_std(listener) else {
        return;
    };
    let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let Ok(permit) = connections.clone().acquire_owned().await else {
            return;
        };
        let Ok((client, _)) = listener.accept().await else {
            // Out of descriptors: those of ended connections come back.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let policy = policy.clone();
        tokio::spawn(async move {
            let _ = forward(client, &policy).await;
            drop(permit);
        });
    }
}

async fn forward(mut client: TcpStream, policy: &Policy) -> io::Result<()> {
    let head = match timeout(HEAD_TIMEOUT, read_head(&mut client)).await {
        Ok(head) => head?,
        Err(_) => return Ok(()),
    };
    let connected = async {
        let request = Request::parse(&head)?;
        let (connected, is_read_by_proxy) = policy.connect(&request).await?;
        Ok((request, connected, is_read_by_proxy))
    };
    match connected.await {
        Ok((
            request,
            Connected {
                mut stream,
                to_server,
                to_client,
            },
            is_read_by_proxy,
        )) => {
            stream.write_all(&to_server).await?;
            // A connection with TLS may keep something back.
            stream.flush().await?;
            match request.kind {
                Kind::Plain(plain) if is_read_by_proxy => {
                    // Not a byte more than the body: it would be read as another request, which nobody checked.
                    let length = plain.body.unwrap_or_default();
                    relay_one(client, stream, &request.rest, length).await?;
                }
                kind => {
                    if matches!(kind, Kind::Tunnel) {
                        client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
                    }
                    client.write_all(&to_client).await?;
                    stream.write_all(&request.rest).await?;
                    stream.flush().await?;
                    copy_bidirectional(&mut client, &mut stream).await?;
                }
            }
        }
        Err(Refused(status, why)) => {
            let length = why.len() + 1;
            let answer = format!(
                "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\
                 Connection: close\r\n\r\n{why}\n"
            );
            client.write_all(answer.as_bytes()).await?;
            client.shutdown().await?;
        }
    }
    Ok(())
}

/// Passes on the body of one request, of which `first` came already, and the whole answer.
async fn relay_one(mut client: TcpStream, server: Stream, first: &[u8], length: u64) -> io::Result<()> {
    let came = usize::try_from(length).unwrap_or(usize::MAX).min(first.len());
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = split(server);
    let sending = async {
        to_server.write_all(&first[..came]).await?;
        let mut body = (&mut from_client).take(length - came as u64);
        copy(&mut body, &mut to_server).await
    };
    let answering = async {
        copy(&mut from_server, &mut to_client).await?;
        to_client.shutdown().await
    };
    // An answer may come before the body has been read, and ends the exchange.
    let answered = tokio::select! {
        answered = answering => answered,
        // Sending has ended, whether well or badly; what the server says to it is the answer.
        answered = async { let _ = sending.await; std::future::pending().await } => answered,
    };
    answered
}

/// Reads up to the empty line, and whatever came with it.
async fn read_head(client: &mut TcpStream) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let mut piece = [0; 4 << 10];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = client.read(&mut piece).await?;
        if read == 0 || head.len() > MAX_HEAD {
            return Err(io::ErrorKind::InvalidData.into());
        }
        head.extend_from_slice(&piece[..read]);
    }
    Ok(head)
}

impl Policy {
    /// Connects to the server of a request if it is open to the step; and whether another proxy reads what is sent.
    async fn connect(&self, request: &Request) -> Result<(Connected, bool), Refused> {
        let is_only = self.check(request)?;
        if let Some(hop) = self.upstream.as_ref().and_then(|ways| Hop::of(ways, request)) {
            if !is_only {
                check_name(request).await?;
                if hop.is_asked_for(request).await {
                    let why = "The proxy of the server's network is not open to builds itself";
                    return Err(Refused("403 Forbidden", why.to_owned()));
                }
            }
            return Ok((hop.connect(request, is_only).await?, hop.reads_requests()));
        }
        let connected = Connected {
            stream: Box::new(connect(request, is_only).await?),
            to_server: request.for_server(),
            to_client: Vec::new(),
        };
        Ok((connected, false))
    }

    /// Checks host and port. Whether it is the only server of the step, which may be anywhere.
    fn check(&self, request: &Request) -> Result<bool, Refused> {
        let forbidden = |why: String| Err(Refused("403 Forbidden", why));
        match &self.only {
            Some(only) if only.port == request.port && only.host.eq_ignore_ascii_case(&request.host) => Ok(true),
            Some(only) => forbidden(format!("Only {}:{} is open to this command", only.host, only.port)),
            None if self.ports.contains(&request.port) => Ok(false),
            None => forbidden(format!(
                "Port {} is not open to builds (SERVICE_BUILD_PORTS)",
                request.port
            )),
        }
    }
}

fn is_this_machine(host: &str) -> Refused {
    let why = format!("{host} is this machine or its network link, which is not open to builds");
    Refused("403 Forbidden", why)
}

/// Refuses names of this machine that another proxy would look up. A name that is not known here is that proxy's matter.
async fn check_name(request: &Request) -> Result<(), Refused> {
    let closed = |address: IpAddr| !is_open(address);
    let found = timeout(LOOKUP_TIMEOUT, lookup_host((request.host.as_str(), request.port))).await;
    let Ok(Ok(mut found)) = found else { return Ok(()) };
    match found.any(|address| closed(address.ip())) {
        true => Err(is_this_machine(&request.host)),
        false => Ok(()),
    }
}

/// Connects to the server itself. Unless it may be `anywhere`, it has to be another machine.
async fn connect(request: &Request, anywhere: bool) -> Result<TcpStream, Refused> {
    let (host, port) = (request.host.as_str(), request.port);
    let unreachable = |why: &dyn std::fmt::Display| Refused("502 Bad Gateway", format!("{host}:{port}: {why}"));
    let found = lookup_host((host, port)).await.map_err(|error| unreachable(&error))?;
    let is_allowed = |address: &SocketAddr| anywhere || is_open(address.ip());
    let (open, closed): (Vec<SocketAddr>, Vec<SocketAddr>) = found.partition(is_allowed);
    if open.is_empty() && !closed.is_empty() {
        return Err(is_this_machine(host));
    }
    let mut failed = io::Error::from(io::ErrorKind::NotFound);
    for address in open {
        match timeout(CONNECT_TIMEOUT, TcpStream::connect(address)).await {
            Ok(Ok(server)) => {
                // An address that leads back here all the same.
                let (here, there) = (server.local_addr(), server.peer_addr());
                if let (Ok(here), Ok(there)) = (here, there)
                    && (anywhere || here.ip() != there.ip())
                {
                    return Ok(server);
                }
            }
            Ok(Err(error)) => failed = error,
            Err(_) => failed = io::ErrorKind::TimedOut.into(),
        }
    }
    Err(unreachable(&failed))
}
