//! A letter as it goes over the wire (RFC 5322): the headers around it.

use std::time::{Duration, SystemTime};

use lettre::Message;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};

use super::letter::{Letter, line};
use crate::accounts::WaitingMail;

/// The longest line RFC 5322 allows.
const MAX_LINE: usize = 998;

/// The mail as it is sent: the same at each attempt, except for the boundary between its parts. After an error, which is
/// for the log, the mail can never be sent.
pub(super) fn message(mail: &WaitingMail, letter: Letter, from: &Mailbox) -> Result<Message, String> {
    let to: Mailbox = mail
        .recipient
        .parse()
        .map_err(|error| format!("its address cannot be used: {error}"))?;
    let written = SystemTime::UNIX_EPOCH + Duration::from_millis(mail.created_at.unsigned_abs());
    let mut builder = Message::builder()
        .from(from.clone())
        .to(to)
        .date(written)
        .message_id(Some(mail.message_id.clone()))
        // Cleaned again, although letters are cleaned when they are made: a header has one line.
        .subject(line(&letter.subject))
        // RFC 3834: vacation notices are not answers to this.
        .raw_header(raw("Auto-Submitted", "auto-generated".to_owned()));
    if let Some(url) = letter.unsubscribe.filter(|url| fits(url)) {
        // RFC 8058 requires https for the one-click request.
        if url.starts_with("https://") {
            builder = builder.raw_header(raw("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()));
        }
        builder = builder.raw_header(raw("List-Unsubscribe", format!("<{url}>")));
    }
    builder
        .multipart(MultiPart::alternative_plain_html(letter.text, letter.html))
        .map_err(|error| error.to_string())
}

/// Whether an address can be written into a header unchanged. It consists of base64 and our own public URL.
fn fits(url: &str) -> bool {
    let plain = |b: u8| b.is_ascii_graphic() && b != b'<' && b != b'>';
    url.len() + "List-Unsubscribe: <>".len() <= MAX_LINE && url.bytes().all(plain)
}

/// A header whose value is ASCII without line ends. Not folded and not encoded: programs look for these very words.
fn raw(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::dangerous_new_pre_encoded(HeaderName::new_from_ascii_str(name), value.clone(), value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::MailKind;

    fn sent(to: &str, subject: &str, unsubscribe: Option<&str>) -> Result<String, String> {
        let mail = WaitingMail {
            id: 1,
            key: "k".into(),
            message_id: "<1@x.org>".into(),
            kind: MailKind::Note,
            recipient: to.into(),
            sealed: Vec::new(),
            attempts: 0,
            created_at: 1_790_000_000_000,
            give_up_at: 0,
        };
        let letter = Letter {
            subject: subject.into(),
            text: "Grüße\n.\nend".into(),
            html: "<p>Grüße</p>".into(),
            unsubscribe: unsubscribe.map(str::to_owned),
            about: None,
        };
        let from = "Galley, the server <review@x.org>".parse::<Mailbox>();
        let from = from.unwrap_or_else(|_| "review@x.org".parse().unwrap());
        let message = message(&mail, letter, &from)?;
        Ok(String::from_utf8(message.formatted()).unwrap())
    }

    fn head(message: &str) -> &str {
        message.split_once("\r\n\r\n").unwrap().0
    }

    #[test]
    fn the_headers_are_those_of_an_automatic_mail() {
        let message = sent("mo@example.org", "Hello", Some("https://x.org/u?token=a.b")).unwrap();
        for line in [
            "To: mo@example.org",
            "Subject: Hello",
            "Date: Mon, 21 Sep 2026 14:13:20 +0000",
            "Message-ID: <1@x.org>",
            "Auto-Submitted: auto-generated",
            "List-Unsubscribe: <https://x.org/u?token=a.b>",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
            "MIME-Version: 1.0",
        ] {
            assert!(head(&message).lines().any(|one| one == line), "{line}: {message}");
        }
    }

    #[test]
    fn one_click_needs_https() {
        let message = sent("mo@example.org", "Hello", Some("http://127.0.0.1/u?token=a.b")).unwrap();
        assert!(head(&message).contains("List-Unsubscribe: <http://127.0.0.1/u?token=a.b>"));
        assert!(!message.contains("List-Unsubscribe-Post"));
        assert!(
            !sent("mo@example.org", "Hello", None)
                .unwrap()
                .contains("List-Unsubscribe")
        );
    }

    #[test]
    fn no_text_can_add_a_header() {
        for evil in [
            "Hi\r\nBcc: all@x.org",
            "Hi\nBcc: all@x.org",
            "Hi\rBcc: all@x.org",
            "Ünï\r\n\r\nBcc: all@x.org",
        ] {
            let message = sent("mo@example.org", evil, Some("https://x.org/u\r\nBcc: all@x.org")).unwrap();
            assert!(head(&message).lines().all(|line| !line.starts_with("Bcc")), "{message}");
            assert!(!message.contains("List-Unsubscribe"), "{message}");
        }
        for address in [
            "mo@example.org\r\nBcc: all@x.org",
            "a@x.org, b@x.org",
            "a b@x.org",
            "x",
            "@",
            "a@x.org>",
        ] {
            assert!(sent(address, "s", None).is_err(), "{address}");
        }
    }

    #[test]
    fn lines_stay_within_what_smtp_carries() {
        let message = sent("mo@example.org", &"wörter und ".repeat(40), None).unwrap();
        assert!(
            message
                .split("\r\n")
                .all(|line| line.len() <= MAX_LINE && !line.contains('\n'))
        );
        assert!(message.is_ascii());
    }
}
