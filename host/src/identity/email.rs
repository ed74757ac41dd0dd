//! Email addresses and display names, checked once when they enter the system.

/// The longest address mail can be sent to (RFC 5321, 4.5.3.1.3).
const MAX_EMAIL: usize = 254;
/// The longest name in characters.
const MAX_NAME: usize = 100;

/// An address, trimmed and in lower case; `None` when the text is not an address. Only ASCII is lowered: other scripts have letters
/// that lower to ASCII ones (the Kelvin sign to `k`), and would turn one person's address into another's.
pub fn parse(text: &str) -> Option<String> {
    let email = text.trim().to_ascii_lowercase();
    let (user, host) = email.split_once('@')?;
    let is_plain = |c: char| !c.is_control() && !c.is_whitespace() && !"<>()[],;:\\\"".contains(c);
    let good = !user.is_empty()
        && !host.is_empty()
        && !host.contains('@')
        && email.len() <= MAX_EMAIL
        && email.chars().all(is_plain);
    good.then_some(email)
}

/// A person's name, trimmed; `None` when it is empty, longer than 100 characters or holds control characters.
pub fn display_name(text: &str) -> Option<String> {
    let name = text.trim();
    let good = !name.is_empty() && name.chars().count() <= MAX_NAME && !name.chars().any(is_disruptive);
    good.then(|| name.to_owned())
}

/// Line breaks and other control characters, and those that change the direction of the text around a name.
fn is_disruptive(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_trimmed_lowered_and_checked() {
        assert_eq!(parse(" Ana@Example.COM\n").as_deref(), Some("ana@example.com"));
        assert_eq!(parse("ana+x.y@example.com").as_deref(), Some("ana+x.y@example.com"));
        assert_eq!(
            parse("mi\u{212a}e@example.com").as_deref(),
            Some("mi\u{212a}e@example.com")
        );
        for bad in [
            "",
            "ana",
            "@x.org",
            "ana@",
            "a@b@c",
            "a b@x.org",
            "a@x.org\r\nBcc: b@x.org",
            "A <a@x.org>",
            "a,b@x.org",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
        assert_eq!(parse(&format!("{}@x.org", "a".repeat(250))), None);
    }

    #[test]
    fn names_are_one_line() {
        assert_eq!(display_name("  Ana Ñandú ").as_deref(), Some("Ana Ñandú"));
        for bad in ["", " ", "a\r\nBcc: b", "a\0", "\u{202e}ana"] {
            assert_eq!(display_name(bad), None, "{bad:?}");
        }
        assert!(display_name(&"é".repeat(100)).is_some() && display_name(&"é".repeat(101)).is_none());
    }
}
