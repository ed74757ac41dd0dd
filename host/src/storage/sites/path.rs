//! Which names an archive may give its entries, and the one spelling under which they are stored.
//!
//! Stored paths never touch a file system: they are keys of a pack's manifest. The rules are strict all the same,
//! because a path is also an address, a line in a log and a file name in somebody's export.

use std::fmt;

/// The longest path, in bytes.
pub const MAX_PATH: usize = 1024;
/// The longest part of a path, in bytes.
pub const MAX_PART: usize = 255;

/// Why a name is refused. Its text continues a sentence that begins with the entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathFault {
    /// Begins with `/`.
    Absolute,
    /// Has a part `..`, wherever it would lead.
    Parent,
    /// Has a NUL byte.
    Nul,
    /// Has a control character (C0, DEL or C1).
    Control,
    /// Has a backslash, which is a separator elsewhere.
    Backslash,
    /// Is not UTF-8.
    NotUtf8,
    /// Longer than [`MAX_PATH`] bytes, or a part longer than [`MAX_PART`].
    TooLong,
    /// Has no characters.
    Empty,
}

impl fmt::Display for PathFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absolute => "is an absolute path",
            Self::Parent => "leaves its folder with `..`",
            Self::Nul => "has a NUL byte in its name",
            Self::Control => "has a control character in its name",
            Self::Backslash => "has a backslash in its name",
            Self::NotUtf8 => "has a name that is not UTF-8",
            Self::TooLong => "has a name that is too long (a path may have 1,024 bytes, each part of it 255)",
            Self::Empty => "has no name",
        })
    }
}

/// The stored spelling of an entry's name: parts joined by single slashes, `.` parts and a trailing slash left out.
/// Empty for the root folder itself (`.` or `./`).
pub fn clean(raw: &[u8]) -> Result<String, PathFault> {
    if raw.is_empty() {
        return Err(PathFault::Empty);
    }
    // Checked first: a name of megabytes made of `./` would cost time.
    if raw.len() > MAX_PATH + 2 {
        return Err(PathFault::TooLong);
    }
    if raw.contains(&0) {
        return Err(PathFault::Nul);
    }
    let text = std::str::from_utf8(raw).map_err(|_| PathFault::NotUtf8)?;
    if text.contains(char::is_control) {
        return Err(PathFault::Control);
    }
    if text.contains('\\') {
        return Err(PathFault::Backslash);
    }
    if text.starts_with('/') {
        return Err(PathFault::Absolute);
    }
    let mut path = String::with_capacity(text.len());
    for part in text.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." {
            return Err(PathFault::Parent);
        }
        if part.len() > MAX_PART {
            return Err(PathFault::TooLong);
        }
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(part);
    }
    if path.len() > MAX_PATH {
        Err(PathFault::TooLong)
    } else {
        Ok(path)
    }
}

/// An entry's name for a message: quoted, on one line, at most 120 characters.
pub fn shown(raw: &[u8]) -> String {
    let text = String::from_utf8_lossy(&raw[..raw.len().min(1024)]);
    let mut line: String = text.chars().flat_map(char::escape_debug).take(121).collect();
    if let Some((end, _)) = line.char_indices().nth(120) {
        line.truncate(end);
        line.push('…');
    }
    format!("\"{line}\"")
}

/// Whether an id may be part of a file name: 1 to 64 ASCII letters, digits, `-` and `_`.
pub fn is_plain_id(id: &str) -> bool {
    (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ordinary_names_keep_their_spelling() {
        for name in [
            "index.html",
            "a/b/c.js",
            "ünï/ço dé.css",
            "a b",
            "...",
            "..a/b..",
            "@scope/x",
            "a:b",
        ] {
            assert_eq!(clean(name.as_bytes()).as_deref(), Ok(name));
        }
    }

    #[test]
    fn dots_and_doubled_slashes_are_left_out() {
        assert_eq!(clean(b"./index.html").as_deref(), Ok("index.html"));
        assert_eq!(clean(b"././a//b/./c/").as_deref(), Ok("a/b/c"));
        assert_eq!(clean(b"./").as_deref(), Ok(""));
        assert_eq!(clean(b".").as_deref(), Ok(""));
    }

    #[test]
    fn hostile_names_are_refused() {
        let long_part = "x".repeat(256);
        let long_path = vec!["y".repeat(100); 11].join("/");
        for (raw, fault) in [
            (&b"/tmp/moo"[..], PathFault::Absolute),
            (b"//tmp/moo", PathFault::Absolute),
            (b"../moo", PathFault::Parent),
            (b"tmp/../../moo", PathFault::Parent),
            (b"a/..", PathFault::Parent),
            (b"..", PathFault::Parent),
            (b"", PathFault::Empty),
            (b"a\0b", PathFault::Nul),
            (b"a\nb", PathFault::Control),
            (b"a\x7fb", PathFault::Control),
            ("a\u{85}b".as_bytes(), PathFault::Control),
            (b"..\\moo", PathFault::Backslash),
            (b"a\xffb", PathFault::NotUtf8),
            (long_part.as_bytes(), PathFault::TooLong),
            (long_path.as_bytes(), PathFault::TooLong),
        ] {
            assert_eq!(clean(raw), Err(fault), "{}", shown(raw));
        }
        assert!(clean("x".repeat(255).as_bytes()).is_ok());
    }

    #[test]
    fn messages_stay_on_one_short_line() {
        assert_eq!(shown(b"a\nb\x1b"), "\"a\\nb\\u{1b}\"");
        assert_eq!(shown(&[b'x'; 5000]).chars().count(), 123);
    }

    proptest! {
        #[test]
        fn whatever_is_accepted_is_safe_and_stable(raw in proptest::collection::vec(any::<u8>(), 0..40)) {
            if let Ok(path) = clean(&raw) {
                prop_assert!(!path.starts_with('/') && !path.ends_with('/') && !path.contains("//"));
                prop_assert!(path.split('/').all(|part| part != "." && part != ".."));
                if !path.is_empty() {
                    prop_assert_eq!(clean(path.as_bytes()), Ok(path));
                }
            }
        }
    }
}
