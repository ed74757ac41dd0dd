//! Which commands the user allowed to be started, by hash, in their own folder: a repository cannot say it for itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::config::servers::Server;
use crate::home::{self, PrivateError};

/// The file in the user's own folder.
const FILE: &str = "approved-servers.json";

/// The commands that were allowed for good.
#[derive(Debug)]
pub struct Approved(PathBuf);

/// What names a command: the repository, the program, its arguments and its variables. Another one is another command.
#[must_use]
pub fn fingerprint(git_root: &Path, id: &str, server: &Server) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        // With the length, so that no text runs into the next.
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text.as_bytes());
    };
    add(&git_root.to_string_lossy());
    add(id);
    add(&server.command);
    add(&server.args.len().to_string());
    for argument in &server.args {
        add(argument);
    }
    for (name, value) in &server.env {
        add(name);
        add(value);
    }
    HEXLOWER.encode(&hash.finalize())
}

impl Approved {
    /// In the folder of people's own settings.
    #[must_use]
    pub fn new(home: &Path) -> Approved {
        Approved(home.join(FILE))
    }

    /// Whether a command was allowed. A file that cannot be read allows nothing.
    #[must_use]
    pub fn has(&self, fingerprint: &str) -> bool {
        home::load(&self.0).is_ok_and(|known: BTreeSet<String>| known.contains(fingerprint))
    }

    /// Allows a command for good.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn add(&self, fingerprint: &str) -> Result<(), PrivateError> {
        let changed = home::change(&self.0, |known: &mut BTreeSet<String>| {
            known.insert(fingerprint.to_owned());
        });
        changed.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(args: &[&str], env: &[(&str, &str)]) -> Server {
        Server {
            command: "node".to_owned(),
            args: args.iter().map(|text| (*text).to_owned()).collect(),
            env: env
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        }
    }

    #[test]
    fn whatever_is_another_command_has_to_be_allowed_again() {
        let root = Path::new("/a");
        let known = fingerprint(root, "x", &server(&["a", "b"], &[("K", "v")]));
        assert_eq!(known, fingerprint(root, "x", &server(&["a", "b"], &[("K", "v")])));
        for other in [
            fingerprint(Path::new("/b"), "x", &server(&["a", "b"], &[("K", "v")])),
            fingerprint(root, "y", &server(&["a", "b"], &[("K", "v")])),
            fingerprint(root, "x", &server(&["ab"], &[("K", "v")])),
            fingerprint(root, "x", &server(&["a", "b", "K"], &[("v", "")])),
            fingerprint(root, "x", &server(&["a", "b"], &[("K", "other")])),
            fingerprint(root, "x", &server(&["a", "b"], &[])),
        ] {
            assert_ne!(known, other);
        }
    }

    #[test]
    fn what_was_allowed_stays_and_a_damaged_file_allows_nothing() {
        let home = tempfile::tempdir().unwrap();
        let approved = Approved::new(&home.path().join("tool"));
        assert!(!approved.has("a"));
        approved.add("a").unwrap();
        assert!(Approved::new(&home.path().join("tool")).has("a") && !approved.has("b"));
        std::fs::write(home.path().join("tool").join(FILE), "{").unwrap();
        assert!(!approved.has("a") && approved.add("b").is_err());
    }
}
