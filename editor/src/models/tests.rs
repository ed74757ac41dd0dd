//! What recorded streams of both formats hold, and what is sent.

use serde_json::{Value, json};

use super::messages::body;
use super::*;

/// Everything that a stream of events comes to.
#[derive(Debug, Default)]
struct Read {
    text: String,
    thinking: String,
    calls: Vec<ToolCall>,
    usage: Usage,
    end: Option<Result<(StopReason, Assistant), Failure>>,
}

impl Read {
    fn hear(&mut self, events: Vec<Event>) {
        for event in events {
            match event {
                Event::Text(more) => self.text.push_str(&more),
                Event::Thinking(more) => self.thinking.push_str(&more),
                Event::ToolUse(call) => self.calls.push(call),
                Event::Usage(usage) => self.usage = usage,
                _ => {}
            }
        }
    }

    fn stop(&self) -> StopReason {
        self.end.as_ref().unwrap().as_ref().unwrap().0
    }

    fn said(&self) -> &Assistant {
        &self.end.as_ref().unwrap().as_ref().unwrap().1
    }

    fn failure(&self) -> FailureKind {
        self.end.as_ref().unwrap().as_ref().unwrap_err().kind
    }
}

fn messages(events: &[Value]) -> Read {
    let mut reader = super::messages::Reader::default();
    let mut read = Read::default();
    for event in events {
        let mut tell = Vec::new();
        let taken = reader.take(&event.to_string(), &mut tell);
        read.hear(tell);
        match taken {
            Ok(false) => {}
            Ok(true) => {
                read.end = Some(Ok(reader.finish()));
                return read;
            }
            Err(failure) => {
                read.end = Some(Err(failure));
                return read;
            }
        }
    }
    read
}

fn completions(chunks: &[&str]) -> Read {
    let mut reader = super::completions::Reader::default();
    let mut read = Read::default();
    for chunk in chunks {
        let mut tell = Vec::new();
        let taken = reader.take(chunk, &mut tell);
        read.hear(tell);
        match taken {
            Ok(false) => {}
            Ok(true) => {
                let mut tell = Vec::new();
                read.end = Some(Ok(reader.finish(&mut tell)));
                read.hear(tell);
                return read;
            }
            Err(failure) => {
                read.end = Some(Err(failure));
                return read;
            }
        }
    }
    read
}

fn start(input: u64) -> Value {
    json!({ "type": "message_start", "message": { "usage": { "input_tokens": input, "cache_read_input_tokens": 7, "output_tokens": 1 } } })
}

fn block(at: u64, block: Value) -> Value {
    json!({ "type": "content_block_start", "index": at, "content_block": block })
}

fn delta(at: u64, delta: Value) -> Value {
    json!({ "type": "content_block_delta", "index": at, "delta": delta })
}

fn end(at: u64) -> Value {
    json!({ "type": "content_block_stop", "index": at })
}

fn stop(reason: &str) -> [Value; 2] {
    [
        json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "input_tokens": 90, "output_tokens": 12 } }),
        json!({ "type": "message_stop" }),
    ]
}

#[test]
fn a_stream_of_messages_with_everything_that_was_ever_recorded_in_one() {
    let ping = json!({ "type": "ping" });
    let mut events = vec![
        start(50),
        ping.clone(),
        // It may come twice.
        start(60),
        block(0, json!({ "type": "thinking", "thinking": "", "signature": "" })),
        delta(0, json!({ "type": "thinking_delta", "thinking": "Hm." })),
        delta(0, json!({ "type": "signature_delta", "signature": "sig" })),
        end(0),
        json!({ "type": "new_event", "x": 1 }),
        block(1, json!({ "type": "text", "text": "", "new_field": true })),
        delta(1, json!({ "type": "text_delta", "text": "Good " })),
        ping,
        delta(1, json!({ "type": "text_delta", "text": "day" })),
        end(1),
        block(
            2,
            json!({ "type": "tool_use", "id": "t1", "name": "tree", "input": {} }),
        ),
        delta(2, json!({ "type": "input_json_delta", "partial_json": "" })),
        end(2),
        block(
            3,
            json!({ "type": "tool_use", "id": "t2", "name": "read", "input": {} }),
        ),
        delta(3, json!({ "type": "input_json_delta", "partial_json": "{\"a\":" })),
        delta(3, json!({ "type": "input_json_delta", "partial_json": " 1}" })),
        end(3),
        block(
            4,
            json!({ "type": "tool_use", "id": "t3", "name": "torn", "input": {} }),
        ),
        delta(4, json!({ "type": "input_json_delta", "partial_json": "{\"a\":" })),
        end(4),
    ];
    events.extend(stop("tool_use"));
    let read = messages(&events);
    assert_eq!((read.text.as_str(), read.thinking.as_str()), ("Good day", "Hm."));
    let inputs: Vec<_> = read.calls.iter().map(|call| call.input.clone()).collect();
    assert_eq!(
        inputs,
        [Ok(json!({})), Ok(json!({ "a": 1 })), Err("{\"a\":".to_owned())]
    );
    assert_eq!(
        (read.usage.input, read.usage.cache_read, read.usage.output),
        (90, 7, 12)
    );
    assert_eq!(read.stop(), StopReason::ToolUse);
    let said = read.said();
    assert_eq!(
        said.verbatim[0],
        json!({ "type": "thinking", "thinking": "Hm.", "signature": "sig" })
    );
    assert_eq!(
        said.verbatim[1],
        json!({ "type": "text", "text": "Good day", "new_field": true })
    );
    assert_eq!(said.verbatim[4]["input"], json!({}), "what goes back is an object");
    assert_eq!(said.calls.len(), 3);
}

