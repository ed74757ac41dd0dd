//! Compressing bytes, as gzip or Brotli.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Smaller files gain less than the headers of their answer weigh.
pub const MIN_LEN: u64 = 1024;

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
