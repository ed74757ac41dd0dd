//! Speaking with the running program: what it says, what it asks, and the messages to our tools.

use std::path::Path;

use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::mpsc;

use super::program::{Running, Start};
use super::verdict::Verdict;
use crate::agent::lines;
use crate::models::{Part, Tool};

/// A line of the program may have so many bytes.
const MAX_LINE: usize = 8 << 20;
/// Lines that wait to be written; who has more waits too.
const MAX_QUEUED: usize = 64;
/// What our tools' names begin with there.
const PREFIX: &str = "mcp__editor__";

/// The program, and the turn that it works on. Dropped, everything that it started is killed.
#[derive(Debug)]
pub struct Talk {
    stdout: BufReader<ChildStdout>,
    pen: mpsc::Sender<Value>,
    /// When a rate limit ends, in seconds since 1970.
    resets: Option<u64>,
    _running: Running,
}

/// What comes from the program.
#[derive(Debug)]
pub enum Heard {
    /// A part of what its model says.
    Text(String),
    /// A part of what its model thinks.
    Thinking(String),
    /// What was said so far is complete.
    Pause,
    /// It waits for an answer.
    Question(Question),
    /// The turn is over.
    Verdict(Verdict),
    /// It is gone, without a verdict.
    Gone,
}

impl Talk {
    /// Starts the program and asks it something. Within a runtime only.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn begin(program: &Path, start: &Start<'_>, text: &str) -> std::io::Result<Self> {
        let text = text.to_owned();
        Self::with(program, start, &[Part::Text { text }])
    }

    /// The same with pictures beside the words. Within a runtime only.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn with(program: &Path, start: &Start<'_>, parts: &[Part]) -> std::io::Result<Self> {
        let (running, stdin, stdout) = Running::start(program, start)?;
        let (pen, queued) = mpsc::channel(MAX_QUEUED);
        tokio::spawn(write(stdin, queued));
        let talk = Self {
            stdout: BufReader::new(stdout),
            pen,
            resets: None,
            _running: running,
        };
        talk.request("initialize");
        let content: Vec<Value> = parts.iter().filter_map(content).collect();
        talk.say(json!({
            "type": "user", "session_id": "", "parent_tool_use_id": null,
            "message": { "role": "user", "content": content },
        }));
        Ok(talk)
    }

    /// Asks it to end the turn, which then has a verdict.
    pub fn interrupt(&self) {
        self.request("interrupt");
    }

    /// What comes next. Dropped before it is done, it may lose half a line: only who ends the turn may do that.
    pub async fn next(&mut self) -> Heard {
        loop {
            let Ok(Some(line)) = lines::line(&mut self.stdout, MAX_LINE).await else {
                return Heard::Gone;
            };
            let Ok(mut message) = serde_json::from_slice::<Value>(&line) else {
                continue;
            };
            match message["type"].as_str().unwrap_or_default() {
                "control_request" => {
                    return Heard::Question(Question {
                        id: message["request_id"].take(),
                        request: message["request"].take(),
                        pen: self.pen.clone(),
                    });
                }
                "stream_event" => {
                    let event = &message["event"];
                    if let Some(text) = event["delta"]["text"].as_str() {
                        return Heard::Text(text.to_owned());
                    } else if let Some(text) = event["delta"]["thinking"].as_str() {
                        return Heard::Thinking(text.to_owned());
                    } else if event["type"] == "content_block_stop" {
                        return Heard::Pause;
                    }
                }
                "rate_limit_event" => {
                    self.resets = message["rate_limit_info"]["resetsAt"].as_u64().or(self.resets);
                }
                "result" => return Heard::Verdict(Verdict::read(&message, self.resets)),
                _ => {}
            }
        }
    }

    fn request(&self, subtype: &str) {
        self.say(json!({ "type": "control_request", "request_id": subtype, "request": { "subtype": subtype } }));
    }

    /// A program that reads nothing is as good as gone, which its output says.
    fn say(&self, line: Value) {
        let _ = self.pen.try_send(line);
    }
}

