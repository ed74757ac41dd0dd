//! A version that is open for reading.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::compress::Coding;
use super::html::{self, Hole, View};
use super::manifest::{FileId, Hash, Manifest, SITE};
use super::pack::{self, Span};
use super::variants::Variants;
use crate::storage::objects::Stored;

/// A version's files. Reads are positioned, so any number of threads may read at the same time. A version that is removed
/// stays readable through this handle.
#[derive(Debug)]
pub struct Site {
    serial: u64,
    file: File,
    manifest: Manifest,
    variants: OnceLock<Variants>,
    /// A read failed: the file is not what it was when it was opened.
    is_broken: AtomicBool,
    /// Somebody asked for it since it was last looked whether anybody does.
    is_used: AtomicBool,
}

impl Site {
    pub(super) fn open(stored: Stored, serial: u64) -> io::Result<Self> {
        let (file, manifest) = pack::open(stored, SITE)?;
        Ok(Self {
            serial,
            file,
            manifest: Manifest::decode(&manifest)?,
            variants: OnceLock::new(),
            is_broken: AtomicBool::new(false),
            is_used: AtomicBool::new(true),
        })
    }

    /// Says that somebody asked for it.
    pub(super) fn note_use(&self) {
        // All threads read it with each request: it is written only where that changes something.
        if !self.is_used.load(Ordering::Relaxed) {
            self.is_used.store(true, Ordering::Relaxed);
        }
    }

    /// Whether somebody asked for it since this was asked before.
    pub(super) fn was_used(&self) -> bool {
        self.is_used.swap(false, Ordering::Relaxed)
    }

    /// A number that no other opened version of this process has.
    pub fn serial(&self) -> u64 {
        self.serial
    }

    /// Number of files.
    pub fn files(&self) -> u32 {
        self.manifest.count() as u32
    }

    /// Bytes of all files together, as uploaded.
    pub fn bytes(&self) -> u64 {
        self.manifest.bytes()
    }

    /// The file with exactly this path.
    pub fn find(&self, path: &str) -> Option<FileId> {
        self.manifest.find(path).map(|at| FileId(at as u32))
    }

    /// The path of a file.
    pub fn path(&self, file: FileId) -> &str {
        self.manifest.path(file.0 as usize)
    }

    /// First 128 bits of the SHA-256 of a file as uploaded.
    pub fn hash(&self, file: FileId) -> Hash {
        self.manifest.file(file.0 as usize).hash
    }

    /// Whether a view changes the file: read it with [`Site::page`] then.
    pub fn is_page(&self, file: FileId) -> bool {
        self.manifest.file(file.0 as usize).holes.is_some()
    }

    /// Bytes of a file in a coding; `None` when it is not stored in it.
    pub fn size(&self, file: FileId, coding: Coding) -> Option<u64> {
        self.place(file, coding).map(|(_, span)| span.len)
    }

    /// Reads a file in a coding from `offset` on; shorter than `len` at its end, `NotFound` when it is not stored in
    /// it. Blocks for one read.
    pub fn read(&self, file: FileId, coding: Coding, offset: u64, len: u64) -> io::Result<Vec<u8>> {
        let (source, span) = self.place(file, coding).ok_or(io::ErrorKind::NotFound)?;
        let len = len.min(span.len.saturating_sub(offset));
        let mut bytes = vec![0; usize::try_from(len).map_err(io::Error::other)?];
        self.noting(source.read_exact_at(&mut bytes, span.offset + offset))?;
        Ok(bytes)
    }

    /// A page with its holes filled for a view; any other file unchanged. Blocks for two reads.
    pub fn page(&self, file: FileId, view: &View<'_>) -> io::Result<Vec<u8>> {
        let page = self.read(file, Coding::Identity, 0, u64::MAX)?;
        let holes = self.holes(file)?;
        Ok(html::fill(&page, self.path(file), &holes, view))
    }

    /// Whether the compressed variants are known.
    pub fn has_variants(&self) -> bool {
        self.variants.get().is_some()
    }

    pub(super) fn set_variants(&self, variants: Variants) {
        // Variants of one version are always the same, so the first writer wins.
        let _ = self.variants.set(variants);
    }

    /// Whether a read has failed. It may succeed when the version is opened again: a cached copy is checked then.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Relaxed)
    }

    fn noting<T>(&self, read: io::Result<T>) -> io::Result<T> {
        if read.is_err() {
            self.is_broken.store(true, Ordering::Relaxed);
        }
        read
    }

    pub(super) fn weight(&self) -> usize {
        self.manifest.weight() + 512
    }

    fn holes(&self, file: FileId) -> io::Result<Vec<Hole>> {
        let Some(span) = self.manifest.file(file.0 as usize).holes else {
            return Ok(Vec::new());
        };
        let mut table = vec![0; usize::try_from(span.len).map_err(io::Error::other)?];
        self.noting(self.file.read_exact_at(&mut table, span.offset))?;
        html::decode(&table).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a page's table is damaged"))
    }

    fn place(&self, file: FileId, coding: Coding) -> Option<(&File, Span)> {
        match coding {
            Coding::Identity => Some((&self.file, self.manifest.file(file.0 as usize).body)),
            coding => self.variants.get()?.find(file, coding),
        }
    }
}
