//! Components of core modules.

use wit_component::ComponentEncoder;

/// Why there is no component.
#[derive(Debug, thiserror::Error)]
pub enum ComponentError {
    /// The file is no WebAssembly.
    #[error("{0} is not WebAssembly")]
    NotWasm(String),
    /// Nothing is to be done.
    #[error("{0} is a component already")]
    Already(String),
    /// A module that says nothing of the world it was built for, or does not have what that asks for.
    #[error("{0} cannot become a component: {1}")]
    Refused(String, String),
}

/// What both kinds of WebAssembly begin with.
const MAGIC: &[u8] = b"\0asm";
/// What follows in a core module; in a component it is another number.
const MODULE: [u8; 4] = [1, 0, 0, 0];

/// Makes a component of a core module that was built against the SDK; `name` is the file's, for messages.
pub fn componentize(name: &str, module: &[u8]) -> Result<Vec<u8>, ComponentError> {
    if !module.starts_with(MAGIC) {
        return Err(ComponentError::NotWasm(name.to_owned()));
    }
    if module.get(MAGIC.len()..).is_some_and(|rest| !rest.starts_with(&MODULE)) {
        return Err(ComponentError::Already(name.to_owned()));
    }
    let encoder = ComponentEncoder::default().validate(true).module(module);
    let component = encoder.and_then(|mut encoder| encoder.encode());
    component.map_err(|error| ComponentError::Refused(name.to_owned(), format!("{error:#}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_become_a_component_says_why() {
        let why = |bytes: &[u8]| componentize("x.wasm", bytes).unwrap_err().to_string();
        assert_eq!(why(b"#!/bin/sh"), "x.wasm is not WebAssembly");
        assert_eq!(why(b""), "x.wasm is not WebAssembly");
        assert_eq!(why(b"\0asm\x0d\0\x01\0"), "x.wasm is a component already");
        assert!(why(b"\0asm\x01\0\0\0\x99").starts_with("x.wasm cannot become a component: "));
    }

    #[test]
    fn a_module_of_no_world_becomes_an_empty_component() {
        let component = componentize("x.wasm", b"\0asm\x01\0\0\0").unwrap();
        assert!(component.starts_with(b"\0asm\x0d\0\x01\0"));
    }
}
