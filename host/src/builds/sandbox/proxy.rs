//! The way out of a step's network: an HTTP proxy that forwards to open ports of other machines.
//!
//! It runs in the supervisor, outside of the sandbox; only its listener is inside. Names are resolved here, once, and the
//! addresses they lead to are what is checked and connected: a name that leads to this machine does not help. Programs
//! find it by the variables they know proxies by, so that nothing in a repository has to change.

use std::ffi::OsString;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream, lookup_host};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Where the proxy listens in a network namespace, which has nothing else on any port.
pub const PORT: u16 = 41_980;

/// Connections of a step at a time.
const MAX_CONNECTIONS: usize = 256;
/// The largest head of a request, in bytes.
const MAX_HEAD: usize = 32 << 10;
const MAX_HEADERS: usize = 100;
/// How long a client may take for the head of its request, and a server for accepting a connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// Addresses where clouds answer every machine with its credentials; link-local ones are refused anyway.
const METADATA: [IpAddr; 3] = [
    IpAddr::V4(Ipv4Addr::new(100, 100, 100, 200)),
    IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
];

/// The variables that lead programs to the proxy. A build may talk to servers it starts itself.
pub fn environment(port: u16) -> Vec<(&'static str, OsString)> {
    let address = format!("http://127.0.0.1:{port}");
    let mut variables: Vec<(&str, OsString)> = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"]
        .map(|name| (name, address.clone().into()))
        .into();
    for name in ["no_proxy", "NO_PROXY"] {
        variables.push((name, "localhost,127.0.0.1,::1".into()));
    }
    // Node's own clients, from its version 24 on.
    variables.push(("NODE_USE_ENV_PROXY", "1".into()));
    variables
}

/// Serves the listener from a thread of its own until this process ends.
pub fn serve(listener: std::net::TcpListener, ports: Vec<u16>) -> anyhow::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new()
        .name("proxy".to_owned())
        .spawn(move || runtime.block_on(accept(listener, ports)))
        .context("the proxy cannot be started")?;
    Ok(())
}

