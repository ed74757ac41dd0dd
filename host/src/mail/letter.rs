//! The texts of mails: plain text and HTML with the same content, rendered when a mail is queued.
//!
//! Text written by people goes through [`line`] or [`paragraphs`] and the templates' escaping, so that it can add neither
//! headers nor markup.

use askama::Template;
use galley_people::name::is_disruptive;
use serde::{Deserialize, Serialize};

use super::{About, Note};
use crate::accounts::{INVITE_LENGTH, MAGIC_LINK_LENGTH};
use crate::config::host_of;
use crate::storage::seal::{Sealer, Unsealable};

/// The longest subject, in characters.
const MAX_SUBJECT: usize = 150;

/// A rendered mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Letter {
    pub subject: String,
    pub text: String,
    pub html: String,
    /// The address that unsubscribes the addressee.
    pub unsubscribe: Option<String>,
    /// See [`Note::about`].
    #[serde(default)]
    pub about: Option<About>,
}

/// A paragraph: text, or a quotation.
struct Paragraph {
    quoted: bool,
    lines: Vec<String>,
}

struct Words<'w> {
    instance: &'w str,
    heading: String,
    paragraphs: Vec<Paragraph>,
    link: &'w str,
    label: &'w str,
    /// The sentence that says why the addressee gets this mail.
    reason: &'w str,
    unsubscribe: Option<&'w str>,
}

#[derive(Template)]
#[template(path = "mail/letter.html")]
struct Html<'w> {
    words: &'w Words<'w>,
}

#[derive(Template)]
#[template(path = "mail/letter.txt")]
struct Text<'w> {
    words: &'w Words<'w>,
}

impl Letter {
    /// An invitation to the instance.
    pub fn invite(public_url: &str, url: &str, by: Option<&str>) -> Self {
        let instance = host_of(public_url);
        let (heading, who) = match by.map(line).filter(|name| !name.is_empty()) {
            Some(name) => (
                format!("{name} invites you to review prototypes"),
                format!("{name} invites you"),
            ),
            None => (
                "You are invited to review prototypes".to_owned(),
                "You are invited".to_owned(),
            ),
        };
        let text = format!(
            "{who} to {instance}, where prototypes are looked at and talked about.\n\n\
             The link below is yours alone: it signs you in with this address, works once, and is good for {} days.",
            INVITE_LENGTH.as_secs() / (24 * 3600)
        );
        Self::of(
            &format!("{who} to {instance}"),
            &Words {
                instance,
                heading,
                paragraphs: paragraphs(&text),
                link: url,
                label: "Accept the invitation",
                reason: "Somebody entered your address. If you do not know why, you can ignore this mail.",
                unsubscribe: None,
            },
        )
    }

    /// A link that signs in.
    pub fn magic_link(public_url: &str, url: &str) -> Self {
        let instance = host_of(public_url);
        let text = format!(
            "With the link below you sign in to {instance}. It works once, for {} minutes.",
            MAGIC_LINK_LENGTH.as_secs() / 60
        );
        Self::of(
            &format!("Your sign-in link for {instance}"),
            &Words {
                instance,
                heading: "Sign in".to_owned(),
                paragraphs: paragraphs(&text),
                link: url,
                label: "Sign in",
                reason: "Somebody asked for this link with your address. If it was not you, ignore it: nothing happens.",
                unsubscribe: None,
            },
        )
    }

    /// A mail that shows an admin that mail works.
    pub fn test(public_url: &str) -> Self {
        let instance = host_of(public_url);
        let text =
            format!("The mail server of {instance} took this mail: invitations, sign-in links and mentions go out.");
        Self::of(
            &format!("Test mail from {instance}"),
            &Words {
                instance,
                heading: "Mail works".to_owned(),
                paragraphs: paragraphs(&text),
                link: public_url,
                label: "Open the instance",
                reason: "An admin of the instance asked for this mail.",
                unsubscribe: None,
            },
        )
    }

    /// A note.
    pub fn note(public_url: &str, note: &Note, unsubscribe: Option<String>) -> Self {
        let letter = Self::of(
            &note.subject,
            &Words {
                instance: host_of(public_url),
                heading: line(&note.heading),
                paragraphs: paragraphs(&note.text),
                link: &note.link,
                label: "Open it",
                reason: "You get this because you take part in a review.",
                unsubscribe: unsubscribe.as_deref(),
            },
        );
        Self {
            about: note.about.clone(),
            ..letter
        }
    }

    fn of(subject: &str, words: &Words<'_>) -> Self {
        Self {
            subject: shortened(&line(subject)),
            text: Text { words }.render().unwrap_or_default(),
            html: Html { words }.render().unwrap_or_default(),
            unsubscribe: words.unsubscribe.map(str::to_owned),
            about: None,
        }
    }

