//! Reading a file by its kind: a script, JSON, or a single-file component.

use std::sync::Arc;

use oxc::ast::ast::Program;

use super::{Fragments, vue};
use crate::source::document::Document;
use crate::source::follow::module::{Export, Module, is_json};
use crate::source::notation::Within;
use crate::source::script::Broken;

/// Reads a script; what holds its elements comes from the same parse. A JSON file is read as the expression it is, and
/// comments in it are fine.
///
/// # Errors
/// With the first syntax error.
pub fn file(path: &str, text: &Arc<str>) -> Result<(Module, Option<Document>), Broken> {
    if path.ends_with(".vue") {
        return Ok((vue::component(path, text)?, None));
    }
    let mut module = Module {
        path: path.to_owned(),
        text: text.clone(),
        ..Module::default()
    };
    if is_json(path) {
        let mut reader = Fragments::new(&mut module, "a.js");
        let value = reader.wrapped("(", 0..text.len(), "\n)", Within::Json)?;
        module.exports.push(("default".to_owned(), Export::Node(value)));
        return Ok((module, None));
    }
    let document = |program: &Program<'_>| Document::of(program, text);
    let document = Fragments::new(&mut module, path).script(0..text.len(), Within::File, document)?;
    Ok((module, Some(document)))
}
