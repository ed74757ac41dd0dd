//! What a mail that a plugin sends may hold.

use galley_people::email::MAX_EMAIL;

/// The most notes of one call.
pub const MAX_NOTES: u32 = 200;
/// The longest key of a note and the longest name of a sender, in bytes.
const MAX_KEY: usize = 200;
/// The longest subject and heading, in characters.
const MAX_LINE: usize = 200;
/// The longest text, in bytes.
const MAX_TEXT: usize = 64 << 10;
/// The longest link, in bytes.
const MAX_LINK: usize = 4_000;

/// A note that a plugin wants to send.
#[derive(Debug, Clone, Copy)]
pub struct NoteParts<'n> {
    /// Names it within those of the plugin.
    pub key: &'n str,
    /// An address.
    pub to: &'n str,
    /// One line.
    pub subject: &'n str,
    /// One line.
    pub heading: &'n str,
    /// Plain paragraphs.
    pub text: &'n str,
    /// Where it leads.
    pub link: &'n str,
}

impl NoteParts<'_> {
    /// Checks the bounds of each part; the error is a sentence for people. `homes` are the addresses a link may lead to: the
    /// project's prototype and the instance.
    pub fn check(&self, homes: &[&str]) -> Result<(), &'static str> {
        let is_line = |text: &str| !text.trim().is_empty() && text.chars().count() <= MAX_LINE;
        if self.key.is_empty() || self.key.len() > MAX_KEY {
            return Err("`key` must have 1 to 200 bytes.");
        }
        if self.to.len() > MAX_EMAIL || !self.to.contains('@') || !is_plain(self.to) {
            return Err("`to` must be an email address.");
        }
        if !is_line(self.subject) {
            return Err("`subject` must have 1 to 200 characters.");
        }
        if !is_line(self.heading) {
            return Err("`heading` must have 1 to 200 characters.");
        }
        if self.text.len() > MAX_TEXT {
            return Err("`text` must have at most 65536 bytes.");
        }
        if self.link.len() > MAX_LINK || !is_plain(self.link) || !homes.iter().any(|home| is_below(self.link, home)) {
            return Err("`link` must lead to the project's prototype or to this instance.");
        }
        Ok(())
    }
}

/// Checks the bounds of what stands beside a note that a person causes: who that is, and what strangers read in place of the
/// text.
pub fn check_sender(sender: &str, outline: &str) -> Result<(), &'static str> {
    if sender.is_empty() || sender.len() > MAX_KEY {
        return Err("`sender` must have 1 to 200 bytes.");
    }
    if outline.len() > MAX_TEXT {
        return Err("`outline` must have at most 65536 bytes.");
    }
    Ok(())
}

/// Without line ends and spaces.
fn is_plain(text: &str) -> bool {
    !text.chars().any(|c| c.is_control() || c.is_whitespace())
}

/// Whether an address is a place below another one: `https://a.org.evil.example` is not below `https://a.org`.
fn is_below(link: &str, home: &str) -> bool {
    let home = home.trim_end_matches('/');
    link.strip_prefix(home)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused<'n>(change: impl FnOnce(&mut NoteParts<'n>)) -> Option<&'static str> {
        let mut note = NoteParts {
            key: "k",
            to: "mo@example.org",
            subject: "s",
            heading: "h",
            text: "t",
            link: "https://a.org/p/demo/",
        };
        change(&mut note);
        note.check(&["https://demo.serve.org/", "https://a.org"]).err()
    }

    #[test]
    fn each_bound_names_its_field() {
        assert_eq!(refused(|_| {}), None);
        let (long, wide, text) = ("k".repeat(201), "é".repeat(201), "t".repeat(MAX_TEXT + 1));
        for (field, refusal) in [
            ("`key`", refused(|note| note.key = "")),
            ("`key`", refused(|note| note.key = &long)),
            ("`to`", refused(|note| note.to = "mo")),
            ("`to`", refused(|note| note.to = "mo@x.org\r\nBcc: a@x.org")),
            ("`subject`", refused(|note| note.subject = " \n")),
            ("`subject`", refused(|note| note.subject = &wide)),
            ("`heading`", refused(|note| note.heading = "")),
            ("`text`", refused(|note| note.text = &text)),
        ] {
            assert!(
                refusal.is_some_and(|words| words.starts_with(field)),
                "{field}: {refusal:?}"
            );
        }
    }

    #[test]
    fn a_sender_is_named_and_an_outline_bounded() {
        assert_eq!(check_sender("ann", ""), Ok(()));
        assert!(check_sender("", "").unwrap_err().starts_with("`sender`"));
        assert!(check_sender(&"k".repeat(201), "").unwrap_err().starts_with("`sender`"));
        assert!(
            check_sender("ann", &"t".repeat(MAX_TEXT + 1))
                .unwrap_err()
                .starts_with("`outline`")
        );
    }

    #[test]
    fn a_link_leads_nowhere_else() {
        for link in [
            "https://a.org",
            "https://a.org/x?y#z",
            "https://a.org?x",
            "https://demo.serve.org/about",
        ] {
            assert_eq!(refused(|note| note.link = link), None, "{link}");
        }
        for link in [
            "",
            "/p/demo/",
            "http://a.org/",
            "https://a.org.evil.example/",
            "https://a.org@evil.example/",
            "https://a.org:1/",
            "https://other.serve.org/",
            "javascript:alert(1)",
            "https://a.org/\r\nx",
        ] {
            assert!(refused(|note| note.link = link).is_some(), "{link}");
        }
    }
}
