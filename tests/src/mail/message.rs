//! Reading a mail: headers, parts and encodings, as far as ours use them (RFC 5322, 2045, 2047).

use data_encoding::BASE64;

/// A mail as it was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// The sender of the envelope.
    pub from: String,
    /// The recipient of the envelope.
    pub to: String,
    /// Head and body, dots unstuffed.
    pub raw: String,
}

impl Mail {
    /// The head's lines, each header on one.
    pub fn head(&self) -> Vec<String> {
        unfolded(self.raw.split("\r\n\r\n").next().unwrap_or_default())
    }

    /// The value of a header, decoded; `None` when it is missing.
    ///
    /// # Panics
    /// When it is there more than once.
    #[track_caller]
    pub fn header(&self, name: &str) -> Option<String> {
        let found = values(&self.head(), name);
        assert!(found.len() < 2, "{name} stands twice: {found:?}");
        found.first().map(|value| words(value))
    }

    /// The plain text.
    pub fn text(&self) -> String {
        self.part("text/plain")
    }

    /// The HTML.
    pub fn html(&self) -> String {
        self.part("text/html")
    }

    /// The parts of a `multipart/alternative`, by content type.
    #[track_caller]
    fn part(&self, wanted: &str) -> String {
        let (_, body) = self.raw.split_once("\r\n\r\n").expect("head and body");
        let kind = self.header("Content-Type").unwrap_or_default();
        let boundary = kind.split("boundary=").nth(1).expect("a boundary");
        let line = format!("--{}", boundary.trim_matches('"'));
        let parts = body.split(&line).filter_map(|part| part.split_once("\r\n\r\n"));
        for (head, body) in parts {
            let head = unfolded(head);
            if values(&head, "Content-Type")
                .iter()
                .any(|kind| kind.starts_with(wanted))
            {
                let encoding = values(&head, "Content-Transfer-Encoding").concat();
                return decoded(body, &encoding).replace("\r\n", "\n");
            }
        }
        panic!("no {wanted} in {}", self.raw);
    }

    /// Every web address in the plain text.
    pub fn links(&self) -> Vec<String> {
        let text = self.text();
        let words = text.split_whitespace();
        words
            .filter(|word| word.starts_with("http://") || word.starts_with("https://"))
            .map(str::to_owned)
            .collect()
    }

    /// The web address in the plain text that has this in it, without scheme and host: ready to be requested.
    #[track_caller]
    pub fn link(&self, with: &str) -> String {
        let links = self.links();
        let link = links.iter().find(|link| link.contains(with));
        let link = link.unwrap_or_else(|| panic!("no link with {with} in {links:?}"));
        let after = link.find("://").map_or(0, |at| at + 3);
        let path = link[after..].find('/').map_or(link.len(), |at| after + at);
        link[path..].to_owned()
    }
}

/// A head with each header on one line.
fn unfolded(head: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in head.split("\r\n").filter(|line| !line.is_empty()) {
        match lines.last_mut() {
            Some(last) if line.starts_with([' ', '\t']) => last.push_str(line),
            _ => lines.push(line.to_owned()),
        }
    }
    lines
}

fn values(head: &[String], name: &str) -> Vec<String> {
    let matches = |line: &String| {
        let (there, value) = line.split_once(':')?;
        there.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
    };
    head.iter().filter_map(matches).collect()
}

/// A header's value with its encoded words decoded; white space between two of them is none.
fn words(value: &str) -> String {
    let mut text = String::new();
    let mut after_encoded = false;
    for word in value.split_inclusive(' ') {
        let encoded = word
            .trim()
            .strip_prefix("=?utf-8?b?")
            .and_then(|rest| rest.strip_suffix("?="));
        match encoded.and_then(|word| BASE64.decode(word.as_bytes()).ok()) {
            Some(bytes) => {
                if after_encoded {
                    text.truncate(text.trim_end().len());
                }
                text.push_str(&String::from_utf8_lossy(&bytes));
                text.push_str(&word[word.trim_end().len()..]);
                after_encoded = true;
            }
            None => {
                text.push_str(word);
                after_encoded &= word.trim().is_empty();
            }
        }
    }
    text
}

fn decoded(body: &str, encoding: &str) -> String {
    let bytes = match encoding.to_ascii_lowercase().as_str() {
        "base64" => {
            let joined: String = body.split_whitespace().collect();
            BASE64.decode(joined.as_bytes()).expect("base64")
        }
        "quoted-printable" => quoted_printable(body),
        _ => body.as_bytes().to_vec(),
    };
    String::from_utf8(bytes).expect("UTF-8")
}

fn quoted_printable(body: &str) -> Vec<u8> {
    let joined = body.replace("=\r\n", "");
    let mut bytes = Vec::new();
    let mut rest = joined.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        let byte = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match byte.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) if first == b'=' => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => bytes.push(first),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_is_read() {
        let raw = "Subject: =?utf-8?b?R3LDvMOf?= =?utf-8?b?ZQ==?= to\r\n you\r\nContent-Type: multipart/alternative;\r\n \
                   boundary=\"b\"\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\
                   Content-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=\r\n=C3=9Fe\r\nhttps://x.org/a?b=3D1\r\n\r\n--b\r\n\
                   Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+\r\n\r\n--b--\r\n";
        let mail = Mail {
            from: String::new(),
            to: String::new(),
            raw: raw.into(),
        };
        assert_eq!(mail.header("subject").unwrap(), "Grüße to you");
        assert_eq!(mail.text(), "Grüße\nhttps://x.org/a?b=1\n\n");
        assert_eq!(mail.html(), "<p>");
        assert_eq!(mail.link("x.org"), "/a?b=1");
    }
}
