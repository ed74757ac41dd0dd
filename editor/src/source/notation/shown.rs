//! What characters of markup show: white space and entities.

use std::ops::Range;

use oxc::syntax::xml_entities::XML_ENTITIES;

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
    let text = unescape(&lines.join(" "));
    let range = start..start + core.len();
    Some(Shown { range, text })
}

/// Replaces character references by what they mean. What is no reference stays as it is.
#[must_use]
pub fn unescape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        result.push_str(&rest[..at]);
        rest = &rest[at..];
        // The longest name has eight letters.
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        match end.and_then(|end| Some((end, meaning(&rest[1..end])?))) {
            Some((end, character)) => {
                result.push(character);
                rest = &rest[end + 1..];
            }
            None => {
                result.push('&');
                rest = &rest[1..];
            }
        }
    }
    result.push_str(rest);
    result
}

fn meaning(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        return XML_ENTITIES.get(name).copied();
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
        None => number.parse(),
    };
    char::from_u32(code.ok()?)
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

    #[test]
    fn entities_are_read_and_other_ampersands_stay() {
        for (text, shown) in [
            ("a&nbsp;b&#39;&#x1F600;&lt;", "a\u{a0}b'😀<"),
            ("R&D & &unknown; &", "R&D & &unknown; &"),
            ("&#xd800;&#;&;é&", "&#xd800;&#;&;é&"),
        ] {
            assert_eq!(unescape(text), shown);
        }
    }
}
