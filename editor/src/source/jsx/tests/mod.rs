//! What every kind of edit does, shape by shape. In the sources `‹` marks the element's `<`.

mod attribute;
mod class;
mod documents;
mod inspect;
mod lanes;
mod locate;
mod properties;
mod structure;
mod vue;

use serde_json::{Value, json};

use crate::source::engine::{outline, plan};
use crate::source::model::marks::marked;
use crate::source::model::{Lanes, Outline, Position, Refusal};

/// The file that single-file tests edit.
const PATH: &str = "src/App.tsx";

fn stamp(at: Position) -> String {
    format!("{PATH}:{}:{}", at.line, at.column)
}

/// Plans an edit of the marked element and gives the file after it.
fn edited(source: &str, edit: Value) -> Result<String, Refusal> {
    let (text, at) = marked(source, '‹');
    edited_at(&text, at, edit)
}

fn edited_at(text: &str, at: Position, edit: Value) -> Result<String, Refusal> {
    planned(text, at, &[], edit)
}

/// Like [`edited`], with one more file in the project.
fn edited_in(source: &str, files: &[(&str, &str)], edit: Value) -> Result<String, Refusal> {
    let (text, at) = marked(source, '‹');
    planned(&text, at, files, edit)
}

fn planned(text: &str, at: Position, files: &[(&str, &str)], mut edit: Value) -> Result<String, Refusal> {
    edit["src"] = json!(stamp(at));
    let request = serde_json::from_value(edit).expect("an edit");
    let lanes = Lanes {
        detach: true,
        swap: true,
    };
    let other = files.first().copied().unwrap_or(("other.txt", ""));
    let plan = plan(&[(PATH, text), other], &request, lanes)?;
    let [change] = plan.changes.as_slice() else {
        panic!("{plan:?}")
    };
    Ok(change.apply(text).expect("replacements that fit"))
}

fn outline_of(text: &str) -> Outline {
    outline(PATH, text).expect("a file in order")
}

/// The code of the refusal.
fn refused(source: &str, edit: Value) -> &'static str {
    match edited(source, edit.clone()) {
        Err(refusal) => {
            assert!(refusal.reason.len() > 20, "{refusal:?}");
            refusal.code.word()
        }
        Ok(text) => panic!("{edit} of {source} was done: {text}"),
    }
}

#[track_caller]
fn becomes(source: &str, edit: Value, wanted: &str) {
    match edited(source, edit.clone()) {
        Ok(text) => assert_eq!(text, wanted, "{edit} of {source}"),
        Err(refusal) => panic!("{edit} of {source} was refused: {refusal:?}"),
    }
}
