//! Chromium's DevTools protocol over a pair of pipes: messages of JSON, each ended by a zero byte.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::error::ReviewError;

/// How long one command may take. A busy machine needs seconds to start a browser.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(45);
/// A larger message is not read.
const MAX_MESSAGE_BYTES: usize = 128 << 20;

type Waiting = HashMap<u64, oneshot::Sender<Result<Value, String>>>;

/// Where commands go in and answers come out.
pub(super) struct Channel {
    input: tokio::sync::Mutex<ChildStdin>,
    shared: Arc<Shared>,
    next: AtomicU64,
}

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    /// Who hears of the events of a session.
    sessions: Mutex<HashMap<String, mpsc::UnboundedSender<Value>>>,
    is_closed: AtomicBool,
}

impl Channel {
    pub(super) fn new(input: ChildStdin, output: ChildStdout) -> Self {
        let shared = Arc::new(Shared::default());
        tokio::spawn(read(output, Arc::clone(&shared)));
        Self {
            input: tokio::sync::Mutex::new(input),
            shared,
            next: AtomicU64::new(1),
        }
    }

    pub(super) fn is_open(&self) -> bool {
        !self.shared.is_closed.load(Ordering::Acquire)
    }

    /// Events of a session from now on.
    pub(super) fn listen(&self, session: &str) -> mpsc::UnboundedReceiver<Value> {
        let (sender, events) = mpsc::unbounded_channel();
        self.shared.sessions.lock().insert(session.to_owned(), sender);
        events
    }

    pub(super) fn forget(&self, session: &str) {
        self.shared.sessions.lock().remove(session);
    }

    /// One command and its answer.
    pub(super) async fn call(&self, session: Option<&str>, method: &str, params: Value) -> Result<Value, ReviewError> {
        let failed = |words: &str| ReviewError::Failed(words.to_owned());
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = json!(session);
        }
        let (sender, answer) = oneshot::channel();
        self.shared.waiting.lock().insert(id, sender);
        if !self.is_open() {
            return Err(failed("it has ended"));
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        {
            let mut input = self.input.lock().await;
            let written = async {
                input.write_all(&bytes).await?;
                input.flush().await
            };
            if written.await.is_err() {
                return Err(failed("it has ended"));
            }
        }
        match timeout(COMMAND_TIMEOUT, answer).await {
            Ok(Ok(Ok(answer))) => Ok(answer),
            Ok(Ok(Err(words))) => Err(ReviewError::Page(words)),
            Ok(Err(_)) => Err(failed("it has ended")),
            Err(_) => {
                self.shared.waiting.lock().remove(&id);
                Err(ReviewError::Failed(format!("it does not answer {method}")))
            }
        }
    }
}

async fn read(mut output: ChildStdout, shared: Arc<Shared>) {
    let mut message = Vec::new();
    let mut piece = vec![0; 1 << 16];
    'all: while let Ok(count) = output.read(&mut piece).await {
        if count == 0 {
            break;
        }
        for part in piece[..count].split_inclusive(|byte| *byte == 0) {
            message.extend_from_slice(part);
            if message.len() > MAX_MESSAGE_BYTES {
                break 'all;
            }
            if message.pop_if(|byte| *byte == 0).is_some() {
                if let Ok(value) = serde_json::from_slice(&message) {
                    take(value, &shared);
                }
                message.clear();
            }
        }
    }
    shared.is_closed.store(true, Ordering::Release);
    shared.waiting.lock().clear();
    shared.sessions.lock().clear();
}

fn take(mut value: Value, shared: &Shared) {
    if let Some(id) = value["id"].as_u64() {
        let Some(waiting) = shared.waiting.lock().remove(&id) else {
            return;
        };
        let answer = match value.get("error") {
            Some(error) => Err(error["message"].as_str().unwrap_or("it says no").to_owned()),
            None => Ok(value["result"].take()),
        };
        let _ = waiting.send(answer);
        return;
    }
    let Some(session) = value["sessionId"].as_str() else {
        return;
    };
    if let Some(listener) = shared.sessions.lock().get(session) {
        let _ = listener.send(value);
    }
}
