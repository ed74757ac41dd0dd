//! Anthropic's Messages: what is sent, and what its stream says.

use serde_json::{Map, Value, json};

use super::event::{Event, Failure, FailureKind, StopReason, Usage};
use super::provider::Wire;
use super::request::{Assistant, Message, Part, Request, Tool, ToolCall, ToolResult};

/// What a request says of the format's version.
pub(super) const VERSION: &str = "2023-06-01";

/// An answer of more blocks is none.
const MAX_BLOCKS: usize = 1_000;

/// The body of a request. Tools come first, then the system's text, then the conversation: each ends in a mark up to which the
/// provider may keep it.
pub(super) fn body(request: &Request, model: &str) -> Value {
    let keep = json!({ "type": "ephemeral" });
    let mut tools: Vec<Value> = sorted(&request.tools)
        .into_iter()
        .map(|tool| json!({ "name": tool.name, "description": tool.description, "input_schema": tool.input_schema }))
        .collect();
    if request.web_search {
        tools.push(json!({ "type": "web_search_20250305", "name": "web_search", "max_uses": 5 }));
    }
    if let Some(last) = tools.last_mut() {
        last["cache_control"] = keep.clone();
    }
    let mut messages: Vec<Value> = request.messages.iter().filter_map(message).collect();
    // The newest, and the one before it: from there on everything was kept by the call before this one.
    let users = messages.iter_mut().rev().filter(|message| message["role"] == "user");
    for user in users.take(2) {
        if let Some(block) = user["content"].as_array_mut().and_then(|blocks| blocks.last_mut()) {
            block["cache_control"] = keep.clone();
        }
    }
    let mut body = json!({
        "model": model,
        "max_tokens": request.max_tokens,
        "stream": true,
        "messages": messages,
    });
    if !request.system.is_empty() {
        body["system"] = json!([{ "type": "text", "text": request.system, "cache_control": keep }]);
    }
    if !tools.is_empty() {
        body["tools"] = json!(tools);
    }
    if let Some(name) = &request.must_call {
        body["tool_choice"] = json!({ "type": "tool", "name": name });
    }
    body
}

/// By name: an order that changed would make all that was kept useless.
pub(super) fn sorted(tools: &[Tool]) -> Vec<&Tool> {
    let mut tools: Vec<&Tool> = tools.iter().collect();
    tools.sort_by(|one, other| one.name.cmp(&other.name));
    tools
}

fn message(message: &Message) -> Option<Value> {
    let (role, content) = match message {
        Message::User { parts } => ("user", parts.iter().filter_map(part).collect::<Vec<_>>()),
        Message::Assistant(said) => ("assistant", said_blocks(said)),
    };
    // The provider refuses a message without content.
    (!content.is_empty()).then(|| json!({ "role": role, "content": content }))
}

fn part(part: &Part) -> Option<Value> {
    match part {
        Part::Text { text } => (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text })),
        Part::Image { media_type, data } => Some(json!({
            "type": "image",
            "source": { "type": "base64", "media_type": media_type, "data": data },
        })),
        Part::ToolResult(result) => Some(tool_result(result)),
    }
}

fn tool_result(result: &ToolResult) -> Value {
    let content: Vec<Value> = result.parts.iter().filter_map(part).collect();
    let mut block = json!({ "type": "tool_result", "tool_use_id": result.id, "content": content });
    if result.is_error {
        block["is_error"] = json!(true);
    }
    block
}

fn said_blocks(said: &Assistant) -> Vec<Value> {
    if said.wire == Wire::Messages {
        return said.verbatim.clone();
    }
    let text = (!said.text.trim().is_empty()).then(|| json!({ "type": "text", "text": said.text }));
    let calls = said.calls.iter().map(|call| {
        let input = call.input.clone().unwrap_or_else(|_| json!({}));
        json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input })
    });
    text.into_iter().chain(calls).collect()
}

