//! Character references: who reads which.
//!
//! JSX reads numbers and the 253 names of HTML 4 and XML, closed by a semicolon: so do the parser, whose table this is,
//! TypeScript and Babel. HTML, and with it Vue, reads the 2,231 names of today's HTML, some of them without a semicolon, and
//! takes numbers from 128 to 159 for what Windows meant by them. Two names mean different characters: `lang` and `rang`.

use std::borrow::Cow;

use oxc::syntax::xml_entities::XML_ENTITIES;

/// Longer than any name, and than any number people write.
const MAX_LENGTH: usize = 40;

/// The characters that a text or an attribute of JSX stands for. What is no reference stays as it is.
#[must_use]
pub fn jsx(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        result.push_str(&rest[..at]);
        rest = &rest[at..];
        match length(rest).and_then(|length| Some((length, jsx_meaning(&rest[1..length - 1])?))) {
            Some((length, character)) => {
                result.push(character);
                rest = &rest[length..];
            }
            None => {
                result.push('&');
                rest = &rest[1..];
            }
        }
    }
    result.push_str(rest);
    Cow::Owned(result)
}

/// The characters that a text between tags of HTML stands for.
#[must_use]
pub fn html(text: &str) -> Cow<'_, str> {
    match text.contains('&') {
        true => htmlize::unescape(text),
        false => Cow::Borrowed(text),
    }
}

/// The characters that an attribute of HTML stands for: `&copy=` is no reference there.
#[must_use]
pub fn html_attribute(value: &str) -> Cow<'_, str> {
    match value.contains('&') {
        true => htmlize::unescape_attribute(value),
        false => Cow::Borrowed(value),
    }
}

/// The characters of an attribute that JSX and HTML read alike; `None` when they do not.
#[must_use]
pub fn alike(value: &str) -> Option<Cow<'_, str>> {
    let read = html_attribute(value);
    (read == jsx(value)).then_some(read)
}

/// The length of the reference that a text begins with, from `&` to `;`. Whether it means something is not told.
pub(super) fn length(text: &str) -> Option<usize> {
    let name = text.strip_prefix('&')?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
    let end = name.bytes().take(MAX_LENGTH).take_while(is_part).count();
    (end > 0 && name.as_bytes().get(end) == Some(&b';')).then_some(end + 2)
}

/// Whether somebody could take an `&` before `rest` for the beginning of a reference.
#[must_use]
pub fn may_begin(rest: &str) -> bool {
    rest.starts_with(|next: char| next == '#' || next.is_ascii_alphabetic())
}

fn jsx_meaning(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        return XML_ENTITIES.get(name).copied();
    };
    // A sign is read as a part of a number elsewhere.
    let code = match number.strip_prefix('x') {
        Some(digits) if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) => u32::from_str_radix(digits, 16),
        None if number.bytes().all(|digit| digit.is_ascii_digit()) => number.parse(),
        _ => return None,
    };
    char::from_u32(code.ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_read_and_other_ampersands_stay() {
        for (text, shown) in [
            ("a&nbsp;b&#39;&#x1F600;&lt;", "a\u{a0}b'😀<"),
            ("R&D & &unknown; &", "R&D & &unknown; &"),
            ("&#xd800;&#;&;é&", "&#xd800;&#;&;é&"),
            ("&#x000000041;&#+65;&#X41;", "A&#+65;&#X41;"),
        ] {
            assert_eq!(jsx(text), shown);
        }
    }

    #[test]
    fn jsx_knows_fewer_names_than_html_and_two_others() {
        for (text, in_jsx, in_html) in [
            ("&hellip;", "…", "…"),
            ("&apos;", "'", "'"),
            ("&check;", "&check;", "✓"),
            ("&copy 1", "&copy 1", "© 1"),
            ("&#128;", "\u{80}", "€"),
            ("&lang;&rang;", "\u{2329}\u{232a}", "⟨⟩"),
        ] {
            assert_eq!((&*jsx(text), &*html(text)), (in_jsx, in_html));
            let both = (in_jsx == in_html).then_some(in_html);
            assert_eq!(alike(text).as_deref(), both);
        }
        assert_eq!(
            (html("&copy=1"), html_attribute("&copy=1")),
            ("©=1".into(), "&copy=1".into())
        );
        assert_eq!(XML_ENTITIES.len(), 253);
        let others = XML_ENTITIES
            .entries()
            .filter(|(name, character)| html(&format!("&{name};")) != character.to_string());
        let mut others: Vec<_> = others.map(|(name, _)| *name).collect();
        others.sort_unstable();
        assert_eq!(others, ["lang", "rang"]);
    }
}
