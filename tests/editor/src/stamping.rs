//! The dev server's side of `/__stamp`: modules and answers in parts, each a line of JSON with its texts behind it.

use galley_harness::http::Request;
use serde_json::{Value, json};

use crate::{Editor, Repository};

/// The answer for one module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The stamped code; `None` when the module stays as it is.
    pub code: Option<String>,
    /// The mappings of its source map.
    pub mappings: String,
    /// Why it carries no stamps; empty when it does, or has no elements.
    pub reason: String,
}

/// The secret of an Editor that was started with `--attach`.
pub fn token(repository: &Repository) -> String {
    let settings: Value = serde_json::from_str(&repository.read(".tool/attach/settings.json")).expect("it is JSON");
    settings["token"].as_str().expect("it has a token").to_owned()
}

/// Modules, by path and text, as the body of a request.
pub fn body<'m>(modules: impl IntoIterator<Item = (&'m str, &'m str)>) -> Vec<u8> {
    let mut body = Vec::new();
    for (path, code) in modules {
        let head = json!({ "path": path, "code": code.len() });
        body.extend_from_slice(format!("{head}\n{code}").as_bytes());
    }
    body
}

/// Modules, by path and the name of the answer that was kept for each, as the body of a request.
pub fn body_of_tags<'m>(modules: impl IntoIterator<Item = (&'m str, &'m str)>) -> Vec<u8> {
    let lines = modules
        .into_iter()
        .map(|(path, tag)| format!("{}\n", json!({ "path": path, "tag": tag })));
    lines.collect::<String>().into_bytes()
}

/// The request itself.
pub fn request<'m>(editor: &Editor, token: &str, modules: impl IntoIterator<Item = (&'m str, &'m str)>) -> Request {
    let request = Request::new(editor.address, "POST", "/__stamp").header("x-galley-token", token);
    request.body(body(modules))
}

/// The answers in the body of an answer.
///
/// # Panics
/// When it is not understood.
pub fn answers(bytes: &[u8]) -> Vec<Answer> {
    let answer = |(head, code, mappings): (Value, String, String)| Answer {
        code: Some(code).filter(|_| head["ok"] == true && head["elements"] != 0),
        mappings,
        reason: head["reason"].as_str().unwrap_or_default().to_owned(),
    };
    parts(bytes).into_iter().map(answer).collect()
}

/// The names of the answers in the body of an answer.
///
/// # Panics
/// When one has none.
pub fn tags(bytes: &[u8]) -> Vec<String> {
    let tag = |(head, ..): (Value, String, String)| head["tag"].as_str().expect("it has a name").to_owned();
    parts(bytes).into_iter().map(tag).collect()
}

/// For each module its line, its code and its mappings.
fn parts(mut bytes: &[u8]) -> Vec<(Value, String, String)> {
    let mut parts = Vec::new();
    while !bytes.is_empty() {
        let end = bytes.iter().position(|byte| *byte == b'\n').expect("the line ends");
        let head: Value = serde_json::from_slice(&bytes[..end]).expect("it is JSON");
        bytes = &bytes[end + 1..];
        let mut text = |key: &str| {
            let length = head[key].as_u64().unwrap_or(0) as usize;
            let (text, behind) = bytes.split_at(length);
            bytes = behind;
            String::from_utf8(text.to_vec()).expect("it is text")
        };
        let (code, mappings) = (text("code"), text("mappings"));
        parts.push((head, code, mappings));
    }
    parts
}
