//! The proxies that the operator's network wants: where there are some, the proxy of a step goes out through them.
//!
//! Their credentials come to the supervisor over its standard input, and are sent to the proxies only: they are in no
//! environment, no process list and no answer to a build.

use std::io::{self, BufRead};

use anyhow::{Context, bail};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::bounds::{CONNECT_TIMEOUT, HEAD_TIMEOUT, MAX_HEAD, Refused};
use super::request::{Kind, Request};

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

    /// Chooses a proxy for each request.
    pub fn matcher(&self) -> Matcher {
        let builder = Matcher::builder().http(self.http.clone());
        builder.https(self.https.clone()).no(self.no_proxy.clone()).build()
    }
}

/// Whether a text names a proxy that can be gone through: one that speaks HTTP without TLS.
pub fn is_usable(proxy: &str) -> bool {
    let matcher = Matcher::builder().all(proxy.to_owned()).build();
    let found = matcher.intercept(&http::Uri::from_static("http://a.test/"));
    found.is_some_and(|proxy| proxy.uri().scheme_str() == Some("http"))
}

/// The proxy that a request goes through.
pub struct Hop(Intercept);

impl Hop {
    /// The proxy for a request; `None` when it goes out directly.
    pub fn of(matcher: &Matcher, request: &Request) -> Option<Self> {
        let scheme = match request.kind {
            Kind::Tunnel => "https",
            Kind::Plain(_) => "http",
        };
        let address: http::Uri = format!("{scheme}://{}/", request.authority()).parse().ok()?;
        matcher.intercept(&address).map(Self)
    }

    fn host(&self) -> &str {
        let host = self.0.uri().host().unwrap_or_default();
        host.trim_start_matches('[').trim_end_matches(']')
    }

    fn port(&self) -> u16 {
        // What curl assumes for a proxy is 1080; everybody writes the port.
        self.0.uri().port_u16().unwrap_or(80)
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
            match tokio::net::lookup_host((host, request.port)).await {
                Ok(found) => found.map(|address| address.ip().to_canonical()).collect(),
                Err(_) => Vec::new(),
            }
        };
        let (asked, own) = (addresses(&request.host).await, addresses(self.host()).await);
        asked.iter().any(|address| own.contains(address))
    }

    /// Connects to the proxy, and through it to the server. Gives the connection, and what the server gets first or has
    /// sent already.
    pub async fn connect(&self, request: &Request) -> Result<Connected, Refused> {
        let failed = |why: &dyn std::fmt::Display| {
            let (host, port) = (self.host(), self.port());
            Refused(
                "502 Bad Gateway",
                format!("The proxy of the server's network, {host}:{port}, {why}"),
            )
        };
        let connecting = TcpStream::connect((self.host(), self.port()));
        let mut stream = match timeout(CONNECT_TIMEOUT, connecting).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => return Err(failed(&format!("cannot be reached: {error}"))),
            Err(_) => return Err(failed(&"does not answer")),
        };
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
        let value = self.0.basic_auth().and_then(|value| value.to_str().ok());
        value.map_or_else(String::new, |value| format!("Proxy-Authorization: {value}\r\n"))
    }
}

/// A way to a server.
pub struct Connected {
    /// The connection.
    pub stream: TcpStream,
    /// What the server gets before anything of the client's body.
    pub to_server: Vec<u8>,
    /// What came from the server already.
    pub to_client: Vec<u8>,
}

/// The status of an answer, and what came behind its head.
async fn read_answer(stream: &mut TcpStream) -> io::Result<(u16, Vec<u8>)> {
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
        };
        let matcher = upstream.matcher();
        let hop = |request: &str| Hop::of(&matcher, &Request::parse(request.as_bytes()).unwrap());
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
        let matcher = Matcher::builder().all("http://localhost:3128").build();
        for (asked, expected) in [
            ("LOCALHOST:3128", true),
            ("127.0.0.1:3128", true),
            ("localhost:443", false),
            ("192.0.2.1:3128", false),
        ] {
            let request = Request::parse(format!("CONNECT {asked} HTTP/1.1\r\n\r\n").as_bytes()).unwrap();
            let hop = Hop::of(&matcher, &request).unwrap();
            assert_eq!(hop.is_asked_for(&request).await, expected, "{asked}");
        }
    }

    #[test]
    fn a_proxy_that_wants_tls_or_speaks_socks_is_not_gone_through() {
        assert!(is_usable("http://user:secret@proxy.test:3128"));
        assert!(is_usable("proxy.test:3128"));
        for proxy in ["https://proxy.test", "socks5://proxy.test:1080", "proxy test", ""] {
            assert!(!is_usable(proxy), "{proxy}");
        }
    }
}
