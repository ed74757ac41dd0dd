//! Compressed variants of a version's files: made once, in the background, after it can be served.
//!
//! They are in a second pack beside the version's. Pages are not among them: what a page contains depends on the
//! view, so views are compressed with [`compress`] when they are first looked at.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::kind::is_compressible;
use super::manifest::Input;
use super::pack::{self, Magic, PackWriter, Span};
use super::site::{FileId, Site};

const VARIANTS: Magic = *b"gvariant";
/// Smaller files gain less than the headers of their answer weigh.
pub const MIN_LEN: u64 = 1024;
/// Larger files are not compressed: they are data, and would hold up everything behind them.
const MAX_LEN: u64 = 10 << 20;
/// Up to this many bytes, a version's files get the slowest and best compression.
const THOROUGH_TOTAL: u64 = 8 << 20;
const THOROUGH_FILE: u64 = 1 << 20;

/// How a file's bytes are coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Coding {
    /// As uploaded.
    Identity = 0,
    /// gzip.
    Gzip = 1,
    /// Brotli.
    Brotli = 2,
}

/// How much time compressing may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// While a client waits.
    Quick,
    /// Once, in the background.
    Good,
    /// Once, in the background, for few bytes.
    Best,
}

/// The bytes in a coding; `None` when that would not save a tenth.
pub fn compress(bytes: &[u8], coding: Coding, effort: Effort) -> Option<Vec<u8>> {
    if (bytes.len() as u64) < MIN_LEN {
        return None;
    }
    let mut out = Vec::with_capacity(bytes.len() / 3);
    match coding {
        Coding::Identity => return None,
        Coding::Gzip => {
            let level = if effort == Effort::Quick { 6 } else { 9 };
            let mut encoder = GzEncoder::new(&mut out, Compression::new(level));
            encoder
                .write_all(bytes)
                .and_then(|()| encoder.finish().map(|_| ()))
                .ok()?;
        }
        Coding::Brotli => {
            let params = brotli::enc::BrotliEncoderParams {
                quality: match effort {
                    Effort::Quick => 5,
                    Effort::Good => 9,
                    Effort::Best => 11,
                },
                size_hint: bytes.len(),
                ..Default::default()
            };
            brotli::BrotliCompress(&mut &bytes[..], &mut out, &params).ok()?;
        }
    }
    (out.len() <= bytes.len() / 10 * 9).then_some(out)
}

/// The variants of a version, open for reading.
#[derive(Debug)]
pub(super) struct Variants {
    file: File,
    /// In order of file and coding.
    entries: Box<[(FileId, Coding, Span)]>,
}

impl Variants {
    pub fn open(path: &Path) -> io::Result<Self> {
        let (file, manifest) = pack::open(path, VARIANTS)?;
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

/// Makes the variants of a version and puts them at `place`. Gives up, leaving nothing, when `go_on` says so.
pub(super) fn make(site: &Site, staging: &Path, place: &Path, go_on: impl Fn() -> bool) -> io::Result<()> {
    let mut pack = PackWriter::create(staging, VARIANTS)?;
    let mut manifest = Vec::new();
    let worth = |file: &FileId| {
        let len = site.size(*file, Coding::Identity).unwrap_or_default();
        (MIN_LEN..=MAX_LEN).contains(&len) && !site.is_page(*file) && is_compressible(site.path(*file))
    };
    let files: Vec<FileId> = (0..site.files()).map(FileId).filter(worth).collect();
    let total: u64 = files.iter().filter_map(|file| site.size(*file, Coding::Identity)).sum();
    for file in files {
        let bytes = site.read(file, Coding::Identity, 0, u64::MAX)?;
        let thorough = total <= THOROUGH_TOTAL && bytes.len() as u64 <= THOROUGH_FILE;
        let effort = if thorough { Effort::Best } else { Effort::Good };
        for coding in [Coding::Gzip, Coding::Brotli] {
            if !go_on() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            if let Some(variant) = compress(&bytes, coding, effort) {
                manifest.extend(file.0.to_le_bytes());
                manifest.push(coding as u8);
                manifest.extend(pack.position().to_le_bytes());
                manifest.extend((variant.len() as u64).to_le_bytes());
                pack.append(&variant)?;
            }
        }
    }
    pack.seal(&manifest)?;
    pack.place(place)
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
