//! Reading a file by its kind: a script, JSON, or a single-file component.

use std::sync::Arc;

use super::{Fragments, vue};
use crate::source::module::binding::Export;
use crate::source::module::table::{Module, is_json};
use crate::source::notation::Within;
use crate::source::script::Broken;

/// Reads a file. One of JSON is read as the expression it is, and comments in it are fine.
///
/// # Errors
/// With the first syntax error.
pub fn file(path: &str, text: &Arc<str>) -> Result<Module, Broken> {
    if path.ends_with(".vue") {
        return vue::component(path, text);
    }
    let mut module = Module::new(path, text);
    if is_json(path) {
        let mut reader = Fragments::new(&mut module, "a.js");
        let value = reader.wrapped("(", 0..text.len(), "\n)", Within::Json)?;
        module.exports.push(("default".to_owned(), Export::Node(value)));
        return Ok(module);
    }
    Fragments::new(&mut module, path).block(0..text.len(), Within::File)?;
    Ok(module)
}
