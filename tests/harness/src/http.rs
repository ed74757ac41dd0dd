//! A small HTTP/1.1 client that hides nothing: the bytes of a request are what the test says, and an answer is kept as it
//! came. No redirects are followed, nothing is decompressed, each request has a connection of its own.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// How long a server may be silent.
const READ_TIMEOUT: Duration = Duration::from_secs(60);

/// One request, ready to be sent.
#[derive(Debug, Clone)]
pub struct Request {
    /// Where it goes.
    pub to: SocketAddr,
    /// The address it comes from; the server tells clients apart by it.
    pub from: Option<Ipv4Addr>,
    /// The method.
    pub method: String,
    /// The request target, sent as it is.
    pub target: String,
    /// Names and values, sent as they are, in this order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How long the server may be silent.
    pub patience: Duration,
}

impl Request {
    /// A request without headers, apart from `host`.
    pub fn new(to: SocketAddr, method: &str, target: &str) -> Request {
        let headers = vec![("host".to_owned(), to.to_string())];
        Request {
            to,
            from: None,
            method: method.into(),
            target: target.into(),
            headers,
            body: Vec::new(),
            patience: READ_TIMEOUT,
        }
    }

    /// Adds a header; one with this name that is there already is replaced.
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Request {
        self.headers.retain(|(there, _)| !there.eq_ignore_ascii_case(name));
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Removes a header.
    pub fn without(mut self, name: &str) -> Request {
        self.headers.retain(|(there, _)| !there.eq_ignore_ascii_case(name));
        self
    }

    /// Sets a JSON body.
    pub fn json(self, body: &Value) -> Request {
        self.header("content-type", "application/json").body(body.to_string())
    }

    /// Sets the body.
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Request {
        self.body = body.into();
        self
    }

    /// Sends it from another loopback address, thus as another client.
    pub fn from(mut self, address: Ipv4Addr) -> Request {
        self.from = Some(address);
        self
    }

    /// Lets the server be silent for longer.
    pub fn within(mut self, patience: Duration) -> Request {
        self.patience = patience;
        self
    }

    /// The head as it is sent.
    pub fn head(&self) -> String {
        let mut head = format!("{} {} HTTP/1.1\r\n", self.method, self.target);
        let has = |name: &str| self.headers.iter().any(|(there, _)| there.eq_ignore_ascii_case(name));
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        let bodiless = matches!(self.method.as_str(), "GET" | "HEAD") && self.body.is_empty();
        if !bodiless && !has("content-length") && !has("transfer-encoding") {
            let _ = write!(head, "content-length: {}\r\n", self.body.len());
        }
        if !has("connection") {
            head.push_str("connection: close\r\n");
        }
        head.push_str("\r\n");
        head
    }

    /// Sends it and reads the whole answer.
    #[track_caller]
    pub fn send(&self) -> Response {
        match self.try_send() {
            Ok(response) => response,
            Err(error) => panic!("{} {} got no answer: {error}", self.method, self.target),
        }
    }

    /// Sends it and reads the whole answer, if there is one.
    pub fn try_send(&self) -> io::Result<Response> {
        let stream = self.write()?;
        let mut reader = BufReader::new(stream);
        let mut response = read_head(&mut reader)?;
        response.request = format!("{} {}", self.method, self.target);
        // A stream that was admitted has no end to wait for.
        let endless = response
            .header("content-type")
            .is_some_and(|kind| kind.starts_with("text/event-stream"));
        if self.method != "HEAD" && !endless {
            body_of(&response, reader).read_to_end(&mut response.body)?;
        }
        Ok(response)
    }

    /// Sends it and reads the head of the answer only; the rest can be read as it arrives.
    pub fn open(&self) -> io::Result<(Response, BodyReader, TcpStream)> {
        let stream = self.write()?;
        let handle = stream.try_clone()?;
        let mut reader = BufReader::new(stream);
        let response = read_head(&mut reader)?;
        let body = body_of(&response, reader);
        Ok((response, body, handle))
    }

    /// A connection over which the request was sent. A long body is written beside the reading: a server may answer
    /// before it has read all.
    fn write(&self) -> io::Result<TcpStream> {
        let mut stream = connect(self.to, self.from)?;
        stream.set_read_timeout(Some(self.patience))?;
        stream.write_all(self.head().as_bytes())?;
        if self.body.len() < 32 << 10 {
            // A refusal may have arrived already, and the connection may be closed: then the answer is worth reading.
            let _ = stream.write_all(&self.body);
        } else {
            let mut writer = stream.try_clone()?;
            let body = self.body.clone();
            std::thread::spawn(move || {
                let _ = writer.write_all(&body);
            });
        }
        Ok(stream)
    }
}

/// A connection that gives up after a minute of silence.
pub fn connect(to: SocketAddr, from: Option<Ipv4Addr>) -> io::Result<TcpStream> {
    let stream = match from {
        None => TcpStream::connect(to)?,
        Some(from) => {
            // The standard library cannot choose the address of its own side.
            let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
            let stream = runtime.block_on(async {
                let socket = tokio::net::TcpSocket::new_v4()?;
                socket.bind(SocketAddr::new(IpAddr::V4(from), 0))?;
                socket.connect(to).await
            })?;
            let stream = stream.into_std()?;
            stream.set_nonblocking(false)?;
            stream
        }
    };
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(READ_TIMEOUT))?;
    stream.set_write_timeout(Some(READ_TIMEOUT))?;
    Ok(stream)
}

