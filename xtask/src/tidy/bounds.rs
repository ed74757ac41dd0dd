//! Bounds are called `MAX_…` and waits `…_TIMEOUT`, so that a search finds all of them. What a name bounds cannot be
//! checked; words that earlier names had for the same idea can be, and so can the names of waits that are handed to a
//! `timeout`.

use std::path::Path;

use anyhow::Result;

use super::rust_source::{Source, is_word};
use crate::stamp::files_below;

/// Where the rule holds.
const CHECKED: [&str; 6] = ["editor/src", "host/src", "plugins", "sdk", "tests", "xtask/src"];

/// Words for a bound or a wait that the two forms replace. As a whole name, `MAX` says nothing of what it bounds.
const REPLACED: [&str; 9] = [
    "BUDGET", "DEEP", "DEEPEST", "LARGEST", "LIMIT", "LONG", "LONGEST", "MOST", "PATIENCE",
];

/// Every constant of a bound whose name has another form.
pub fn check(root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for folder in CHECKED {
        for file in files_below(&root.join(folder))? {
            if file.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let place = file.strip_prefix(root).unwrap_or(&file).display().to_string();
            for (line, code) in Source::new(&std::fs::read_to_string(&file)?).lines() {
                found.extend(wrong_name(code).map(|why| format!("{place}:{line}: {why}")));
            }
        }
    }
    Ok(found)
}

fn wrong_name(code: &str) -> Option<String> {
    if let Some((_, rest)) = code.split_once("const ")
        && let Some((name, _)) = rest.split_once(':')
        && is_constant(name)
    {
        let has_a_form = name.starts_with("MAX_") || name.starts_with("MIN_") || name.ends_with("_TIMEOUT");
        let is_replaced = name == "MAX" || name.split('_').any(|word| REPLACED.contains(&word));
        if is_replaced && !has_a_form {
            return Some(format!("a bound is called MAX_… and a wait …_TIMEOUT, not {name}"));
        }
    }
    let (_, waits) = code.split_once("timeout(")?;
    let name = &waits[..waits.find(|c| !is_word(c)).unwrap_or(waits.len())];
    // A `timeout` may also be the pace of a loop.
    let is_named = name.ends_with("TIMEOUT") || name.ends_with("INTERVAL");
    (is_constant(name) && !is_named).then(|| format!("a wait is called …_TIMEOUT, not {name}"))
}

fn is_constant(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_for_a_bound_are_found() {
        // Put together here, so that the check does not find its own test.
        for name in ["MOST_LINKS", "MAX", "PATIENCE", "ADD_LIMIT"] {
            assert!(
                wrong_name(&format!("    pub(crate) const {name}: u32 = 5;")).is_some(),
                "{name}"
            );
        }
        let wait = format!("tokio::time::timeout({}, work).await", "WHOLE");
        assert!(wrong_name(&wait).is_some());
    }

    #[test]
    fn the_two_forms_and_other_constants_are_fine() {
        for code in [
            "const MAX_LONG_LINKS: u32 = 5;",
            "const LINK_TIMEOUT: Duration = Duration::from_secs(1);",
            "const ALMOST: u32 = 5;",
            "const fn longest(MOST: u32) {}",
            "tokio::time::timeout(LINK_TIMEOUT, work).await",
            "tokio::time::timeout(patience, work).await",
        ] {
            assert_eq!(wrong_name(code), None, "{code}");
        }
    }
}
