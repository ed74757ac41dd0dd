//! Components that are offered, and what is written to use one. In the sources `‹` marks the element's `<`.

mod example;
mod library;
mod listed;
mod pictures;
mod react;
mod vue;

use serde_json::{Value, json};

use super::Offered;
use crate::source::engine;
use crate::source::model::marks::marked;
use crate::source::model::{Lanes, Refusal, Request, Stamp};

/// Edits the marked element of the first file; gives that file.
fn edited(files: &[(&str, &str)], mut wanted: Value) -> Result<String, Refusal> {
    let (path, source) = files[0];
    let (text, at) = marked(source, '‹');
    let mut all = vec![(path, text.as_str())];
    all.extend(&files[1..]);
    let src = Stamp {
        path: path.to_owned(),
        at,
    };
    wanted["src"] = json!(src.to_string());
    let request: Request = serde_json::from_value(wanted).expect("an edit");
    let plan = engine::plan(&all.as_slice(), &request, Lanes::default())?;
    let [change] = plan.changes.as_slice() else {
        panic!("{plan:?}")
    };
    Ok(change.apply(&text).expect("replacements that fit"))
}

/// Puts a component after the marked element of the first file.
fn inserted(files: &[(&str, &str)], wanted: Value) -> Result<String, Refusal> {
    edited(files, json!({ "kind": "insert", "place": "after", "use": wanted }))
}

#[track_caller]
fn becomes(files: &[(&str, &str)], wanted: Value, text: &str) {
    match inserted(files, wanted) {
        Ok(found) => assert_eq!(found, text),
        Err(refusal) => panic!("refused: {refusal:?}"),
    }
}

#[track_caller]
fn refused(files: &[(&str, &str)], wanted: Value) -> (&'static str, String) {
    match inserted(files, wanted) {
        Ok(text) => panic!("done: {text}"),
        Err(refusal) => (refusal.code.word(), refusal.reason),
    }
}

/// The components for the marked element of the first file; for none when nothing is marked.
fn offered(files: &[(&str, &str)]) -> Vec<Offered> {
    let (path, source) = files[0];
    let is_marked = source.contains('‹');
    let (text, at) = match is_marked {
        true => marked(source, '‹'),
        false => (source.to_owned(), "a:1:0".parse::<Stamp>().expect("a stamp").at),
    };
    let mut all = vec![(path, text.as_str())];
    all.extend(&files[1..]);
    let src = is_marked.then(|| Stamp {
        path: path.to_owned(),
        at,
    });
    engine::components(&all.as_slice(), src.as_ref()).expect("a list")
}

/// Each property as `name: kind`, `!` behind those that have to be given.
fn props(files: &[(&str, &str)], name: &str) -> Vec<String> {
    let offered = offered(files);
    let component = offered.iter().find(|component| component.name == name);
    let component = component.unwrap_or_else(|| panic!("{name} is not among {offered:?}"));
    let words = component.props.iter().map(|property| {
        let kind = serde_json::to_value(&property.kind).expect("JSON");
        let options = kind["options"].as_array().map(|options| {
            let words: Vec<&str> = options.iter().filter_map(Value::as_str).collect();
            words.join("|")
        });
        let kind = options.unwrap_or_else(|| kind["kind"].as_str().unwrap_or_default().to_owned());
        format!("{}: {kind}{}", property.name, if property.required { "!" } else { "" })
    });
    words.collect()
}
