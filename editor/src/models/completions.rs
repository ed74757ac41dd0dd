//! OpenAI's Chat Completions, which Gemini, Ollama and many gateways speak, too: what is sent, and what its stream says.

use serde_json::{Map, Value, json};

use super::event::{Event, Failure, FailureKind, StopReason, Usage};
use super::messages::{input, no_answer, sorted};
use super::provider::{Provider, Wire};
use super::request::{Assistant, Message, Part, Request, ToolCall, ToolResult};

/// An answer of more calls is none.
const MAX_CALLS: usize = 1_000;

/// The body of a request.
pub(super) fn body(request: &Request, model: &str, provider: Provider) -> Value {
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(json!({ "role": "system", "content": request.system }));
    }
    for message in &request.messages {
        match message {
            Message::User { parts } => user(parts, &mut messages),
            Message::Assistant(said) => messages.push(assistant(said)),
        }
    }
    let mut body = json!({
        "model": model,
        "stream": true,
        "stream_options": { "include_usage": true },
        "messages": messages,
    });
    // Others know only the older name.
    let limit = if provider == Provider::OpenAi {
        "max_completion_tokens"
    } else {
        "max_tokens"
    };
    body[limit] = json!(request.max_tokens);
    let tools: Vec<Value> = sorted(&request.tools)
        .into_iter()
        .map(|tool| {
            let function =
                json!({ "name": tool.name, "description": tool.description, "parameters": tool.input_schema });
            json!({ "type": "function", "function": function })
        })
        .collect();
    if !tools.is_empty() {
        body["tools"] = json!(tools);
    }
    if let Some(name) = &request.must_call {
        body["tool_choice"] = json!({ "type": "function", "function": { "name": name } });
    }
    body
}

/// Results of tools are messages of their own, and come first. They hold texts only: pictures follow as the user's.
fn user(parts: &[Part], messages: &mut Vec<Value>) {
    let mut content = Vec::new();
    for part in parts {
        match part {
            Part::ToolResult(result) => {
                messages.push(tool_result(result));
                let pictures = result.parts.iter().filter(|part| matches!(part, Part::Image { .. }));
                content.extend(pictures.filter_map(plain));
            }
            part => content.extend(plain(part)),
        }
    }
    match content.as_slice() {
        [] => {}
        [only] if only["type"] == "text" => messages.push(json!({ "role": "user", "content": only["text"] })),
        _ => messages.push(json!({ "role": "user", "content": content })),
    }
}

fn plain(part: &Part) -> Option<Value> {
    match part {
        Part::Text { text } => (!text.is_empty()).then(|| json!({ "type": "text", "text": text })),
        Part::Image { media_type, data } => {
            let url = format!("data:{media_type};base64,{data}");
            Some(json!({ "type": "image_url", "image_url": { "url": url } }))
        }
        Part::ToolResult(_) => None,
    }
}

fn tool_result(result: &ToolResult) -> Value {
    let mut text = String::new();
    for part in &result.parts {
        match part {
            Part::Text { text: more } => text.push_str(more),
            Part::Image { .. } => text.push_str("(the picture follows)"),
            Part::ToolResult(_) => {}
        }
    }
    if result.is_error {
        text.insert_str(0, "Error: ");
    }
    json!({ "role": "tool", "tool_call_id": result.id, "content": text })
}

fn assistant(said: &Assistant) -> Value {
    if let (Wire::Completions, [message]) = (said.wire, said.verbatim.as_slice()) {
        return message.clone();
    }
    let mut message = json!({ "role": "assistant", "content": said.text });
    if !said.calls.is_empty() {
        let calls: Vec<Value> = said.calls.iter().map(|call| called(call, &Map::new())).collect();
        message["tool_calls"] = json!(calls);
    }
    message
}

fn called(call: &ToolCall, more: &Map<String, Value>) -> Value {
    let arguments = match &call.input {
        Ok(input) => input.to_string(),
        // It has to be JSON, whatever the model wrote.
        Err(_) => "{}".to_owned(),
    };
    let mut value = Value::Object(more.clone());
    value["id"] = json!(call.id);
    value["type"] = json!("function");
    value["function"] = json!({ "name": call.name, "arguments": arguments });
    value
}

