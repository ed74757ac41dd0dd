//! The proxies that the operator's network wants: where there are some, the proxy of a step goes out through them.
//!
//! Their credentials come to the supervisor over its standard input, and are sent to the proxies only: they are in no
//! environment, no process list and no answer to a build.

use std::io::{self, BufRead};
use std::path::PathBuf;

use anyhow::{Context, bail};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;

use super::address::is_open;
use super::bounds::{CONNECT_TIMEOUT, HEAD_TIMEOUT, MAX_HEAD, Refused};
use super::request::{Kind, Request};
use super::socks::{self, Target};
use super::stream::Stream;
use super::tls::Trust;

/// The longest line that names proxies, in bytes.
const MAX_LINE: u64 = 64 << 10;

/// The proxies of a network, as HTTP_PROXY, HTTPS_PROXY and NO_PROXY name them.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upstream {
    /// The proxy for plain requests; empty for none.
    pub http: String,
    /// The proxy for tunnels; empty for none.
    pub https: String,
    /// Hosts that are reached directly, comma-separated.
    pub no_proxy: String,
    /// A file with certificates of further authorities, for proxies that are spoken to by TLS; empty for none.
    pub certificates: String,
}

impl Upstream {
    /// Reads the line that `galley build-step --upstream` gets.
    pub fn read() -> anyhow::Result<Self> {
        let mut line = String::new();
        let stdin = io::stdin().lock();
        io::Read::take(stdin, MAX_LINE).read_line(&mut line)?;
        if !line.ends_with('\n') {
            bail!("standard input does not name the proxies");
        }
        // Without the cause: it could repeat a credential.
        serde_json::from_str(&line).ok().context("the proxies cannot be read")
    }

    /// The way to each of them.
    pub fn ways(&self) -> Ways {
        let builder = Matcher::builder().http(self.http.clone());
        Ways {
            matcher: builder.https(self.https.clone()).no(self.no_proxy.clone()).build(),
            trust: Trust::new(Some(PathBuf::from(&self.certificates)).filter(|_| !self.certificates.is_empty())),
        }
    }
}

/// Whether a text names a proxy that can be gone through: one that speaks HTTP, with TLS or without, or SOCKS 5.
pub fn is_usable(proxy: &str) -> bool {
    let matcher = Matcher::builder().all(proxy.to_owned()).build();
    let found = matcher.intercept(&http::Uri::from_static("http://a.test/"));
    found.is_some_and(|proxy| Protocol::of(&proxy).is_some())
}

/// What a proxy speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Protocol {
    Http,
    Https,
    /// Names are looked up here.
    Socks,
    /// The proxy looks names up.
    SocksWithNames,
}

impl Protocol {
    fn of(proxy: &Intercept) -> Option<Self> {
        Some(match proxy.uri().scheme_str()? {
            "http" => Self::Http,
            "https" => Self::Https,
            "socks5" => Self::Socks,
            "socks5h" => Self::SocksWithNames,
            _ => return None,
        })
    }

    /// The port where the address names none. What curl assumes for an HTTP proxy is 1080; everybody writes the port.
    fn port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
            Self::Socks | Self::SocksWithNames => 1080,
        }
    }
}

/// The proxies, and what is needed for going through them.
pub struct Ways {
    matcher: Matcher,
    trust: Trust,
}

/// The proxy that a request goes through.
pub struct Hop<'w> {
    proxy: Intercept,
    protocol: Protocol,
    trust: &'w Trust,
}

impl<'w> Hop<'w> {
    /// The proxy for a request; `None` when it goes out directly.
    pub fn of(ways: &'w Ways, request: &Request) -> Option<Self> {
        let scheme = match request.kind {
            Kind::Tunnel => "https",
            Kind::Plain(_) => "http",
        };
        let address: http::Uri = format!("{scheme}://{}/", request.authority()).parse().ok()?;
        let proxy = ways.matcher.intercept(&address)?;
        Some(Self {
            protocol: Protocol::of(&proxy)?,
            proxy,
            trust: &ways.trust,
        })
    }

    /// Whether plain requests are sent to the proxy itself, which reads them.
    pub fn reads_requests(&self) -> bool {
        matches!(self.protocol, Protocol::Http | Protocol::Https)
    }

    fn host(&self) -> &str {
        let host = self.proxy.uri().host().unwrap_or_default();
        host.trim_start_matches('[').trim_end_matches(']')
    }

    fn port(&self) -> u16 {
        self.proxy.uri().port_u16().unwrap_or(self.protocol.port())
    }

