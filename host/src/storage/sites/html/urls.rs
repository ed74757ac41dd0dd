//! Addresses inside attribute values: their positions, and how they resolve.

use std::ops::Range;

/// How an address resolves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlKind {
    /// Against the root of the origin; begins with this many bytes that stand for the slash.
    Root(u8),
    /// Against the folder of the page.
    Relative,
    /// Against the page itself: empty, a query or a fragment (`true`).
    Page {
        /// Whether it is a fragment.
        fragment: bool,
    },
    /// It names its own origin or scheme, or is no address yet.
    Elsewhere,
}

/// Where an address begins in a value (browsers ignore leading spaces), and how it resolves.
pub fn classify(value: &[u8]) -> (usize, UrlKind) {
    let start = value.iter().position(|byte| *byte > b' ').unwrap_or(value.len());
    let address = &value[start..];
    let kind = match address {
        [] | [b'?', ..] => UrlKind::Page { fragment: false },
        [b'#', ..] => UrlKind::Page { fragment: true },
        // In a web address a backslash is a slash, and tabs and line ends are nothing.
        [b'/' | b'\\', rest @ ..] => match rest.iter().find(|byte| !matches!(byte, b'\t' | b'\n' | b'\r')) {
            Some(b'/' | b'\\') => UrlKind::Elsewhere,
            _ => UrlKind::Root(1),
        },
        // Placeholders of templates that a script fills in later.
        [b'{' | b'$' | b'<' | b'[', ..] => UrlKind::Elsewhere,
        _ if has_scheme(address) => UrlKind::Elsewhere,
        _ => UrlKind::Relative,
    };
    (start, kind)
}

/// Whether an address begins with a scheme: a letter, then letters, digits, `+`, `-`, `.`, then a colon.
fn has_scheme(address: &[u8]) -> bool {
    // Browsers drop tabs and line ends before they look: `java\nscript:` has a scheme too.
    let mut bytes = address.iter().filter(|byte| !matches!(byte, b'\t' | b'\n' | b'\r'));
    bytes.next().is_some_and(u8::is_ascii_alphabetic)
        && bytes.find(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))) == Some(&b':')
}

/// The addresses of a `srcset`: `url descriptor, url descriptor`.
pub fn srcset(value: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        at += run(&value[at..], |byte| byte.is_ascii_whitespace() || byte == b',');
        let len = run(&value[at..], |byte| !byte.is_ascii_whitespace());
        if len == 0 {
            return found;
        }
        let (start, end) = (at, at + len);
        at = end;
        let commas = value[start..end].iter().rev().take_while(|byte| **byte == b',').count();
        found.push(start..end - commas);
        if commas == 0 {
            let mut depth = 0_u32;
            at += run(&value[at..], |byte| {
                match byte {
                    b'(' => depth += 1,
                    b')' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                byte != b',' || depth > 0
            });
        }
    }
}

/// The addresses of a list that is separated by spaces (`ping`).
pub fn list(value: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        at += run(&value[at..], |byte| byte.is_ascii_whitespace());
        let len = run(&value[at..], |byte| !byte.is_ascii_whitespace());
        if len == 0 {
            return found;
        }
        found.push(at..at + len);
        at += len;
    }
}

/// The address in the content of a `meta` refresh: `5; url='/x'`. `None` when it reloads the page itself.
pub fn refresh(value: &[u8]) -> Option<Range<usize>> {
    let space = |byte: u8| byte.is_ascii_whitespace();
    let mut at = run(value, space);
    at += run(&value[at..], |byte| byte.is_ascii_digit() || byte == b'.');
    at += run(&value[at..], space);
    at += run(value.get(at..at + 1)?, |byte| matches!(byte, b';' | b','));
    at += run(&value[at..], space);
    if value
        .get(at..at + 3)
        .is_some_and(|word| word.eq_ignore_ascii_case(b"url"))
    {
        let equals = at + 3 + run(&value[at + 3..], space);
        if value.get(equals) == Some(&b'=') {
            at = equals + 1 + run(&value[equals + 1..], space);
        }
    }
    let end = match value.get(at) {
        Some(quote @ (b'"' | b'\'')) => {
            at += 1;
            at + run(&value[at..], |byte| byte != *quote)
        }
        _ => value.len(),
    };
    (at < end).then_some(at..end)
}

