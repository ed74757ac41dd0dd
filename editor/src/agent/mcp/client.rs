//! Speaking to one server.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::child::Running;
use super::content::{self, Answered};
use crate::agent::lines;
use crate::config::servers::Server;

/// How long a server may take until its tools are known.
pub(super) const START_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a tool may take.
const CALL_TIMEOUT: Duration = Duration::from_secs(60);
/// A message may have so many bytes. Pictures come in them.
const MAX_MESSAGE: usize = 8 << 20;
/// Lines that are no messages, until a server is given up.
const MAX_BABBLE: usize = 1_000;
/// Pages of tools, and tools.
const MAX_PAGES: usize = 10;
const MAX_TOOLS: usize = 64;
/// A tool's schema in bytes, and its description.
const MAX_SCHEMA: usize = 16 << 10;
const MAX_DESCRIPTION: usize = 2_000;
/// The version that is asked for; servers answer with the one they speak.
const VERSION: &str = "2025-11-25";

/// A tool as its server describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Described {
    /// Its name at the server.
    pub name: String,
    /// What it says it does.
    pub description: String,
    /// The schema of its arguments: an object.
    pub schema: Value,
}

type Waiting = Arc<Mutex<HashMap<u64, oneshot::Sender<Result<Value, String>>>>>;

/// A server that listens.
pub(super) struct Client {
    running: Mutex<Running>,
    waiting: Waiting,
    lines: mpsc::Sender<String>,
    next: AtomicU64,
    dead: Arc<AtomicBool>,
    pub(super) tools: Vec<Described>,
}

#[derive(Deserialize)]
struct Incoming {
    id: Option<Value>,
    method: Option<String>,
    result: Option<Value>,
    error: Option<Wrong>,
}

#[derive(Deserialize)]
struct Wrong {
    #[serde(default)]
    message: String,
}

impl Client {
    /// Starts a server, and asks for its tools.
    pub(super) async fn start(server: &Server, folder: &Path) -> Result<Client, String> {
        let started = Running::start(server, folder);
        let (running, stdin, stdout) = started.map_err(|error| format!("it cannot be started: {error}"))?;
        let (lines, queued) = mpsc::channel(64);
        let waiting = Waiting::default();
        let dead = Arc::new(AtomicBool::new(false));
        tokio::spawn(write(stdin, queued));
        tokio::spawn(read(stdout, Arc::clone(&waiting), lines.clone(), Arc::clone(&dead)));
        let mut client = Client {
            running: Mutex::new(running),
            waiting,
            lines,
            next: AtomicU64::new(1),
            dead,
            tools: Vec::new(),
        };
        match timeout(START_TIMEOUT, client.begin()).await {
            Ok(Ok(tools)) => client.tools = tools,
            Ok(Err(why)) => return Err(client.with_said(&why)),
            Err(_) => return Err(client.with_said("it did not answer within 5 seconds")),
        }
        Ok(client)
    }

