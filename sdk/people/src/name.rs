//! Display names.
//!
//! ```
//! use galley_people::name;
//!
//! assert_eq!(name::checked(" Ana ").as_deref(), Some("Ana"));
//! assert_eq!(name::checked("\u{202e}anA"), None);
//! assert_eq!(name::cleaned("\u{202e}Eve\r\nroot"), "Eve root");
//! ```

/// The longest name in characters.
pub const MAX_NAME: usize = 100;

/// A name its owner types: trimmed. `None` when it is empty, longer than [`MAX_NAME`], or holds a character that
/// [`is_disruptive`]: its owner can type it again.
pub fn checked(text: &str) -> Option<String> {
    let name = text.trim();
    let good = !name.is_empty() && name.chars().count() <= MAX_NAME && !name.chars().any(is_disruptive);
    good.then(|| name.to_owned())
}

/// A name from a program or another service: without direction controls, with a space for each run of white space and
/// other control characters. Empty when nothing remains. The length is not bounded.
pub fn cleaned(text: &str) -> String {
    let kept = text.chars().filter(|c| !turns_text(*c));
    let plain: String = kept.map(|c| if is_disruptive(c) { ' ' } else { c }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a character changes how the text around a name reads: control characters (C0, C1), line and paragraph
/// separators, and everything that sets the direction of text.
pub fn is_disruptive(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') || turns_text(c)
}

/// The marks, embeddings, overrides and isolates of the bidirectional algorithm (UAX #9).
fn turns_text(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTROLS: [char; 17] = [
        '\0', '\n', '\u{7f}', '\u{85}', '\u{9b}', '\u{2028}', '\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}',
        '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2069}',
    ];

    #[test]
    fn a_typed_name_is_one_plain_line() {
        assert_eq!(checked("  Ana Ñandú ").as_deref(), Some("Ana Ñandú"));
        for bad in ["", " ", "a\r\nBcc: b", "a\0", "\u{202e}ana"] {
            assert_eq!(checked(bad), None, "{bad:?}");
        }
        for control in CONTROLS {
            assert_eq!(checked(&format!("a{control}b")), None, "{control:?}");
        }
        assert!(checked(&"é".repeat(100)).is_some() && checked(&"é".repeat(101)).is_none());
    }

    #[test]
    fn a_told_name_loses_its_controls() {
        for control in CONTROLS {
            let name = cleaned(&format!("a{control}b{control}"));
            assert!(matches!(name.as_str(), "ab" | "a b"), "{control:?}: {name:?}");
        }
        assert_eq!(cleaned("\u{202e}\u{2066}"), "");
        // Persian and Indic names need the joiners.
        assert_eq!(cleaned("می\u{200c}نا"), "می\u{200c}نا");
    }
}
