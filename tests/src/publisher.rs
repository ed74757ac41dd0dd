//! Publishers of plugins, who sign with the program that authors use.

use std::path::Path;
use std::process::{Command, Stdio};

/// A publisher with a key.
#[derive(Debug)]
pub struct Publisher {
    folder: tempfile::TempDir,
}

impl Publisher {
    /// One with a new key.
    ///
    /// # Panics
    /// Without `minisign`.
    #[allow(clippy::new_without_default, reason = "each has another key")]
    pub fn new() -> Publisher {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let publisher = Publisher { folder };
        publisher.minisign(&["-G", "-W", "-p", "key.pub", "-s", "key.sec"]);
        publisher
    }

    fn minisign(&self, arguments: &[&str]) {
        let mut command = Command::new("minisign");
        command.args(arguments).current_dir(self.folder.path());
        let status = command.stdout(Stdio::null()).status();
        assert!(status.expect("`cargo xtask setup` installs minisign").success());
    }

    /// The public key.
    pub fn key(&self) -> String {
        self.public().1
    }

    /// The two lines of the public key's file.
    fn public(&self) -> (String, String) {
        let file = std::fs::read_to_string(self.folder.path().join("key.pub")).expect("minisign made it");
        let (comment, key) = file.split_once('\n').expect("it has two lines");
        (comment.to_owned(), key.trim().to_owned())
    }

    /// The key's id. minisign 0.11 leaves leading zeros out in the file's comment.
    pub fn id(&self) -> String {
        let (comment, _) = self.public();
        let id = comment.rsplit(' ').next().unwrap_or_default();
        format!("{id:0>16}")
    }

    /// Signs a file as a version of `empty`.
    pub fn sign(&self, file: &Path, version: &str, sha256: &str) {
        let comment = format!("galley empty {version} {sha256}");
        let file = file.to_string_lossy();
        self.minisign(&["-S", "-s", "key.sec", "-m", &file, "-t", &comment]);
    }
}
