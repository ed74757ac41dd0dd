//! Trees of files: what an archive held ([`Upload`](crate::Upload)), or what a build left
//! ([`builds::take_tree`](crate::builds::take_tree)). [`sites`](crate::sites) has an example.

pub use crate::bindings::galley::files::tree::{Entry, Hit};

use crate::error::Problem;
use crate::host;

/// An unpacked tree that is not a version yet. It is gone after the call, unless it is published.
#[derive(Debug)]
pub struct Tree(host::files::Tree);

impl Tree {
    pub(crate) fn from_host(tree: host::files::Tree) -> Tree {
        Tree(tree)
    }

    /// Number of files.
    pub fn files(&self) -> u32 {
        self.0.files()
    }

    /// Bytes of all files together.
    pub fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// The size of one file, `None` when there is no such file.
    pub fn stat(&self, path: &str) -> Option<u64> {
        self.0.stat(path)
    }

    /// Files in path order, starting behind `after`, at most `max` (bounded to 1,000).
    pub fn entries(&self, after: Option<&str>, max: u32) -> Vec<Entry> {
        self.0.entries(after, max)
    }

    /// At most `len` bytes (bounded to 1 MiB) from `offset`; empty at the end. `not-found` when there is no such file.
    pub fn read(&self, path: &str, offset: u64, len: u32) -> Result<Vec<u8>, Problem> {
        self.0.read(path, offset, len)
    }

    /// Finds a regular expression (linear time, on bytes, no look-around) in the files whose path ends with one of
    /// `suffixes`, in path order, at most `max` hits (bounded to 1,000). `bad-pattern` when it does not compile.
    pub fn search(&self, suffixes: &[&str], pattern: &str, max: u32) -> Result<Vec<Hit>, Problem> {
        let suffixes: Vec<String> = suffixes.iter().map(|&suffix| suffix.into()).collect();
        self.0.search(&suffixes, pattern, max)
    }

    /// Stores the tree as `version` of `project`, durably, and makes it live in the same step: all or nothing across
    /// crashes. `not-found` (no such project), `exists` (the project has such a version), `gone` (published before),
    /// `denied` (the caller may not manage the project).
    pub fn publish(self, project: &str, version: &str) -> Result<(), Problem> {
        host::publishing::publish(&self.0, project, version)
    }
}
