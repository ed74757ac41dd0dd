//! How characters are written in the string that holds a class list.

use std::borrow::Cow;

/// The place of the string in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// Characters stand for themselves.
    Plain,
    /// The value of an attribute in JSX or HTML within these quotes: character references, no backslashes. An unquoted
    /// value has `' '`.
    Markup(char),
    /// A string or template literal of JavaScript within these quotes: backslashes.
    Script(char),
}

impl Coding {
    /// The characters that `raw` stands for; `None` when it holds an escape this reader does not know.
    #[must_use]
    pub fn decode(self, raw: &str) -> Option<Cow<'_, str>> {
        match self {
            Self::Plain => Some(Cow::Borrowed(raw)),
            Self::Markup(_) if !raw.contains('&') => Some(Cow::Borrowed(raw)),
            Self::Markup(_) => references(raw).map(Cow::Owned),
            Self::Script(_) if !raw.contains('\\') => Some(Cow::Borrowed(raw)),
            Self::Script(_) => escapes(raw).map(Cow::Owned),
        }
    }

    /// `text` as it has to be written here.
    #[must_use]
    pub fn encode(self, text: &str) -> Cow<'_, str> {
        let mut result = String::new();
        for (offset, character) in text.char_indices() {
            let rest = &text[offset + character.len_utf8()..];
            match self {
                Self::Plain => return Cow::Borrowed(text),
                Self::Markup(_)
                    if character == '&' && rest.starts_with(|c: char| c == '#' || c.is_ascii_alphanumeric()) =>
                {
                    result.push_str("&amp;");
                }
                Self::Markup(quote) if character == quote => {
                    result.push_str(if quote == '"' { "&quot;" } else { "&#39;" });
                }
                Self::Script(quote)
                    if character == '\\'
                        || character == quote
                        || (quote == '`' && character == '$' && rest.starts_with('{')) =>
                {
                    result.extend(['\\', character]);
                }
                Self::Script(quote) if quote != '`' && character == '\n' => result.push_str("\\n"),
                _ => result.push(character),
            }
        }
        if result == text {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(result)
        }
    }
}

/// The character references people write in attributes; an unknown one makes the word unreadable instead of wrong.
fn references(raw: &str) -> Option<String> {
    let mut result = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        result.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if !rest.starts_with(|c: char| c == '#' || c.is_ascii_alphanumeric()) {
            result.push('&');
            continue;
        }
        let length = rest
            .bytes()
            .take(12)
            .take_while(|byte| *byte == b'#' || byte.is_ascii_alphanumeric())
            .count();
        if rest.as_bytes().get(length) != Some(&b';') {
            // `&_p` and `&copy=` are texts, `&copy` is not: only the former can be told apart without the list of names.
            return None;
        }
        result.push(reference(&rest[..length])?);
        rest = &rest[length + 1..];
    }
    result.push_str(rest);
    Some(result)
}

fn reference(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        return char::from_u32(code.ok()?).filter(|character| !character.is_whitespace());
    }
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        _ => return None,
    })
}

fn escapes(raw: &str) -> Option<String> {
    let mut result = String::with_capacity(raw.len());
    let mut characters = raw.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            result.push(character);
            continue;
        }
        let escaped = characters.next()?;
        // Letters and digits may be line feeds and code points: such words are left alone.
        if escaped.is_alphanumeric() || escaped.is_whitespace() {
            return None;
        }
        result.push(escaped);
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_what_must_be_escaped_is() {
        for (coding, plain, written) in [
            (Coding::Markup('"'), "[&>p]:mt-2", "[&>p]:mt-2"),
            (Coding::Markup('"'), "[&p]:mt-2", "[&amp;p]:mt-2"),
            (Coding::Markup('"'), "content-[\"x\"]", "content-[&quot;x&quot;]"),
            (Coding::Markup('\''), "content-['x']", "content-[&#39;x&#39;]"),
            (Coding::Script('\''), "content-['\\']", "content-[\\'\\\\\\']"),
            (Coding::Script('`'), "w-[${a}]", "w-[\\${a}]"),
            (Coding::Script('"'), "w-[${a}]", "w-[${a}]"),
        ] {
            assert_eq!(coding.encode(plain), written);
            assert_eq!(coding.decode(written).as_deref(), Some(plain));
        }
    }

    #[test]
    fn unknown_escapes_are_not_guessed() {
        assert_eq!(Coding::Markup('"').decode("a&copy;b"), None);
        assert_eq!(Coding::Markup('"').decode("a&copy"), None);
        assert_eq!(Coding::Script('"').decode("a\\u0041"), None);
        assert_eq!(Coding::Script('"').decode("a\\"), None);
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded_again(text in "[a&#;$\\{}\\\\\"'`é-]{0,20}", which in 0..6usize) {
            let coding = [Coding::Plain, Coding::Markup('"'), Coding::Markup('\''), Coding::Script('"'), Coding::Script('\''), Coding::Script('`')][which];
            let written = coding.encode(&text);
            let decoded = coding.decode(&written);
            prop_assert_eq!(decoded.as_deref(), Some(&*text));
        }
    }
}
