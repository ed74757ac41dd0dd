//! Email addresses.
//!
//! ```
//! use galley_people::email;
//!
//! assert_eq!(email::parse(" Ana@Example.COM ").as_deref(), Some("ana@example.com"));
//! assert_eq!(email::parse("nobody"), None);
//! ```

use crate::name::is_disruptive;

/// The longest address in bytes that mail can be sent to (RFC 5321, 4.5.3.1.3).
pub const MAX_EMAIL: usize = 254;

/// An address as it is stored and compared: trimmed, and in lower case. Only ASCII is lowered: other scripts have letters
/// that lower to ASCII ones (the Kelvin sign to `k`), and would turn one person's address into another's.
pub fn normal(text: &str) -> String {
    text.trim().to_ascii_lowercase()
}

/// The [`normal`] form of an address; `None` when the text is not one address of at most [`MAX_EMAIL`] bytes.
pub fn parse(text: &str) -> Option<String> {
    let email = normal(text);
    let (user, host) = email.split_once('@')?;
    let is_plain = |c: char| !is_disruptive(c) && !c.is_whitespace() && !"<>()[],;:\\\"".contains(c);
    let good = !user.is_empty()
        && !host.is_empty()
        && !host.contains('@')
        && email.len() <= MAX_EMAIL
        && email.chars().all(is_plain);
    good.then_some(email)
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
        assert_eq!(parse("\u{dc}ber@x.org").as_deref(), Some("\u{dc}ber@x.org"));
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
            "\u{202e}gro.x@b",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
        assert_eq!(parse(&format!("{}@x.org", "a".repeat(250))), None);
    }
}
