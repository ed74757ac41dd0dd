//! Tokens of review servers, by the server's address: in the user's own folder, for their eyes alone, never in a repository,
//! never in an answer or a log.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::error::ApiError;
use crate::workspace::write_private;

/// The file, in `~/.config/tool`.
fn place(home: &Path) -> PathBuf {
    home.join("review-tokens.json")
}

/// The token for a server.
pub(super) fn find(home: &Path, base: &str) -> Option<String> {
    load(home).ok()?.remove(base)
}

/// Keeps a token, or with `None` forgets it.
pub(super) fn keep(home: &Path, base: &str, token: Option<&str>) -> Result<(), ApiError> {
    let fail = |error: io::Error| ApiError::internal(format!("{}: {error}", place(home).display()));
    let mut tokens = load(home).map_err(fail)?;
    let changed = match token {
        Some(token) => tokens.insert(base.to_owned(), token.to_owned()).as_deref() != Some(token),
        None => tokens.remove(base).is_some(),
    };
    if !changed {
        return Ok(());
    }
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(home)
        .map_err(fail)?;
    let content = serde_json::to_vec_pretty(&tokens).unwrap_or_default();
    write_private(&place(home), &content).map_err(fail)
}

/// Whether a text can be a token. What cannot would be a mistake, like a password pasted into the wrong field.
pub(super) fn is_token(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    text.strip_prefix("tok_").is_some_and(|rest| !rest.is_empty()) && text.len() <= 512 && text.chars().all(plain)
}

fn load(home: &Path) -> io::Result<BTreeMap<String, String>> {
    match fs::read(place(home)) {
        Ok(content) => serde_json::from_slice(&content).map_err(io::Error::from),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn tokens_are_for_their_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("config/tool");
        keep(&home, "https://a", Some("tok_a_1")).unwrap();
        keep(&home, "https://b", Some("tok_b_1")).unwrap();
        keep(&home, "https://a", None).unwrap();
        assert_eq!(find(&home, "https://a"), None);
        assert_eq!(find(&home, "https://b").as_deref(), Some("tok_b_1"));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&home), mode(&place(&home))), (0o700, 0o600));
    }

    #[test]
    fn a_damaged_file_is_not_overwritten() {
        let home = tempfile::tempdir().unwrap();
        fs::write(place(home.path()), "{").unwrap();
        assert!(keep(home.path(), "https://a", Some("tok_a_1")).is_err());
        assert_eq!(fs::read_to_string(place(home.path())).unwrap(), "{");
    }

    #[test]
    fn only_tokens_are_taken_for_tokens() {
        assert!(is_token("tok_ab12_Secret-x"));
        for text in ["", "tok_", "secret", "tok_a b", "tok_a\r\nx: y"] {
            assert!(!is_token(text), "{text}");
        }
    }
}
