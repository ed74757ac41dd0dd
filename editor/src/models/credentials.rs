//! Keys of providers, as people gave them in the settings: `~/.config/tool/llm-credentials.json`. They are never in a repository, an
//! answer or a log.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::provider::Provider;
use crate::home::{self, PrivateError};

/// The file's name.
pub const FILE: &str = "llm-credentials.json";

/// What a key may be at most, in bytes.
pub const MAX_KEY_BYTES: usize = 512;

/// The content of the file.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Credentials {
    /// By provider.
    pub providers: BTreeMap<Provider, Stored>,
    /// Which provider is used for a prototype, by its root.
    pub roots: BTreeMap<String, Provider>,
}

/// What is kept of a provider.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Stored {
    /// Its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The model that is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its address, where that is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Credentials")
    }
}

impl std::fmt::Debug for Stored {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Stored")
    }
}

impl Credentials {
    /// Where they are kept below `~/.config/tool`.
    #[must_use]
    pub fn place(home: &Path) -> PathBuf {
        home.join(FILE)
    }

    /// Reads them; none when there is no file.
    ///
    /// # Errors
    /// When the file is broken, or not for its owner alone.
    pub fn load(home: &Path) -> Result<Self, PrivateError> {
        home::load(&Self::place(home))
    }

    /// Changes them. What another Editor changed meanwhile stays.
    ///
    /// # Errors
    /// As [`Credentials::load`]; nothing is written then.
    pub fn change(home: &Path, change: impl FnOnce(&mut Self)) -> Result<Self, PrivateError> {
        home::change(&Self::place(home), change)
    }
}

/// Whether a text can be a key: printable ASCII without spaces, since it travels in a header.
#[must_use]
pub fn is_key(text: &str) -> bool {
    (8..=MAX_KEY_BYTES).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::write_private;

    fn with_key(home: &Path, key: &str) {
        Credentials::change(home, |all| {
            all.providers.entry(Provider::Anthropic).or_default().key = Some(key.to_owned());
        })
        .unwrap();
    }

    #[test]
    fn changes_join_and_nothing_of_them_is_shown() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path();
        assert_eq!(Credentials::load(home).unwrap(), Credentials::default());
        with_key(home, "sk-one-canary");
        Credentials::change(home, |all| {
            all.roots.insert("/a".into(), Provider::Gemini);
        })
        .unwrap();
        let found = Credentials::load(home).unwrap();
        assert_eq!(
            found.providers[&Provider::Anthropic].key.as_deref(),
            Some("sk-one-canary")
        );
        assert_eq!(found.roots["/a"], Provider::Gemini);
        assert!(!format!("{found:?}").contains("canary"));
    }

    #[test]
    fn what_is_of_another_form_is_neither_used_nor_overwritten() {
        for content in ["{", "[]", "{\"providers\":[]}"] {
            let home = tempfile::tempdir().unwrap();
            let path = Credentials::place(home.path());
            write_private(&path, content.as_bytes()).unwrap();
            assert!(Credentials::load(home.path()).is_err(), "{content}");
            assert!(Credentials::change(home.path(), |all| all.roots.clear()).is_err());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
        }
    }

    #[test]
    fn only_what_fits_a_header_is_a_key() {
        assert!(is_key("sk-ant-api03-abc_DEF"));
        for text in [
            "",
            "short",
            "with space1",
            "with\nline12",
            "schlüssel-1",
            &"x".repeat(600),
        ] {
            assert!(!is_key(text), "{text:?}");
        }
    }
}
