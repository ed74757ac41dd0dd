//! What tells a file that was replaced or written to from what it was.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

/// Another content is another file, or has another length or time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// In bytes.
    pub size: u64,
    /// The number of the file.
    pub inode: u64,
    /// When its content was changed, in seconds since 1970 and nanoseconds.
    pub modified: (i64, i64),
}

impl Stamp {
    /// The stamp of a file as it is now.
    pub fn of(facts: &Metadata) -> Self {
        Self {
            size: facts.len(),
            inode: facts.ino(),
            modified: (facts.mtime(), facts.mtime_nsec()),
        }
    }
}