/// The strings of an import map that are addresses, with the escape `\/` counted as two bytes of a slash.
pub fn import_map(json: &[u8]) -> Vec<(usize, UrlKind)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(quote) = json[at..].iter().position(|byte| *byte == b'"') {
        let start = at + quote + 1;
        let mut end = start;
        while end < json.len() && json[end] != b'"' {
            end += if json[end] == b'\\' { 2 } else { 1 };
        }
        let text = &json[start..end.min(json.len())];
        match text {
            [b'\\', b'/', b'\\', b'/', ..] | [b'\\', b'/', b'/', ..] | [b'/', b'\\', b'/', ..] | [b'/', b'/', ..] => {}
            [b'\\', b'/', ..] => found.push((start, UrlKind::Root(2))),
            [b'/', ..] => found.push((start, UrlKind::Root(1))),
            // Anything else that is not `./` or `../` is the name of a module.
            [b'.', b'/', ..] | [b'.', b'.', b'/', ..] => found.push((start, UrlKind::Relative)),
            _ => {}
        }
        at = (end + 1).min(json.len());
    }
    found
}

fn run(bytes: &[u8], mut matches: impl FnMut(u8) -> bool) -> usize {
    bytes.iter().position(|byte| !matches(*byte)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn addresses_resolve_as_browsers_do() {
        use UrlKind::*;
        for (value, expected) in [
            ("/a.js", (0, Root(1))),
            ("/", (0, Root(1))),
            ("  \n/a", (3, Root(1))),
            ("\\a", (0, Root(1))),
            ("/\ta", (0, Root(1))),
            ("//host/a", (0, Elsewhere)),
            ("/\\host", (0, Elsewhere)),
            ("/\t/host", (0, Elsewhere)),
            ("https://x/", (0, Elsewhere)),
            ("data:,x", (0, Elsewhere)),
            ("mailto:a@b", (0, Elsewhere)),
            ("JavaScript:x()", (0, Elsewhere)),
            ("java\nscript:x()", (0, Elsewhere)),
            ("{{ url }}", (0, Elsewhere)),
            ("a.js", (0, Relative)),
            ("./a:b", (0, Relative)),
            ("../a", (0, Relative)),
            ("a/b:c", (0, Relative)),
            ("#x", (0, Page { fragment: true })),
            ("?x", (0, Page { fragment: false })),
            ("", (0, Page { fragment: false })),
        ] {
            assert_eq!(classify(value.as_bytes()), expected, "{value:?}");
        }
    }

    fn texts(value: &str, ranges: Vec<Range<usize>>) -> Vec<&str> {
        ranges.into_iter().map(|range| &value[range]).collect()
    }

    #[test]
    fn lists_are_taken_apart() {
        for (value, expected) in [
            ("/a.png 1x, /b.png 2x", vec!["/a.png", "/b.png"]),
            ("/a.png", vec!["/a.png"]),
            ("/a.png, /b.png 100w", vec!["/a.png", "/b.png"]),
            (
                "data:image/png;base64,AA== 1x,/b 2x",
                vec!["data:image/png;base64,AA==", "/b"],
            ),
            (" , /a w(1,2), /b", vec!["/a", "/b"]),
            ("", vec![]),
        ] {
            assert_eq!(texts(value, srcset(value.as_bytes())), expected, "{value:?}");
        }
        assert_eq!(texts(" /a  b ", list(b" /a  b ")), ["/a", "b"]);
    }

    #[test]
    fn refreshes_are_read() {
        for (value, expected) in [
            ("0;url=/x", Some("/x")),
            ("5; URL = '/x y' z", Some("/x y")),
            ("0,/x", Some("/x")),
            ("0; \"/x\"", Some("/x")),
            ("0; url.html", Some("url.html")),
            ("5", None),
            ("5;", None),
            ("", None),
        ] {
            assert_eq!(
                refresh(value.as_bytes()).map(|range| &value[range]),
                expected,
                "{value:?}"
            );
        }
    }

    #[test]
    fn import_maps_are_read() {
        use UrlKind::*;
        let map = br#"{"imports":{"vue":"/v.js","a\"/b":"\/c.js","x/":"./x/","y":"//h/y","z":"https://z/"}}"#;
        let found = import_map(map);
        let texts: Vec<_> = found.iter().map(|(at, kind)| (&map[*at..*at + 3], *kind)).collect();
        assert_eq!(texts, [(&b"/v."[..], Root(1)), (b"\\/c", Root(2)), (b"./x", Relative)]);
    }

    proptest! {
        #[test]
        fn nothing_panics(value in proptest::collection::vec(any::<u8>(), 0..60)) {
            classify(&value);
            for range in srcset(&value).into_iter().chain(list(&value)).chain(refresh(&value)) {
                prop_assert!(!value[range].is_empty());
            }
            import_map(&value);
        }
    }
}
