//! Character references: read as browsers read them, written only where something else would be read.

use std::borrow::Cow;

/// The characters of a text between tags.
#[must_use]
pub fn decode(text: &str) -> Cow<'_, str> {
    if text.contains('&') {
        htmlize::unescape(text)
    } else {
        Cow::Borrowed(text)
    }
}

/// The characters of an attribute's value.
#[must_use]
pub fn decode_attribute(value: &str) -> Cow<'_, str> {
    if value.contains('&') {
        htmlize::unescape_attribute(value)
    } else {
        Cow::Borrowed(value)
    }
}

/// A text as it is written between tags. `verbatim` is set in `v-pre`, where braces mean nothing.
#[must_use]
pub fn text(text: &str, verbatim: bool) -> String {
    let mut written = String::with_capacity(text.len());
    for (offset, character) in text.char_indices() {
        let rest = &text[offset + character.len_utf8()..];
        match character {
            '<' => written.push_str("&lt;"),
            '&' if begins_reference(rest) => written.push_str("&amp;"),
            // A brace at the end could join one that follows.
            '{' if !verbatim && (rest.is_empty() || rest.starts_with('{')) => written.push_str("&#123;"),
            '\u{a0}' => written.push_str("&nbsp;"),
            _ => written.push(character),
        }
    }
    written
}

/// A value as it is written in an attribute with this quote.
#[must_use]
pub fn attribute(value: &str, quote: char) -> String {
    let mut written = String::with_capacity(value.len());
    for (offset, character) in value.char_indices() {
        match character {
            '&' if begins_reference(&value[offset + 1..]) => written.push_str("&amp;"),
            '"' if quote == '"' => written.push_str("&quot;"),
            '\'' if quote == '\'' => written.push_str("&#39;"),
            _ => written.push(character),
        }
    }
    written
}

fn begins_reference(rest: &str) -> bool {
    rest.starts_with(|next: char| next == '#' || next.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for sample in [
            "a & b &amp; &copy &#65;",
            "<b> 1 < 2",
            "{{ a }} {",
            "it's \"quoted\"",
            "a\u{a0}b",
            "&",
        ] {
            assert_eq!(decode(&text(sample, false)), sample);
            for quote in ['"', '\''] {
                let written = attribute(sample, quote);
                assert!(!written.contains(quote));
                assert_eq!(decode_attribute(&written), sample);
            }
        }
    }

    #[test]
    fn little_is_escaped() {
        assert_eq!(text("Q & A: 5 > 4 { x }", false), "Q & A: 5 > 4 { x }");
        assert_eq!(text("{{ x }}", true), "{{ x }}");
        assert_eq!(text("{{{", false), "&#123;&#123;&#123;");
        assert_eq!(attribute("it's & more", '"'), "it's & more");
    }
}