    /// Whether the request is for the proxy itself.
    pub async fn is_asked_for(&self, request: &Request) -> bool {
        if request.port != self.port() {
            return false;
        }
        if request.host.eq_ignore_ascii_case(self.host()) {
            return true;
        }
        let addresses = async |host: &str| -> Vec<_> {
            match lookup_host((host, request.port)).await {
                Ok(found) => found.map(|address| address.ip().to_canonical()).collect(),
                Err(_) => Vec::new(),
            }
        };
        let (asked, own) = (addresses(&request.host).await, addresses(self.host()).await);
        asked.iter().any(|address| own.contains(address))
    }

    fn failed(&self, why: &dyn std::fmt::Display) -> Refused {
        let (host, port) = (self.host(), self.port());
        Refused(
            "502 Bad Gateway",
            format!("The proxy of the server's network, {host}:{port}, {why}"),
        )
    }

    /// Connects to the proxy.
    async fn reach(&self) -> Result<Stream, Refused> {
        let connecting = async {
            let stream = TcpStream::connect((self.host(), self.port())).await;
            let stream = stream.map_err(|error| format!("cannot be reached: {error}"))?;
            match self.protocol {
                Protocol::Https => self.trust.connect(self.host(), stream).await,
                Protocol::Http | Protocol::Socks | Protocol::SocksWithNames => Ok(Box::new(stream) as Stream),
            }
        };
        match timeout(CONNECT_TIMEOUT, connecting).await {
            Ok(connected) => connected.map_err(|why| self.failed(&why)),
            Err(_) => Err(self.failed(&"does not answer")),
        }
    }

    /// Connects to the proxy, and through it to the server, which may be `anywhere` or has to be another machine. Gives the
    /// connection, and what the server gets first or has sent already.
    pub async fn connect(&self, request: &Request, anywhere: bool) -> Result<Connected, Refused> {
        match self.reads_requests() {
            true => self.connect_by_http(request).await,
            false => self.connect_by_socks(request, anywhere).await,
        }
    }

    async fn connect_by_socks(&self, request: &Request, anywhere: bool) -> Result<Connected, Refused> {
        let host = request.host.as_str();
        let target = match (host.parse(), self.protocol) {
            (Ok(address), _) => Target::Address(address),
            (Err(_), Protocol::SocksWithNames) => Target::Name(host),
            (Err(_), _) => {
                let unknown = |error| Refused("502 Bad Gateway", format!("{host}: {error}"));
                let mut found = lookup_host((host, request.port)).await.map_err(unknown)?;
                let open = found.find(|address| anywhere || is_open(address.ip()));
                let closed = || Refused("403 Forbidden", format!("{host} has no address that is open to builds"));
                Target::Address(open.ok_or_else(closed)?.ip())
            }
        };
        let mut stream = self.reach().await?;
        let asking = socks::connect(&mut stream, self.proxy.raw_auth(), target, request.port);
        match timeout(HEAD_TIMEOUT, asking).await {
            Ok(Ok(())) => Ok(Connected {
                stream,
                to_server: request.for_server(),
                to_client: Vec::new(),
            }),
            Ok(Err(why)) => Err(self.failed(&why)),
            Err(_) => Err(self.failed(&"does not answer")),
        }
    }

    async fn connect_by_http(&self, request: &Request) -> Result<Connected, Refused> {
        let failed = |why: &dyn std::fmt::Display| self.failed(why);
        let mut stream = self.reach().await?;
        let authority = request.authority();
        match &request.kind {
            Kind::Plain(plain) if plain.body.is_none() => Err(Refused(
                "411 Length Required",
                "The length of what is sent has to be known beforehand (Content-Length)".to_owned(),
            )),
            Kind::Plain(plain) => Ok(Connected {
                stream,
                to_server: plain.for_proxy(&authority, &self.authorization()),
                to_client: Vec::new(),
            }),
            Kind::Tunnel => {
                let asked = format!(
                    "CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n{}\r\n",
                    self.authorization()
                );
                let opened = async {
                    stream.write_all(asked.as_bytes()).await?;
                    stream.flush().await?;
                    read_answer(&mut stream).await
                };
                match timeout(HEAD_TIMEOUT, opened).await {
                    Ok(Ok((200..=299, rest))) => Ok(Connected {
                        stream,
                        to_server: Vec::new(),
                        to_client: rest,
                    }),
                    Ok(Ok((407, _))) => Err(failed(&"refuses the credentials of HTTPS_PROXY (status 407)")),
                    Ok(Ok((status, _))) => Err(failed(&format!("refuses {authority} (status {status})"))),
                    Ok(Err(error)) => Err(failed(&format!("gives no answer: {error}"))),
                    Err(_) => Err(failed(&"does not answer")),
                }
            }
        }
    }

