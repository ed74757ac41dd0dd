//! The JavaScript files that run inside the dev server. They are part of the program and written for each run.

use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde_json::json;

use super::Stamping;

const FILES: [(&str, &str); 12] = [
    ("client.cjs", include_str!("shims/client.cjs")),
    ("vite.cjs", include_str!("shims/vite.cjs")),
    ("vite.mjs", include_str!("shims/vite.mjs")),
    ("vue.cjs", include_str!("shims/vue.cjs")),
    ("started.cjs", include_str!("shims/started.cjs")),
    ("watching.cjs", include_str!("shims/watching.cjs")),
    ("runner.cjs", include_str!("shims/runner.cjs")),
    ("end.cjs", include_str!("shims/end.cjs")),
    ("watchdog.cjs", include_str!("shims/watchdog.cjs")),
    ("next-adapter.mjs", include_str!("shims/next-adapter.mjs")),
    ("next-loader.cjs", include_str!("shims/next-loader.cjs")),
    ("nuxt/nuxt.config.mjs", include_str!("shims/nuxt/nuxt.config.mjs")),
];

/// Where the shims of attached dev servers lie, below the prototype's root: a name that stays the same from run to run,
/// since the prototype's own configuration refers to it.
pub const ATTACHED: &str = ".tool/attach";

/// A folder with the shims in it. Dropped, what must not stay is removed.
#[derive(Debug)]
pub struct Shims {
    folder: PathBuf,
    lifetime: Lifetime,
}

#[derive(Debug)]
enum Lifetime {
    /// The folder goes with the run.
    Run(#[expect(dead_code, reason = "held for its end")] tempfile::TempDir),
    /// The files stay, so that the prototype's configuration finds them; the settings go with the run.
    Kept,
}

impl Shims {
    /// Shims in a folder of this run, which nobody else can read. Without [settings](Shims::set) they leave every file as it is.
    pub fn for_run() -> io::Result<Shims> {
        let folder = tempfile::Builder::new().prefix("galley-editor-").tempdir()?;
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o700))?;
        let path = folder.path().canonicalize()?;
        write_files(&path)?;
        Ok(Shims {
            folder: path,
            lifetime: Lifetime::Run(folder),
        })
    }

    /// Shims for a dev server that somebody else starts.
    pub fn for_attached(root: &Path, stamping: &Stamping) -> io::Result<Shims> {
        let folder = write_attached(root)?;
        write_settings(&folder, root, stamping)?;
        Ok(Shims {
            folder,
            lifetime: Lifetime::Kept,
        })
    }

    /// Tells them where files are stamped.
    pub fn set(&self, root: &Path, stamping: &Stamping) -> io::Result<()> {
        write_settings(&self.folder, root, stamping)
    }

    /// A file of theirs.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl Drop for Shims {
    fn drop(&mut self) {
        if matches!(self.lifetime, Lifetime::Kept) {
            // Without settings the shims leave every file as it is.
            let _ = std::fs::remove_file(self.folder.join("settings.json"));
        }
    }
}

/// Writes the files of attached dev servers, so that a configuration which refers to them works before the Editor runs.
pub fn write_attached(root: &Path) -> io::Result<PathBuf> {
    let folder = root.join(ATTACHED);
    write_files(&folder)?;
    // The folder hides itself from git, whatever the repository ignores.
    std::fs::write(folder.join(".gitignore"), "*\n")?;
    Ok(folder)
}

fn write_files(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder.join("nuxt"))?;
    for (name, text) in FILES {
        let path = folder.join(name);
        // A dev server that runs watches its configuration: what stays the same is not touched.
        if std::fs::read(&path).is_ok_and(|present| present == text.as_bytes()) {
            continue;
        }
        std::fs::write(path, text)?;
    }
    Ok(())
}

/// Settings hold the run's secret: only their owner reads them. They appear whole or not at all.
fn write_settings(folder: &Path, root: &Path, stamping: &Stamping) -> io::Result<()> {
    let root = root.canonicalize()?;
    let settings = json!({ "endpoint": stamping.endpoint, "token": stamping.token, "root": root });
    let draft = folder.join("settings.draft");
    let _ = std::fs::remove_file(&draft);
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&draft)?;
    io::Write::write_all(&mut file, settings.to_string().as_bytes())?;
    std::fs::rename(draft, folder.join("settings.json"))
}