/// Reads a stream.
#[derive(Debug, Default)]
pub(super) struct Reader {
    text: String,
    calls: Vec<Call>,
    /// What else the message has, to be sent back as it came.
    more: Map<String, Value>,
    pub(super) usage: Usage,
    finish: Option<StopReason>,
    pub(super) has_begun: bool,
}

#[derive(Debug, Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    more: Map<String, Value>,
}

impl Reader {
    /// Takes an event's data. True when the answer is whole.
    pub(super) fn take(&mut self, data: &str, tell: &mut Vec<Event>) -> Result<bool, Failure> {
        if data.trim() == "[DONE]" {
            return if self.is_whole() { Ok(true) } else { Err(cut()) };
        }
        let chunk: Map<String, Value> = serde_json::from_str(data).map_err(|_| no_answer())?;
        let chunk = Value::Object(chunk);
        if !chunk["error"].is_null() {
            return Err(failure(&chunk["error"]));
        }
        self.used(&chunk["usage"], tell);
        let Some(choice) = chunk["choices"].get(0) else {
            return Ok(false);
        };
        if let Some(delta) = choice["delta"].as_object() {
            self.go_on(delta, tell)?;
        }
        if let Some(reason) = choice["finish_reason"].as_str() {
            self.finish = Some(match reason {
                "length" => StopReason::MaxTokens,
                "tool_calls" | "function_call" => StopReason::ToolUse,
                "content_filter" => StopReason::Refusal,
                _ => StopReason::End,
            });
        }
        Ok(false)
    }

    /// Whether the model said why it ended. Some close the stream then without a last word.
    pub(super) fn is_whole(&self) -> bool {
        self.finish.is_some()
    }

    fn used(&mut self, usage: &Value, tell: &mut Vec<Event>) {
        let (Some(read), Some(written)) = (usage["prompt_tokens"].as_u64(), usage["completion_tokens"].as_u64()) else {
            return;
        };
        let details = &usage["prompt_tokens_details"];
        let cached = details["cached_tokens"].as_u64().unwrap_or(0).min(read);
        let kept = details["cache_write_tokens"].as_u64().unwrap_or(0).min(read - cached);
        self.usage = Usage {
            input: read - cached - kept,
            cache_write: kept,
            cache_read: cached,
            output: written,
            web_searches: 0,
        };
        tell.push(Event::Usage(self.usage));
    }

    fn go_on(&mut self, delta: &Map<String, Value>, tell: &mut Vec<Event>) -> Result<(), Failure> {
        for (key, value) in delta {
            match (key.as_str(), value) {
                (_, Value::Null) | ("role", _) => {}
                ("content" | "refusal", Value::String(text)) => {
                    self.text.push_str(text);
                    self.said(text, Event::Text, tell);
                }
                ("reasoning_content" | "reasoning", Value::String(text)) => {
                    self.said(text, Event::Thinking, tell);
                    self.keep(key, value);
                }
                ("tool_calls", Value::Array(calls)) => {
                    for call in calls {
                        self.called(call)?;
                    }
                }
                _ => self.keep(key, value),
            }
        }
        Ok(())
    }

    fn said(&mut self, text: &str, event: impl Fn(String) -> Event, tell: &mut Vec<Event>) {
        if !text.is_empty() {
            self.has_begun = true;
            tell.push(event(text.to_owned()));
        }
    }

    /// Texts come in pieces, everything else whole.
    fn keep(&mut self, key: &str, value: &Value) {
        match (self.more.get_mut(key), value) {
            (Some(Value::String(kept)), Value::String(more)) => kept.push_str(more),
            _ => drop(self.more.insert(key.to_owned(), value.clone())),
        }
    }

