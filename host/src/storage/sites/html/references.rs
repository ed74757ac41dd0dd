//! Character references in attribute values (`&#47;`, `&sol;`): what a browser reads, and the position of each byte of it in the
//! page.

use std::borrow::Cow;

/// The longest reference that is read, in bytes. The longest name of HTML has 33.
const MAX_REFERENCE: usize = 64;

/// An attribute's value as a browser reads it.
pub struct Decoded {
    text: Vec<u8>,
    /// The position in the value of each byte of `text`, and then the end of the value. All bytes of a reference's character
    /// stand at its `&`.
    places: Vec<usize>,
}

impl Decoded {
    /// `None` for a value without references: it is its own text.
    pub fn of(value: &[u8]) -> Option<Self> {
        if !value.contains(&b'&') {
            return None;
        }
        let mut decoded = Self {
            text: Vec::with_capacity(value.len()),
            places: Vec::with_capacity(value.len() + 1),
        };
        let mut at = 0;
        while at < value.len() {
            let (length, character) = first(&value[at..]);
            decoded.text.extend_from_slice(&character);
            decoded.places.resize(decoded.text.len(), at);
            at += length;
        }
        decoded.places.push(value.len());
        Some(decoded)
    }

    /// What the browser reads.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The position in the value of the byte at `index` of the text.
    pub fn place(&self, index: usize) -> usize {
        self.places[index]
    }

    /// How many bytes of the value the byte at `index` of the text takes.
    pub fn length(&self, index: usize) -> usize {
        self.places[index + 1] - self.places[index]
    }
}

/// How many bytes of the value say `expected`, when it begins with that, in whatever spelling.
pub fn spelled(value: &[u8], expected: &[u8]) -> Option<usize> {
    let mut at = 0;
    let mut rest = expected;
    while !rest.is_empty() {
        let (length, character) = first(value.get(at..).filter(|left| !left.is_empty())?);
        rest = rest.strip_prefix(&*character)?;
        at += length;
    }
    Some(at)
}

/// The first byte of a value, or the character of the reference it begins with, and how many bytes of the value that takes.
fn first(value: &[u8]) -> (usize, Cow<'_, [u8]>) {
    if let Some(reference) = reference(value) {
        let decoded = htmlize::unescape_attribute(reference);
        if decoded != reference {
            return (reference.len(), decoded.into_owned().into_bytes().into());
        }
    }
    (1, value[..1].into())
}

/// The text of a reference at the start of a value. One with a name counts only with its semicolon: those that may go
/// without (`&amp`) stand for nothing that matters in an address.
fn reference(value: &[u8]) -> Option<&str> {
    let rest = value.strip_prefix(b"&")?;
    let rest = &rest[..rest.len().min(MAX_REFERENCE)];
    let run =
        |from: usize, allowed: fn(&u8) -> bool| from + rest[from..].iter().take_while(|byte| allowed(byte)).count();
    let (end, is_number) = match rest {
        [b'#', b'x' | b'X', ..] => (run(2, u8::is_ascii_hexdigit), true),
        [b'#', ..] => (run(1, u8::is_ascii_digit), true),
        _ => (run(0, u8::is_ascii_alphanumeric), false),
    };
    let closed = rest.get(end) == Some(&b';');
    if !closed && (!is_number || end == MAX_REFERENCE) {
        return None;
    }
    std::str::from_utf8(&value[..1 + end + usize::from(closed)]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(value: &str) -> String {
        let decoded = Decoded::of(value.as_bytes());
        decoded.map_or(value.to_owned(), |decoded| {
            String::from_utf8_lossy(decoded.text()).into_owned()
        })
    }

    #[test]
    fn references_are_read_as_browsers_do() {
        for (value, expected) in [
            ("/x", "/x"),
            ("&#47;x", "/x"),
            ("&#x2F;x", "/x"),
            ("&#X2f;x", "/x"),
            ("&#0000047;x", "/x"),
            ("&#47x", "/x"),
            ("&sol;x", "/x"),
            ("&Sol;x", "&Sol;x"),
            ("&solx", "&solx"),
            ("&bsol;&Tab;&colon;", "\\\t:"),
            ("/x?a=1&amp;b=2&c", "/x?a=1&b=2&c"),
            ("&", "&"),
            ("&#;&#x;", "&#;&#x;"),
        ] {
            assert_eq!(text(value), expected, "{value}");
        }
    }

    #[test]
    fn each_byte_knows_where_it_stands() {
        let decoded = Decoded::of(b"a&#47;&auml;b").unwrap();
        assert_eq!(decoded.text(), "a/\u{e4}b".as_bytes());
        assert_eq!((decoded.place(1), decoded.length(1)), (1, 5));
        assert_eq!((decoded.place(4), decoded.length(4)), (12, 1));
    }

    #[test]
    fn a_prefix_is_found_in_any_spelling() {
        assert_eq!(spelled(b"/p/a/x", b"/p/a/"), Some(5));
        assert_eq!(spelled(b"&#47;p&sol;a/x", b"/p/a/"), Some(13));
        assert_eq!(spelled(b"/p/b/x", b"/p/a/"), None);
        assert_eq!(spelled(b"&#47;p", b"/p/a/"), None);
    }

    proptest! {
        #[test]
        fn places_never_go_back_and_cover_the_value(value in "[a-z/&#;0-9x\u{e4}]{0,40}") {
            if let Some(decoded) = Decoded::of(value.as_bytes()) {
                prop_assert_eq!(decoded.places.len(), decoded.text.len() + 1);
                prop_assert!(decoded.places.is_sorted());
                prop_assert_eq!(*decoded.places.last().unwrap(), value.len());
            }
        }
    }
}