async fn accept(listener: std::net::TcpListener, ports: Vec<u16>) {
    let Ok(listener) = TcpListener::from_std(listener) else {
        return;
    };
    let (ports, places) = (Arc::new(ports), Arc::new(Semaphore::new(MAX_CONNECTIONS)));
    loop {
        let Ok(place) = places.clone().acquire_owned().await else {
            return;
        };
        let Ok((client, _)) = listener.accept().await else {
            // Out of descriptors: those of ended connections come back.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let ports = ports.clone();
        tokio::spawn(async move {
            let _ = forward(client, &ports).await;
            drop(place);
        });
    }
}

/// Why a request is not forwarded: status and sentence.
#[derive(Debug)]
struct Refused(&'static str, String);

async fn forward(mut client: TcpStream, ports: &[u16]) -> io::Result<()> {
    let head = match timeout(HEAD_TIMEOUT, read_head(&mut client)).await {
        Ok(head) => head?,
        Err(_) => return Ok(()),
    };
    let connected = async {
        let request = Request::parse(&head)?;
        let server = connect(&request.host, request.port, ports).await?;
        Ok((request, server))
    };
    match connected.await {
        Ok((request, mut server)) => {
            if request.is_tunnel {
                client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
            }
            server.write_all(&request.first).await?;
            copy_bidirectional(&mut client, &mut server).await?;
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

/// What a client asked for.
#[derive(Debug)]
struct Request {
    host: String,
    port: u16,
    /// CONNECT: bytes are passed both ways and not looked at.
    is_tunnel: bool,
    /// What the server gets first.
    first: Vec<u8>,
}

impl Request {
    fn parse(head: &[u8]) -> Result<Self, Refused> {
        let malformed = || Refused("400 Bad Request", "This is no request for a proxy".to_owned());
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let Ok(httparse::Status::Complete(length)) = parsed.parse(head) else {
            return Err(malformed());
        };
        let (Some(method), Some(target)) = (parsed.method, parsed.path) else {
            return Err(malformed());
        };
        let rest = &head[length..];
        if method == "CONNECT" {
            let (host, port) = target.rsplit_once(':').ok_or_else(malformed)?;
            return Ok(Self {
                host: host.trim_start_matches('[').trim_end_matches(']').to_owned(),
                port: port.parse().map_err(|_| malformed())?,
                is_tunnel: true,
                first: rest.to_owned(),
            });
        }
        let url = url::Url::parse(target).map_err(|_| malformed())?;
        let host = match url.host() {
            Some(url::Host::Domain(name)) => name.to_owned(),
            Some(url::Host::Ipv4(address)) => address.to_string(),
            Some(url::Host::Ipv6(address)) => address.to_string(),
            None => return Err(malformed()),
        };
        if url.scheme() != "http" {
            return Err(malformed());
        }
        // As the server itself is asked; one request a connection, for the next one may be for another server.
        let mut first = format!(
            "{method} {} HTTP/1.1\r\n",
            &url[url::Position::BeforePath..url::Position::AfterQuery]
        )
        .into_bytes();
        for header in parsed.headers.iter() {
            let name = header.name.to_ascii_lowercase();
            if !["connection", "proxy-connection", "proxy-authorization", "keep-alive"].contains(&name.as_str()) {
                first.extend_from_slice(header.name.as_bytes());
                first.extend_from_slice(b": ");
                first.extend_from_slice(header.value);
                first.extend_from_slice(b"\r\n");
            }
        }
        first.extend_from_slice(b"Connection: close\r\n\r\n");
        first.extend_from_slice(rest);
        Ok(Self {
            host,
            port: url.port().unwrap_or(80),
            is_tunnel: false,
            first,
        })
    }
}

async fn connect(host: &str, port: u16, ports: &[u16]) -> Result<TcpStream, Refused> {
    if !ports.contains(&port) {
        return Err(Refused(
            "403 Forbidden",
            format!("Port {port} is not open to builds (SERVICE_BUILD_PORTS)"),
        ));
    }
    let unreachable = |why: &dyn std::fmt::Display| Refused("502 Bad Gateway", format!("{host}:{port}: {why}"));
    let found = lookup_host((host, port)).await.map_err(|error| unreachable(&error))?;
    let (open, closed): (Vec<SocketAddr>, Vec<SocketAddr>) = found.partition(|address| is_open(address.ip()));
    if open.is_empty() && !closed.is_empty() {
        return Err(Refused(
            "403 Forbidden",
            format!("{host} is this machine or its network link, which is not open to builds"),
        ));
    }
    let mut failed = io::Error::from(io::ErrorKind::NotFound);
    for address in open {
        match timeout(CONNECT_TIMEOUT, TcpStream::connect(address)).await {
            Ok(Ok(server)) => {
                // Whatever leads back here after all.
                let (here, there) = (server.local_addr(), server.peer_addr());
                if let (Ok(here), Ok(there)) = (here, there)
                    && here.ip() != there.ip()
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

/// Whether an address is another machine, as far as the address says.
fn is_open(address: IpAddr) -> bool {
    let address = embedded(address);
    let is_special = match address {
        IpAddr::V4(v4) => v4.octets()[0] == 0 || v4.is_link_local() || v4.is_broadcast(),
        IpAddr::V6(v6) => v6.is_unicast_link_local(),
    };
    !(is_special
        || address.is_unspecified()
        || address.is_loopback()
        || address.is_multicast()
        || METADATA.contains(&address)
        || is_own(address))
}

/// The IPv4 address that an IPv6 address stands for: mapped, compatible, and those of NAT64 and 6to4.
fn embedded(address: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = address.to_canonical() else {
        return address.to_canonical();
    };
    let of = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        IpAddr::V4(Ipv4Addr::new(a, b, c, d))
    };
    match v6.segments() {
        // The unspecified address and loopback are IPv6's own.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => address,
        [0, 0, 0, 0, 0, 0, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            of(high, low)
        }
        _ => address,
    }
}

/// Whether an address is one of this machine: the kernel answers from the address that was asked.
fn is_own(address: IpAddr) -> bool {
    let any: IpAddr = match address {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    // Connecting a datagram socket sends nothing.
    let source = || -> io::Result<IpAddr> {
        let socket = UdpSocket::bind((any, 0))?;
        socket.connect((address, 9))?;
        Ok(socket.local_addr()?.ip())
    };
    source().is_ok_and(|source| source == address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_refused_in_every_notation() {
        for address in [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "0.1.2.3",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "169.254.169.254",
            "fe80::1",
            "::ffff:169.254.169.254",
            "fd00:ec2::254",
            "224.0.0.1",
            "255.255.255.255",
            "ff02::1",
        ] {
            assert!(!is_open(address.parse().unwrap()), "{address}");
        }
        assert!(is_open("203.0.113.7".parse().unwrap()));
        assert!(is_open("2001:db8::7".parse().unwrap()));
    }

    #[test]
    fn requests_are_read_as_proxies_read_them() {
        let parse = |text: &str| Request::parse(text.as_bytes());
        let tunnel = parse("CONNECT [::1]:443 HTTP/1.1\r\nHost: x\r\n\r\nrest").unwrap();
        assert_eq!(
            (tunnel.host.as_str(), tunnel.port, tunnel.is_tunnel),
            ("::1", 443, true)
        );
        assert_eq!(tunnel.first, b"rest");
        let plain = parse("GET http://a.test/x?y HTTP/1.1\r\nHost: a.test\r\nProxy-Authorization: z\r\n\r\n").unwrap();
        assert_eq!((plain.host.as_str(), plain.port), ("a.test", 80));
        assert_eq!(
            plain.first,
            b"GET /x?y HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n"
        );
        for bad in [
            "GET / HTTP/1.1\r\n\r\n",
            "CONNECT a HTTP/1.1\r\n\r\n",
            "CONNECT a:x HTTP/1.1\r\n\r\n",
            "\r\n\r\n",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
