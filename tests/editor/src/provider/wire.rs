//! Answers as both formats stream them.

use serde_json::{Value, json};

use super::caching::Counted;
use super::reply::Reply;

/// What is said of a request that nobody counts, at first.
const FIRST: Counted = Counted {
    input: 1200,
    write: 0,
    read: 0,
};
/// The same at the end of the answer, which corrects it.
const CORRECTED: Counted = Counted {
    input: 1234,
    write: 0,
    read: 0,
};

fn usage(counted: Counted, output: u64) -> Value {
    let Counted { input, write, read } = counted;
    json!({ "input_tokens": input, "cache_creation_input_tokens": write, "cache_read_input_tokens": read, "output_tokens": output })
}

/// Events of Anthropic's Messages.
pub fn messages(reply: &Reply, counted: Option<Counted>) -> String {
    let event = |name: &str, mut data: Value| {
        data["type"] = json!(name);
        format!("event: {name}\ndata: {data}\n\n")
    };
    let start = json!({ "message": { "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage(counted.unwrap_or(FIRST), 1) } });
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
    let corrected = usage(counted.unwrap_or(CORRECTED), 56);
    text.push_str(&event(
        "message_delta",
        json!({ "delta": { "stop_reason": stop, "stop_sequence": null }, "usage": corrected }),
    ));
    text + &event("message_stop", json!({}))
}

/// Chunks of OpenAI's Chat Completions.
pub fn completions(reply: &Reply) -> String {
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
