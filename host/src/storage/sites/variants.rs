//! The compressed variants of a version's files: a second pack beside the version's.

use std::fs::File;
use std::io;

use super::compress::Coding;
use super::manifest::{FileId, Input};
use super::pack::{self, Magic, Span};
use crate::storage::objects::Stored;

/// The first and last bytes of a pack of variants.
pub(super) const VARIANTS: Magic = *b"gvariant";

/// The variants of a version, open for reading.
#[derive(Debug)]
pub(super) struct Variants {
    file: File,
    /// In order of file and coding.
    entries: Box<[(FileId, Coding, Span)]>,
}

impl Variants {
    pub fn open(stored: Stored) -> io::Result<Self> {
        let (file, manifest) = pack::open(stored, VARIANTS)?;
        let entries = decode(&manifest);
        let entries = entries.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the variants are damaged"))?;
        Ok(Self {
            file,
            entries: entries.into(),
        })
    }

    pub fn find(&self, file: FileId, coding: Coding) -> Option<(&File, Span)> {
        let at = self
            .entries
            .binary_search_by_key(&(file, coding), |entry| (entry.0, entry.1))
            .ok()?;
        Some((&self.file, self.entries[at].2))
    }
}

/// Appends one variant to the pack's index.
pub(super) fn encode(manifest: &mut Vec<u8>, file: FileId, coding: Coding, span: Span) {
    manifest.extend(file.0.to_le_bytes());
    manifest.push(coding as u8);
    manifest.extend(span.offset.to_le_bytes());
    manifest.extend(span.len.to_le_bytes());
}

fn decode(manifest: &[u8]) -> Option<Vec<(FileId, Coding, Span)>> {
    let mut input = Input(manifest);
    let mut entries = Vec::with_capacity(manifest.len() / 21);
    while !input.0.is_empty() {
        let file = FileId(input.u32()?);
        let coding = match input.array()? {
            [1] => Coding::Gzip,
            [2] => Coding::Brotli,
            _ => return None,
        };
        entries.push((
            file,
            coding,
            Span {
                offset: input.u64()?,
                len: input.u64()?,
            },
        ));
    }
    entries.is_sorted_by_key(|entry| (entry.0, entry.1)).then_some(entries)
}