/// Reads a stream.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// Blocks in the order they began, by their index.
    blocks: Vec<(u64, Block)>,
    pub(super) usage: Usage,
    stop: Option<StopReason>,
    /// Whether anything of the answer came: then the call is not made again.
    pub(super) has_begun: bool,
}

#[derive(Debug)]
struct Block {
    value: Value,
    /// The arguments of a call, in pieces of JSON.
    json: String,
    is_whole: bool,
}

impl Reader {
    /// Takes an event's data. True when the answer is whole.
    pub(super) fn take(&mut self, data: &str, tell: &mut Vec<Event>) -> Result<bool, Failure> {
        let event: Value = serde_json::from_str(data).map_err(|_| no_answer())?;
        match event["type"].as_str().unwrap_or_default() {
            "message_start" => self.used(&event["message"]["usage"], tell),
            "content_block_start" => self.begin(&event, tell)?,
            "content_block_delta" => self.go_on(&event, tell)?,
            "content_block_stop" => self.end(&event, tell),
            "message_delta" => {
                if let Some(reason) = event["delta"]["stop_reason"].as_str() {
                    self.stop = Some(stop_reason(reason));
                }
                self.used(&event["usage"], tell);
            }
            "message_stop" => return Ok(true),
            "error" => return Err(failure(&event["error"])),
            // `ping`, and whatever is new.
            _ => {}
        }
        Ok(false)
    }

    /// Counts are those of the whole call, and a later one corrects an earlier one.
    fn used(&mut self, usage: &Value, tell: &mut Vec<Event>) {
        let set = |key: &str, count: &mut u64| {
            if let Some(told) = usage[key].as_u64() {
                *count = told;
            }
        };
        set("input_tokens", &mut self.usage.input);
        set("cache_creation_input_tokens", &mut self.usage.cache_write);
        set("cache_read_input_tokens", &mut self.usage.cache_read);
        set("output_tokens", &mut self.usage.output);
        if let Some(searches) = usage["server_tool_use"]["web_search_requests"].as_u64() {
            self.usage.web_searches = searches;
        }
        tell.push(Event::Usage(self.usage));
    }

    fn begin(&mut self, event: &Value, tell: &mut Vec<Event>) -> Result<(), Failure> {
        let (Some(index), Some(block)) = (event["index"].as_u64(), event["content_block"].as_object()) else {
            return Err(no_answer());
        };
        if self.blocks.len() >= MAX_BLOCKS || self.blocks.iter().any(|(known, _)| *known == index) {
            return Err(no_answer());
        }
        self.has_begun = true;
        let value = Value::Object(block.clone());
        match value["type"].as_str() {
            Some("text") => said(&value["text"], Event::Text, tell),
            Some("thinking") => said(&value["thinking"], Event::Thinking, tell),
            Some("server_tool_use") => tell.push(Event::ServerTool(value["name"].as_str().unwrap_or_default().into())),
            _ => {}
        }
        let json = String::new();
        let is_whole = false;
        self.blocks.push((index, Block { value, json, is_whole }));
        Ok(())
    }

