//! A folder as a project: read once, never written.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use galley_editor::source::model::Project;
use galley_editor::source::model::memo::Kept;

/// Folders that hold no sources of their own.
const SKIPPED: [&str; 8] = [
    "node_modules",
    "dist",
    "build",
    "target",
    "out",
    ".git",
    ".next",
    ".nuxt",
];

/// Larger files are no sources that people edit.
const MAX_BYTES: u64 = 2 * 1024 * 1024;

/// The texts of a folder's files by path.
pub struct Folder {
    texts: BTreeMap<String, Arc<str>>,
    names: Arc<[String]>,
    kept: Kept,
}

impl Folder {
    /// Reads every file that is UTF-8 and no larger than sources are.
    ///
    /// # Errors
    /// When `path` is no readable folder.
    pub fn read(path: &Path) -> Result<Self, String> {
        let mut texts = BTreeMap::new();
        collect(path, "", &mut texts).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let names = texts.keys().cloned().collect();
        let kept = Kept::default();
        Ok(Self { texts, names, kept })
    }

    /// Path and text of every file.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(path, text)| (&**path, &**text))
    }
}

impl Project for Folder {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        self.texts.get(path).cloned()
    }

    fn files(&self) -> Arc<[String]> {
        Arc::clone(&self.names)
    }

    fn kept(&self) -> Option<&Kept> {
        Some(&self.kept)
    }
}

/// A project in which some files have another text.
pub struct Edited<'f> {
    /// What everything else is read from.
    pub folder: &'f Folder,
    /// The files that differ.
    pub texts: BTreeMap<String, Arc<str>>,
}

impl Project for Edited<'_> {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        self.texts.get(path).cloned().or_else(|| self.folder.read(path))
    }

    fn files(&self) -> Arc<[String]> {
        self.folder.files()
    }

    fn kept(&self) -> Option<&Kept> {
        self.folder.kept()
    }
}

fn collect(folder: &Path, inside: &str, texts: &mut BTreeMap<String, Arc<str>>) -> std::io::Result<()> {
    for entry in folder.read_dir()? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let kind = entry.file_type()?;
        let path = if inside.is_empty() {
            name.clone()
        } else {
            format!("{inside}/{name}")
        };
        if kind.is_dir() && !SKIPPED.contains(&&*name) {
            collect(&entry.path(), &path, texts)?;
        } else if kind.is_file()
            && entry.metadata()?.len() <= MAX_BYTES
            && let Ok(text) = std::fs::read_to_string(entry.path())
        {
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            texts.insert(path, Arc::from(text));
        }
    }
    Ok(())
}
