//! A mail server that keeps what it gets: SMTP over TCP on a loopback port, without encryption, for any user.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::poll::eventually;
use crate::server::Build;

/// The server. It serves until the test program ends.
#[derive(Debug)]
pub struct Mailbox {
    port: u16,
    mails: Arc<Mutex<Vec<Mail>>>,
}

/// One mail as it arrived.
#[derive(Debug, Clone)]
pub struct Mail {
    /// The addresses of the envelope.
    pub to: Vec<String>,
    /// Headers and body, dots unstuffed, quoted-printable undone.
    pub text: String,
}

impl Mail {
    /// Path and query of the first link whose address holds `part`.
    #[track_caller]
    pub fn link(&self, part: &str) -> String {
        let found = self.text.split(|c: char| c.is_whitespace() || "\"<>".contains(c));
        let link = found
            .filter(|word| word.starts_with("http"))
            .find(|word| word.contains(part));
        let link = link.unwrap_or_else(|| panic!("no link with `{part}` in {}", self.text));
        let path = link.splitn(4, '/').nth(3).unwrap_or_default();
        format!("/{path}")
    }
}

impl Mailbox {
    /// Starts one.
    pub fn start() -> Mailbox {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let mails = Arc::new(Mutex::new(Vec::new()));
        let kept = mails.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = kept.clone();
                std::thread::spawn(move || serve(stream, &kept));
            }
        });
        Mailbox { port, mails }
    }

    /// Lets a server send its mail here.
    pub fn configure(&self, build: Build) -> Build {
        [
            ("HOST", "127.0.0.1"),
            ("PORT", self.port.to_string().as_str()),
            ("USER", "galley"),
            ("PASS", "a-password"),
            ("FROM", "Galley <galley@example.com>"),
            ("TLS", "none"),
        ]
        .into_iter()
        .fold(build, |build, (name, value)| {
            build.env(&format!("SERVICE_SMTP_{name}"), value)
        })
    }

    /// Everything that came, oldest first.
    pub fn mails(&self) -> Vec<Mail> {
        self.mails.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The mails to an address.
    pub fn to(&self, address: &str) -> Vec<Mail> {
        let mut mails = self.mails();
        mails.retain(|mail| mail.to.iter().any(|to| to == address));
        mails
    }

    /// The newest mail to an address, once there are `count` of them.
    #[track_caller]
    pub fn wait(&self, address: &str, count: usize) -> Mail {
        eventually(&format!("mail number {count} to {address}"), || {
            self.to(address).get(count - 1).cloned()
        })
    }
}

/// One connection, from greeting to goodbye.
fn serve(stream: TcpStream, kept: &Mutex<Vec<Mail>>) {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(60)));
    let Ok(mut writer) = stream.try_clone() else { return };
    let mut lines = BufReader::new(stream).split(b'\n').map_while(Result::ok).map(|line| {
        let line = String::from_utf8_lossy(&line).into_owned();
        line.trim_end_matches('\r').to_owned()
    });
    let mut to = Vec::new();
    let mut say = |text: &str| writer.write_all(format!("{text}\r\n").as_bytes()).is_ok();
    say("220 mailbox ESMTP");
    while let Some(line) = lines.next() {
        let word = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let goes_on = match word.as_str() {
            "EHLO" => say("250-mailbox\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 AUTH PLAIN LOGIN"),
            "AUTH" => say("235 2.7.0 welcome"),
            "RCPT" => {
                let address = line.split(['<', '>']).nth(1).unwrap_or_default();
                to.push(address.to_owned());
                say("250 ok")
            }
            "DATA" => {
                say("354 go on");
                let body = lines.by_ref().take_while(|line| line != ".");
                let body: Vec<String> = body
                    .map(|line| line.strip_prefix('.').unwrap_or(&line).to_owned())
                    .collect();
                let mail = Mail {
                    to: std::mem::take(&mut to),
                    text: unquoted(&body.join("\n")),
                };
                kept.lock().unwrap_or_else(PoisonError::into_inner).push(mail);
                say("250 kept")
            }
            "QUIT" => {
                say("221 bye");
                false
            }
            _ => say("250 ok"),
        };
        if !goes_on {
            return;
        }
    }
}

/// Undoes quoted-printable; text that is none stays as it is.
fn unquoted(text: &str) -> String {
    let joined = text.replace("=\n", "");
    let mut bytes = Vec::with_capacity(joined.len());
    let mut rest = joined.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = (first == b'=')
            .then(|| std::str::from_utf8(after.get(..2)?).ok())
            .flatten();
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
