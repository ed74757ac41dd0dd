//! How characters are written at their place in the source: what has to be escaped there, and what cannot stand there.

pub mod references;
mod shown;
mod units;

pub use shown::{Shown, jsx_text};
pub use units::{smallest, unescaped};

use references::may_begin;

/// The ways of writing text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// Between JSX tags.
    JsxText,
    /// A JSX attribute in this quote.
    JsxAttribute(char),
    /// A string of a script in this quote; a backtick is a template literal's fixed part.
    Script(char, Within),
    /// A string of a JSON file.
    Json,
    /// A number of a script or a JSON file.
    Number,
    /// Between tags of a Vue template.
    HtmlText,
    /// Between tags in `v-pre`, where braces mean nothing.
    VerbatimText,
    /// An attribute of a Vue template in this quote.
    HtmlAttribute(char),
}

/// What a piece of script stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// A file of its own.
    File,
    /// A JSON file.
    Json,
    /// A `<script>` of a Vue file: `</script` would end it.
    Block,
    /// `{{ }}` of a Vue template: `}}` would end it, and entities are read.
    Interpolation,
    /// An attribute of a Vue template in this quote.
    Attribute(char),
}

impl Notation {
    /// Whether a line break can be written here so that it is one.
    #[must_use]
    pub fn takes_line_breaks(self) -> bool {
        matches!(self, Self::JsxText | Self::HtmlText | Self::VerbatimText)
    }

    /// `text` as it has to be written here, where it is shown on one line: a line break is a tag or a reference.
    #[must_use]
    pub fn write(self, text: &str) -> String {
        let line_break = match self {
            Self::JsxText | Self::HtmlText | Self::VerbatimText => "<br />",
            _ => "&#10;",
        };
        self.written(text, Some(line_break))
    }

    /// `text` as it has to be written here, where line breaks of the source count: in `pre`, and in attributes.
    #[must_use]
    pub fn write_with_lines(self, text: &str) -> String {
        self.written(text, None)
    }

    fn written(self, text: &str, line_break: Option<&str>) -> String {
        match self {
            Self::JsxText => markup(text, &['<', '>', '{', '}'], line_break),
            Self::HtmlText => html(&markup(text, &['<'], line_break)),
            Self::VerbatimText => markup(text, &['<'], line_break),
            Self::JsxAttribute(quote) | Self::HtmlAttribute(quote) => markup(text, &[quote], line_break),
            Self::Json => json(text),
            Self::Number => text.to_owned(),
            Self::Script(quote, within) => script(text, quote, within),
        }
    }
}

/// References for what has a meaning in markup. An `&` stays when nothing could take it for the beginning of one. `>` means
/// something between JSX tags only.
fn markup(text: &str, special: &[char], line_break: Option<&str>) -> String {
    let mut written = String::with_capacity(text.len());
    let mut characters = text.char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        match (character, line_break) {
            ('\r', Some(_)) if matches!(characters.peek(), Some((_, '\n'))) => {}
            ('\r' | '\n', Some(line_break)) => written.push_str(line_break),
            // Seen in the source only when it is spelled out.
            ('\u{a0}', _) => written.push_str("&nbsp;"),
            ('&', _) if may_begin(&text[offset + 1..]) => written.push_str("&amp;"),
            _ if special.contains(&character) => written.push_str(reference(character)),
            _ => written.push(character),
        }
    }
    written
}

/// `{{` begins an expression in a template; what follows a last `{` is not known here.
fn html(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for (offset, character) in text.char_indices() {
        match character {
            '{' if text[offset + 1..].is_empty() || text[offset + 1..].starts_with('{') => written.push_str("&#123;"),
            _ => written.push(character),
        }
    }
    written
}

fn reference(character: char) -> &'static str {
    match character {
        '<' => "&lt;",
        '>' => "&gt;",
        '{' => "&#123;",
        '}' => "&#125;",
        '\'' => "&#39;",
        _ => "&quot;",
    }
}

