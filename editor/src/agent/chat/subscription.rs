//! A turn by the vendor's program: it asks its model, our tools travel to it as messages of a server within the same pipe, and
//! each of their uses goes the way of every other.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::process::ChildStdin;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::run::{Ended, Says, failed, limited, of_servers};
use super::turn::{FailedBy, Level, Spent, Status, TurnFailure};
use super::work::Work;
use super::{hands, toolbox};
use crate::agent::lines;
use crate::agent::vendor::{Running, Start};
use crate::models::{Assistant, Message, Part, Wire};

/// A line of the program may have so many bytes.
const MAX_LINE: usize = 8 << 20;
/// How long the program may take to stop when it is asked to.
const STOP_TIMEOUT: Duration = Duration::from_secs(3);
/// What of the conversation before is told again, in bytes.
const MAX_BEFORE: usize = 100_000;
/// What our tools' names begin with there.
const PREFIX: &str = "mcp__editor__";

/// What is fixed for a turn.
pub(super) struct Subscription<'s> {
    pub(super) program: &'s Path,
    pub(super) model: Option<&'s str>,
    pub(super) budget: Option<f64>,
}

/// How the program ended a turn.
enum End {
    Done,
    Stopped,
    Failed(TurnFailure),
}

/// Runs a turn to its end.
pub(super) async fn run(
    work: &Arc<Work>,
    by: &Subscription<'_>,
    before: &[Message],
    asked: Message,
    stop: &CancellationToken,
) -> Ended {
    let mut said = String::new();
    let mut tasks = JoinSet::new();
    let speaking = speak(work, by, (before, &asked), stop, &mut said, &mut tasks);
    let end = match timeout(work.time_left(), speaking).await {
        Ok(end) => end,
        Err(_) => End::Failed(failed(
            FailedBy::Limit,
            "The turn took longer than 10 minutes and was ended.",
        )),
    };
    // A step that is being made has to be known before the turn is over.
    if !tasks.is_empty() {
        work.session.stop();
        while tasks.join_next().await.is_some() {}
    }
    let mut messages = vec![asked];
    let said = work.hide(&said);
    if !said.trim().is_empty() {
        messages.push(Message::Assistant(Assistant {
            wire: Wire::Messages,
            verbatim: vec![json!({ "type": "text", "text": said })],
            text: said,
            calls: Vec::new(),
        }));
    }
    let (status, failure) = match end {
        End::Done => (Status::Done, None),
        End::Stopped => (Status::Stopped, None),
        End::Failed(failure) => (Status::Failed, Some(failure)),
    };
    Ended {
        status,
        failure: failure.map(|failure| TurnFailure {
            subscription: true,
            ..failure
        }),
        messages,
    }
}

