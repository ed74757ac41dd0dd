//! Components that templates name without importing them.
//!
//! In this order: the file itself, what `app.component('Card', Card)` registers, what a generated `components.d.ts` lists, and
//! Nuxt's folders. A name that means several files is not followed.

mod declared;
mod nuxt;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::evaluate::Follower;
use super::module::{Module, NodeId};
use super::uses::is_source;
use super::value::{At, FunctionAt, Lead, Trail, Value};
use crate::source::imports::folder;
use crate::source::model::Code;
use crate::source::sfc::component_name;

/// What the names of components lead to, in each package of a repository.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Registry {
    names: BTreeMap<String, Vec<Entry>>,
    /// The folders with a `package.json`, the deepest first.
    packages: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    /// The folder in which the name holds.
    within: String,
    rank: Rank,
    source: Source,
}

/// Which way of giving a name goes before which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Registered,
    Declared,
    Folder,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    /// An expression of a file.
    Node(String, NodeId),
    /// A file's default export.
    File(String),
}

impl Follower<'_> {
    /// The component of this name, as the file of `at` sees it.
    pub(super) fn registered(&self, at: &At, name: &str, trail: &Trail) -> Vec<Lead> {
        let module = &at.module;
        if let Some(own) = module
            .component()
            .filter(|own| module[*own].name.as_deref() == Some(name))
        {
            let (module, id) = (module.clone(), own);
            return vec![Lead::new(trail, Value::Function(FunctionAt { module, id }))];
        }
        let registry = self.registry();
        let found = registry.find(name, &module.path);
        let found = match found.is_empty() {
            // Nuxt makes a component that is loaded when it is needed.
            true => name
                .strip_prefix("Lazy")
                .map_or(found, |name| registry.find(name, &module.path)),
            false => found,
        };
        match &found[..] {
            [source] => match (self.module(source.path()), source) {
                (Some(module), Source::File(_)) => self.export(&module, "default", trail),
                (Some(module), Source::Node(_, id)) => self.follow(&At { module, id: *id }, trail),
                (None, _) => {
                    let reason = format!("{} cannot be read as source", source.path());
                    Lead::unknown(trail, Code::FileUnreadable, reason)
                }
            },
            [] => {
                let reason = format!(
                    "<{name}> ({}) is a component that this file does not import and the project registers nowhere: a \
                     library's, or one that is registered when the code runs",
                    at.place()
                );
                Lead::unknown(trail, Code::NotDeclared, reason)
            }
            several => {
                let places: Vec<&str> = several.iter().map(Source::path).collect();
                let reason = format!(
                    "<{name}> ({}) can be several components of the project ({}): import the one that is meant",
                    at.place(),
                    places.join(", ")
                );
                Lead::unknown(trail, Code::NotDeclared, reason)
            }
        }
    }

    /// What templates can name without an import.
    pub(super) fn registry(&self) -> Arc<Registry> {
        self.registry.get_or_init(|| Arc::new(self.read_registry())).clone()
    }

    fn read_registry(&self) -> Registry {
        let files = self.project.files();
        if !files.iter().any(|path| path.ends_with(".vue")) {
            return Registry::default();
        }
        let packages = files.iter().filter(|path| is_named(path, "package.json"));
        let mut packages: Vec<String> = packages.map(|path| folder(path).to_owned()).collect();
        packages.sort_by_key(|folder| std::cmp::Reverse(folder.len()));
        let mut registry = Registry {
            packages,
            ..Registry::default()
        };
        for path in files.iter().filter(|path| is_source(path) && !path.ends_with(".vue")) {
            let Some(module) = self.module(path) else { continue };
            for (name, node) in &module.registered {
                let source = Source::Node(module.path.clone(), *node);
                registry.add(component_name(name), path, Rank::Registered, source);
            }
        }
        for path in files.iter().filter(|path| is_named(path, "components.d.ts")) {
            let Some(text) = self.text(path) else { continue };
            for (name, target) in declared::components(path, &text) {
                if files.binary_search(&target).is_ok() || files.contains(&target) {
                    registry.add(component_name(&name), path, Rank::Declared, Source::File(target));
                }
            }
        }
        for (root, name, path) in self.nuxt_components(&files) {
            let within = root.clone();
            let (rank, source) = (Rank::Folder, Source::File(path));
            registry
                .names
                .entry(name)
                .or_default()
                .push(Entry { within, rank, source });
        }
        registry
    }

    /// The component a file exports, when its way is to be asked for elsewhere.
    pub(super) fn default_object(module: &Arc<Module>) -> Option<At> {
        let (_, export) = module.exports.iter().find(|(name, _)| name == "default")?;
        match export {
            super::module::Export::Node(id) => Some(At {
                module: module.clone(),
                id: *id,
            }),
            _ => None,
        }
    }
}

impl Registry {
    fn add(&mut self, name: String, by: &str, rank: Rank, source: Source) {
        let within = self.package(by).to_owned();
        self.names.entry(name).or_default().push(Entry { within, rank, source });
    }

    /// The package a file belongs to.
    fn package(&self, path: &str) -> &str {
        let mut packages = self.packages.iter();
        packages.find(|package| holds(package, path)).map_or("", String::as_str)
    }

    /// What the name means in a file: of the nearest package that has it, and of the strongest way it was given there.
    fn find(&self, name: &str, path: &str) -> Vec<Source> {
        let entries = self.names.get(name).map_or(&[][..], Vec::as_slice);
        let around = entries.iter().filter(|entry| holds(&entry.within, path));
        let best = around
            .clone()
            .map(|entry| (std::cmp::Reverse(entry.within.len()), entry.rank))
            .min();
        let Some((nearest, rank)) = best else { return Vec::new() };
        let mut sources: Vec<Source> = Vec::new();
        for entry in around.filter(|entry| entry.within.len() == nearest.0 && entry.rank == rank) {
            if !sources.contains(&entry.source) {
                sources.push(entry.source.clone());
            }
        }
        sources
    }
}

impl Source {
    fn path(&self) -> &str {
        match self {
            Self::Node(path, _) | Self::File(path) => path,
        }
    }
}

/// Whether a file stands somewhere in a folder.
fn holds(folder: &str, path: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn is_named(path: &str, name: &str) -> bool {
    path.rsplit('/').next() == Some(name)
}
