//! Archives made by hand, byte by byte: what no honest program writes.

/// One tar entry. Each field is written as it is.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The name, at most 100 bytes.
    pub name: Vec<u8>,
    /// `0` file, `1` hard link, `2` symbolic link, `3` and `4` devices, `5` folder, `6` FIFO, `x` and `g` PAX headers,
    /// `L` GNU long name, `S` GNU sparse.
    pub kind: u8,
    /// What a link points to.
    pub link: Vec<u8>,
    /// The size field; `None` for the length of `data`.
    pub size: Option<Vec<u8>>,
    /// What follows the header, padded to whole blocks.
    pub data: Vec<u8>,
    /// Whether the checksum is right.
    pub honest: bool,
}

impl Entry {
    /// A regular file.
    pub fn file(name: impl Into<Vec<u8>>, data: impl Into<Vec<u8>>) -> Entry {
        Entry {
            name: name.into(),
            kind: b'0',
            link: Vec::new(),
            size: None,
            data: data.into(),
            honest: true,
        }
    }

    /// An entry of another kind, without data.
    pub fn of(kind: u8, name: impl Into<Vec<u8>>, link: impl Into<Vec<u8>>) -> Entry {
        Entry {
            kind,
            link: link.into(),
            ..Entry::file(name, Vec::new())
        }
    }

    /// Lies about the size.
    pub fn sized(self, field: impl Into<Vec<u8>>) -> Entry {
        Entry {
            size: Some(field.into()),
            ..self
        }
    }

    /// A PAX header that overrides a field of the next entry.
    pub fn pax(key: &str, value: &[u8]) -> Entry {
        Entry {
            kind: b'x',
            ..Entry::file("PaxHeaders/x", pax_record(key, value))
        }
    }

    /// Header, data and padding.
    pub fn bytes(&self) -> Vec<u8> {
        let mut header = [0u8; 512];
        put(&mut header[..100], &self.name);
        put(&mut header[100..108], b"0000644\0");
        put(&mut header[108..116], b"0000000\0");
        put(&mut header[116..124], b"0000000\0");
        let size = self
            .size
            .clone()
            .unwrap_or_else(|| format!("{:011o}\0", self.data.len()).into_bytes());
        put(&mut header[124..136], &size);
        put(&mut header[136..148], b"00000000000\0");
        header[156] = self.kind;
        put(&mut header[157..257], &self.link);
        put(&mut header[257..265], b"ustar\x0000");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        let sum = if self.honest { sum } else { sum + 1 };
        put(&mut header[148..156], format!("{sum:06o}\0 ").as_bytes());
        let mut bytes = header.to_vec();
        bytes.extend(&self.data);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
        bytes
    }
}

/// One record of a PAX header: its length, counted with itself, then `key=value`.
fn pax_record(key: &str, value: &[u8]) -> Vec<u8> {
    let rest = key.len() + value.len() + 3;
    let mut length = rest + 1;
    while length != rest + length.to_string().len() {
        length = rest + length.to_string().len();
    }
    let mut record = format!("{length} {key}=").into_bytes();
    record.extend(value);
    record.push(b'\n');
    record
}

fn put(field: &mut [u8], bytes: &[u8]) {
    let most = bytes.len().min(field.len());
    field[..most].copy_from_slice(&bytes[..most]);
}

/// Entries and the end mark.
pub fn tar(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = entries.iter().map(Entry::bytes).collect::<Vec<_>>().concat();
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

/// A gzip member made of `blocks` empty stored blocks before an honest end: input without output.
pub fn empty_blocks(blocks: usize) -> Vec<u8> {
    // Not byte by byte: without optimization that takes longer than the test.
    [
        &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255],
        [0, 0, 0, 0xff, 0xff].repeat(blocks).as_slice(),
        &[1, 0, 0, 0xff, 0xff],
        &[0; 8],
    ]
    .concat()
}
