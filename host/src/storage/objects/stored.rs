//! A stored file that is open for reading.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// A stored file. Reads are positioned, so any number of threads may read at the same time; it stays readable when it is
/// deleted or replaced.
#[derive(Debug)]
pub struct Stored {
    name: String,
    file: File,
    len: u64,
}

impl Stored {
    /// The first `len` bytes of a file.
    pub(super) fn new(name: &str, file: File, len: u64) -> Self {
        Self {
            name: name.to_owned(),
            file,
            len,
        }
    }

    /// A whole file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let facts = file.metadata()?;
        if !facts.is_file() {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(Self {
            name: path.display().to_string(),
            file,
            len: facts.len(),
        })
    }

    /// For messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        self.len
    }

    /// The file. What stands behind [`size`](Self::size) bytes is no part of it.
    pub fn into_file(self) -> File {
        self.file
    }

    /// At most `len` bytes from `offset`; fewer at the end.
    pub fn read(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let left = usize::try_from(self.len.saturating_sub(offset)).unwrap_or(usize::MAX);
        let mut bytes = vec![0; len.min(left)];
        self.file.read_exact_at(&mut bytes, offset)?;
        Ok(bytes)
    }
}
