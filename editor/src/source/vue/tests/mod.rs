//! Every shape of every kind of edit, and every refusal.

mod attributes;
mod classes;
mod follow;
mod inspection;
mod layout;
mod properties;
mod structure;
mod styles;
mod texts;

use serde_json::{Value, json};

use crate::source::engine::{inspect, plan};
use crate::source::model::{Inspect, Lanes, LineIndex, Refusal, Stamp};

const PATH: &str = "src/App.vue";
const LANES: Lanes = Lanes {
    detach: true,
    swap: true,
};

/// The file with the element marked by `^` before its `<`.
fn marked(source: &str) -> (String, String) {
    let offset = source.find('^').expect("the element is marked");
    let text = source.replacen('^', "", 1);
    let at = LineIndex::new(&text).position(offset);
    let path = PATH.to_owned();
    (Stamp { path, at }.to_string(), text)
}

/// A template of one line around the sample.
fn template(sample: &str) -> String {
    format!("<template><main>{sample}</main></template>\n")
}

fn edited(source: &str, edit: Value) -> Result<String, Refusal> {
    let (src, text) = marked(source);
    let mut request = edit;
    request["src"] = json!(src);
    if let Some(to) = request.get("to").and_then(Value::as_str).map(str::to_owned) {
        let offset = text.find(&to).expect("the target stands there");
        let at = LineIndex::new(&text).position(offset);
        let path = PATH.to_owned();
        request["to"] = json!(Stamp { path, at }.to_string());
    }
    let request = serde_json::from_value(request).unwrap();
    let plan = plan(&[(PATH, text.as_str())], &request, LANES)?;
    let [change] = plan.changes.as_slice() else {
        panic!("one file changes")
    };
    assert_eq!(change.path, PATH);
    Ok(change.apply(&text).expect("the ranges fit"))
}

#[track_caller]
fn becomes(sample: &str, edit: Value, wanted: &str) {
    let result = edited(&template(sample), edit.clone());
    assert_eq!(result.as_deref(), Ok(template(wanted).as_str()), "{sample} {edit}");
}

#[track_caller]
fn whole_becomes(source: &str, edit: Value, wanted: &str) {
    let result = edited(source, edit.clone());
    assert_eq!(result.as_deref(), Ok(wanted), "{source} {edit}");
}

#[track_caller]
fn refused(sample: &str, edit: Value, code: &str) -> Refusal {
    let refusal = edited(&template(sample), edit.clone()).expect_err(&format!("{sample} {edit} is refused"));
    assert_eq!(refusal.code, code, "{sample} {edit}: {}", refusal.reason);
    assert!(refusal.reason.len() > 10, "{}", refusal.reason);
    refusal
}

fn text(text: &str) -> Value {
    json!({ "kind": "text", "text": text })
}

fn attribute(name: &str, value: impl Into<Value>) -> Value {
    json!({ "kind": "attribute", "name": name, "value": value.into() })
}

fn class(add: &[&str], remove: &[&str]) -> Value {
    json!({ "kind": "class", "add": add, "remove": remove })
}

fn with(mut edit: Value, option: &str, value: impl Into<Value>) -> Value {
    edit[option] = value.into();
    edit
}