    /// A piece of a call. Indexes begin anywhere, and some give several calls the same: another id is another call.
    fn called(&mut self, piece: &Value) -> Result<(), Failure> {
        self.has_begun = true;
        let index = piece["index"].as_u64();
        let id = piece["id"].as_str().unwrap_or_default();
        let same = |call: &&mut Call| call.index == index && (id.is_empty() || call.id.is_empty() || call.id == id);
        let at = match self.calls.iter_mut().rev().find(same) {
            // Without an index and an id each piece that names a function is a call of its own.
            Some(call) if !(index.is_none() && id.is_empty() && piece["function"]["name"].is_string()) => call,
            _ => {
                if self.calls.len() >= MAX_CALLS {
                    return Err(no_answer());
                }
                self.calls.push(Call {
                    index,
                    ..Call::default()
                });
                match self.calls.last_mut() {
                    Some(call) => call,
                    None => return Err(no_answer()),
                }
            }
        };
        if at.id.is_empty() {
            id.clone_into(&mut at.id);
        }
        let function = &piece["function"];
        // Some repeat the name in every piece.
        if at.name.is_empty() {
            function["name"].as_str().unwrap_or_default().clone_into(&mut at.name);
        }
        match &function["arguments"] {
            Value::String(more) => at.arguments.push_str(more),
            Value::Object(whole) => at.arguments = Value::Object(whole.clone()).to_string(),
            _ => {}
        }
        for (key, value) in piece.as_object().into_iter().flatten() {
            if !matches!(key.as_str(), "index" | "id" | "type" | "function") && !value.is_null() {
                at.more.insert(key.clone(), value.clone());
            }
        }
        Ok(())
    }

    /// What was said, once the answer is whole; calls are told now, because nothing says earlier that one is.
    pub(super) fn finish(self, tell: &mut Vec<Event>) -> (StopReason, Assistant) {
        let mut calls = Vec::new();
        let mut written = Vec::new();
        for (at, call) in self.calls.into_iter().enumerate() {
            let id = if call.id.is_empty() {
                format!("call_{at}")
            } else {
                call.id
            };
            let found = ToolCall {
                id,
                name: call.name,
                input: input(&call.arguments, &Value::Null),
            };
            written.push(called(&found, &call.more));
            tell.push(Event::ToolUse(found.clone()));
            calls.push(found);
        }
        let mut message = Value::Object(self.more);
        message["role"] = json!("assistant");
        message["content"] = json!(self.text);
        if !written.is_empty() {
            message["tool_calls"] = json!(written);
        }
        let stop = match self.finish {
            // Some say `stop` when they call.
            Some(StopReason::End) | None if !calls.is_empty() => StopReason::ToolUse,
            stop => stop.unwrap_or(StopReason::End),
        };
        let said = Assistant {
            wire: Wire::Completions,
            verbatim: vec![message],
            text: self.text,
            calls,
        };
        (stop, said)
    }
}

/// An error within an answer that had the status 200.
fn failure(error: &Value) -> Failure {
    let words = error["message"]
        .as_str()
        .or(error.as_str())
        .unwrap_or("the provider failed");
    let code = error["code"].as_u64().or_else(|| error["status"].as_u64());
    let sort = [&error["type"], &error["code"], &error["status"]]
        .map(|value| value.as_str().unwrap_or_default().to_lowercase());
    let says = |word: &str| sort.iter().any(|sort| sort.contains(word));
    let kind = match code {
        // Money does not come back by waiting.
        _ if says("insufficient_quota") => FailureKind::Permission,
        Some(401) => FailureKind::Authentication,
        Some(403) => FailureKind::Permission,
        Some(404) => FailureKind::NotFound,
        Some(413) => FailureKind::TooLarge,
        Some(429) => FailureKind::RateLimited(None),
        Some(503 | 529) => FailureKind::Overloaded(None),
        _ if says("rate_limit") || says("resource_exhausted") || says("quota") => FailureKind::RateLimited(None),
        _ if says("overloaded") || says("unavailable") => FailureKind::Overloaded(None),
        _ if says("authentication") || says("api_key") => FailureKind::Authentication,
        _ if says("context_length") => FailureKind::TooLarge,
        _ if says("invalid") => FailureKind::BadRequest,
        _ => FailureKind::Server,
    };
    Failure::new(kind, words)
}

pub(super) fn cut() -> Failure {
    Failure::new(FailureKind::Broken, "The provider's answer was cut off")
}
