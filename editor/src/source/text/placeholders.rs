//! Gaps of translations, which the code fills: `{name}`, `{{name}}`, `%{name}`, `<b>`.

/// Signs that a message of vue-i18n shows only when they are written as `{'@'}`: by themselves they are links to other messages, and
/// what parts the forms of a plural.
const SIGNS: [char; 2] = ['@', '|'];

/// Who reads a translation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// vue-i18n.
    Vue,
    /// Any other.
    Other,
}

/// The message that shows `new` where `old` stands. `None` when the gaps would not be the same.
#[must_use]
pub fn message(old: &str, new: &str, reader: Reader) -> Option<String> {
    if reader == Reader::Other {
        return kept(old, new).then(|| new.to_owned());
    }
    let written = |text: &str, write: fn(char) -> (String, String)| {
        SIGNS.iter().fold(text.to_owned(), |text, sign| {
            let (from, to) = write(*sign);
            text.replace(&from, &to)
        })
    };
    let plain = written(old, |sign| (format!("{{'{sign}'}}"), String::new()));
    if plain.contains(SIGNS) || gaps(new).iter().any(|gap| gap.contains(SIGNS)) {
        // A link or a plural: it stays as it is.
        let signs = |text: &str| SIGNS.map(|sign| text.matches(sign).count());
        return (kept(old, new) && signs(old) == signs(new)).then(|| new.to_owned());
    }
    kept(&plain, new).then(|| written(new, |sign| (sign.to_string(), format!("{{'{sign}'}}"))))
}

/// Whether the page may show something else than the message says.
pub(super) fn is_filled(message: &str) -> bool {
    !gaps(message).is_empty() || message.contains(SIGNS)
}

/// Whether `new` has the gaps of `old`, each as often, and nothing else that would be read as one.
fn kept(old: &str, new: &str) -> bool {
    let sorted = |text: &str| {
        let mut gaps = gaps(text);
        gaps.sort_unstable();
        gaps
    };
    sorted(old) == sorted(new)
}

/// The gaps of a text, in their order. A brace without its partner is one of its own.
fn gaps(text: &str) -> Vec<String> {
    let mut gaps = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}', '<']) {
        let bytes = rest.as_bytes();
        let end = match bytes[at] {
            b'{' => close(&bytes[at..]).map(|length| at + length),
            b'<' => tag(&rest[at..]).map(|length| at + length),
            _ => None,
        };
        if bytes[at] == b'<' && end.is_none() {
            rest = &rest[at + 1..];
            continue;
        }
        let end = end.unwrap_or(at + 1);
        gaps.push(rest[at..end].to_owned());
        rest = &rest[end..];
    }
    gaps
}

/// The length of a group in braces.
fn close(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    for (offset, byte) in bytes.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(offset + 1);
        }
    }
    None
}

/// The length of `<b>`, `</b>`, `<0>`, `<br/>`.
fn tag(text: &str) -> Option<usize> {
    let end = text.find('>')?;
    let inner = text[1..end].trim_start_matches('/');
    inner
        .starts_with(|first: char| first.is_ascii_alphanumeric())
        .then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_have_to_be_kept() {
        for (old, new, fine) in [
            ("Hello", "Goodbye", true),
            ("Hello {name}!", "{name}, hello", true),
            ("Hello {name}!", "Hello name!", false),
            ("Hello", "Hello {name}", false),
            ("{{a}} and {{b}}", "{{b}} or {{a}}", true),
            (
                "{n, plural, one {# day} other {# days}}",
                "{n, plural, one {# day} other {# days}} left",
                true,
            ),
            ("Read <b>this</b>", "Look at <b>that</b>", true),
            ("Read <b>this</b>", "Look at that", false),
            ("a < b", "b < a", true),
            ("a", "a }", false),
            ("}}{", "}}{", true),
        ] {
            assert_eq!(kept(old, new), fine, "{old} → {new}");
        }
    }

    #[test]
    fn vue_reads_two_signs_as_code() {
        for (old, new, message_) in [
            ("Write to us", "Write to a@b.org", Some("Write to a{'@'}b.org")),
            ("Write to a{'@'}b.org", "Write to c@d.org", Some("Write to c{'@'}d.org")),
            ("Write to a{'@'}b.org", "Write to us", Some("Write to us")),
            ("Hello {name}", "{name} | {name}", None),
            ("Hello {name}", "Hi | {name}", Some("Hi {'|'} {name}")),
            ("one | many", "one | lots", Some("one | lots")),
            ("one | many", "one", None),
            ("@:common.ok now", "@:common.ok later", Some("@:common.ok later")),
            ("@:common.ok now", "now", None),
            ("Hello", "Hello {'@'}", None),
        ] {
            assert_eq!(message(old, new, Reader::Vue).as_deref(), message_, "{old} → {new}");
        }
        assert_eq!(message("a", "a@b | c", Reader::Other).as_deref(), Some("a@b | c"));
    }
}
