//! The index of a version: the position of each file in its pack.
//!
//! It is read once and kept in memory while the version is served, so it is flat: all paths in one string, the files
//! in path order, found by binary search.

use std::io;

use super::pack::{Magic, Span};

/// The first and last bytes of a version's pack.
pub const SITE: Magic = *b"gsite\0\0\x01";

/// First 128 bits of a file's SHA-256.
pub type Hash = [u8; 16];

/// One file of a version: its place in path order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// One file, as input of [`encode`].
#[derive(Debug, Clone)]
pub struct Record {
    /// Relative, cleaned path.
    pub path: String,
    /// Its bytes, as uploaded.
    pub body: Span,
    /// Hash of its bytes.
    pub hash: Hash,
    /// The table of the page's holes; `None` for a file that is served unchanged.
    pub holes: Option<Span>,
}

/// One file of a manifest.
#[derive(Debug, Clone, Copy)]
pub struct FileEntry {
    path_at: u32,
    path_len: u16,
    /// Its bytes, as uploaded.
    pub body: Span,
    /// Hash of its bytes.
    pub hash: Hash,
    /// The table of the page's holes; `None` for a file that is served unchanged.
    pub holes: Option<Span>,
}

/// The files of a version, in path order.
#[derive(Debug)]
pub struct Manifest {
    paths: Box<str>,
    files: Box<[FileEntry]>,
}

/// The bytes of a manifest. The records must be in path order, without duplicates.
pub fn encode(records: &[Record]) -> Vec<u8> {
    let mut out = Vec::with_capacity(records.iter().map(|record| record.path.len() + 64).sum());
    out.extend((records.len() as u32).to_le_bytes());
    for record in records {
        out.extend((record.path.len() as u16).to_le_bytes());
        out.extend(record.path.as_bytes());
        out.extend(record.body.offset.to_le_bytes());
        out.extend(record.body.len.to_le_bytes());
        out.extend(record.hash);
        let holes = record.holes.unwrap_or_default();
        out.extend(holes.offset.to_le_bytes());
        out.extend((holes.len as u32).to_le_bytes());
    }
    out
}

impl Manifest {
    /// Reads what [`encode`] wrote. `InvalidData` when it is something else.
    pub fn decode(bytes: &[u8]) -> io::Result<Self> {
        decode(bytes).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the manifest is damaged"))
    }

    /// Number of files.
    pub fn count(&self) -> usize {
        self.files.len()
    }

    /// Bytes of all files together, as uploaded.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.body.len).sum()
    }

    /// The file's place in path order.
    pub fn find(&self, path: &str) -> Option<usize> {
        self.files.binary_search_by(|file| self.text(file).cmp(path)).ok()
    }

    /// The file at a place that [`Manifest::find`] gave.
    pub fn file(&self, at: usize) -> &FileEntry {
        &self.files[at]
    }

    /// The path of the file at a place.
    pub fn path(&self, at: usize) -> &str {
        self.text(&self.files[at])
    }

    /// About how much memory this takes.
    pub fn weight(&self) -> usize {
        self.paths.len() + self.files.len() * size_of::<FileEntry>()
    }

    fn text(&self, file: &FileEntry) -> &str {
        let start = file.path_at as usize;
        &self.paths[start..start + usize::from(file.path_len)]
    }
}

fn decode(bytes: &[u8]) -> Option<Manifest> {
    let mut input = Input(bytes);
    let count = input.u32()? as usize;
    let mut paths = String::new();
    // Each file takes at least 46 bytes: a damaged count cannot ask for more memory than the manifest has.
    let mut files = Vec::with_capacity(count.min(bytes.len() / 46));
    for _ in 0..count {
        let path_len = u16::from_le_bytes(input.array()?);
        let path_at = u32::try_from(paths.len()).ok()?;
        paths.push_str(std::str::from_utf8(input.take(usize::from(path_len))?).ok()?);
        let body = Span {
            offset: input.u64()?,
            len: input.u64()?,
        };
        let hash = input.array()?;
        let holes = Span {
            offset: input.u64()?,
            len: u64::from(input.u32()?),
        };
        files.push(FileEntry {
            path_at,
            path_len,
            body,
            hash,
            holes: (holes.len > 0).then_some(holes),
        });
    }
    let manifest = Manifest {
        paths: paths.into(),
        files: files.into(),
    };
    let sorted = manifest
        .files
        .windows(2)
        .all(|pair| manifest.text(&pair[0]) < manifest.text(&pair[1]));
    (input.0.is_empty() && sorted).then_some(manifest)
}

/// A reader of little-endian numbers that ends with `None`.
pub(super) struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    pub fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(len)?;
        self.0 = tail;
        Some(head)
    }

    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(path: &str, offset: u64, holes: Option<Span>) -> Record {
        Record {
            path: path.to_owned(),
            body: Span { offset, len: 7 },
            hash: [offset as u8; 16],
            holes,
        }
    }

    #[test]
    fn what_is_written_is_found_again() {
        let holes = Some(Span { offset: 90, len: 3 });
        let records = [
            record("a.js", 8, None),
            record("a/b.css", 15, None),
            record("index.html", 22, holes),
        ];
        let manifest = Manifest::decode(&encode(&records)).unwrap();
        assert_eq!((manifest.count(), manifest.bytes()), (3, 21));
        for (at, record) in records.iter().enumerate() {
            assert_eq!(manifest.find(&record.path), Some(at));
            assert_eq!(manifest.path(at), record.path);
            assert_eq!(manifest.file(at).body, record.body);
            assert_eq!(manifest.file(at).holes, record.holes);
        }
        assert_eq!(manifest.find("a"), None);
        assert_eq!(manifest.find("z"), None);
    }

    #[test]
    fn damaged_manifests_are_refused() {
        let good = encode(&[record("a", 8, None), record("b", 15, None)]);
        for len in 0..good.len() {
            assert!(Manifest::decode(&good[..len]).is_err());
        }
        assert!(Manifest::decode(&encode(&[record("b", 8, None), record("a", 15, None)])).is_err());
        assert!(Manifest::decode(&[0xff; 40]).is_err());
    }
}
