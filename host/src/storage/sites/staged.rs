//! An unpacked tree that is not a version yet. It is inspected, then committed or dropped.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use super::inflate::Received;
use super::manifest::Record;
use super::pack::PackWriter;
use super::search::{Hit, Pattern, PatternError};

/// The most entries of one call of [`StagedTree::entries`].
pub const MAX_ENTRIES: usize = 1000;
/// The most bytes of one call of [`StagedTree::read`].
pub const MAX_READ: usize = 1 << 20;

/// The files of an upload, in the staging folder. They are deleted when this is dropped without a commit. A call blocks
/// only while it reads what it returns.
#[derive(Debug)]
pub struct StagedTree {
    pub(super) pack: PackWriter,
    pub(super) records: Vec<Record>,
    received: Received,
}

impl StagedTree {
    /// The records must be in path order, and the pack flushed.
    pub(super) fn new(pack: PackWriter, records: Vec<Record>, received: Received) -> Self {
        Self {
            pack,
            records,
            received,
        }
    }

    /// Number of files.
    pub fn files(&self) -> u32 {
        self.records.len() as u32
    }

    /// Bytes of all files together.
    pub fn bytes(&self) -> u64 {
        self.records.iter().map(|record| record.body.len).sum()
    }

    /// Bytes of the upload as it was received, compressed.
    pub fn packed_bytes(&self) -> u64 {
        self.received.bytes
    }

    /// SHA-256 of the upload as it was received.
    pub fn packed_sha256(&self) -> [u8; 32] {
        self.received.sha256
    }

    /// The size of one file; `None` when there is no such file.
    pub fn stat(&self, path: &str) -> Option<u64> {
        self.find(path).map(|record| record.body.len)
    }

    /// Paths and sizes in path order, starting behind `after`, at most `max` (and [`MAX_ENTRIES`]).
    pub fn entries(&self, after: Option<&str>, max: usize) -> Vec<(String, u64)> {
        let start = after.map_or(0, |after| {
            self.records.partition_point(|record| record.path.as_str() <= after)
        });
        let page = self.records[start..].iter().take(max.min(MAX_ENTRIES));
        page.map(|record| (record.path.clone(), record.body.len)).collect()
    }

    /// At most `len` bytes (and [`MAX_READ`]) from `offset`, empty at the end; `None` when there is no such file.
    pub fn read(&self, path: &str, offset: u64, len: usize) -> io::Result<Option<Vec<u8>>> {
        let Some(record) = self.find(path) else { return Ok(None) };
        let left = usize::try_from(record.body.len.saturating_sub(offset)).unwrap_or(usize::MAX);
        let mut bytes = vec![0; len.min(MAX_READ).min(left)];
        if !bytes.is_empty() {
            self.file().read_exact_at(&mut bytes, record.body.offset + offset)?;
        }
        Ok(Some(bytes))
    }

    /// Finds a regular expression in the files whose path ends with one of `suffixes`, in path order, at most `max`
    /// hits (and [`super::search::MAX_HITS`]). Linear in the size of the files, in constant memory.
    pub fn search(&self, suffixes: &[&str], pattern: &str, max: usize) -> Result<Vec<Hit>, PatternError> {
        let pattern = Pattern::compile(pattern)?;
        let mut hits = Vec::new();
        for record in &self.records {
            if suffixes.iter().any(|suffix| record.path.ends_with(suffix)) {
                pattern.search(self.file(), &record.path, record.body, max, &mut hits)?;
            }
        }
        Ok(hits)
    }

    pub(super) fn file(&self) -> &File {
        self.pack.file()
    }

    fn find(&self, path: &str) -> Option<&Record> {
        self.records
            .binary_search_by(|record| record.path.as_str().cmp(path))
            .ok()
            .map(|at| &self.records[at])
    }
}
