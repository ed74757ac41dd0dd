//! Reading a file by its kind: a script, JSON, or a single-file component.

use std::sync::Arc;

use super::{Fragments, vue};
use crate::source::follow::module::{Export, Module, is_json};
use crate::source::notation::Within;
use crate::source::script::Broken;

/// Reads a script. A JSON file is read as the expression it is, and comments in it are fine.
///
/// # Errors
/// With the first syntax error.
pub fn file(path: &str, text: &Arc<str>) -> Result<Module, Broken> {
    if path.ends_with(".vue") {
        return vue::component(path, text);
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
    } else {
        Fragments::new(&mut module, path).block(0..text.len(), Within::File)?;
    }
    Ok(module)
}
