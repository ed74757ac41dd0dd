//! Answers for people: what changed on standard output, why something was not done on standard error.

use serde_json::Value;

use crate::cli::say;

/// Says an answer. What has no words of its own is JSON, on several lines.
pub fn say(answer: &Value) {
    let text = |key: &str| answer[key].as_str();
    if answer["ok"] != Value::Bool(true) {
        let code = text("code").unwrap_or("refused");
        say::note(format_args!(
            "{} ({code})",
            text("reason").unwrap_or("The request was refused")
        ));
        for choice in answer["choices"].as_array().into_iter().flatten() {
            let (option, label) = (
                choice["option"].as_str().unwrap_or_default(),
                choice["label"].as_str().unwrap_or_default(),
            );
            say::note(format_args!("  --with {option}='{}'  {label}", choice["value"]));
        }
        return;
    }
    if answer.get("editId").is_none() {
        let pretty = serde_json::to_string_pretty(answer).unwrap_or_default();
        say::out(pretty + "\n");
        return;
    }
    let files = answer["files"].as_array();
    let diffs = files.into_iter().flatten().filter_map(|file| file["diff"].as_str());
    for diff in diffs {
        say::out(diff);
    }
    for note in answer["notes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        say::note(note);
    }
    if files.is_none_or(Vec::is_empty) {
        say::note("Nothing changed");
    }
}