/// A part as the program reads it; no tool was used yet that could have a result.
fn content(part: &Part) -> Option<Value> {
    match part {
        Part::Text { text } => Some(json!({ "type": "text", "text": text })),
        Part::Image { media_type, data } => {
            let source = json!({ "type": "base64", "media_type": media_type, "data": data });
            Some(json!({ "type": "image", "source": source }))
        }
        Part::ToolResult(_) => None,
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

/// Something that the program asks.
#[derive(Debug)]
pub struct Question {
    id: Value,
    request: Value,
    pen: mpsc::Sender<Value>,
}

/// What is wanted of us.
#[derive(Debug, PartialEq)]
pub enum Wants {
    /// Nothing but this answer.
    Answer(Value),
    /// A tool of ours is used, which is answered with [`used`].
    Tool {
        /// Its name, which need not be one of ours.
        name: String,
        /// Its arguments as they came.
        arguments: Value,
    },
}

impl Question {
    /// What it is about. Our tools decide for themselves at each use; others there are none.
    #[must_use]
    pub fn wants(&self, offered: impl FnOnce() -> Vec<Tool>) -> Wants {
        match self.request["subtype"].as_str() {
            Some("can_use_tool") => {
                let name = self.request["tool_name"].as_str();
                Wants::Answer(if name.is_some_and(|name| name.starts_with(PREFIX)) {
                    json!({ "behavior": "allow", "updatedInput": self.request["input"] })
                } else {
                    json!({ "behavior": "deny", "message": "This tool is not offered here." })
                })
            }
            Some("mcp_message") => self.message(offered),
            _ => Wants::Answer(json!({})),
        }
    }

    /// Our tools as a server of the Model Context Protocol.
    fn message(&self, offered: impl FnOnce() -> Vec<Tool>) -> Wants {
        let message = &self.request["message"];
        match message["method"].as_str() {
            Some("initialize") => self.result(json!({
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "editor", "version": env!("CARGO_PKG_VERSION") },
            })),
            Some("tools/list") => {
                let list = offered().into_iter().map(
                    |tool| json!({ "name": tool.name, "description": tool.description, "inputSchema": tool.input_schema }),
                );
                self.result(json!({ "tools": list.collect::<Vec<_>>() }))
            }
            Some("tools/call") => Wants::Tool {
                name: message["params"]["name"].as_str().unwrap_or_default().to_owned(),
                arguments: message["params"]["arguments"].clone(),
            },
            Some(_) if message["id"].is_null() => {
                Wants::Answer(json!({ "mcp_response": { "jsonrpc": "2.0", "id": 0, "result": {} } }))
            }
            _ => {
                let error = json!({ "code": -32601, "message": "not offered" });
                Wants::Answer(json!({ "mcp_response": { "jsonrpc": "2.0", "id": message["id"], "error": error } }))
            }
        }
    }

    fn result(&self, result: Value) -> Wants {
        let id = &self.request["message"]["id"];
        Wants::Answer(json!({ "mcp_response": { "jsonrpc": "2.0", "id": id, "result": result } }))
    }

    /// Answers what [`Wants::Answer`] says.
    pub async fn answer(self, response: Value) {
        let response = json!({ "subtype": "success", "request_id": self.id, "response": response });
        // Who is gone needs no answer.
        let _ = self
            .pen
            .send(json!({ "type": "control_response", "response": response }))
            .await;
    }

    /// Answers the use of a tool with [`used`].
    pub async fn give(self, used: Value) {
        if let Wants::Answer(response) = self.result(used) {
            self.answer(response).await;
        }
    }
}

/// What the use of a tool came to; the picture is a PNG in base64.
#[must_use]
pub fn used(text: &str, picture: Option<String>, is_error: bool) -> Value {
    let mut content = vec![json!({ "type": "text", "text": text })];
    content.extend(picture.map(|data| json!({ "type": "image", "data": data, "mimeType": "image/png" })));
    json!({ "content": content, "isError": is_error })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(request: Value) -> Question {
        let (pen, _) = mpsc::channel(1);
        Question {
            id: json!("1"),
            request,
            pen,
        }
    }

    #[test]
    fn tools_of_others_are_denied() {
        let may = |name: &str| {
            let question = question(json!({ "subtype": "can_use_tool", "tool_name": name, "input": {} }));
            let Wants::Answer(answer) = question.wants(Vec::new) else {
                panic!("it is no use yet")
            };
            answer["behavior"].clone()
        };
        assert_eq!(may("mcp__editor__propose"), "allow");
        for other in ["Bash", "mcp__other__propose", "", "propose"] {
            assert_eq!(may(other), "deny", "{other}");
        }
    }

    #[test]
    fn a_use_comes_with_its_arguments() {
        let call =
            json!({ "id": 3, "method": "tools/call", "params": { "name": "propose", "arguments": { "why": "x" } } });
        let wanted = question(json!({ "subtype": "mcp_message", "message": call })).wants(Vec::new);
        let (name, arguments) = ("propose".to_owned(), json!({ "why": "x" }));
        assert_eq!(wanted, Wants::Tool { name, arguments });
        let unknown = question(json!({ "subtype": "mcp_message", "message": { "id": 4, "method": "resources/list" } }));
        let Wants::Answer(answer) = unknown.wants(Vec::new) else {
            panic!("it is no use")
        };
        assert_eq!(answer["mcp_response"]["error"]["code"], -32601);
    }
}
