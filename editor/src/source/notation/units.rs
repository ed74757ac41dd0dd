//! The pieces a written text consists of, so that an edit leaves those alone which it does not change: an entity stays an
//! entity, and a line break in the source stays where it is.

use std::ops::Range;

use super::{Notation, Within, references};

/// A piece of a written text: its range, and what it shows.
struct Unit<'t> {
    range: Range<usize>,
    shows: std::borrow::Cow<'t, str>,
}

/// The smallest replacement in `written`, which shows `old`, after which it shows `new`.
pub fn smallest(notation: Notation, written: &str, old: &str, new: &str) -> (Range<usize>, String) {
    let whole = || (0..written.len(), notation.write(new));
    let units = units(notation, written);
    if !shows(&units, old) {
        return whole();
    }
    let mut before = 0;
    let mut same = 0;
    for unit in &units {
        if !new[same..].starts_with(&*unit.shows) {
            break;
        }
        same += unit.shows.len();
        before += 1;
    }
    let mut after = units.len();
    let mut end = new.len();
    while after > before && new[same..end].ends_with(&*units[after - 1].shows) {
        after -= 1;
        end -= units[after].shows.len();
    }
    let edge = |index: usize| units.get(index).map_or(written.len(), |unit| unit.range.start);
    let range = edge(before)..edge(after);
    let mut text = notation.write(&new[same..end]);
    // A brace at the end is written for the case that another follows, which is known inside of the text.
    if notation == Notation::HtmlText
        && written[range.end..].starts_with(|next| next != '{')
        && let Some(start) = text.strip_suffix("&#123;")
    {
        text = format!("{start}{{");
    }
    // Characters on both sides of the edge may mean something together: `$` and `{`.
    let result = format!("{}{text}{}", &written[..range.start], &written[range.end..]);
    let reads = self::units(notation, &result);
    let ends = match notation {
        Notation::Script('`', _) => "${",
        Notation::Script(_, Within::Block) => "</",
        Notation::Script(_, Within::Interpolation) => "}}",
        Notation::HtmlText => "{{",
        _ => "\0",
    };
    let ended = reads.iter().any(|unit| result[unit.range.start..].starts_with(ends));
    if new.contains(['\n', '\r']) || (shows(&reads, new) && !ended) {
        (range, text)
    } else {
        whole()
    }
}

fn shows(units: &[Unit<'_>], text: &str) -> bool {
    let mut rest = text;
    let all = units.iter().all(|unit| {
        let found = rest.strip_prefix(&*unit.shows);
        rest = found.unwrap_or(rest);
        found.is_some()
    });
    all && rest.is_empty()
}

fn units(notation: Notation, written: &str) -> Vec<Unit<'_>> {
    let mut units = Vec::new();
    let mut at = 0;
    while at < written.len() {
        let rest = &written[at..];
        let (length, shows) = match notation {
            Notation::JsxText => white(rest).or_else(|| reference(rest, references::jsx)),
            Notation::HtmlText | Notation::VerbatimText => white(rest).or_else(|| reference(rest, references::html)),
            Notation::JsxAttribute(_) => reference(rest, references::jsx),
            Notation::HtmlAttribute(_) => reference(rest, references::html_attribute),
            Notation::Script(_, Within::Interpolation | Within::Attribute(_)) => {
                reference(rest, references::html_attribute).or_else(|| escape(rest))
            }
            Notation::Script(..) | Notation::Json => escape(rest),
            Notation::Number => None,
        }
        .unwrap_or_else(|| {
            let length = rest.chars().next().map_or(1, char::len_utf8);
            (length, rest[..length].into())
        });
        let range = at..at + length;
        units.push(Unit { range, shows });
        at += length;
    }
    units
}

/// White space with a line end in it shows one space.
fn white(text: &str) -> Option<(usize, std::borrow::Cow<'_, str>)> {
    let length = text.len() - text.trim_start_matches([' ', '\t', '\n', '\r']).len();
    text[..length].contains(['\n', '\r']).then(|| (length, " ".into()))
}

type Read = for<'t> fn(&'t str) -> std::borrow::Cow<'t, str>;

fn reference(text: &str, read: Read) -> Option<(usize, std::borrow::Cow<'_, str>)> {
    let length = references::length(text)?;
    let meaning = read(&text[..length]);
    (meaning != text[..length]).then_some((length, meaning))
}