fn json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn script(text: &str, quote: char, within: Within) -> String {
    let mut written = String::with_capacity(text.len());
    let in_markup = matches!(within, Within::Interpolation | Within::Attribute(_));
    for (offset, character) in text.char_indices() {
        let rest = &text[offset + character.len_utf8()..];
        match character {
            '\\' => written.push_str("\\\\"),
            '\n' if quote == '`' => written.push('\n'),
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\u{2028}' => written.push_str("\\u2028"),
            '\u{2029}' => written.push_str("\\u2029"),
            '$' if quote == '`' && rest.starts_with('{') => written.push_str("\\$"),
            '<' if within == Within::Block && rest.starts_with('/') => hexadecimal(&mut written, character),
            '}' if within == Within::Interpolation && rest.starts_with('}') => hexadecimal(&mut written, character),
            '&' if in_markup && may_begin(rest) => hexadecimal(&mut written, character),
            _ if within == Within::Attribute(character) => hexadecimal(&mut written, character),
            _ if character == quote => written.extend(['\\', character]),
            _ => written.push(character),
        }
    }
    written
}

/// `\x3c`: for ASCII only.
fn hexadecimal(written: &mut String, character: char) {
    written.push_str(&format!("\\x{:02x}", u32::from(character)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_for_its_place() {
        let file = Within::File;
        for (notation, text, written) in [
            (
                Notation::JsxText,
                "a < b & {c} &amp",
                "a &lt; b & &#123;c&#125; &amp;amp",
            ),
            (Notation::JsxText, "one\r\ntwo", "one<br />two"),
            (Notation::JsxAttribute('"'), r#"6" 'x' <b>"#, "6&quot; 'x' <b>"),
            (Notation::JsxAttribute('\''), "it's", "it&#39;s"),
            (Notation::HtmlText, "{{ a }} <b>", "&#123;{ a }} &lt;b>"),
            (Notation::HtmlText, "Q & A: 5 > 4 { x }", "Q & A: 5 > 4 { x }"),
            (Notation::HtmlText, "{{{", "&#123;&#123;&#123;"),
            (Notation::VerbatimText, "{{ x }}", "{{ x }}"),
            (Notation::HtmlAttribute('"'), "it's & more", "it's & more"),
            (Notation::Script('\'', file), r#"it's a "\" "#, r#"it\'s a "\\" "#),
            (Notation::Script('"', file), "a\nb", "a\\nb"),
            (Notation::Script('`', file), "`${a}` $5\nb", "\\`\\${a}\\` $5\nb"),
            (Notation::Script('\'', Within::Block), "</script>", "\\x3c/script>"),
            (
                Notation::Script('\'', Within::Interpolation),
                "a }} & <b",
                "a \\x7d} & <b",
            ),
            (
                Notation::Script('\'', Within::Attribute('"')),
                "\"a\" 'b'",
                "\\x22a\\x22 \\'b\\'",
            ),
            (Notation::Json, "a \"b\"\\\n😀", "a \\\"b\\\"\\\\\\n😀"),
        ] {
            assert_eq!(notation.write(text), written, "{notation:?}");
        }
        assert_eq!(Notation::HtmlText.write_with_lines("a {\r\n b"), "a {\r\n b");
    }

    #[test]
    fn what_is_written_for_html_is_read_again() {
        for sample in [
            "a & b &amp; &copy &#65;",
            "<b> 1 < 2",
            "{{ a }} {",
            "it's \"quoted\"",
            "a\u{a0}b",
            "&",
        ] {
            assert_eq!(references::html(&Notation::HtmlText.write(sample)), sample);
            for quote in ['"', '\''] {
                let written = Notation::HtmlAttribute(quote).write(sample);
                assert!(!written.contains(quote));
                assert_eq!(references::html_attribute(&written), sample);
            }
        }
    }
}
