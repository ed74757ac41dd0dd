//! Tokens of review servers, by the server's address: never in a repository, never in an answer or a log.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::private::{self, PrivateError};

/// Tokens by the addresses of their servers.
type Tokens = BTreeMap<String, String>;

/// The file in the user's own folder.
fn place(home: &Path) -> PathBuf {
    home.join("review-tokens.json")
}

/// All of them, by the addresses of their servers.
///
/// # Errors
/// When the file cannot be used.
pub fn all(home: &Path) -> Result<BTreeMap<String, String>, PrivateError> {
    private::load(&place(home))
}

/// Keeps a token for a server, or with `None` forgets it.
///
/// # Errors
/// When the file cannot be used; it stays as it is then.
pub fn keep(home: &Path, base: &str, token: Option<&str>) -> Result<(), PrivateError> {
    let changed = private::change(&place(home), |tokens: &mut Tokens| match token {
        Some(token) => drop(tokens.insert(base.to_owned(), token.to_owned())),
        None => drop(tokens.remove(base)),
    });
    changed.map(drop)
}

/// Whether a text can be a token. What cannot would be a mistake, like a password pasted into the wrong field.
#[must_use]
pub fn is_token(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    text.strip_prefix("tok_").is_some_and(|rest| !rest.is_empty()) && text.len() <= 512 && text.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_kept_for_its_server_until_it_is_forgotten() {
        let home = tempfile::tempdir().unwrap();
        keep(home.path(), "https://a", Some("tok_a_1")).unwrap();
        keep(home.path(), "https://b", Some("tok_b_1")).unwrap();
        keep(home.path(), "https://a", None).unwrap();
        let left = Tokens::from([("https://b".to_owned(), "tok_b_1".to_owned())]);
        assert_eq!(all(home.path()).unwrap(), left);
    }

    #[test]
    fn only_tokens_are_taken_for_tokens() {
        assert!(is_token("tok_ab12_Secret-x"));
        for text in ["", "tok_", "secret", "tok_a b", "tok_a\r\nx: y"] {
            assert!(!is_token(text), "{text}");
        }
    }
}
