//! Keys of providers, as people gave them in the settings: `~/.config/tool/llm-credentials.json`, for their eyes alone, never in a
//! repository, never in an answer or a log. It is read each time it is needed, because another Editor may have changed it.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::provider::Provider;
use crate::workspace::write_private;

/// The file's name.
pub const FILE: &str = "llm-credentials.json";

/// A file of more bytes than this is not ours.
const MAX_BYTES: u64 = 64 << 10;

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
    /// SHA-256 of the commands of MCP servers that people approved, in hex, by the prototype's root.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub approved: BTreeMap<String, Vec<String>>,
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

/// Why the file cannot be used. Nothing is written over it then.
#[derive(Debug, thiserror::Error)]
pub enum CredentialsError {
    /// It is no JSON, or not of this form.
    #[error("{0} cannot be read as credentials: correct it, or delete it and add your key again")]
    Malformed(PathBuf),
    /// Others than its owner can read it.
    #[error("{0} can be read by others, so its keys are not used: make it yours alone with `chmod 600`")]
    Open(PathBuf),
    /// It belongs to another user, or is no file.
    #[error("{0} is no file of yours, so no key is read from it or written to it")]
    Foreign(PathBuf),
    /// The operating system refuses.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
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
    pub fn load(home: &Path) -> Result<Self, CredentialsError> {
        let path = Self::place(home);
        let failed = |error| CredentialsError::Io {
            path: path.clone(),
            error,
        };
        let found = match fs::metadata(&path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(failed(error)),
        };
        if !found.is_file() || found.uid() != rustix::process::geteuid().as_raw() {
            return Err(CredentialsError::Foreign(path));
        }
        if found.mode() & 0o077 != 0 {
            return Err(CredentialsError::Open(path));
        }
        if found.len() > MAX_BYTES {
            return Err(CredentialsError::Malformed(path));
        }
        let content = fs::read(&path).map_err(failed)?;
        // A list would be read as the fields in their order.
        let value = serde_json::from_slice(&content)
            .ok()
            .filter(serde_json::Value::is_object);
        value
            .and_then(|value| serde_json::from_value(value).ok())
            .ok_or(CredentialsError::Malformed(path))
    }

    /// Changes them. What another Editor changed meanwhile stays.
    ///
    /// # Errors
    /// As [`Credentials::load`]; nothing is written then.
    pub fn change(home: &Path, change: impl FnOnce(&mut Self)) -> Result<Self, CredentialsError> {
        let path = Self::place(home);
        let failed = |error| CredentialsError::Io {
            path: path.clone(),
            error,
        };
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(home)
            .map_err(failed)?;
        let lock = fs::OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(home.join("llm-credentials.lock"))
            .map_err(failed)?;
        // Some network file systems know no locks: then the last one who writes wins.
        let _ = lock.lock();
        let mut credentials = Self::load(home)?;
        let before = credentials.clone();
        change(&mut credentials);
        if credentials != before {
            let content = serde_json::to_vec_pretty(&credentials).unwrap_or_default();
            write_private(&path, &content).map_err(failed)?;
        }
        Ok(credentials)
    }
}

/// Whether a text can be a key: printable ASCII without spaces, since it travels in a header.
#[must_use]
pub fn is_key(text: &str) -> bool {
    (8..=MAX_KEY_BYTES).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn with_key(home: &Path, key: &str) {
        Credentials::change(home, |all| {
            all.providers.entry(Provider::Anthropic).or_default().key = Some(key.to_owned());
        })
        .unwrap();
    }

    #[test]
    fn keys_are_for_their_owner_alone_and_changes_join() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("config/tool");
        assert_eq!(Credentials::load(&home).unwrap(), Credentials::default());
        with_key(&home, "sk-one-canary");
        Credentials::change(&home, |all| {
            all.roots.insert("/a".into(), Provider::Gemini);
        })
        .unwrap();
        let found = Credentials::load(&home).unwrap();
        assert_eq!(
            found.providers[&Provider::Anthropic].key.as_deref(),
            Some("sk-one-canary")
        );
        assert_eq!(found.roots["/a"], Provider::Gemini);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&home), mode(&Credentials::place(&home))), (0o700, 0o600));
        assert!(!format!("{found:?}").contains("canary"));
    }

    #[test]
    fn what_is_broken_open_or_no_file_is_neither_used_nor_overwritten() {
        for (content, mode) in [("{", 0o600), ("[]", 0o600), ("{}", 0o644), ("{}", 0o620)] {
            let home = tempfile::tempdir().unwrap();
            let path = Credentials::place(home.path());
            fs::write(&path, content).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert!(Credentials::load(home.path()).is_err(), "{content} {mode:o}");
            assert!(Credentials::change(home.path(), |all| all.roots.clear()).is_err());
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(Credentials::place(home.path())).unwrap();
        let error = Credentials::load(home.path()).unwrap_err();
        assert!(matches!(error, CredentialsError::Foreign(_)), "{error}");
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
