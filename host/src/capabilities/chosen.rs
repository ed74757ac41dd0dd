//! What the operator set for a plugin, as the slot's state holds it.

use std::collections::BTreeMap;

/// What the operator set for a slot, by key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    /// Settings, as they were written.
    pub settings: BTreeMap<String, String>,
    /// Secrets: sealed, in base 64.
    pub secrets: BTreeMap<String, String>,
}

/// What a secret is sealed for: it opens for this key of this slot only.
pub fn purpose(slot: &str, key: &str) -> String {
    format!("the secret {key} of the slot {slot}")
}