/// Sends bytes as they are and gives everything the server says until it closes the connection or falls silent for
/// `patience`.
pub fn raw(to: SocketAddr, bytes: &[u8], patience: Duration) -> String {
    let Ok(mut stream) = connect(to, None) else {
        return String::new();
    };
    stream.set_read_timeout(Some(patience)).expect("a timeout above zero");
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let _ = stream.shutdown(Shutdown::Both);
    String::from_utf8_lossy(&answer).into_owned()
}

/// One answer.
#[derive(Debug, Clone, Default)]
pub struct Response {
    /// Method and target of the request, for messages.
    pub request: String,
    /// The status.
    pub status: u16,
    /// The head as it came: status line and headers, each ended by CR LF.
    pub head: String,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body, transfer coding removed, content coding not.
    pub body: Vec<u8>,
}

impl Response {
    /// Demands a status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Response {
        if self.status != status {
            let body: String = self.text().chars().take(2_000).collect();
            panic!("{}: expected {status}, got\n{}{body}", self.request, self.head);
        }
        self
    }

    /// Demands an error: the status, and exactly `{ "error": message }` as JSON.
    #[track_caller]
    pub fn refused(self, status: u16, message: &str) {
        let answer = self.expect(status);
        assert_eq!(answer.error(), message, "{}", answer.request);
    }

    /// The value of a header; the first one, when it was sent more than once.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(there, _)| there == name)
            .map(|(_, value)| value.as_str())
    }

    /// The values of a header that may be sent more than once.
    pub fn all(&self, name: &str) -> Vec<&str> {
        self.headers
            .iter()
            .filter(|(there, _)| there == name)
            .map(|(_, value)| value.as_str())
            .collect()
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON; the content type must say so.
    #[track_caller]
    pub fn json(&self) -> Value {
        let kind = self.header("content-type").unwrap_or_default();
        assert!(
            kind.starts_with("application/json"),
            "{}: the content type is `{kind}`",
            self.request
        );
        match serde_json::from_slice(&self.body) {
            Ok(value) => value,
            Err(error) => panic!("{}: not JSON ({error}): {}", self.request, self.text()),
        }
    }

    /// The message of `{ "error": message }`.
    #[track_caller]
    pub fn error(&self) -> String {
        let body = self.json();
        let message = body["error"].as_str().filter(|message| !message.is_empty());
        message
            .unwrap_or_else(|| panic!("{}: no error message in {body}", self.request))
            .to_owned()
    }

    /// Everything that came, apart from what differs between any two answers: the date and the request's id.
    pub fn comparable(&self) -> String {
        let differs = |line: &str| {
            let name = line.split(':').next().unwrap_or_default();
            name.eq_ignore_ascii_case("date") || name.eq_ignore_ascii_case("x-request-id")
        };
        let head: String = self
            .head
            .split_inclusive("\r\n")
            .filter(|line| !differs(line))
            .collect();
        head + "\r\n" + &self.text()
    }
}