#[test]
fn reasons_to_stop_are_told_apart_and_a_stream_without_an_end_has_none() {
    for (reason, wanted) in [
        ("end_turn", StopReason::End),
        ("max_tokens", StopReason::MaxTokens),
        ("pause_turn", StopReason::Pause),
        ("refusal", StopReason::Refusal),
        ("model_context_window_exceeded", StopReason::ContextFull),
        ("something_new", StopReason::End),
    ] {
        let mut events = vec![start(1)];
        events.extend(stop(reason));
        assert_eq!(messages(&events).stop(), wanted, "{reason}");
    }
    assert!(
        messages(&[start(1), block(0, json!({ "type": "text", "text": "x" }))])
            .end
            .is_none()
    );
}

#[test]
fn errors_within_a_good_answer_are_errors() {
    for (kind, wanted) in [
        ("overloaded_error", FailureKind::Overloaded(None)),
        ("rate_limit_error", FailureKind::RateLimited(None)),
        ("authentication_error", FailureKind::Authentication),
        ("api_error", FailureKind::Server),
        ("request_too_large", FailureKind::TooLarge),
    ] {
        let error = json!({ "type": "error", "error": { "type": kind, "message": "no" } });
        assert_eq!(messages(&[start(1), error]).failure(), wanted, "{kind}");
    }
    for nonsense in [
        delta(0, json!({ "type": "text_delta", "text": "x" })),
        json!({ "type": "content_block_start" }),
        json!({ "type": "content_block_start", "index": "0", "content_block": {} }),
    ] {
        assert_eq!(messages(&[start(1), nonsense]).failure(), FailureKind::Broken);
    }
    assert_eq!(
        completions(&["{\"error\":{\"code\":503,\"message\":\"busy\"}}"]).failure(),
        FailureKind::Overloaded(None)
    );
    assert_eq!(completions(&["{"]).failure(), FailureKind::Broken);
    assert_eq!(completions(&["[]"]).failure(), FailureKind::Broken);
    assert_eq!(
        completions(&["[DONE]"]).failure(),
        FailureKind::Broken,
        "nobody said why it ended"
    );
}

fn chunk(delta: &Value, finish: Option<&str>) -> String {
    json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }], "usage": null }).to_string()
}

