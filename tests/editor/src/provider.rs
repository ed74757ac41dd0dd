//! A provider of models, as the vendors' documentation and recorded streams describe them: both wire formats over loopback, answering by
//! a script. What is asked is kept.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use galley_harness::accept::accept;
use serde_json::{Value, json};

/// The only key it knows. No file, log, event or page may ever hold it but the user's own file of keys.
pub const KEY: &str = "sk-canary-4f9d1c7e-never-to-be-seen";

/// How long a stalled answer stays silent.
const STALL: Duration = Duration::from_secs(600);

/// What is answered to one call.
#[derive(Debug, Clone)]
pub enum Reply {
    /// It says something.
    Text(&'static str),
    /// It calls a tool.
    Call(&'static str, Value),
    /// It calls a tool with arguments that are written so.
    Written(&'static str, &'static str),
    /// A status with headers and a body.
    Status(u16, Vec<(&'static str, &'static str)>, Value),
    /// The status 200, and then exactly these bytes.
    Bytes(Vec<u8>),
    /// A stream that says a word, and then ends without its last event.
    Cut,
    /// A stream that ends in an error before anything was said.
    Overloaded,
    /// Nothing is said for a long time.
    Stall,
    /// The connection is closed without an answer.
    Hangup,
    /// Bytes without end.
    Endless,
}

impl Reply {
    /// A proposal of one change.
    #[must_use]
    pub fn propose(path: &str, old: &str, new: &str) -> Reply {
        Reply::Call(
            "propose",
            json!({ "files": [{ "path": path, "old": old, "new": new }], "why": "as asked" }),
        )
    }
}

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
}

#[derive(Debug, Default)]
struct State {
    replies: VecDeque<Reply>,
    asked: Vec<Asked>,
    gone: usize,
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
        let state = Arc::new(Mutex::new(State::default()));
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
    let asked = Asked {
        line: line.clone(),
        key: key.clone(),
        body: serde_json::from_str(&text).unwrap_or_default(),
        text,
    };
    let is_messages = line.starts_with("POST /v1/messages");
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
    let reply = {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        state.asked.push(asked);
        state.replies.pop_front()
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
        reply => !stream_of(stream, &reply, is_messages),
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
fn stream_of(mut stream: TcpStream, reply: &Reply, is_messages: bool) -> bool {
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
        _ if is_messages => messages(reply).into_bytes(),
        _ => completions(reply).into_bytes(),
    };
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

/// Events of Anthropic's Messages.
fn messages(reply: &Reply) -> String {
    let event = |name: &str, mut data: Value| {
        data["type"] = json!(name);
        format!("event: {name}\ndata: {data}\n\n")
    };
    let usage = json!({ "input_tokens": 1200, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 1 });
    let start = json!({ "message": { "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage } });
    let mut text = event("message_start", start) + &event("ping", json!({}));
    let block = |at: u32, block: Value, deltas: Vec<Value>| {
        let mut text = event("content_block_start", json!({ "index": at, "content_block": block }));
        for delta in deltas {
            text.push_str(&event("content_block_delta", json!({ "index": at, "delta": delta })));
        }
        text + &event("content_block_stop", json!({ "index": at }))
    };
    let said = |words: &str| json!({ "type": "text_delta", "text": words });
    let stop = match reply {
        Reply::Text(words) => {
            text.push_str(&block(0, json!({ "type": "text", "text": "" }), vec![said(words)]));
            "end_turn"
        }
        Reply::Call(..) | Reply::Written(..) => {
            let (name, written) = called(reply);
            let thought = json!({ "type": "thinking_delta", "thinking": "Let me see." });
            let signed = json!({ "type": "signature_delta", "signature": "c2lnbmVk" });
            text.push_str(&block(
                0,
                json!({ "type": "thinking", "thinking": "", "signature": "" }),
                vec![thought, signed],
            ));
            let call = json!({ "type": "tool_use", "id": "toolu_1", "name": name, "input": {} });
            let pieces = halves(&written).map(|piece| json!({ "type": "input_json_delta", "partial_json": piece }));
            text.push_str(&block(1, call, pieces.to_vec()));
            "tool_use"
        }
        Reply::Cut | Reply::Stall => {
            text.push_str(&event(
                "content_block_start",
                json!({ "index": 0, "content_block": { "type": "text", "text": "" } }),
            ));
            text.push_str(&event(
                "content_block_delta",
                json!({ "index": 0, "delta": said("I was about to") }),
            ));
            return text;
        }
        Reply::Overloaded => {
            return text
                + &event(
                    "error",
                    json!({ "error": { "type": "overloaded_error", "message": "Overloaded" } }),
                );
        }
        _ => return text,
    };
    let counted = json!({ "input_tokens": 1234, "output_tokens": 56 });
    text.push_str(&event(
        "message_delta",
        json!({ "delta": { "stop_reason": stop, "stop_sequence": null }, "usage": counted }),
    ));
    text + &event("message_stop", json!({}))
}

/// Chunks of OpenAI's Chat Completions.
fn completions(reply: &Reply) -> String {
    let chunk = |delta: Value, finish: Option<&str>| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish, "logprobs": null });
        let data = json!({ "id": "c1", "object": "chat.completion.chunk", "created": 0, "model": "gpt-6-sol", "choices": [choice] });
        format!("data: {data}\n\n")
    };
    let mut text = chunk(json!({ "role": "assistant", "content": "" }), None);
    let finish = match reply {
        Reply::Text(words) => {
            text.push_str(&chunk(json!({ "content": words }), None));
            "stop"
        }
        Reply::Call(..) | Reply::Written(..) => {
            let (name, written) = called(reply);
            let [one, two] = halves(&written);
            // Some begin to count at 1.
            let first = json!({ "index": 1, "id": "call_1", "type": "function", "function": { "name": name, "arguments": one } });
            text.push_str(&chunk(json!({ "tool_calls": [first] }), None));
            text.push_str(&chunk(
                json!({ "tool_calls": [{ "index": 1, "function": { "arguments": two } }] }),
                None,
            ));
            "tool_calls"
        }
        Reply::Cut | Reply::Stall => return text + &chunk(json!({ "content": "I was about to" }), None),
        Reply::Overloaded => {
            return format!(
                "data: {}\n\n",
                json!({ "error": { "message": "Overloaded", "code": 503, "type": "overloaded" } })
            );
        }
        _ => return text,
    };
    text.push_str(&chunk(json!({}), Some(finish)));
    let usage = json!({ "prompt_tokens": 1234, "completion_tokens": 56, "total_tokens": 1290, "prompt_tokens_details": { "cached_tokens": 1000 } });
    let last = json!({ "id": "c1", "object": "chat.completion.chunk", "created": 0, "model": "gpt-6-sol", "choices": [], "usage": usage });
    text + &format!("data: {last}\n\ndata: [DONE]\n\n")
}

fn called(reply: &Reply) -> (&'static str, String) {
    match reply {
        Reply::Call(name, input) => (name, input.to_string()),
        Reply::Written(name, written) => (name, (*written).to_owned()),
        _ => ("", String::new()),
    }
}

/// Two pieces, cut between characters.
fn halves(text: &str) -> [String; 2] {
    let middle = text
        .char_indices()
        .nth(text.chars().count() / 2)
        .map_or(0, |(at, _)| at);
    [text[..middle].to_owned(), text[middle..].to_owned()]
}
