//! Characters that nobody sees in a diff, and that change what it says: marks of byte order, spaces without a width, marks that turn
//! the direction of writing, control characters; and line ends of another system than the file's.

/// What a new text has of that and the old one does not, in words for people.
pub(in crate::agent) fn unseen(old: &str, new: &str) -> Option<String> {
    let is_new = |sign: &char| is_unseen(*sign) && !old.contains(*sign);
    if let Some(sign) = new.chars().find(is_new) {
        return Some(format!("the character U+{:04X}", u32::from(sign)));
    }
    let (before, after) = (Ends::of(old), Ends::of(new));
    if after.returns > 0 && before.returns == 0 {
        return Some("line ends of another system (CR)".to_owned());
    }
    let is_mixed = after.plain > 0 && before.plain == 0 && before.returns > 0;
    is_mixed.then(|| "line ends of another system (LF alone)".to_owned())
}

/// Letters of several languages join by U+200C and U+200D, and so do pictures: those are none of them.
fn is_unseen(sign: char) -> bool {
    match sign {
        '\t' | '\n' | '\r' => false,
        '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        sign => sign.is_control(),
    }
}

/// How many lines end in which way.
struct Ends {
    /// With a carriage return, alone or before the line feed.
    returns: usize,
    /// With the line feed alone.
    plain: usize,
}

impl Ends {
    fn of(text: &str) -> Self {
        let returns = text.matches('\r').count();
        let plain = text.matches('\n').count() - text.matches("\r\n").count();
        Self { returns, plain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_named_unless_the_file_has_it() {
        for sign in ["\u{feff}", "\u{200b}", "\u{202e}", "\u{2066}", "\u{7}", "\u{85}"] {
            let new = format!("<p>a{sign}b</p>\n");
            let named = unseen("<p>ab</p>\n", &new).unwrap();
            assert!(named.contains("U+"), "{named}");
            assert_eq!(unseen(&new, &format!("{new}{new}")), None);
        }
        for new in [
            "<p>👩\u{200d}🚀 می\u{200c}خواهم שלום\u{200f}</p>\n",
            "\t<p>\u{a0}é</p>\n",
        ] {
            assert_eq!(unseen("<p>ab</p>\n", new), None, "{new}");
        }
    }

    #[test]
    fn lines_end_as_they_do_in_the_file() {
        assert!(unseen("a\nb\n", "a\r\nb\n").is_some());
        assert!(unseen("a\r\nb\r\n", "a\nb\r\n").is_some());
        assert!(unseen("a\n", "a\rb\n").is_some());
        for (old, new) in [("a\r\n", "b\r\nc\r\n"), ("a\r\nb\n", "a\nb\r\n"), ("a", "a\nb\n")] {
            assert_eq!(unseen(old, new), None, "{old:?} {new:?}");
        }
    }
}
