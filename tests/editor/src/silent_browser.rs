//! A browser that starts and never answers, as one does on a machine that has no time for it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use tempfile::TempDir;

/// The program, for EDITOR_BROWSER.
#[derive(Debug)]
pub struct SilentBrowser(TempDir);

impl SilentBrowser {
    /// Writes it.
    ///
    /// # Panics
    /// When a temporary folder cannot be had.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it writes a file")]
    pub fn new() -> SilentBrowser {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let browser = SilentBrowser(folder);
        let script = format!(
            "#!/bin/sh\necho started >> '{}'\nexec sleep 600\n",
            browser.log().display()
        );
        fs::write(browser.path(), script).expect("own folders can be written");
        fs::set_permissions(browser.path(), fs::Permissions::from_mode(0o755)).expect("own files are ours");
        browser
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.0.path().join("browser")
    }

    /// How often it was started.
    #[must_use]
    pub fn starts(&self) -> usize {
        fs::read_to_string(self.log()).unwrap_or_default().lines().count()
    }

    fn log(&self) -> PathBuf {
        self.0.path().join("started")
    }
}
