//! Texts with U+0000, which PostgreSQL cannot store. SQLite can, and what somebody wrote comes back as it was on both.
//!
//! U+FDD0, which Unicode leaves to programs and gives no meaning, stands before a `0` for U+0000, and before itself for itself. So
//! only texts with one of these two are stored as others.

use std::borrow::Cow;

/// What stands before the other.
const MARK: char = '\u{fdd0}';

/// The text as it is stored.
pub fn stored(text: &str) -> Cow<'_, str> {
    if !text.contains('\0') && !text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for char in text.chars() {
        match char {
            '\0' => out.extend([MARK, '0']),
            MARK => out.extend([MARK, MARK]),
            other => out.push(other),
        }
    }
    Cow::Owned(out)
}

/// The text that was stored.
pub fn restored(text: &str) -> Cow<'_, str> {
    if !text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match (char, chars.as_str().chars().next()) {
            (MARK, Some('0')) => out.push('\0'),
            (MARK, Some(MARK)) => out.push(MARK),
            (other, _) => {
                out.push(other);
                continue;
            }
        }
        chars.next();
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back() {
        for text in [
            "",
            "plain é \u{1f600}",
            "\0",
            "a\0b\0",
            "\u{fdd0}",
            "\u{fdd0}0",
            "\0\u{fdd0}\0\u{fdd0}\u{fdd0}0",
            "\u{fdd1}0",
        ] {
            let stored = stored(text);
            assert!(!stored.contains('\0'), "{text:?}");
            assert_eq!(restored(&stored), text);
        }
        assert!(matches!(stored("plain"), Cow::Borrowed(_)) && matches!(restored("plain"), Cow::Borrowed(_)));
        // What a statement made of it, as `substr` may, is not broken further.
        assert_eq!(restored("a\u{fdd0}"), "a\u{fdd0}");
    }
}
