//! What the characters between JSX tags show.

use std::ops::Range;

use super::references;

/// The shown part of a text between tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The characters that show something, without white space at either end, within the raw text.
    pub range: Range<usize>,
    /// What they show.
    pub text: String,
}

/// What JSX makes of the raw characters between two tags: lines are trimmed and joined by one space, lines that are blank
/// vanish. `None` when nothing but white space is left.
#[must_use]
pub fn jsx_text(raw: &str) -> Option<Shown> {
    const WHITE: [char; 4] = [' ', '\t', '\n', '\r'];
    let core = raw.trim_matches(WHITE);
    if core.is_empty() {
        return None;
    }
    let start = raw.len() - raw.trim_start_matches(WHITE).len();
    let lines = core.split(['\n', '\r']).map(|line| line.trim_matches([' ', '\t']));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let text = references::jsx(&lines.join(" ")).into_owned();
    let range = start..start + core.len();
    Some(Shown { range, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_at_line_ends_is_not_shown() {
        for (raw, range, text) in [
            ("Hello", 0..5, "Hello"),
            ("\n    Hello,\r\n\t  world &amp; all \n  ", 5..31, "Hello, world & all"),
            (" and ", 1..4, "and"),
            ("\u{a0}x", 0..3, "\u{a0}x"),
        ] {
            let text = text.to_owned();
            assert_eq!(jsx_text(raw), Some(Shown { range, text }), "{raw:?}");
        }
        assert_eq!(jsx_text(" \n\t"), None);
    }
}
