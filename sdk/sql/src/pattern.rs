//! LIKE and GLOB with a look at the deadline.
//!
//! SQLite compares a pattern of 1,000 bytes with a text of 1 MiB in up to 10^9 steps, and looks at no clock meanwhile.

use crate::bounds::Clock;

/// One part of a pattern.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    /// Any number of characters.
    Many,
    /// One character.
    One,
    /// This byte; ASCII letters of a pattern that ignores case are lower-case here.
    Byte(u8),
    /// One character inside (or outside) of these ranges.
    Set { inside: bool, ranges: Vec<(u32, u32)> },
    /// Nothing: a pattern that ends inside of a set or an escape.
    Never,
}

/// A pattern of LIKE or GLOB.
#[derive(Debug)]
pub struct Pattern {
    parts: Vec<Part>,
    ignores_case: bool,
}

impl Pattern {
    /// A pattern of LIKE: `%` is any text, `_` one character, what follows `escape` itself. ASCII letters match in both
    /// cases. As in SQLite, a text ends at its first NUL.
    pub fn like(pattern: &[u8], escape: Option<&[u8]>) -> Self {
        let mut rest = until_nul(pattern);
        let mut parts = Vec::new();
        while let Some(first) = rest.first() {
            let escaped = escape.and_then(|escape| rest.strip_prefix(escape));
            match (escaped, first) {
                (Some([]), _) => {
                    parts.push(Part::Never);
                    break;
                }
                (Some(escaped), _) => {
                    let (next, after) = escaped.split_at(char_len(escaped));
                    parts.extend(next.iter().map(|byte| Part::Byte(byte.to_ascii_lowercase())));
                    rest = after;
                    continue;
                }
                (None, b'%') => parts.push(Part::Many),
                (None, b'_') => parts.push(Part::One),
                (None, byte) => parts.push(Part::Byte(byte.to_ascii_lowercase())),
            }
            rest = &rest[1..];
        }
        Self {
            parts,
            ignores_case: true,
        }
    }

    /// A pattern of GLOB: `*` is any text, `?` one character, `[…]` one of these characters, `[^…]` one that is not.
    pub fn glob(pattern: &[u8]) -> Self {
        let mut rest = until_nul(pattern);
        let mut parts = Vec::new();
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            match first {
                b'*' => parts.push(Part::Many),
                b'?' => parts.push(Part::One),
                b'[' => parts.push(set(&mut rest)),
                byte => parts.push(Part::Byte(*byte)),
            }
        }
        Self {
            parts,
            ignores_case: false,
        }
    }

    /// Whether the whole text matches.
    pub fn matches(&self, text: &[u8], clock: &mut Clock) -> rusqlite::Result<bool> {
        let text = until_nul(text);
        let (mut part, mut at) = (0, 0);
        // The last `Many` before `part`, and where the text went on behind it: a longer one is tried from there. An earlier
        // `Many` need not be tried again, as what lies between the two matched at its first possible place.
        let mut retry: Option<(usize, usize)> = None;
        loop {
            clock.tick(1)?;
            let taken = match self.parts.get(part) {
                Some(Part::Many) => {
                    retry = Some((part + 1, at));
                    part += 1;
                    continue;
                }
                Some(part) => self.take(part, &text[at..], clock)?,
                None if at == text.len() => return Ok(true),
                None => None,
            };
            if let Some(length) = taken {
                part += 1;
                at += length;
                continue;
            }
            match &mut retry {
                Some((behind, from)) if *from < text.len() => {
                    *from += char_len(&text[*from..]);
                    (part, at) = (*behind, *from);
                }
                _ => return Ok(false),
            }
        }
    }

    /// How many bytes of the text a part takes; `None` when it does not match.
    fn take(&self, part: &Part, text: &[u8], clock: &mut Clock) -> rusqlite::Result<Option<usize>> {
        let Some(&first) = text.first() else { return Ok(None) };
        Ok(match part {
            Part::Byte(byte) if self.ignores_case => (first.to_ascii_lowercase() == *byte).then_some(1),
            Part::Byte(byte) => (first == *byte).then_some(1),
            Part::One => Some(char_len(text)),
            Part::Set { inside, ranges } => {
                clock.tick(ranges.len())?;
                let length = char_len(text);
                let char = decode(&text[..length]);
                let found = ranges.iter().any(|(from, to)| (*from..=*to).contains(&char));
                (found == *inside).then_some(length)
            }
            Part::Many | Part::Never => None,
        })
    }
}

/// The set behind a `[`; what follows its `]` is left in `rest`.
fn set(rest: &mut &[u8]) -> Part {
    let mut next = || {
        let length = char_len(rest);
        let (char, after) = rest.split_at(length);
        *rest = after;
        (length > 0).then(|| (decode(char), after.first().copied()))
    };
    let mut ranges = Vec::new();
    let mut char = next();
    let inside = char.is_none_or(|(char, _)| char != u32::from(b'^'));
    if !inside {
        char = next();
    }
    if let Some((bracket, _)) = char
        && bracket == u32::from(b']')
    {
        ranges.push((bracket, bracket));
        char = next();
    }
    let mut prior = None;
    loop {
        let Some((now, following)) = char else {
            return Part::Never;
        };
        if now == u32::from(b']') {
            return Part::Set { inside, ranges };
        }
        match prior {
            Some(from) if now == u32::from(b'-') && !matches!(following, None | Some(b']')) => {
                let Some((to, _)) = next() else { return Part::Never };
                ranges.push((from, to));
                prior = None;
            }
            _ => {
                ranges.push((now, now));
                prior = Some(now);
            }
        }
        char = next();
    }
}

/// A text as SQLite's pattern functions see it.
fn until_nul(text: &[u8]) -> &[u8] {
    &text[..memchr::memchr(0, text).unwrap_or(text.len())]
}

/// The bytes of the first character. Text that is not UTF-8 is cut as SQLite cuts it.
pub fn char_len(text: &[u8]) -> usize {
    match text.first() {
        None => 0,
        Some(..0xc0) => 1,
        Some(_) => 1 + text[1..].iter().take_while(|byte| **byte & 0xc0 == 0x80).count(),
    }
}

fn decode(char: &[u8]) -> u32 {
    std::str::from_utf8(char)
        .ok()
        .and_then(|text| text.chars().next())
        .map_or(0xfffd, u32::from)
}