async fn speak(
    work: &Arc<Work>,
    by: &Subscription<'_>,
    (before, asked): (&[Message], &Message),
    stop: &CancellationToken,
    said: &mut String,
    tasks: &mut JoinSet<()>,
) -> End {
    let system = format!("{}\n\n{}", toolbox::SYSTEM, work.fence.explained());
    let start = Start {
        system: &system,
        model: by.model,
        budget: by.budget,
    };
    let broken = |why: &str| End::Failed(failed(FailedBy::Provider, &format!("The vendor's program {why}")));
    let (_running, stdin, stdout) = match Running::start(by.program, &start) {
        Ok(started) => started,
        Err(error) => return broken(&format!("cannot be started: {error}")),
    };
    let (lines, queued) = mpsc::channel(64);
    tokio::spawn(write(stdin, queued));
    let content = json!([{ "type": "text", "text": told(before, asked) }]);
    let hello =
        json!({ "type": "control_request", "request_id": "initialize", "request": { "subtype": "initialize" } });
    let user = json!({
        "type": "user", "session_id": "", "parent_tool_use_id": null,
        "message": { "role": "user", "content": content },
    });
    for line in [hello, user] {
        if lines.send(line).await.is_err() {
            return broken("ended");
        }
    }
    let mut stdout = BufReader::new(stdout);
    let mut says = Says::new(work);
    let mut resets = None;
    let mut is_stopping = false;
    loop {
        let line = tokio::select! {
            line = lines::line(&mut stdout, MAX_LINE) => line,
            () = stop.cancelled(), if !is_stopping => {
                is_stopping = true;
                let interrupt = json!({
                    "type": "control_request", "request_id": "interrupt", "request": { "subtype": "interrupt" },
                });
                let _ = lines.send(interrupt).await;
                // A line that was half read is lost, and nobody needs it.
                continue;
            }
            () = sleep(STOP_TIMEOUT), if is_stopping => {
                says.end();
                return End::Stopped;
            }
        };
        let Ok(Some(line)) = line else {
            says.end();
            return if is_stopping {
                End::Stopped
            } else {
                broken("ended before the turn did")
            };
        };
        let Ok(message) = serde_json::from_slice::<Value>(&line) else {
            continue;
        };
        let kind = message["type"].as_str().unwrap_or_default().to_owned();
        match kind.as_str() {
            "control_request" => {
                says.end();
                let (work, lines) = (Arc::clone(work), lines.clone());
                // A tool may wait for the user, and the program goes on meanwhile.
                tasks.spawn(async move {
                    let answer = control(&work, &message["request"]).await;
                    let response =
                        json!({ "subtype": "success", "request_id": message["request_id"], "response": answer });
                    let _ = lines
                        .send(json!({ "type": "control_response", "response": response }))
                        .await;
                });
            }
            "stream_event" => {
                let delta = &message["event"]["delta"];
                if let Some(text) = delta["text"].as_str() {
                    said.push_str(text);
                    says.text(text);
                } else if let Some(text) = delta["thinking"].as_str() {
                    says.thinking(text);
                } else if message["event"]["type"] == "content_block_stop" {
                    says.end();
                }
            }
            "rate_limit_event" => {
                resets = message["rate_limit_info"]["resetsAt"].as_u64().or(resets);
            }
            "result" => {
                says.end();
                spend(work, &message);
                return ended(&message, resets, is_stopping);
            }
            _ => {}
        }
    }
}

async fn write(mut stdin: ChildStdin, mut queued: mpsc::Receiver<Value>) {
    while let Some(line) = queued.recv().await {
        let line = format!("{line}\n");
        if stdin.write_all(line.as_bytes()).await.is_err() || stdin.flush().await.is_err() {
            return;
        }
    }
}

/// Answers what the program asks: may a tool be used, and the messages to our tools.
async fn control(work: &Arc<Work>, request: &Value) -> Value {
    match request["subtype"].as_str() {
        // Ours decide for themselves at each use; others there are none.
        Some("can_use_tool") => {
            let is_ours = request["tool_name"]
                .as_str()
                .is_some_and(|name| name.starts_with(PREFIX));
            if is_ours {
                json!({ "behavior": "allow", "updatedInput": request["input"] })
            } else {
                json!({ "behavior": "deny", "message": "This tool is not offered here." })
            }
        }
        Some("mcp_message") => json!({ "mcp_response": serve(work, &request["message"]).await }),
        _ => json!({}),
    }
}

