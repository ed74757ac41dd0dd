//! Differences as the interface shows them.

use serde_json::{Value, json};
use similar::TextDiff;

use crate::workspace::Written;

/// `[{ path, diff }]`, unified with three lines of context.
pub(super) fn files(files: &[Written]) -> Value {
    let diffs = files
        .iter()
        .map(|file| json!({ "path": file.path, "diff": unified(file) }));
    diffs.collect()
}

/// The same for texts that are not written yet: path, text now, text afterwards.
pub(super) fn texts(texts: &[(String, std::sync::Arc<str>, String)]) -> Value {
    let written: Vec<Written> = texts
        .iter()
        .map(|(path, before, after)| Written {
            path: path.clone(),
            before: Some(before.as_bytes().to_vec()),
            after: Some(after.as_bytes().to_vec()),
        })
        .collect();
    files(&written)
}

fn unified(file: &Written) -> String {
    let name = |side: &str, content: &Option<Vec<u8>>| match content {
        Some(_) => format!("{side}/{}", file.path),
        None => "/dev/null".to_owned(),
    };
    let (old, new) = (name("a", &file.before), name("b", &file.after));
    let text = |content: &Option<Vec<u8>>| String::from_utf8(content.clone().unwrap_or_default());
    let (Ok(before), Ok(after)) = (text(&file.before), text(&file.after)) else {
        return format!("Binary files {old} and {new} differ\n");
    };
    let diff = TextDiff::from_lines(&before, &after);
    diff.unified_diff().header(&old, &new).to_string()
}
