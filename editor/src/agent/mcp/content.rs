//! What a tool answered, as a text.

use serde_json::Value;

/// Bytes of a result.
const MAX_RESULT: usize = 32 << 10;
const CUT: &str = "\n[cut here: the result is larger than 32 KB]";

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// Its texts.
    pub text: String,
    /// Whether it says that it failed.
    pub is_error: bool,
}

/// Reads the result of a call.
pub(super) fn read(result: &Value) -> Answered {
    let blocks = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut texts: Vec<String> = blocks.iter().map(block).collect();
    if texts.is_empty() && !result["structuredContent"].is_null() {
        texts.push(result["structuredContent"].to_string());
    }
    let mut text = texts.join("\n");
    if text.len() > MAX_RESULT {
        text.truncate(text.floor_char_boundary(MAX_RESULT - CUT.len()));
        text.push_str(CUT);
    }
    Answered {
        text,
        is_error: result["isError"].as_bool().unwrap_or(false),
    }
}

fn block(block: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match block["type"].as_str() {
        Some("text") => text(&block["text"]),
        Some("resource") if block["resource"]["text"].is_string() => text(&block["resource"]["text"]),
        Some("resource_link") => format!("[{}]", text(&block["uri"])),
        Some(kind) => format!("[{} that is not shown here]", kind.chars().take(40).collect::<String>()),
        None => String::new(),
    }
}
