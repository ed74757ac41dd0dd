//! `galley:files`.

use std::cell::RefCell;
use std::ops::Bound;

use regex::bytes::Regex;

use super::small::slice;
use crate::error::Problem;
use crate::files::{Entry, Hit};
use crate::testing::problem;
use crate::testing::world::Files;

#[derive(Debug)]
pub(crate) struct Tree {
    /// Empty after it was published.
    pub(super) files: RefCell<Option<Files>>,
}

impl Tree {
    pub(crate) fn new(files: Files) -> Tree {
        Tree {
            files: RefCell::new(Some(files)),
        }
    }

    fn with<T>(&self, look: impl FnOnce(&Files) -> T) -> T {
        look(self.files.borrow().as_ref().unwrap_or(&Files::new()))
    }

    /// Whether it was not published.
    fn check_there(&self) -> Result<(), Problem> {
        match self.files.borrow().is_some() {
            true => Ok(()),
            false => problem("gone", "The tree was published"),
        }
    }

    pub(crate) fn files(&self) -> u32 {
        self.with(|files| files.len() as u32)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.with(|files| files.values().map(|bytes| bytes.len() as u64).sum())
    }

    pub(crate) fn stat(&self, path: &str) -> Option<u64> {
        self.with(|files| files.get(path).map(|bytes| bytes.len() as u64))
    }

    pub(crate) fn entries(&self, after: Option<&str>, max: u32) -> Vec<Entry> {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.with(|files| {
            let entries = files
                .range::<str, _>((start, Bound::Unbounded))
                .take(max.min(1_000) as usize);
            entries
                .map(|(path, bytes)| Entry {
                    path: path.clone(),
                    size: bytes.len() as u64,
                })
                .collect()
        })
    }

    pub(crate) fn read(&self, path: &str, offset: u64, len: u32) -> Result<Vec<u8>, Problem> {
        self.check_there()?;
        self.with(|files| match files.get(path) {
            Some(bytes) => Ok(slice(bytes, offset, len).to_vec()),
            None => problem("not-found", "There is no such file"),
        })
    }

    pub(crate) fn search(&self, suffixes: &[String], pattern: &str, max: u32) -> Result<Vec<Hit>, Problem> {
        self.check_there()?;
        let pattern = match Regex::new(pattern) {
            Ok(pattern) => pattern,
            Err(error) => return problem("bad-pattern", error.to_string()),
        };
        let wanted = |path: &str| suffixes.iter().any(|suffix| path.ends_with(suffix.as_str()));
        self.with(|files| {
            let hits = files.iter().filter(|(path, _)| wanted(path)).flat_map(|(path, bytes)| {
                pattern.find_iter(bytes).map(|found| Hit {
                    path: path.clone(),
                    offset: found.start() as u64,
                    text: String::from_utf8_lossy(slice(found.as_bytes(), 0, 200)).into_owned(),
                })
            });
            Ok(hits.take(max.min(1_000) as usize).collect())
        })
    }
}