    async fn begin(&self) -> Result<Vec<Described>, String> {
        let who = json!({ "name": "galley-editor", "version": env!("CARGO_PKG_VERSION") });
        let hello = json!({ "protocolVersion": VERSION, "capabilities": {}, "clientInfo": who });
        // Servers of the protocol's next version know no beginning, and say so: they are asked for their tools all the same.
        if self.ask("initialize", hello).await.is_ok() {
            self.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
                .await?;
        } else if self.is_dead() {
            return Err("it ended".to_owned());
        }
        let mut tools = Vec::new();
        let mut cursor = Value::Null;
        for _ in 0..MAX_PAGES {
            let page = if cursor.is_null() {
                json!({})
            } else {
                json!({ "cursor": cursor })
            };
            let listed = self.ask("tools/list", page).await?;
            let list = listed["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
            tools.extend(list.iter().filter_map(described));
            cursor = listed["nextCursor"].clone();
            if !cursor.is_string() || tools.len() >= MAX_TOOLS {
                break;
            }
        }
        tools.truncate(MAX_TOOLS);
        Ok(tools)
    }

    /// Calls a tool.
    pub(super) async fn call(&self, tool: &str, arguments: &Value) -> Result<Answered, String> {
        let params = json!({ "name": tool, "arguments": arguments });
        match timeout(CALL_TIMEOUT, self.ask("tools/call", params)).await {
            Ok(Ok(result)) => Ok(content::read(&result)),
            Ok(Err(why)) => Err(self.with_said(&why)),
            Err(_) => Err(format!(
                "the tool did not answer within {} seconds",
                CALL_TIMEOUT.as_secs()
            )),
        }
    }

    /// Whether it can be asked no more.
    pub(super) fn is_dead(&self) -> bool {
        self.dead.load(Ordering::SeqCst) || self.running.lock().has_ended()
    }

    async fn ask(&self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.next.fetch_add(1, Ordering::SeqCst);
        let (answer, answered) = oneshot::channel();
        self.waiting.lock().insert(id, answer);
        let _forget = Forget(&self.waiting, id);
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.say(&message).await?;
        if self.dead.load(Ordering::SeqCst) {
            return Err("it ended".to_owned());
        }
        answered.await.unwrap_or_else(|_| Err("it ended".to_owned()))
    }

    async fn say(&self, message: &Value) -> Result<(), String> {
        let sent = self.lines.send(format!("{message}\n")).await;
        sent.map_err(|_| "it ended".to_owned())
    }

    fn with_said(&self, why: &str) -> String {
        match self.running.lock().said() {
            said if said.is_empty() => why.to_owned(),
            said => format!("{why} (it said: {said})"),
        }
    }
}

/// Nobody waits for an answer any more, however the waiting ended.
struct Forget<'w>(&'w Waiting, u64);

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        self.0.lock().remove(&self.1);
    }
}

fn described(tool: &Value) -> Option<Described> {
    let name = tool["name"]
        .as_str()
        .filter(|name| !name.is_empty() && name.len() <= 128)?;
    let text = tool["description"].as_str().unwrap_or_default();
    let end = text.floor_char_boundary(MAX_DESCRIPTION.min(text.len()));
    let schema = match &tool["inputSchema"] {
        Value::Object(map) => Value::Object(map.clone()),
        _ => json!({ "type": "object" }),
    };
    (schema.to_string().len() <= MAX_SCHEMA).then(|| Described {
        name: name.to_owned(),
        description: text[..end].to_owned(),
        schema,
    })
}

async fn write(mut stdin: ChildStdin, mut queued: mpsc::Receiver<String>) {
    while let Some(line) = queued.recv().await {
        if stdin.write_all(line.as_bytes()).await.is_err() || stdin.flush().await.is_err() {
            return;
        }
    }
}

/// Hands answers to who waits for them, until the server ends or says too much that is none.
async fn read(stdout: ChildStdout, waiting: Waiting, answers: mpsc::Sender<String>, dead: Arc<AtomicBool>) {
    let mut stdout = BufReader::new(stdout);
    let mut babble = 0;
    while let Ok(Some(line)) = lines::line(&mut stdout, MAX_MESSAGE).await {
        let Ok(message) = serde_json::from_slice::<Incoming>(&line) else {
            babble += 1;
            if babble > MAX_BABBLE {
                break;
            }
            continue;
        };
        match (message.method, message.id) {
            // It asks: only whether anybody is there is answered.
            (Some(method), Some(id)) => {
                let answer = if method == "ping" {
                    json!({ "jsonrpc": "2.0", "id": id, "result": {} })
                } else {
                    let error = json!({ "code": -32601, "message": "not offered" });
                    json!({ "jsonrpc": "2.0", "id": id, "error": error })
                };
                // Who asks without reading the answers must not hold up what it answers.
                let _ = answers.try_send(format!("{answer}\n"));
            }
            (None, Some(id)) => {
                let waits = id.as_u64().and_then(|id| waiting.lock().remove(&id));
                if let Some(waits) = waits {
                    let result = match message.error {
                        Some(wrong) => Err(wrong.message),
                        None => Ok(message.result.unwrap_or_default()),
                    };
                    let _ = waits.send(result);
                }
            }
            _ => {}
        }
    }
    dead.store(true, Ordering::SeqCst);
    waiting.lock().clear();
}
