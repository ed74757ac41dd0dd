//! Names of components that templates use without importing them, and what they lead to.

use std::collections::BTreeMap;

use crate::source::module::NodeId;

/// What the names of components lead to, in each package of a repository.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Registry {
    pub names: BTreeMap<String, Vec<Registration>>,
    /// The folders with a `package.json`, the deepest first.
    pub packages: Vec<String>,
}

/// What one name leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Registration {
    /// The folder in which the name holds.
    pub within: String,
    pub rank: Rank,
    pub source: Source,
}

/// Which way of giving a name goes before which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Registered,
    Declared,
    Folder,
}

/// Where a component stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// An expression of a file.
    Node(String, NodeId),
    /// A file's default export.
    File(String),
}

impl Registry {
    pub fn add(&mut self, name: String, by: &str, rank: Rank, source: Source) {
        let within = self.package(by).to_owned();
        self.names
            .entry(name)
            .or_default()
            .push(Registration { within, rank, source });
    }

    /// The package a file belongs to.
    fn package(&self, path: &str) -> &str {
        let mut packages = self.packages.iter();
        packages.find(|package| holds(package, path)).map_or("", String::as_str)
    }

    /// What the name means in a file: of the nearest package that has it, and of the strongest way it was given there.
    pub fn find(&self, name: &str, path: &str) -> Vec<Source> {
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
    pub fn path(&self) -> &str {
        match self {
            Self::Node(path, _) | Self::File(path) => path,
        }
    }
}

/// Whether a file stands somewhere in a folder.
pub(super) fn holds(folder: &str, path: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}
