//! Reading a tar stream, strictly: regular files and folders, one after the other.
//!
//! The `tar` crate decodes the header blocks. Its iterator is not used: it reads extended headers of any size into
//! memory, ends quietly where an archive is cut off, and knows no difference between padding and trailing data.

use std::io::{self, BufRead};

use tar::{EntryType, Header};

use super::path::shown;

const BLOCK: usize = 512;
/// The longest extended header or long name, in bytes. Real ones are below 4 KB, unless they carry file attributes.
const MAX_EXTENSION: u64 = 256 * 1024;

/// Why reading stopped.
#[derive(Debug)]
pub enum TarFault {
    /// The stream below failed.
    Io(io::Error),
    /// The archive is not acceptable; one sentence.
    Bad(String),
}

impl From<io::Error> for TarFault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// One entry: its name as the archive spells it, and how many bytes of content follow. A folder has none.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// The raw name.
    pub name: Vec<u8>,
    /// Whether it is a folder.
    pub folder: bool,
    /// Bytes.
    pub size: u64,
}

/// A tar stream. Call [`TarReader::next`], then [`TarReader::content`] for a file, until there is no entry left.
pub struct TarReader<R> {
    input: R,
    /// What precedes the next entry's own header.
    pending: Extension,
    /// Content of the current entry that was not read, and the padding behind it.
    left: u64,
    padding: u64,
}

#[derive(Debug, Default)]
struct Extension {
    name: Option<Vec<u8>>,
    size: Option<u64>,
}

impl<R: BufRead> TarReader<R> {
    /// A reader at the start of the stream.
    pub fn new(input: R) -> Self {
        Self {
            input,
            pending: Extension::default(),
            left: 0,
            padding: 0,
        }
    }

    /// The next entry; `None` when the archive ended as it should: with its end marker, and only zeros behind it.
    pub fn next(&mut self) -> Result<Option<Entry>, TarFault> {
        self.skip(self.left + self.padding)?;
        (self.left, self.padding) = (0, 0);
        loop {
            let mut block = [0; BLOCK];
            self.fill(&mut block)?;
            if block == [0; BLOCK] {
                if self.pending.name.is_some() || self.pending.size.is_some() {
                    return bad("The archive ends behind an extended header that belongs to no entry");
                }
                self.expect_zeros()?;
                return Ok(None);
            }
            let header = Header::from_byte_slice(&block);
            check_sum(header)?;
            let raw_name = header.path_bytes().into_owned();
            let size = header
                .entry_size()
                .map_err(|_| fault(&raw_name, "has an unreadable size"))?;
            match header.entry_type() {
                EntryType::XHeader => self.extended(size)?,
                EntryType::XGlobalHeader => self.global(size)?,
                EntryType::GNULongName => {
                    let mut name = self.extension(size)?;
                    // The format ends a long name with one NUL; any other is part of the name, and refused there.
                    name.pop_if(|last| *last == 0);
                    self.pending.name = Some(name);
                }
                kind => return self.entry(kind, raw_name, size).map(Some),
            }
        }
    }

    /// Hands the current file's content to `sink`, piece by piece.
    pub fn content(&mut self, mut sink: impl FnMut(&[u8]) -> io::Result<()>) -> Result<(), TarFault> {
        while self.left > 0 {
            let available = self.input.fill_buf()?;
            if available.is_empty() {
                return bad(TRUNCATED);
            }
            let piece = available.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
            sink(&available[..piece])?;
            self.input.consume(piece);
            self.left -= piece as u64;
        }
        Ok(())
    }

    /// The stream below.
    pub fn into_inner(self) -> R {
        self.input
    }

    fn entry(&mut self, kind: EntryType, raw_name: Vec<u8>, size: u64) -> Result<Entry, TarFault> {
        let extension = std::mem::take(&mut self.pending);
        let name = extension.name.unwrap_or(raw_name);
        // POSIX: a size in the extended header replaces the one in the entry's own, whatever that says.
        let size = extension.size.unwrap_or(size);
        let folder = match kind {
            // Formats before POSIX mark a folder by a slash at the end of its name.
            EntryType::Regular | EntryType::Continuous => name.ends_with(b"/"),
            EntryType::Directory => true,
            EntryType::Symlink => return Err(fault(&name, "is a symbolic link; only files and folders are accepted")),
            EntryType::Link => return Err(fault(&name, "is a hard link; only files and folders are accepted")),
            EntryType::Char | EntryType::Block => {
                return Err(fault(&name, "is a device; only files and folders are accepted"));
            }
            EntryType::Fifo => return Err(fault(&name, "is a FIFO; only files and folders are accepted")),
            EntryType::GNUSparse => return Err(fault(&name, SPARSE)),
            // A long target name belongs to a link that would be refused next.
            EntryType::GNULongLink => return bad("The archive holds a link; only files and folders are accepted"),
            _ => {
                return Err(fault(
                    &name,
                    "is of an unknown kind; only files and folders are accepted",
                ));
            }
        };
        if folder && size != 0 {
            return Err(fault(&name, "is a folder with content"));
        }
        self.left = size;
        self.padding = size.wrapping_neg() % BLOCK as u64;
        Ok(Entry { name, folder, size })
    }

