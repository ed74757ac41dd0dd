//! Where imports lead: from a specifier in one file to another file of the project.
//!
//! The rules are those of bundlers: relative paths with extensions and index files left out, `paths` and `baseUrl` of
//! `tsconfig.json` or `jsconfig.json`, `imports` of `package.json`, Nuxt's own names for its folders, and packages of the same
//! repository. Files of `node_modules` are never looked at.

mod document;
mod path;
mod subpath;
mod typeconfig;
mod workspace;

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::source::model::Project;
use crate::source::model::memo::Kept;
pub use document::document;
pub use path::{folder, join};
use typeconfig::Aliases;
pub use typeconfig::jsx_import_source;

/// Endings that may be left out, in the order in which bundlers try them.
const ENDINGS: [&str; 10] = [
    ".tsx", ".ts", ".jsx", ".js", ".vue", ".mjs", ".mts", ".cjs", ".cts", ".json",
];

/// What a specifier leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A file of the project.
    File(String),
    /// A library, by its name.
    Library(String),
    /// A path of the project where no file is.
    Missing,
}

/// The project's files, kept across requests while they are the same ones.
#[derive(Debug, Default)]
struct Files(Mutex<Option<(Arc<[String]>, FileSet)>>);

type FileSet = Arc<HashSet<String>>;

impl Files {
    fn of(project: &dyn Project) -> FileSet {
        let list = project.files();
        let Some(kept) = project.kept().map(Kept::of::<Self>) else {
            return Arc::new(list.iter().cloned().collect());
        };
        let mut known = kept.0.lock();
        match &*known {
            Some((of, files)) if Arc::ptr_eq(of, &list) || *of == list => files.clone(),
            _ => {
                let files: FileSet = Arc::new(list.iter().cloned().collect());
                *known = Some((list, files.clone()));
                files
            }
        }
    }
}

/// Resolves specifiers; made for one request, remembers what it has read.
pub struct ImportResolver<'p> {
    project: &'p dyn Project,
    files: FileSet,
    aliases: RefCell<HashMap<String, Rc<Vec<Aliases>>>>,
    packages: OnceCell<HashMap<String, Option<String>>>,
    targets: RefCell<HashMap<(String, String), Option<String>>>,
}

impl<'p> ImportResolver<'p> {
    /// For this project.
    #[must_use]
    pub fn new(project: &'p dyn Project) -> Self {
        Self {
            project,
            files: Files::of(project),
            aliases: RefCell::default(),
            packages: OnceCell::new(),
            targets: RefCell::default(),
        }
    }

    /// Where `specifier`, written in the file `from`, leads.
    #[must_use]
    pub fn resolve(&self, from: &str, specifier: &str) -> Target {
        // `./logo.svg?url` is the file with a wish for its form.
        let specifier = specifier.split_once('?').map_or(specifier, |(path, _)| path);
        let found = |path: Option<String>| path.and_then(|path| self.file(&path));
        if specifier == "." || specifier == ".." || specifier.starts_with("./") || specifier.starts_with("../") {
            return found(join(folder(from), specifier)).map_or(Target::Missing, Target::File);
        }
        if let Some(path) = specifier.strip_prefix('/') {
            // As in an address of the dev server: from the root.
            return found(join("", path)).map_or(Target::Missing, Target::File);
        }
        let aliases = self.aliases(from);
        let mut matched = false;
        for alias in aliases.iter() {
            let candidates = alias.candidates(specifier);
            matched |= candidates.certain;
            if let Some(path) = candidates.paths.iter().find_map(|path| self.file(path)) {
                return Target::File(path);
            }
        }
        if specifier.starts_with('#') {
            let path = subpath::resolve(self.project, from, specifier);
            return found(path).map_or(Target::Missing, Target::File);
        }
        if let Some(path) = self.nuxt(specifier).and_then(|path| self.file(&path)) {
            return Target::File(path);
        }
        if let Some(path) = self.workspace(from, specifier) {
            return Target::File(path);
        }
        if matched {
            return Target::Missing;
        }
        Target::Library(library(specifier).to_owned())
    }

    /// A package of the same repository. What is built is not what people edit: a target that is no file here is passed over.
    fn workspace(&self, from: &str, specifier: &str) -> Option<String> {
        let packages = self.packages.get_or_init(|| workspace::packages(self.project));
        let name = library(specifier);
        let home = packages.get(name)?.as_deref()?;
        let asked = (folder(from).to_owned(), specifier.to_owned());
        if let Some(known) = self.targets.borrow().get(&asked) {
            return known.clone();
        }
        let candidates = workspace::candidates(self.project, from, name, home, specifier);
        let found = candidates.iter().find_map(|path| self.file(path));
        self.targets.borrow_mut().insert(asked, found.clone());
        found
    }

    /// The file a path means: itself, with an ending, or the index of a folder.
    fn file(&self, path: &str) -> Option<String> {
        let exists = |path: &str| self.files.get(path).cloned();
        if let Some(path) = exists(path) {
            return Some(path);
        }
        let with = |base: &str| ENDINGS.iter().find_map(|ending| exists(&format!("{base}{ending}")));
        // TypeScript's own way of importing `x.ts` is to write `x.js`.
        let typed = [".js", ".jsx", ".mjs", ".cjs"]
            .iter()
            .find_map(|ending| path.strip_suffix(ending));
        let index = if path.is_empty() {
            "index".to_owned()
        } else {
            format!("{path}/index")
        };
        with(path).or_else(|| typed.and_then(with)).or_else(|| with(&index))
    }

    /// The aliases that hold for a file: those of the nearest folder with a configuration.
    fn aliases(&self, from: &str) -> Rc<Vec<Aliases>> {
        let start = folder(from);
        if let Some(known) = self.aliases.borrow().get(start) {
            return known.clone();
        }
        let aliases = Rc::new(typeconfig::read(self.project, start));
        self.aliases.borrow_mut().insert(start.to_owned(), aliases.clone());
        aliases
    }

    /// Nuxt's documented names, `~` and `@` for the source folder and `~~` and `@@` for the root: its type configuration is
    /// generated, and may not be there yet.
    fn nuxt(&self, specifier: &str) -> Option<String> {
        let endings = ["ts", "js", "mjs"];
        let root = endings
            .iter()
            .any(|ending| self.files.contains(format!("nuxt.config.{ending}").as_str()));
        if !root {
            return None;
        }
        let (name, path) = specifier.split_once('/')?;
        match name {
            "~~" | "@@" => join("", path),
            "~" | "@" => {
                let inside = join("app", path)?;
                self.file(&inside).or_else(|| join("", path))
            }
            _ => None,
        }
    }
}

/// The name of a package in a specifier: `@scope/name/deep/file` is of `@scope/name`.
fn library(specifier: &str) -> &str {
    let parts = if specifier.starts_with('@') { 2 } else { 1 };
    let end = specifier.match_indices('/').nth(parts - 1).map(|(at, _)| at);
    &specifier[..end.unwrap_or(specifier.len())]
}

#[cfg(test)]
mod tests;
