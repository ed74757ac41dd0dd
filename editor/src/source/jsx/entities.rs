//! Text as JSX writes it and as people read it.

use oxc::syntax::xml_entities::XML_ENTITIES;

/// Replaces entities by their characters. What is no entity stays.
pub(super) fn decode(raw: &str) -> String {
    let mut decoded = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(start) = rest.find('&') {
        decoded.push_str(&rest[..start]);
        rest = &rest[start..];
        // The longest name has eight letters; a number of a character not many more digits.
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        match end.and_then(|end| Some((character(&rest[1..end])?, end))) {
            Some((character, end)) => {
                decoded.push(character);
                rest = &rest[end + 1..];
            }
            None => {
                decoded.push('&');
                rest = &rest[1..];
            }
        }
    }
    decoded.push_str(rest);
    decoded
}

fn character(entity: &str) -> Option<char> {
    let Some(number) = entity.strip_prefix('#') else {
        return XML_ENTITIES.get(entity).copied();
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    code.ok().and_then(char::from_u32)
}

/// A JSX text as the page has it: entities decoded, line breaks with the white space around them gone.
pub(super) fn shown(raw: &str) -> String {
    let blank = |character: char| matches!(character, ' ' | '\t');
    let lines: Vec<&str> = raw.split(['\n', '\r']).collect();
    let last = lines.len() - 1;
    let kept = lines.iter().enumerate().filter_map(|(index, line)| {
        let line = if index == 0 {
            line
        } else {
            line.trim_start_matches(blank)
        };
        let line = if index == last {
            line
        } else {
            line.trim_end_matches(blank)
        };
        (!line.is_empty()).then(|| decode(line))
    });
    kept.collect::<Vec<_>>().join(" ")
}

/// A text as the value of an attribute in these quotes.
pub(super) fn attribute(text: &str, quote: char) -> String {
    let mut written = String::with_capacity(text.len());
    for (offset, character) in text.char_indices() {
        match character {
            '&' if text[offset + 1..].starts_with(|next: char| next == '#' || next.is_ascii_alphabetic()) => {
                written.push_str("&amp;");
            }
            '\n' => written.push_str("&#10;"),
            '\r' => written.push_str("&#13;"),
            '"' if quote == '"' => written.push_str("&quot;"),
            '\'' if quote == '\'' => written.push_str("&#39;"),
            _ => written.push(character),
        }
    }
    written
}

/// A text as a string of a script in these quotes, which may be backticks.
pub(super) fn script(text: &str, quote: char) -> String {
    let mut written = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\n' if quote != '`' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\u{2028}' => written.push_str("\\u2028"),
            '\u{2029}' => written.push_str("\\u2029"),
            '\\' => written.push_str("\\\\"),
            '$' if quote == '`' && characters.peek() == Some(&'{') => written.push_str("\\$"),
            _ if character == quote => written.extend(['\\', quote]),
            _ => written.push(character),
        }
    }
    written
}

/// A text between tags, with the white space at its ends.
pub(super) fn text(text: &str) -> String {
    let blank = |character: char| character.is_ascii_whitespace();
    if text.is_empty() || text.starts_with(blank) || text.ends_with(blank) || text.contains('\n') {
        return format!("{{'{}'}}", script(text, '\''));
    }
    let mut written = String::with_capacity(text.len());
    for (offset, character) in text.char_indices() {
        match character {
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            '{' => written.push_str("&#123;"),
            '}' => written.push_str("&#125;"),
            '&' if text[offset + 1..].starts_with(|next: char| next == '#' || next.is_ascii_alphabetic()) => {
                written.push_str("&amp;");
            }
            _ => written.push(character),
        }
    }
    written
}