/// Our tools as a server of the Model Context Protocol.
async fn serve(work: &Arc<Work>, message: &Value) -> Value {
    let id = &message["id"];
    let answer = |result: Value| json!({ "jsonrpc": "2.0", "id": id, "result": result });
    match message["method"].as_str() {
        Some("initialize") => answer(json!({
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "editor", "version": env!("CARGO_PKG_VERSION") },
        })),
        Some("tools/list") => {
            let roots: Vec<(String, String)> = work.described_roots();
            let mut tools = toolbox::all(&roots);
            tools.extend(of_servers(work));
            let list = tools.into_iter().map(
                |tool| json!({ "name": tool.name, "description": tool.description, "inputSchema": tool.input_schema }),
            );
            answer(json!({ "tools": list.collect::<Vec<_>>() }))
        }
        Some("tools/call") => {
            let name = message["params"]["name"].as_str().unwrap_or_default();
            if !work.may_call() {
                let text = "The turn used its tools as often as it may: say so and end.";
                return answer(json!({ "content": [{ "type": "text", "text": text }], "isError": true }));
            }
            let used = hands::use_tool(work, name, Ok(&message["params"]["arguments"])).await;
            let mut content = vec![json!({ "type": "text", "text": used.text })];
            content.extend(
                used.picture
                    .map(|data| json!({ "type": "image", "data": data, "mimeType": "image/png" })),
            );
            answer(json!({ "content": content, "isError": used.is_error }))
        }
        Some(_) if id.is_null() => json!({ "jsonrpc": "2.0", "id": 0, "result": {} }),
        _ => json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": "not offered" } }),
    }
}

/// What is asked, with what was said before: the program keeps no conversation.
fn told(before: &[Message], asked: &Message) -> String {
    let words = |message: &Message| match message {
        Message::User { parts } => {
            let texts = parts.iter().filter_map(|part| match part {
                Part::Text { text } => Some(text.as_str()),
                _ => None,
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        Message::Assistant(said) => said.text.clone(),
    };
    let mut earlier = Vec::new();
    let mut room = MAX_BEFORE;
    for message in before.iter().rev() {
        let text = words(message);
        if text.trim().is_empty() {
            continue;
        }
        if text.len() > room {
            break;
        }
        room -= text.len();
        let who = if matches!(message, Message::User { .. }) {
            "The user"
        } else {
            "You"
        };
        earlier.push(format!("{who}: {text}"));
    }
    if earlier.is_empty() {
        return words(asked);
    }
    earlier.reverse();
    format!(
        "What was said in this chat before:\n\n{}\n\nNow:\n\n{}",
        earlier.join("\n\n"),
        words(asked)
    )
}

fn spend(work: &Work, result: &Value) {
    let tokens = |key: &str| result["usage"][key].as_u64().unwrap_or_default();
    let spent = Spent {
        usd: result["total_cost_usd"].as_f64().unwrap_or_default(),
        sure: true,
        input: tokens("input_tokens"),
        output: tokens("output_tokens"),
        cache_read: tokens("cache_read_input_tokens"),
        cache_write: tokens("cache_creation_input_tokens"),
    };
    *work.cost.lock() = spent;
    work.session.spend(spent);
}

fn ended(result: &Value, resets: Option<u64>, is_stopping: bool) -> End {
    let is_aborted = result["terminal_reason"] == "aborted_streaming";
    if is_stopping || is_aborted {
        return End::Stopped;
    }
    // A failure calls itself a success, with a mark.
    if result["is_error"] != true && result["subtype"] == "success" {
        return End::Done;
    }
    let failure = match result["api_error_status"].as_u64() {
        Some(401) => failed(
            FailedBy::Authentication,
            "Authentication failed (401). Sign in again in the vendor tool, then start a new chat turn.",
        ),
        Some(429) => {
            let now = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| since.as_secs());
            let wait = resets.map(|at| at.saturating_sub(now).max(1));
            TurnFailure {
                retry_seconds: wait,
                ..failed(FailedBy::RateLimited, &limited(wait))
            }
        }
        _ => {
            let words = result["result"].as_str().filter(|words| !words.is_empty());
            let words = words.or(result["subtype"].as_str()).unwrap_or("without a reason");
            let words: String = words.chars().take(500).collect();
            failed(FailedBy::Provider, &format!("The vendor's program failed: {words}"))
        }
    };
    End::Failed(failure)
}

/// What cannot be had with the program is said.
pub(super) fn say_what_is_missing(work: &Work) {
    if work.settings.web.as_ref().is_ok_and(|web| web.search) {
        let words = "`webSearch` is enabled, but with the vendor's program there is no search of the web here.";
        work.notice(Level::Info, "web-search", words);
    }
}