    fn go_on(&mut self, event: &Value, tell: &mut Vec<Event>) -> Result<(), Failure> {
        let delta = &event["delta"];
        let index = event["index"].as_u64();
        let found = self.blocks.iter_mut().find(|(known, _)| Some(*known) == index);
        let Some((_, block)) = found else {
            return Err(no_answer());
        };
        let kind = delta["type"].as_str().unwrap_or_default();
        match kind {
            "text_delta" => {
                append(&mut block.value, "text", &delta["text"]);
                said(&delta["text"], Event::Text, tell);
            }
            "thinking_delta" => {
                append(&mut block.value, "thinking", &delta["thinking"]);
                said(&delta["thinking"], Event::Thinking, tell);
            }
            "signature_delta" => append(&mut block.value, "signature", &delta["signature"]),
            "input_json_delta" => block.json.push_str(delta["partial_json"].as_str().unwrap_or_default()),
            "citations_delta" => {
                let citation = delta["citation"].clone();
                match block.value["citations"].as_array_mut() {
                    Some(list) => list.push(citation),
                    None => block.value["citations"] = json!([citation]),
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, event: &Value, tell: &mut Vec<Event>) {
        let index = event["index"].as_u64();
        let found = self.blocks.iter_mut().find(|(known, _)| Some(*known) == index);
        let Some((_, block)) = found else { return };
        if std::mem::replace(&mut block.is_whole, true) {
            return;
        }
        let kind = block.value["type"].as_str().unwrap_or_default().to_owned();
        if kind == "tool_use" || kind == "server_tool_use" {
            let input = input(&block.json, &block.value["input"]);
            // What is sent back has to be an object, whatever the model wrote.
            block.value["input"] = input.clone().unwrap_or_else(|_| json!({}));
            if kind == "tool_use" {
                tell.push(Event::ToolUse(call(&block.value, input)));
            }
        }
    }

    /// What was said, once the answer is whole.
    pub(super) fn finish(self) -> (StopReason, Assistant) {
        let mut text = String::new();
        let mut calls = Vec::new();
        let mut verbatim = Vec::new();
        for (_, block) in self.blocks {
            match block.value["type"].as_str() {
                Some("text") => {
                    let said = block.value["text"].as_str().unwrap_or_default();
                    if said.is_empty() {
                        continue;
                    }
                    text.push_str(said);
                }
                Some("tool_use") => calls.push(call(&block.value, input(&block.json, &block.value["input"]))),
                _ => {}
            }
            verbatim.push(block.value);
        }
        let stop = self.stop.unwrap_or(StopReason::End);
        let wire = Wire::Messages;
        let said = Assistant {
            wire,
            verbatim,
            text,
            calls,
        };
        (stop, said)
    }
}

fn call(block: &Value, input: Result<Value, String>) -> ToolCall {
    let text = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
    ToolCall {
        id: text("id"),
        name: text("name"),
        input,
    }
}

/// A call's arguments. Those of a tool that takes none come as an empty text.
pub(super) fn input(written: &str, given: &Value) -> Result<Value, String> {
    if written.trim().is_empty() {
        let given = given.as_object().cloned().unwrap_or_default();
        return Ok(Value::Object(given));
    }
    match serde_json::from_str::<Map<String, Value>>(written) {
        Ok(input) => Ok(Value::Object(input)),
        Err(_) => Err(written.to_owned()),
    }
}

fn append(block: &mut Value, key: &str, more: &Value) {
    let more = more.as_str().unwrap_or_default();
    match block.get_mut(key) {
        Some(Value::String(text)) => text.push_str(more),
        _ => block[key] = json!(more),
    }
}

fn said(text: &Value, event: impl Fn(String) -> Event, tell: &mut Vec<Event>) {
    if let Some(text) = text.as_str().filter(|text| !text.is_empty()) {
        tell.push(event(text.to_owned()));
    }
}

fn stop_reason(reason: &str) -> StopReason {
    match reason {
        "tool_use" => StopReason::ToolUse,
        "max_tokens" => StopReason::MaxTokens,
        "model_context_window_exceeded" => StopReason::ContextFull,
        "refusal" => StopReason::Refusal,
        "pause_turn" => StopReason::Pause,
        _ => StopReason::End,
    }
}

/// An error within an answer that had the status 200.
fn failure(error: &Value) -> Failure {
    let kind = match error["type"].as_str().unwrap_or_default() {
        "authentication_error" => FailureKind::Authentication,
        "permission_error" | "billing_error" => FailureKind::Permission,
        "not_found_error" => FailureKind::NotFound,
        "request_too_large" => FailureKind::TooLarge,
        "rate_limit_error" => FailureKind::RateLimited(None),
        "overloaded_error" => FailureKind::Overloaded(None),
        "invalid_request_error" => FailureKind::BadRequest,
        _ => FailureKind::Server,
    };
    Failure::new(kind, error["message"].as_str().unwrap_or("the provider failed"))
}

pub(super) fn no_answer() -> Failure {
    Failure::new(FailureKind::Broken, "The provider's answer is not of its format")
}
