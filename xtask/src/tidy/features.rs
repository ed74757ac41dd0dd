//! The host names no feature. Features are plugins, which an operator may replace: code in the host that knows one of
//! them by name would go on to know its rules.

use std::path::Path;

use anyhow::Result;

use super::rust_source::{Source, is_word};
use crate::stamp::files_below;

/// Words of features, in singular; the plural counts too.
const FEATURES: [&str; 4] = ["comment", "deployment", "webhook", "participant"];

/// Text that may stand in the host although a feature's word is in it.
const ALLOWED: [&str; 2] = [
    // A guard of the contract: who may write to a project. It names an access right, not the feature.
    "project:comment",
    // The same right, as a plugin asks for it through `galley:projects`.
    "\"comment\" => access::contribute",
];

/// Every line of code below `host` that names a feature.
pub fn check(host: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for file in files_below(host)? {
        if file.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&file)?;
        for (line, code) in Source::new(&text).lines() {
            if let Some(word) = feature_in(code) {
                let place = format!("host/src/{}:{line}", file.strip_prefix(host).unwrap_or(&file).display());
                found.push(format!("{place}: the host names no feature, and `{word}` is one"));
            }
        }
    }
    Ok(found)
}

fn feature_in(code: &str) -> Option<String> {
    let code = ALLOWED
        .iter()
        .fold(code.to_lowercase(), |code, allowed| code.replace(allowed, ""));
    code.split(|c| !is_word(c))
        .find(|word| FEATURES.contains(&word.strip_suffix('s').unwrap_or(word)))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_found_as_words() {
        assert_eq!(feature_in("let x = \"/comments/stream\";").as_deref(), Some("comments"));
        assert_eq!(feature_in("struct Deployment;").as_deref(), Some("deployment"));
        assert_eq!(feature_in("mod webhooks;").as_deref(), Some("webhooks"));
        assert_eq!(
            feature_in("fn commented(recomment: u8, active_deployment_id: u8) {}"),
            None
        );
    }

    #[test]
    fn wire_names_of_the_contract_are_allowed() {
        assert_eq!(feature_in("\"project:comment\" => Guard::Write,"), None);
        assert_eq!(
            feature_in("\"project:comment\" => Guard::Comment,").as_deref(),
            Some("comment")
        );
    }

    #[test]
    fn comment_lines_may_explain() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(
            folder.path().join("a.rs"),
            "// like the comments plugin\nfn comments() {}\n",
        )
        .unwrap();
        let found = check(folder.path()).unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("a.rs:2"), "{found:?}");
    }
}
