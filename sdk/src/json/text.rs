//! Writing a string: whole runs of plain bytes are copied, eight are looked at in one step. Answers are mostly text, and a
//! byte-wise loop was the larger half of a list's time in the sandbox.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Writes `text` in quotes.
pub(super) fn write(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let mut rest = bytes;
    while let Some(at) = special(rest) {
        out.extend_from_slice(&rest[..at]);
        escape(out, rest[at]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

/// Where the first byte stands that must be escaped.
fn special(bytes: &[u8]) -> Option<usize> {
    let (words, tail) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let found = specials(u64::from_le_bytes(*word));
        if found != 0 {
            return Some(index * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let at = tail.iter().position(|byte| matches!(byte, 0..0x20 | b'"' | b'\\'))?;
    Some(words.len() * 8 + at)
}

/// The high bit of each byte that is a control character, `"` or `\`. A borrow can set bits above the first such byte,
/// never below it.
const fn specials(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let slash = word ^ (ONES * b'\\' as u64);
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let quote = quote.wrapping_sub(ONES) & !quote;
    let slash = slash.wrapping_sub(ONES) & !slash;
    (control | quote | slash) & HIGHS
}

#[cold]
fn escape(out: &mut Vec<u8>, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let short = match byte {
        b'"' => b'"',
        b'\\' => b'\\',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        _ => {
            out.extend_from_slice(b"\\u00");
            out.push(HEX[usize::from(byte >> 4)]);
            out.push(HEX[usize::from(byte & 15)]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place_reads_back() {
        for code in (0..0x180).filter_map(char::from_u32) {
            for before in 0..10 {
                for after in [0, 1, 9] {
                    let text = format!("{}{code}{}", "ä".repeat(before), "x".repeat(after));
                    let mut out = Vec::new();
                    write(&mut out, &text);
                    assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
                    assert_eq!(out, serde_json::to_vec(&text).unwrap());
                }
            }
        }
    }
}