    /// The header line of the credential; empty for none.
    fn authorization(&self) -> String {
        let value = self.proxy.basic_auth().and_then(|value| value.to_str().ok());
        value.map_or_else(String::new, |value| format!("Proxy-Authorization: {value}\r\n"))
    }
}

/// A way to a server.
pub struct Connected {
    /// The connection.
    pub stream: Stream,
    /// What the server gets before anything of the client's body.
    pub to_server: Vec<u8>,
    /// What came from the server already.
    pub to_client: Vec<u8>,
}

/// The status of an answer, and what came behind its head.
async fn read_answer(stream: &mut Stream) -> io::Result<(u16, Vec<u8>)> {
    let mut answer = Vec::new();
    let mut piece = [0; 4 << 10];
    loop {
        let read = stream.read(&mut piece).await?;
        if read == 0 || answer.len() > MAX_HEAD {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        answer.extend_from_slice(&piece[..read]);
        let mut headers = [httparse::EMPTY_HEADER; 100];
        let mut parsed = httparse::Response::new(&mut headers);
        match parsed.parse(&answer) {
            Ok(httparse::Status::Complete(length)) => {
                let status = parsed.code.unwrap_or_default();
                return Ok((status, answer.split_off(length)));
            }
            Ok(httparse::Status::Partial) => {}
            Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_chosen_by_the_kind_of_request_and_the_host() {
        let upstream = Upstream {
            http: "http://plain.test:3128".into(),
            https: "http://user:pa%3ass@tunnel.test:8080".into(),
            no_proxy: "internal.test, 10.0.0.0/8".into(),
            certificates: String::new(),
        };
        let ways = upstream.ways();
        let hop = |request: &str| Hop::of(&ways, &Request::parse(request.as_bytes()).unwrap());
        let plain = hop("GET http://a.test/ HTTP/1.1\r\n\r\n").unwrap();
        assert_eq!(
            (plain.host(), plain.port(), plain.authorization()),
            ("plain.test", 3128, String::new())
        );
        let tunnel = hop("CONNECT a.test:22 HTTP/1.1\r\n\r\n").unwrap();
        assert_eq!((tunnel.host(), tunnel.port()), ("tunnel.test", 8080));
        // user:pa:ss
        assert_eq!(
            tunnel.authorization(),
            "Proxy-Authorization: Basic dXNlcjpwYTpzcw==\r\n"
        );
        for direct in ["CONNECT x.internal.test:443", "CONNECT 10.1.2.3:443"] {
            assert!(hop(&format!("{direct} HTTP/1.1\r\n\r\n")).is_none(), "{direct}");
        }
    }

    #[tokio::test]
    async fn the_proxy_itself_is_known_by_name_and_by_address() {
        let both = || "http://localhost:3128".to_owned();
        let ways = Upstream {
            http: both(),
            https: both(),
            ..Upstream::default()
        }
        .ways();
        for (asked, expected) in [
            ("LOCALHOST:3128", true),
            ("127.0.0.1:3128", true),
            ("localhost:443", false),
            ("192.0.2.1:3128", false),
        ] {
            let request = Request::parse(format!("CONNECT {asked} HTTP/1.1\r\n\r\n").as_bytes()).unwrap();
            let hop = Hop::of(&ways, &request).unwrap();
            assert_eq!(hop.is_asked_for(&request).await, expected, "{asked}");
        }
    }

    #[test]
    fn a_proxy_speaks_http_or_socks_5() {
        for (proxy, port) in [
            ("http://user:secret@proxy.test:3128", 3128),
            ("proxy.test", 80),
            ("https://proxy.test", 443),
            ("socks5://user:secret@proxy.test", 1080),
            ("socks5h://proxy.test:9050", 9050),
        ] {
            assert!(is_usable(proxy), "{proxy}");
            let upstream = Upstream {
                https: proxy.into(),
                ..Upstream::default()
            };
            let ways = upstream.ways();
            let request = Request::parse(b"CONNECT a.test:443 HTTP/1.1\r\n\r\n").unwrap();
            assert_eq!(Hop::of(&ways, &request).unwrap().port(), port, "{proxy}");
        }
        for proxy in ["socks4://proxy.test:1080", "ftp://proxy.test", "proxy test", ""] {
            assert!(!is_usable(proxy), "{proxy}");
        }
    }
}
