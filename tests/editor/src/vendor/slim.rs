//! A recording without what differs from run to run, what is nobody's business, and what the Editor does not read: the program's own
//! texts, the machine, names of sessions.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// What each line says besides.
const LEFT_OUT: [&str; 12] = [
    "session_id",
    "uuid",
    "cwd",
    "modelUsage",
    "fast_mode_state",
    "clientInfo",
    "model",
    "_meta",
    "timestamp",
    "permission_suggestions",
    "display_name",
    "errors",
];

/// Gives requests short names of their own, in their order.
#[derive(Debug, Default)]
pub struct Slim {
    names: BTreeMap<String, String>,
}

impl Slim {
    /// A line of the recording, `{ from, line }`.
    pub fn slim(&mut self, entry: &Value) -> Value {
        let mut line = entry["line"].clone();
        self.name(&mut line["request_id"]);
        self.name(&mut line["response"]["request_id"]);
        match line["type"].as_str() {
            Some("control_response") => line["response"] = json!({ "request_id": line["response"]["request_id"] }),
            Some("user") => line = json!({ "type": "user" }),
            Some("system") => line = json!({ "type": "system", "subtype": line["subtype"] }),
            Some("assistant") => line = json!({ "type": "assistant" }),
            _ => leave_out(&mut line),
        }
        let line = without_nulls(line);
        json!({ "from": entry["from"], "line": line })
    }

    fn name(&mut self, id: &mut Value) {
        let Some(text) = id.as_str() else { return };
        if matches!(text, "initialize" | "interrupt") {
            return;
        }
        let next = format!("request-{}", self.names.len() + 1);
        *id = json!(self.names.entry(text.to_owned()).or_insert(next));
    }
}

fn leave_out(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !LEFT_OUT.contains(&name.as_str()) && !name.ends_with("_ms"));
            fields.values_mut().for_each(leave_out);
        }
        Value::Array(items) => items.iter_mut().for_each(leave_out),
        _ => {}
    }
}

/// Asking for a name that is not there made it.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| (name, without_nulls(value)));
            let is_empty = |value: &Value| value.is_null() || value.as_object().is_some_and(serde_json::Map::is_empty);
            Value::Object(fields.filter(|(_, value)| !is_empty(value)).collect())
        }
        value => value,
    }
}
