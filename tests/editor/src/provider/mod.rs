//! A provider of models, as the vendors' documentation and recorded streams describe them: both wire formats over loopback, answering by
//! a script. What is asked is kept.

mod caching;
mod reply;
mod wire;

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use galley_harness::accept::accept;
use serde_json::{Value, json};

use caching::Cache;
pub use caching::Counted;
pub use reply::Reply;

/// The only key it knows. No file, log, event or page may ever hold it but the user's own file of keys.
pub const KEY: &str = "sk-canary-4f9d1c7e-never-to-be-seen";

/// How long a stalled answer stays silent.
const STALL: Duration = Duration::from_secs(600);

/// A call that came.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Method and path.
    pub line: String,
    /// The key it brought.
    pub key: Option<String>,
    /// Its body as it came.
    pub text: String,
    /// Its body.
    pub body: Value,
    /// When it was there.
    pub at: Instant,
    /// What is counted of it, by a provider that counts.
    pub counted: Option<Counted>,
}

#[derive(Debug, Default)]
struct State {
    replies: VecDeque<Reply>,
    asked: Vec<Asked>,
    gone: usize,
    /// What is kept of requests, where that is counted.
    cache: Option<Cache>,
    /// When answers began.
    answered: Vec<Instant>,
}

/// A running provider. Without a script it answers `Nothing to say`.
#[derive(Debug, Clone)]
pub struct Provider {
    /// Where it listens: `http://127.0.0.1:PORT`.
    pub address: String,
    state: Arc<Mutex<State>>,
}

impl Provider {
    /// Starts one; it ends with the tests.
    ///
    /// # Panics
    /// When no port can be had.
    #[must_use]
    pub fn start() -> Provider {
        Provider::with(State::default())
    }

    /// Starts one that counts what it is asked, and keeps what it is asked to keep, in Anthropic's format.
    ///
    /// # Panics
    /// When no port can be had.
    #[must_use]
    pub fn that_counts() -> Provider {
        Provider::with(State {
            cache: Some(Cache::default()),
            ..State::default()
        })
    }

    fn with(state: State) -> Provider {
        let state = Arc::new(Mutex::new(state));
        let shared = Arc::clone(&state);
        let address = format!("http://{}", accept(move |stream| serve(stream, &shared)));
        Provider { address, state }
    }

    /// What the next calls are answered.
    pub fn script(&self, replies: impl IntoIterator<Item = Reply>) {
        self.lock().replies = replies.into_iter().collect();
    }

    /// The calls of a model that came since the last time this was asked.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.lock().asked)
    }

    /// When the first event of each answer was about to be sent, since the last time this was asked.
    #[must_use]
    pub fn answered(&self) -> Vec<Instant> {
        std::mem::take(&mut self.lock().answered)
    }

    /// How many callers went before their answer ended.
    #[must_use]
    pub fn gone(&self) -> usize {
        self.lock().gone
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn serve(stream: TcpStream, state: &Mutex<State>) {
    let Ok(read) = stream.try_clone() else { return };
    let mut reader = BufReader::new(read);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        match reader.read_line(&mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line.trim().is_empty() => break,
            Ok(_) => head.push(line.trim().to_owned()),
        }
    }
    let header = |name: &str| {
        let found = head.iter().filter_map(|line| line.split_once(':'));
        let mut found = found.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value.trim().to_owned())
    };
    let length = header("content-length")
        .and_then(|length| length.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    let line = head
        .first()
        .map(|line| line.trim_end_matches(" HTTP/1.1").to_owned())
        .unwrap_or_default();
    let bearer = header("authorization").and_then(|value| value.strip_prefix("Bearer ").map(str::to_owned));
    let key = header("x-api-key").or(bearer);
    let text = String::from_utf8_lossy(&body).into_owned();
    let mut asked = Asked {
        at: Instant::now(),
        counted: None,
        line: line.clone(),
        key: key.clone(),
        body: serde_json::from_str(&text).unwrap_or_default(),
        text,
    };
    let is_messages = line.starts_with("POST /v1/messages");
    // The vendor's program looks whether anybody is there.
    if line.starts_with("HEAD ") {
        status(stream, 404, &[], &Value::Null);
        return;
    }
    if line.starts_with("GET ") {
        let answer = if key.as_deref() == Some(KEY) {
            (
                200,
                json!({ "object": "list", "has_more": false, "data": [model("claude-sonnet-5-5"), model("claude-opus-5-5")] }),
            )
        } else {
            (401, refused())
        };
        status(stream, answer.0, &[], &answer.1);
        return;
    }
    let (reply, counted) = {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        asked.counted = state.cache.as_mut().map(|cache| cache.count(&asked.body));
        let counted = asked.counted;
        state.asked.push(asked);
        (state.replies.pop_front(), counted)
    };
    if key.as_deref() != Some(KEY) {
        status(stream, 401, &[], &refused());
        return;
    }
    let went = match reply.unwrap_or(Reply::Text("Nothing to say")) {
        Reply::Status(code, headers, body) => {
            status(stream, code, &headers, &body);
            false
        }
        Reply::Hangup => false,
        reply => !stream_of(stream, &reply, is_messages, counted, state),
    };
    if went {
        state.lock().unwrap_or_else(PoisonError::into_inner).gone += 1;
    }
}

fn model(id: &str) -> Value {
    json!({ "type": "model", "object": "model", "id": id, "display_name": id, "created_at": "2026-01-01T00:00:00Z", "created": 0, "owned_by": "double" })
}

fn refused() -> Value {
    json!({ "type": "error", "error": { "type": "authentication_error", "message": "invalid x-api-key" } })
}

fn status(mut stream: TcpStream, code: u16, headers: &[(&str, &str)], body: &Value) {
    let body = body.to_string();
    let mut head = format!(
        "HTTP/1.1 {code} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n",
        body.len()
    );
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let _ = stream.write_all(format!("{head}\r\n{body}").as_bytes());
}

/// Whether the caller stayed to the end.
fn stream_of(
    mut stream: TcpStream,
    reply: &Reply,
    is_messages: bool,
    counted: Option<Counted>,
    state: &Mutex<State>,
) -> bool {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    if stream.write_all(head.as_bytes()).is_err() {
        return false;
    }
    if matches!(reply, Reply::Endless) {
        let piece = vec![b'x'; 1 << 16];
        // A hundred megabytes, as long as somebody takes them.
        return (0..1600).all(|_| stream.write_all(&piece).is_ok());
    }
    let bytes = match reply {
        Reply::Bytes(bytes) => bytes.clone(),
        _ if is_messages => wire::messages(reply, counted).into_bytes(),
        _ => wire::completions(reply).into_bytes(),
    };
    state
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .answered
        .push(Instant::now());
    // In small pieces: events come cut anywhere.
    for piece in bytes.chunks(97) {
        if stream.write_all(piece).and_then(|()| stream.flush()).is_err() {
            return false;
        }
    }
    if matches!(reply, Reply::Stall) {
        let _ = stream.set_read_timeout(Some(STALL));
        // Nothing comes any more, so this ends when the caller goes.
        return !matches!(stream.read(&mut [0]), Ok(0) | Err(_));
    }
    true
}
