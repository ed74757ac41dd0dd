//! The files of a package, as a project whose declarations can be followed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::source::model::Project;
use crate::source::model::memo::Kept;
use crate::source::model::project::MAX_SOURCE_BYTES;

/// More files of a package are not looked at.
const MAX_FILES: usize = 30_000;

/// Folders are looked into this deep.
const MAX_DEPTH: usize = 16;

/// Declarations, and the ending under which an import without `.d` finds them.
const DECLARATIONS: [(&str, &str); 3] = [(".d.ts", ".ts"), (".d.mts", ".mts"), (".d.cts", ".cts")];

/// Sources of components.
const SOURCES: [&str; 5] = [".tsx", ".ts", ".jsx", ".js", ".vue"];

/// What of a package is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// `Button.d.ts`, under the name `Button.ts`.
    Declarations,
    /// `Button.tsx`, `Button.vue`
    Sources,
}

/// The files of a package below its folder.
pub(super) struct Files {
    /// By the names they go by here.
    known: HashMap<String, PathBuf>,
    list: Arc<[String]>,
    texts: Mutex<HashMap<String, Option<Arc<str>>>>,
    kept: Kept,
}

impl Files {
    /// Lists the files; links are not followed, and packages within it are others.
    pub fn of(folder: &Path, of: Of) -> Self {
        let mut known = HashMap::new();
        walk(folder, "", of, MAX_DEPTH, &mut known);
        let mut list: Vec<String> = known.keys().cloned().collect();
        list.sort_unstable();
        Self {
            known,
            list: list.into(),
            texts: Mutex::default(),
            kept: Kept::default(),
        }
    }

    /// The name by which a file goes here, `dist/index.d.ts` as `dist/index.ts`; `None` when it is not there.
    pub fn named(&self, path: &str) -> Option<String> {
        let name = alias(path).unwrap_or_else(|| path.to_owned());
        self.known.contains_key(&name).then_some(name)
    }
}

fn alias(path: &str) -> Option<String> {
    DECLARATIONS
        .iter()
        .find_map(|(ending, plain)| Some(format!("{}{plain}", path.strip_suffix(ending)?)))
}

fn walk(folder: &Path, below: &str, of: Of, depth: usize, known: &mut HashMap<String, PathBuf>) {
    let (Some(depth), Ok(entries)) = (depth.checked_sub(1), std::fs::read_dir(folder)) else {
        return;
    };
    for entry in entries.flatten() {
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else {
            continue;
        };
        if known.len() >= MAX_FILES {
            return;
        }
        let path = if below.is_empty() {
            name.clone()
        } else {
            format!("{below}/{name}")
        };
        if kind.is_dir() && name != "node_modules" && !name.starts_with('.') {
            walk(&entry.path(), &path, of, depth, known);
        } else if kind.is_file() {
            let named = match of {
                Of::Declarations => alias(&path),
                Of::Sources => {
                    (alias(&path).is_none() && SOURCES.iter().any(|ending| path.ends_with(ending))).then_some(path)
                }
            };
            if let Some(named) = named {
                known.insert(named, entry.path());
            }
        }
    }
}

impl Project for Files {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        let file = self.known.get(path)?;
        let mut texts = self.texts.lock();
        let text = texts.entry(path.to_owned()).or_insert_with(|| {
            let size = std::fs::metadata(file).ok()?.len();
            let text = (size <= MAX_SOURCE_BYTES).then(|| std::fs::read_to_string(file).ok())?;
            text.map(|text| Arc::from(text.trim_start_matches('\u{feff}')))
        });
        text.clone()
    }

    fn files(&self) -> Arc<[String]> {
        self.list.clone()
    }

    fn kept(&self) -> Option<&Kept> {
        Some(&self.kept)
    }
}