    fn extended(&mut self, size: u64) -> Result<(), TarFault> {
        let data = self.extension(size)?;
        for (key, value) in pax_records(&data).ok_or_else(|| TarFault::Bad(MALFORMED.into()))? {
            match key {
                b"path" => self.pending.name = Some(value.to_vec()),
                b"size" => self.pending.size = Some(pax_number(value).ok_or_else(|| TarFault::Bad(MALFORMED.into()))?),
                _ if key.starts_with(b"GNU.sparse.") => {
                    let name = self.pending.name.as_deref().unwrap_or(b"?");
                    return Err(fault(name, SPARSE));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// `git archive` writes its commit into a global header; one that would change entries is refused.
    fn global(&mut self, size: u64) -> Result<(), TarFault> {
        let data = self.extension(size)?;
        let records = pax_records(&data).ok_or_else(|| TarFault::Bad(MALFORMED.into()))?;
        if records
            .iter()
            .any(|(key, _)| matches!(*key, b"path" | b"size" | b"linkpath") || key.starts_with(b"GNU."))
        {
            return bad("The archive has a global header that changes the names or sizes of its entries");
        }
        Ok(())
    }

    fn extension(&mut self, size: u64) -> Result<Vec<u8>, TarFault> {
        if size > MAX_EXTENSION {
            return bad("The archive has an extended header of more than 256 KB");
        }
        let mut data = vec![0; size as usize];
        self.fill(&mut data)?;
        self.skip(size.wrapping_neg() % BLOCK as u64)?;
        Ok(data)
    }

    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), TarFault> {
        self.input.read_exact(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => TarFault::Bad(TRUNCATED.into()),
            _ => TarFault::Io(error),
        })
    }

    fn skip(&mut self, mut bytes: u64) -> Result<(), TarFault> {
        while bytes > 0 {
            let available = self.input.fill_buf()?.len();
            if available == 0 {
                return bad(TRUNCATED);
            }
            let piece = available.min(usize::try_from(bytes).unwrap_or(usize::MAX));
            self.input.consume(piece);
            bytes -= piece as u64;
        }
        Ok(())
    }

    /// Behind the first zero block: the second one, which some programs leave out, and padding.
    fn expect_zeros(&mut self) -> Result<(), TarFault> {
        loop {
            let available = self.input.fill_buf()?;
            if available.is_empty() {
                return Ok(());
            }
            if available.iter().any(|byte| *byte != 0) {
                return bad("The archive has data behind its end");
            }
            let len = available.len();
            self.input.consume(len);
        }
    }
}

const TRUNCATED: &str = "The archive is truncated: it stops before its end marker";
const MALFORMED: &str = "The archive has a malformed extended header";
const SPARSE: &str = "is a sparse file; only ordinary files and folders are accepted";

fn bad<T>(sentence: &str) -> Result<T, TarFault> {
    Err(TarFault::Bad(sentence.to_owned()))
}

fn fault(name: &[u8], what: &str) -> TarFault {
    TarFault::Bad(format!("Archive entry {} {what}", shown(name)))
}

fn check_sum(header: &Header) -> Result<(), TarFault> {
    let bytes = header.as_bytes();
    // The field itself counts as eight spaces.
    let sum: u32 = bytes
        .iter()
        .enumerate()
        .map(|(at, b)| if (148..156).contains(&at) { 32 } else { u32::from(*b) })
        .sum();
    match header.cksum() {
        Ok(stated) if stated == sum => Ok(()),
        _ => bad("The archive is not a tar file, or a header in it is damaged"),
    }
}

/// The records of an extended header, `LENGTH key=value\n` each; `None` when it is malformed.
fn pax_records(mut data: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
    let mut records = Vec::new();
    while !data.is_empty() {
        let space = data.iter().position(|byte| *byte == b' ')?;
        let len = usize::try_from(pax_number(&data[..space])?).ok()?;
        let record = data.get(space + 1..len)?;
        let record = record.strip_suffix(b"\n")?;
        let equals = record.iter().position(|byte| *byte == b'=')?;
        records.push((&record[..equals], &record[equals + 1..]));
        data = &data[len..];
    }
    Some(records)
}

/// A decimal number, digits only.
fn pax_number(text: &[u8]) -> Option<u64> {
    if text.is_empty() || text.len() > 18 || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(
        text.iter()
            .fold(0, |number, digit| number * 10 + u64::from(digit - b'0')),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extended_headers_are_parsed_by_their_lengths() {
        let records = pax_records(b"11 path=ab\n18 remark=a\nb=c d\n").unwrap();
        assert_eq!(records, [(&b"path"[..], &b"ab"[..]), (b"remark", b"a\nb=c d")]);
        for bad in [
            &b"x"[..],
            b"11 path=ab",
            b"99 path=ab\n",
            b"3 a\n",
            b"0 a=b\n",
            b" a=b\n",
            b"-1 a=b\n",
            b"6 ab\n12",
        ] {
            assert!(pax_records(bad).is_none(), "{}", String::from_utf8_lossy(bad));
        }
        assert_eq!(pax_number(b"0017"), Some(17));
        assert_eq!(pax_number(b"9999999999999999999"), None);
    }
}
