//! What a client asks of the proxy: a tunnel (CONNECT), or one plain request.

use super::bounds::Refused;

const MAX_HEADERS: usize = 100;

/// Headers of a plain request that are between the client and this proxy.
const HOP_BY_HOP: [&str; 5] = [
    "connection",
    "proxy-connection",
    "proxy-authorization",
    "keep-alive",
    "upgrade",
];

/// One request.
#[derive(Debug)]
pub struct Request {
    /// The host, without the brackets of an IPv6 address.
    pub host: String,
    /// The port.
    pub port: u16,
    /// What is asked for.
    pub kind: Kind,
    /// What the client sent behind the head.
    pub rest: Vec<u8>,
}

/// What is asked for.
#[derive(Debug)]
pub enum Kind {
    /// CONNECT: bytes are passed both ways and not looked at.
    Tunnel,
    /// A request for `http://…`.
    Plain(Plain),
}

/// A plain request, taken apart.
#[derive(Debug)]
pub struct Plain {
    method: String,
    /// Path and query.
    path: String,
    /// Headers as they are sent on, each with its line end.
    headers: Vec<u8>,
    /// The length of the body; `None` when the client does not say it beforehand.
    pub body: Option<u64>,
}

impl Request {
    /// What the server itself gets before anything of the client's body.
    pub fn for_server(&self) -> Vec<u8> {
        match &self.kind {
            Kind::Tunnel => Vec::new(),
            Kind::Plain(plain) => plain.for_server(),
        }
    }

    /// Reads a head, and what came with it.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refused> {
        let malformed = || Refused("400 Bad Request", "This is no request for a proxy".to_owned());
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        let Ok(httparse::Status::Complete(length)) = parsed.parse(bytes) else {
            return Err(malformed());
        };
        let (Some(method), Some(target)) = (parsed.method, parsed.path) else {
            return Err(malformed());
        };
        let rest = bytes[length..].to_owned();
        if method == "CONNECT" {
            let (host, port) = target.rsplit_once(':').ok_or_else(malformed)?;
            return Ok(Self {
                host: host.trim_start_matches('[').trim_end_matches(']').to_owned(),
                port: port.parse().map_err(|_| malformed())?,
                kind: Kind::Tunnel,
                rest,
            });
        }
        if method == "TRACE" {
            // Its answer repeats the request, and with it the credential of a proxy behind this one.
            return Err(Refused("405 Method Not Allowed", "TRACE is not forwarded".to_owned()));
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
        Ok(Self {
            host,
            port: url.port().unwrap_or(80),
            kind: Kind::Plain(Plain {
                method: method.to_owned(),
                path: url[url::Position::BeforePath..url::Position::AfterQuery].to_owned(),
                headers: end_to_end(parsed.headers),
                body: body_length(parsed.headers).map_err(|()| malformed())?,
            }),
            rest,
        })
    }

    /// Host and port, as they stand in addresses.
    pub fn authority(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

impl Plain {
    /// The head for the server itself. One request a connection: the next one may be for another server.
    pub fn for_server(&self) -> Vec<u8> {
        self.head(&self.path, "")
    }

    /// The head for another proxy, with the headers it is to get on top.
    pub fn for_proxy(&self, authority: &str, more: &str) -> Vec<u8> {
        self.head(&format!("http://{authority}{}", self.path), more)
    }

    fn head(&self, target: &str, more: &str) -> Vec<u8> {
        let mut head = format!("{} {target} HTTP/1.1\r\n{more}", self.method).into_bytes();
        head.extend_from_slice(&self.headers);
        head.extend_from_slice(b"Connection: close\r\n\r\n");
        head
    }
}

fn end_to_end(headers: &[httparse::Header<'_>]) -> Vec<u8> {
    let mut kept = Vec::new();
    for header in headers {
        if !HOP_BY_HOP.iter().any(|name| header.name.eq_ignore_ascii_case(name)) {
            kept.extend_from_slice(header.name.as_bytes());
            kept.extend_from_slice(b": ");
            kept.extend_from_slice(header.value);
            kept.extend_from_slice(b"\r\n");
        }
    }
    kept
}

/// The length of the body. An error when it is said in two ways, which two servers may read differently.
fn body_length(headers: &[httparse::Header<'_>]) -> Result<Option<u64>, ()> {
    let values = |name: &'static str| {
        let named = headers
            .iter()
            .filter(move |header| header.name.eq_ignore_ascii_case(name));
        named.map(|header| std::str::from_utf8(header.value).unwrap_or_default().trim())
    };
    let mut lengths = values("content-length");
    let is_chunked = values("transfer-encoding").next().is_some();
    match (lengths.next(), lengths.next(), is_chunked) {
        (None, _, false) => Ok(Some(0)),
        (None, _, true) => Ok(None),
        (Some(length), None, false) if length.bytes().all(|digit| digit.is_ascii_digit()) => {
            length.parse().map(Some).map_err(|_| ())
        }
        _ => Err(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Request, Refused> {
        Request::parse(text.as_bytes())
    }

    fn plain(text: &str) -> (Request, Vec<u8>, Vec<u8>) {
        let request = parse(text).unwrap();
        let Kind::Plain(plain) = &request.kind else {
            panic!("{text} is no plain request")
        };
        let (direct, on) = (plain.for_server(), plain.for_proxy(&request.authority(), "Via: x\r\n"));
        (request, direct, on)
    }

    #[test]
    fn requests_are_read_as_proxies_read_them() {
        let tunnel = parse("CONNECT [::1]:443 HTTP/1.1\r\nHost: x\r\n\r\nrest").unwrap();
        assert_eq!((tunnel.host.as_str(), tunnel.port), ("::1", 443));
        assert!(matches!(tunnel.kind, Kind::Tunnel));
        assert_eq!(tunnel.authority(), "[::1]:443");
        assert_eq!(tunnel.rest, b"rest");
        let (request, direct, on) =
            plain("GET http://a.test/x?y HTTP/1.1\r\nHost: a.test\r\nProxy-Authorization: z\r\nUpgrade: h2c\r\n\r\n");
        assert_eq!((request.host.as_str(), request.port), ("a.test", 80));
        assert_eq!(
            direct,
            b"GET /x?y HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n"
        );
        let expected = b"GET http://a.test:80/x?y HTTP/1.1\r\nVia: x\r\nHost: a.test\r\nConnection: close\r\n\r\n";
        assert_eq!(on, expected);
        for bad in [
            "GET / HTTP/1.1\r\n\r\n",
            "CONNECT a HTTP/1.1\r\n\r\n",
            "CONNECT a:x HTTP/1.1\r\n\r\n",
            "TRACE http://a.test/ HTTP/1.1\r\nMax-Forwards: 0\r\n\r\n",
            "POST http://a.test/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST http://a.test/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "POST http://a.test/ HTTP/1.1\r\nContent-Length: +1\r\n\r\n",
            "\r\n\r\n",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_length_of_a_body_is_known_or_not() {
        let body = |header: &str| {
            let request = parse(&format!("POST http://a.test/ HTTP/1.1\r\n{header}\r\n\r\n")).unwrap();
            match request.kind {
                Kind::Plain(plain) => plain.body,
                Kind::Tunnel => panic!("no tunnel was asked for"),
            }
        };
        assert_eq!(body("Host: a.test"), Some(0));
        assert_eq!(body("Content-Length: 12"), Some(12));
        assert_eq!(body("Transfer-Encoding: chunked"), None);
    }
}
