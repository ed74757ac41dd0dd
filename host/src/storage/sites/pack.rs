//! The container of a version: one file that is written from front to back, synced once and renamed into place.
//!
//! ```text
//! magic (8) | blobs, back to back | manifest | offset of the manifest (8) | its length (8) | its SHA-256 (32) | magic (8)
//! ```
//! Numbers are little-endian. A file without a sound end is not a pack: nothing half-written is ever taken for one.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::storage::id::new_id;
use crate::storage::objects::{Files, Stored};

const TRAILER: u64 = 8 + 8 + 32 + 8;
const BUFFER: usize = 256 * 1024;

/// The kind of a pack: its first and last eight bytes.
pub type Magic = [u8; 8];

/// A place in a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// Bytes.
    pub len: u64,
}

/// A pack that is being written, in the staging folder. Dropped before [`PackWriter::place`], its file is deleted.
#[derive(Debug)]
pub struct PackWriter {
    file: BufWriter<File>,
    scratch: Scratch,
    at: u64,
    magic: Magic,
}

impl PackWriter {
    /// Creates the file under a name of its own.
    pub fn create(staging: &Path, magic: Magic) -> io::Result<Self> {
        let scratch = Scratch(Some(staging.join(format!("{}.part", new_id()))));
        let path = scratch.0.as_deref().unwrap_or(staging);
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        let mut file = BufWriter::with_capacity(BUFFER, file);
        file.write_all(&magic)?;
        Ok(Self {
            file,
            scratch,
            at: magic.len() as u64,
            magic,
        })
    }

    /// Adds bytes at the end.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Where the next byte will stand.
    pub fn position(&self) -> u64 {
        self.at
    }

    /// Makes everything that was appended visible to [`PackWriter::file`].
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    /// The file, for positioned reads of what was flushed.
    pub fn file(&self) -> &File {
        self.file.get_ref()
    }

    /// Writes the end and syncs; the file is a pack from here on, under its temporary name.
    pub fn seal(&mut self, manifest: &[u8]) -> io::Result<()> {
        let offset = self.at;
        self.append(manifest)?;
        self.append(&offset.to_le_bytes())?;
        self.append(&(manifest.len() as u64).to_le_bytes())?;
        self.append(&Sha256::digest(manifest))?;
        let magic = self.magic;
        self.append(&magic)?;
        self.file.flush()?;
        self.file.get_ref().sync_all()
    }

    /// Gives a sealed pack its name; durable when this returns. It may be tried again when that fails.
    pub fn place(&mut self, files: &Files, name: &str) -> io::Result<()> {
        let Some(from) = self.scratch.0.as_deref() else {
            return Err(io::Error::other("the pack has been placed before"));
        };
        files.add(name, from)?;
        self.scratch.0 = None;
        Ok(())
    }
}

/// Reads the manifest of a pack. `InvalidData` when the file is not a whole pack of this kind.
pub fn open(stored: Stored, magic: Magic) -> io::Result<(File, Vec<u8>)> {
    let name = stored.name().to_owned();
    let broken = |what: &str| io::Error::new(io::ErrorKind::InvalidData, format!("{name}: {what}"));
    let len = stored.size();
    let file = stored.into_file();
    if len < TRAILER + magic.len() as u64 {
        return Err(broken("too short for a pack"));
    }
    let mut trailer = [0; TRAILER as usize];
    file.read_exact_at(&mut trailer, len - TRAILER)?;
    let number = |at: usize| trailer[at..at + 8].try_into().map_or(0, u64::from_le_bytes);
    let (offset, size) = (number(0), number(8));
    if trailer[48..] != magic || offset.checked_add(size).and_then(|end| end.checked_add(TRAILER)) != Some(len) {
        return Err(broken("the end of the pack is damaged"));
    }
    let mut manifest = vec![0; size as usize];
    file.read_exact_at(&mut manifest, offset)?;
    if Sha256::digest(&manifest)[..] != trailer[16..48] {
        return Err(broken("the manifest of the pack is damaged"));
    }
    Ok((file, manifest))
}

/// Deletes the file it names unless it was taken away.
#[derive(Debug)]
struct Scratch(Option<PathBuf>);

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // A file that cannot be deleted now is deleted at boot, when the staging folder is emptied.
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::objects::Objects;

    const MAGIC: Magic = *b"testpack";

    #[test]
    fn a_sealed_pack_opens_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let files = Objects::in_folders(folder.path()).files("sites").unwrap();
        let target = files.folder().join("a.pack");
        let open = |magic| open(Stored::open(&target)?, magic);
        let mut pack = PackWriter::create(folder.path(), MAGIC).unwrap();
        assert_eq!(pack.position(), 8);
        pack.append(b"hello").unwrap();
        pack.seal(b"the manifest").unwrap();
        pack.place(&files, "a.pack").unwrap();

        let (file, manifest) = open(MAGIC).unwrap();
        let mut hello = [0; 5];
        file.read_exact_at(&mut hello, 8).unwrap();
        assert_eq!((&hello, manifest.as_slice()), (b"hello", &b"the manifest"[..]));
        assert!(open(*b"otherone").is_err());

        let whole = std::fs::read(&target).unwrap();
        for len in 0..whole.len() {
            std::fs::write(&target, &whole[..len]).unwrap();
            assert!(open(MAGIC).is_err(), "cut to {len}");
        }
        for at in 13..whole.len() {
            let mut bent = whole.clone();
            bent[at] ^= 1;
            std::fs::write(&target, &bent).unwrap();
            assert!(open(MAGIC).is_err(), "bit changed at {at}");
        }
    }

    #[test]
    fn a_dropped_writer_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut pack = PackWriter::create(folder.path(), MAGIC).unwrap();
        pack.append(&[1; 1000]).unwrap();
        drop(pack);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