/// The characters that a string of a script or of JSON stands for; `None` when it holds an escape nobody reads here.
#[must_use]
pub fn unescaped(raw: &str) -> Option<std::borrow::Cow<'_, str>> {
    if !raw.contains('\\') {
        return Some(raw.into());
    }
    let mut result = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        result.push_str(&rest[..at]);
        let (length, meaning) = escape(&rest[at..])?;
        result.push_str(&meaning);
        rest = &rest[at + length..];
    }
    result.push_str(rest);
    Some(result.into())
}

/// `\n`, `\'`, `\x26`, `\u2028`, `\u{1f600}`.
fn escape(text: &str) -> Option<(usize, std::borrow::Cow<'_, str>)> {
    let rest = text.strip_prefix('\\')?;
    let character = rest.chars().next()?;
    let code = |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    let (length, meaning) = match character {
        'n' => (2, '\n'),
        't' => (2, '\t'),
        'r' => (2, '\r'),
        'b' => (2, '\u{8}'),
        'f' => (2, '\u{c}'),
        'v' => (2, '\u{b}'),
        'x' => (4, code(rest.get(1..3)?)?),
        'u' => match rest[1..].strip_prefix('{') {
            Some(digits) => {
                let end = digits.bytes().take(8).position(|byte| byte == b'}')?;
                (end + 4, code(&digits[..end])?)
            }
            // A pair of halves is read as a whole, or left to be written anew.
            None => (6, code(rest.get(1..5)?)?),
        },
        '0'..='9' | '\n' | '\r' => return None,
        other => (1 + other.len_utf8(), other),
    };
    Some((length, meaning.to_string().into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edited(notation: Notation, written: &str, old: &str, new: &str) -> String {
        let (range, text) = smallest(notation, written, old, new);
        format!("{}{text}{}", &written[..range.start], &written[range.end..])
    }

    #[test]
    fn what_an_edit_does_not_change_stays_as_it_is_written() {
        let file = Within::File;
        for (notation, written, old, new, wanted) in [
            (
                Notation::JsxText,
                "Tom &amp; Jerry",
                "Tom & Jerry",
                "Tom & Jerry!",
                "Tom &amp; Jerry!",
            ),
            (
                Notation::JsxText,
                "one\n    two three",
                "one two three",
                "one two 3",
                "one\n    two 3",
            ),
            (Notation::JsxText, "a&nbsp;b", "a\u{a0}b", "c\u{a0}b", "c&nbsp;b"),
            (
                Notation::Script('\'', file),
                "it\\u0027s \\x41",
                "it's A",
                "it's B",
                "it\\u0027s B",
            ),
            (Notation::Script('`', file), "a$b", "a$b", "a${b", "a\\${b"),
            (Notation::Script('`', file), "{a", "{a", "${a", "\\${a"),
            (Notation::Json, "caf\\u00e9 x", "café x", "café y", "caf\\u00e9 y"),
            (Notation::Json, "a", "b", "c", "c"),
            (Notation::HtmlText, "\\", "\\", "{\\", "{\\"),
            (Notation::HtmlText, "{", "{", "{{", "{&#123;"),
            (Notation::HtmlText, "&check; done", "✓ done", "✓ ready", "&check; ready"),
            (
                Notation::JsxText,
                "&check; done",
                "&check; done",
                "&check; ready",
                "&check; ready",
            ),
            // What follows the text may be an interpolation.
            (Notation::HtmlText, "a", "a", "a{", "a&#123;"),
        ] {
            assert_eq!(edited(notation, written, old, new), wanted, "{written}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_shows_what_was_meant(
            old in "[a-c<>{}$`'\"\\\\&;é😀#x0-9 ]{0,12}",
            new in "[a-c<>{}$`'\"\\\\&;é😀#x0-9 ]{0,12}",
            which in 0usize..8,
        ) {
            let notation = [
                Notation::JsxText,
                Notation::JsxAttribute('"'),
                Notation::Script('\'', Within::File),
                Notation::Script('`', Within::Block),
                Notation::Script('"', Within::Interpolation),
                Notation::Script('\'', Within::Attribute('"')),
                Notation::Json,
                Notation::HtmlText,
            ][which];
            let written = notation.write(&old);
            let result = edited(notation, &written, &old, &new);
            prop_assert!(shows(&units(notation, &result), &new), "{result}");
            // The same characters can be written in two ways, so the way back may end at the other one; an undo restores the bytes.
            let back = edited(notation, &result, &new, &old);
            prop_assert!(shows(&units(notation, &back), &old), "{back}");
        }
    }
}
