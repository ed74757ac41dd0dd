//! Reading a build of the pages. Its `manifest.json` names the files and their hashes: a build that was interrupted, or whose
//! files were changed afterwards, is not served at all, because its pages would fail in ways that nobody could explain.

use std::collections::HashMap;
use std::path::{Component, Path};

use bytes::Bytes;
use data_encoding::HEXLOWER_PERMISSIVE;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::config::Config;
use crate::http::sites::SharedFile;

/// The file with the names and hashes.
const MANIFEST: &str = "manifest.json";
/// The document of everything but reviews.
const APP: &str = "app.html";
/// The document of reviews.
const REVIEW: &str = "review.html";
/// The version of the manifest's format.
const VERSION: u32 = 1;
/// The most files of a build.
const MAX_FILES: usize = 2000;
/// The most bytes of a build: it is held in memory.
const MAX_BYTES: usize = 64 << 20;

/// The pages, in memory.
pub struct Dashboard {
    pub(super) app: String,
    pub(super) review: String,
    files: HashMap<String, SharedFile>,
}

#[derive(Deserialize)]
struct Manifest {
    version: u32,
    files: HashMap<String, String>,
}

impl Dashboard {
    /// The build in SERVICE_DASHBOARD_DIR; `None`, with a line in the log, when there is none or when it is not whole.
    pub fn open(config: &Config) -> Option<Self> {
        let folder = &config.dashboard_dir;
        let place = folder.display();
        let text = match std::fs::read(folder.join(MANIFEST)) {
            Ok(text) => text,
            Err(error) => {
                // For a folder that was named there is a warning of the configuration already.
                if !config.dashboard_dir_set {
                    tracing::info!("`/` lists the projects, and there are no other pages: {place}/{MANIFEST}: {error}");
                }
                return None;
            }
        };
        match read(folder, &text) {
            Ok(dashboard) => Some(dashboard),
            Err(reason) => {
                tracing::warn!(
                    "the pages in {place} are not served, because they do not fit their {MANIFEST}: {reason}; build them again"
                );
                None
            }
        }
    }

    /// A file other than the two documents.
    pub(super) fn file(&self, path: &str) -> Option<&SharedFile> {
        self.files.get(path)
    }
}

fn read(folder: &Path, manifest: &[u8]) -> Result<Dashboard, String> {
    let manifest: Manifest = serde_json::from_slice(manifest).map_err(|error| error.to_string())?;
    if manifest.version != VERSION {
        return Err(format!("its version is {}, not {VERSION}", manifest.version));
    }
    if manifest.files.len() > MAX_FILES {
        return Err(format!("it names more than {MAX_FILES} files"));
    }
    let mut contents = HashMap::new();
    let mut bytes_left = MAX_BYTES;
    for (path, hash) in &manifest.files {
        let content = file(folder, path, hash, bytes_left)?;
        bytes_left -= content.len();
        contents.insert(path.clone(), content);
    }
    let mut document = |name: &str| {
        let content = contents
            .remove(name)
            .ok_or_else(|| format!("it does not name {name}"))?;
        String::from_utf8(content.into()).map_err(|_| format!("{name} is not UTF-8"))
    };
    Ok(Dashboard {
        app: document(APP)?,
        review: document(REVIEW)?,
        files: contents
            .into_iter()
            .map(|(path, content)| (path.clone(), SharedFile::new(&path, content)))
            .collect(),
    })
}

/// A file, if it has the hash that the manifest names.
fn file(folder: &Path, path: &str, hash: &str, bytes_left: usize) -> Result<Bytes, String> {
    let is_below = Path::new(path)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if !is_below || path.is_empty() {
        return Err(format!("`{path}` is not a path below the folder"));
    }
    let content = std::fs::read(folder.join(path)).map_err(|error| format!("{path}: {error}"))?;
    if content.len() > bytes_left {
        return Err(format!("its files have more than {} MiB", MAX_BYTES >> 20));
    }
    let expected = HEXLOWER_PERMISSIVE.decode(hash.as_bytes());
    if expected.ok().as_deref() != Some(Sha256::digest(&content).as_slice()) {
        return Err(format!("{path} was changed"));
    }
    Ok(content.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(files: &[(&str, &[u8])]) -> Vec<u8> {
        let hash = |content: &[u8]| HEXLOWER_PERMISSIVE.encode(&Sha256::digest(content));
        let files: HashMap<_, _> = files.iter().map(|(path, content)| (*path, hash(content))).collect();
        serde_json::to_vec(&serde_json::json!({ "version": 1, "files": files })).unwrap()
    }

    const FILES: [(&str, &[u8]); 3] = [("app.html", b"app"), ("review.html", b"review"), ("assets/a.js", b"a")];

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("assets")).unwrap();
        for (path, content) in FILES {
            std::fs::write(folder.path().join(path), content).unwrap();
        }
        folder
    }

    #[test]
    fn a_whole_build_is_read() {
        let folder = folder();
        let dashboard = read(folder.path(), &manifest(&FILES)).unwrap();
        assert_eq!((dashboard.app.as_str(), dashboard.review.as_str()), ("app", "review"));
        assert!(dashboard.file("assets/a.js").is_some());
        assert!(dashboard.file("app.html").is_none() && dashboard.file("manifest.json").is_none());
    }

    #[test]
    fn a_build_that_is_not_whole_is_refused() {
        let folder = folder();
        let refused = |manifest: &[u8], why: &str| {
            let reason = read(folder.path(), manifest).err().unwrap();
            assert!(reason.contains(why), "{reason}");
        };
        refused(b"{", "EOF");
        refused(br#"{"version":2,"files":{}}"#, "version is 2");
        refused(&manifest(&FILES[..1]), "does not name review.html");
        refused(&manifest(&[FILES[0], FILES[1], ("assets/b.js", b"b")]), "assets/b.js");
        refused(
            &manifest(&[FILES[0], ("review.html", b"changed")]),
            "review.html was changed",
        );
        refused(&manifest(&[("../app.html", b"app")]), "not a path below");
        refused(&manifest(&[("/etc/hostname", b"")]), "not a path below");
        refused(br#"{"version":1,"files":{"app.html":"xyz"}}"#, "app.html was changed");
    }
}
