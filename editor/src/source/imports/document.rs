//! JSON documents as people write them: comments and trailing commas are fine.

use jsonc_parser::{ParseOptions, parse_to_serde_value};
use serde_json::Value;

/// The value of a JSON text; `null` when it is broken.
#[must_use]
pub fn document(text: &str) -> Value {
    // Most files are strict JSON, which is read faster.
    let strict = serde_json::from_str(text).ok();
    let tolerant = || parse_to_serde_value(text, &ParseOptions::default()).ok();
    strict.or_else(tolerant).unwrap_or_default()
}