    /// Encrypts it for the row of this key, because a link in it signs its reader in.
    pub fn seal(&self, sealer: &Sealer, key: &str) -> Result<Vec<u8>, Unsealable> {
        let plain = serde_json::to_vec(self).map_err(|_| Unsealable)?;
        sealer.seal(&purpose(key), &plain)
    }

    /// Decrypts what [`Letter::seal`] encrypted.
    pub fn unseal(sealer: &Sealer, key: &str, sealed: &[u8]) -> Result<Self, Unsealable> {
        serde_json::from_slice(&sealer.unseal(&purpose(key), sealed)?).map_err(|_| Unsealable)
    }
}

fn purpose(key: &str) -> String {
    format!("the mail {key}")
}

/// A text as one line: without control characters, and with one space for each run of white space.
pub(super) fn line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if is_disruptive(c) { ' ' } else { c }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text as paragraphs, which empty lines separate.
fn paragraphs(text: &str) -> Vec<Paragraph> {
    let mut found: Vec<Paragraph> = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    for one in text.lines().chain([""]) {
        if !one.trim().is_empty() {
            lines.push(one);
        } else if !lines.is_empty() {
            let quoted = lines.iter().all(|line| line.starts_with('>'));
            let own = |line: &&str| match line.strip_prefix('>') {
                Some(rest) if quoted => kept(rest.strip_prefix(' ').unwrap_or(rest)),
                _ => kept(line),
            };
            found.push(Paragraph {
                quoted,
                lines: lines.iter().map(own).collect(),
            });
            lines.clear();
        }
    }
    found
}

/// A line of a paragraph: its spaces stay.
fn kept(line: &str) -> String {
    line.chars()
        .map(|c| if is_disruptive(c) { ' ' } else { c })
        .collect::<String>()
        .trim_end()
        .to_owned()
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_SUBJECT) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(subject: &str, heading: &str, text: &str) -> Letter {
        let note = Note {
            key: "k".into(),
            to: "mo@example.org".into(),
            subject: subject.into(),
            heading: heading.into(),
            text: text.into(),
            link: "https://review.example.org/p/a/".into(),
            about: None,
            sender: None,
        };
        Letter::note(
            "https://review.example.org",
            &note,
            Some("https://review.example.org/u?token=t".into()),
        )
    }

    #[test]
    fn text_and_html_say_the_same() {
        let letter = note(
            "Ann mentioned you",
            "Ann mentioned you",
            "On the page Home:\n\n> one\n> two\n\nBye",
        );
        for part in [&letter.text, &letter.html] {
            for words in [
                "Ann mentioned you",
                "On the page Home:",
                "one",
                "two",
                "Bye",
                "/p/a/",
                "token=t",
            ] {
                assert!(part.contains(words), "{words}: {part}");
            }
        }
        assert!(letter.text.contains("> one\n> two\n"), "{}", letter.text);
        assert!(letter.html.contains("<blockquote"), "{}", letter.html);
        assert!(!letter.html.contains("<img") && !letter.html.contains("src="));
    }

    #[test]
    fn what_people_wrote_is_escaped() {
        let letter = note(
            "s",
            "<script>a</script>",
            "> <img src=x onerror=y>\n\n</p><a href='//evil'>",
        );
        assert!(
            !letter.html.contains("<script") && !letter.html.contains("<img") && !letter.html.contains("<a href='")
        );
    }

    #[test]
    fn a_line_is_one_line() {
        let letter = note("Ann\r\nBcc: all@example.org\u{2028}\u{202e}x\0", "a\nb", "c");
        assert_eq!(letter.subject, "Ann Bcc: all@example.org x");
        assert!(letter.text.contains("a b"));
        assert_eq!(
            note(&"é".repeat(200), "h", "t").subject.chars().count(),
            MAX_SUBJECT + 1
        );
        let invite = Letter::invite("https://x.org", "https://x.org/i", Some("Eve\nBcc: a@x.org"));
        assert_eq!(invite.subject, "Eve Bcc: a@x.org invites you to x.org");
    }

    #[test]
    fn a_letter_opens_for_its_own_row_only() {
        let folder = tempfile::tempdir().unwrap();
        let sealer = Sealer::open(folder.path()).unwrap();
        let letter = Letter::magic_link("https://x.org", "https://x.org/secret-link");
        let sealed = letter.seal(&sealer, "a").unwrap();
        assert!(!String::from_utf8_lossy(&sealed).contains("secret-link"));
        assert_eq!(Letter::unseal(&sealer, "a", &sealed).unwrap(), letter);
        assert!(Letter::unseal(&sealer, "b", &sealed).is_err());
    }
}