#[test]
fn a_stream_of_completions_counts_calls_from_anywhere_and_tells_usage_last() {
    let call = |index: u64, id: Option<&str>, name: Option<&str>, arguments: &str| {
        let function = json!({ "name": name, "arguments": arguments });
        chunk(
            &json!({ "tool_calls": [{ "index": index, "id": id, "function": function }] }),
            None,
        )
    };
    let chunks = [
        chunk(&json!({ "role": "assistant", "content": "" }), None),
        chunk(&json!({ "content": "Good day", "reasoning_content": "Hm." }), None),
        call(1, Some("a"), Some("tree"), ""),
        call(2, Some("b"), Some("read"), "{\"x\""),
        call(2, None, None, ": 1}"),
        // Another id at the same index is another call.
        call(2, Some("c"), Some("read"), "{}"),
        chunk(&json!({ "tool_calls": [{ "index": 3, "id": "d", "function": { "name": "look", "arguments": "{}" }, "extra_content": { "google": { "thought_signature": "s" } } }] }), None),
        chunk(&json!({}), Some("stop")),
        json!({ "choices": [], "usage": { "prompt_tokens": 100, "completion_tokens": 9, "prompt_tokens_details": { "cached_tokens": 80 } } }).to_string(),
        "[DONE]".to_owned(),
    ];
    let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
    let read = completions(&chunks);
    assert_eq!((read.text.as_str(), read.thinking.as_str()), ("Good day", "Hm."));
    let calls: Vec<_> = read
        .calls
        .iter()
        .map(|call| (call.id.as_str(), call.input.clone().unwrap()))
        .collect();
    assert_eq!(
        calls,
        [
            ("a", json!({})),
            ("b", json!({ "x": 1 })),
            ("c", json!({})),
            ("d", json!({}))
        ]
    );
    assert_eq!(
        (read.usage.input, read.usage.cache_read, read.usage.output),
        (20, 80, 9)
    );
    assert_eq!(read.stop(), StopReason::ToolUse, "some say `stop` when they call");
    let message = &read.said().verbatim[0];
    assert_eq!(
        message["tool_calls"][3]["extra_content"]["google"]["thought_signature"],
        "s"
    );
    assert_eq!(message["tool_calls"][1]["function"]["arguments"], "{\"x\":1}");
}

fn conversation() -> Request {
    let tool = |name: &str| Tool {
        name: name.into(),
        description: "x".into(),
        input_schema: json!({ "type": "object" }),
    };
    Request {
        system: "Who you are".into(),
        tools: vec![tool("b"), tool("a")],
        messages: vec![Message::user("One")],
        max_tokens: 10,
        ..Request::default()
    }
}

#[test]
fn what_the_provider_keeps_is_the_same_from_call_to_call() {
    let first = conversation();
    let mut second = conversation();
    second.tools.reverse();
    let said = Assistant {
        wire: Wire::Messages,
        verbatim: vec![json!({ "type": "thinking", "thinking": "t", "signature": "s", "unknown": [1] })],
        text: "Two".into(),
        calls: Vec::new(),
    };
    second
        .messages
        .extend([Message::Assistant(said), Message::user("Three"), Message::user("Four")]);
    let plain = |request: &Request| {
        let mut body = body(request, "m");
        // Marks move on; they are no part of what is kept.
        for message in body["messages"].as_array_mut().unwrap() {
            for block in message["content"].as_array_mut().unwrap() {
                block.as_object_mut().unwrap().remove("cache_control");
            }
        }
        body
    };
    let (one, other) = (plain(&first), plain(&second));
    for part in ["tools", "system"] {
        assert_eq!(one[part].to_string(), other[part].to_string());
    }
    assert_eq!(one["messages"][0].to_string(), other["messages"][0].to_string());
    assert_eq!(
        other["messages"][1]["content"][0]["unknown"],
        json!([1]),
        "sent back as it came"
    );
    assert_eq!(other["tools"][0]["name"], "a");
    let marks = body(&second, "m").to_string().matches("cache_control").count();
    assert_eq!(marks, 4, "as many as the provider takes");
}

#[test]
fn an_answer_of_another_provider_is_sent_by_its_meaning() {
    let said = Assistant {
        wire: Wire::Completions,
        verbatim: vec![json!({ "role": "assistant", "content": "Two" })],
        text: "Two".into(),
        calls: vec![ToolCall {
            id: "t".into(),
            name: "look".into(),
            input: Ok(json!({ "x": 1 })),
        }],
    };
    let result = Part::ToolResult(ToolResult {
        id: "t".into(),
        name: "look".into(),
        parts: vec![
            Part::Text { text: "seen".into() },
            Part::Image {
                media_type: "image/png".into(),
                data: "AA==".into(),
            },
        ],
        is_error: false,
    });
    let mut request = conversation();
    request
        .messages
        .extend([Message::Assistant(said), Message::User { parts: vec![result] }]);
    let sent = body(&request, "m");
    assert_eq!(sent["messages"][1]["content"][1]["input"], json!({ "x": 1 }));
    assert_eq!(
        sent["messages"][2]["content"][0]["content"][1]["source"]["data"],
        "AA=="
    );
    let sent = super::completions::body(&request, "m", Provider::OpenAi);
    assert_eq!(sent["messages"][3]["role"], "tool");
    let url = &sent["messages"][4]["content"][0]["image_url"]["url"];
    assert_eq!(url, "data:image/png;base64,AA==");
    assert_eq!(
        (&sent["max_completion_tokens"], &sent["max_tokens"]),
        (&json!(10), &Value::Null)
    );
}