/// Reads status line and headers.
pub fn read_head(reader: &mut impl BufRead) -> io::Result<Response> {
    let mut response = Response::default();
    loop {
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line)?;
        let line = String::from_utf8_lossy(&line).into_owned();
        if !line.ends_with('\n') {
            return Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                format!("the head ends at `{}{line}`", response.head),
            ));
        }
        if line == "\r\n" && response.status == 100 {
            response = Response::default();
            continue;
        }
        if line == "\r\n" {
            return Ok(response);
        }
        if response.head.is_empty() {
            response.status = line
                .split(' ')
                .nth(1)
                .and_then(|status| status.parse().ok())
                .unwrap_or(0);
        } else if let Some((name, value)) = line.split_once(':') {
            response
                .headers
                .push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        response.head.push_str(&line);
    }
}

/// The rest of an answer, transfer coding removed.
#[derive(Debug)]
pub struct BodyReader {
    reader: BufReader<TcpStream>,
    framing: Framing,
}

#[derive(Debug)]
enum Framing {
    UntilClosed,
    Length(u64),
    /// Bytes left of the current chunk; `first` before the first one.
    Chunked {
        left: u64,
        first: bool,
    },
    Ended,
}

/// The body that follows `head`.
pub fn body_of(head: &Response, reader: BufReader<TcpStream>) -> BodyReader {
    let framing = if matches!(head.status, 204 | 304) {
        Framing::Ended
    } else if head
        .header("transfer-encoding")
        .is_some_and(|coding| coding.eq_ignore_ascii_case("chunked"))
    {
        Framing::Chunked { left: 0, first: true }
    } else if let Some(length) = head.header("content-length") {
        Framing::Length(length.parse().unwrap_or(0))
    } else {
        Framing::UntilClosed
    };
    BodyReader { reader, framing }
}

impl Read for BodyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let cut = || io::Error::new(io::ErrorKind::UnexpectedEof, "the body was cut short");
        match &mut self.framing {
            Framing::Ended => Ok(0),
            Framing::UntilClosed => self.reader.read(buffer),
            Framing::Length(0) => Ok(0),
            Framing::Length(left) => {
                let most = buffer.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                let read = self.reader.read(&mut buffer[..most])?;
                *left -= read as u64;
                if read == 0 && most > 0 { Err(cut()) } else { Ok(read) }
            }
            Framing::Chunked { left, first } => {
                if *left == 0 {
                    *left = next_chunk(&mut self.reader, *first)?;
                    *first = false;
                    if *left == 0 {
                        self.framing = Framing::Ended;
                        return Ok(0);
                    }
                }
                let most = buffer.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                let read = self.reader.read(&mut buffer[..most])?;
                *left -= read as u64;
                if read == 0 && most > 0 { Err(cut()) } else { Ok(read) }
            }
        }
    }
}

/// The size of the next chunk; 0 at the end.
fn next_chunk(reader: &mut impl BufRead, first: bool) -> io::Result<u64> {
    let mut line = String::new();
    if !first {
        reader.read_line(&mut line)?;
        line.clear();
    }
    reader.read_line(&mut line)?;
    let size = line.trim().split(';').next().unwrap_or_default();
    u64::from_str_radix(size, 16)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, format!("chunk size `{line}`")))
}
