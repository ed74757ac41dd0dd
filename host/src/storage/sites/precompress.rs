//! Makes the compressed variants of a version's files: once, in the background, after the version can be served.
//!
//! Pages are not among them. What a page contains depends on the view, so views are compressed with
//! [`compress`] when they are first read.

use std::io;

use super::compress::{Coding, Effort, MIN_LEN, compress};
use super::kind::is_compressible;
use super::layout::Layout;
use super::manifest::FileId;
use super::pack::{PackWriter, Span};
use super::site::Site;
use super::variants::{VARIANTS, encode};

/// Larger files are not compressed: they are data, and would hold up everything behind them.
const MAX_LEN: u64 = 10 << 20;
/// Up to this many bytes, a version's files get the slowest and best compression.
const THOROUGH_TOTAL: u64 = 8 << 20;
const THOROUGH_FILE: u64 = 1 << 20;

/// Makes the variants of a version and stores them under a name. Gives up, leaving nothing, when `go_on` says so.
pub(super) fn precompress(site: &Site, layout: &Layout, name: &str, go_on: impl Fn() -> bool) -> io::Result<()> {
    let mut pack = PackWriter::create(&layout.staging, VARIANTS)?;
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
                let span = Span {
                    offset: pack.position(),
                    len: variant.len() as u64,
                };
                encode(&mut manifest, file, coding, span);
                pack.append(&variant)?;
            }
        }
    }
    pack.seal(&manifest)?;
    pack.place(&layout.files, name)
}
