//! JSON documents as people write them: comments and trailing commas are fine.

use std::sync::Arc;

use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde_json::Value;

use crate::source::model::Project;
use crate::source::model::memo::Memo;

#[derive(Debug, Default)]
struct Documents(Memo<Arc<Value>>);

/// The value of a JSON file, as it is kept or read now; `None` when it is missing.
#[must_use]
pub fn read(project: &dyn Project, path: &str) -> Option<Arc<Value>> {
    let text = project.read(path)?;
    let read = || Arc::new(document(&text));
    Some(match project.kept() {
        Some(kept) => kept.of::<Documents>().0.get(path, &text, read),
        None => read(),
    })
}

/// The value of a JSON text; `null` when it is broken.
#[must_use]
pub fn document(text: &str) -> Value {
    // Most files are strict JSON, which is read faster.
    let strict = serde_json::from_str(text).ok();
    let tolerant = || parse_to_serde_value(text, &ParseOptions::default()).ok();
    strict.or_else(tolerant).unwrap_or_default()
}
