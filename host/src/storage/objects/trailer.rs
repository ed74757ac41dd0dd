//! The end of each object and of each cached copy: the SHA-256 of what stands before it, so that every copy can be checked
//! by itself, whatever the store keeps beside the bytes.
//!
//! ```text
//! content | SHA-256 of the content (32) | "galleyob" (8)
//! ```

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use sha2::{Digest, Sha256};

/// Bytes of a trailer.
pub(super) const LEN: u64 = 40;
const MAGIC: &[u8; 8] = b"galleyob";
const BUFFER: usize = 256 * 1024;

/// A trailer.
pub(super) type Trailer = [u8; LEN as usize];

/// The trailer of a content.
pub(super) fn of(content: &[u8]) -> Trailer {
    made(Sha256::digest(content).into())
}

/// The trailer of a file's first `len` bytes.
pub(super) fn of_file(file: &File, len: u64) -> io::Result<Trailer> {
    let mut digest = Sha256::new();
    let (mut at, mut buffer) = (0, vec![0; BUFFER]);
    while at < len {
        let part = &mut buffer[..usize::try_from(len - at).unwrap_or(BUFFER).min(BUFFER)];
        file.read_exact_at(part, at)?;
        digest.update(&*part);
        at += part.len() as u64;
    }
    Ok(made(digest.finalize().into()))
}

/// The trailer that a whole object has; `None` where it has no room for one.
pub(super) fn read(file: &File) -> io::Result<Option<Trailer>> {
    let Some(len) = file.metadata()?.len().checked_sub(LEN) else {
        return Ok(None);
    };
    let mut found: Trailer = [0; LEN as usize];
    file.read_exact_at(&mut found, len)?;
    Ok(Some(found))
}

/// The length of the content of a whole object; `None` when the bytes are not those that were stored.
pub(super) fn check(file: &File) -> io::Result<Option<u64>> {
    let Some(found) = read(file)? else { return Ok(None) };
    let len = file.metadata()?.len() - LEN;
    Ok((found == of_file(file, len)?).then_some(len))
}

fn made(digest: [u8; 32]) -> Trailer {
    let mut trailer: Trailer = [0; LEN as usize];
    trailer[..32].copy_from_slice(&digest);
    trailer[32..].copy_from_slice(MAGIC);
    trailer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_bit_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("object");
        let content = b"what was stored";
        let whole = [&content[..], &of(content)].concat();
        let checked = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            check(&File::open(&path).unwrap()).unwrap()
        };
        assert_eq!(checked(&whole), Some(content.len() as u64));
        assert_eq!(checked(&of(b"")), Some(0));
        for len in 0..whole.len() {
            assert_eq!(checked(&whole[..len]), None, "cut to {len}");
        }
        for at in 0..whole.len() {
            let mut bent = whole.clone();
            bent[at] ^= 1;
            assert_eq!(checked(&bent), None, "bit changed at {at}");
        }
    }
}
