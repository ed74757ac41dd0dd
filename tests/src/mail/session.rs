//! One SMTP session, from the greeting to QUIT.

use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use data_encoding::BASE64;

use super::{Mail, Moment, PASSWORD, State, Trouble, USER, lock};

/// How long a stalled session is kept: longer than any client waits in a test.
const STALL: Duration = Duration::from_secs(600);

struct Session<'s> {
    reader: BufReader<&'s TcpStream>,
    writer: &'s TcpStream,
    state: &'s State,
    greeted: bool,
    signed_in: bool,
    from: Option<String>,
    to: Option<String>,
}

/// Speaks until the client leaves, or breaks off as it was ordered.
pub(super) fn run(stream: &TcpStream, state: &State) -> io::Result<()> {
    let mut session = Session {
        reader: BufReader::new(stream),
        writer: stream,
        state,
        greeted: false,
        signed_in: false,
        from: None,
        to: None,
    };
    session.answer(Moment::Greeting, "220 sink.example.com ESMTP")?;
    while let Some(line) = session.line()? {
        if line.eq_ignore_ascii_case("QUIT") {
            return session.say("221 Bye");
        }
        session.command(&line)?;
    }
    Ok(())
}

impl Session<'_> {
    fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        self.reader.read_until(b'\n', &mut line)?;
        match line.strip_suffix(b"\r\n") {
            Some(line) => Ok(Some(String::from_utf8_lossy(line).into_owned())),
            None if line.is_empty() => Ok(None),
            None => Err(io::Error::new(io::ErrorKind::InvalidData, "a line without CR LF")),
        }
    }

    fn say(&mut self, reply: &str) -> io::Result<()> {
        self.writer.write_all(format!("{reply}\r\n").as_bytes())
    }

    /// Says yes, or makes the trouble that was ordered. True when it said yes.
    fn answer(&mut self, moment: Moment, yes: &str) -> io::Result<bool> {
        match self.state.trouble(moment) {
            None => self.say(yes).map(|()| true),
            Some(Trouble::Say(reply)) => self.say(reply).map(|()| false),
            Some(Trouble::HangUp) => Err(io::ErrorKind::ConnectionAborted.into()),
            Some(Trouble::Stall) => {
                std::thread::sleep(STALL);
                Err(io::ErrorKind::TimedOut.into())
            }
            Some(Trouble::Late(pause)) => {
                std::thread::sleep(pause);
                self.say(yes).map(|()| true)
            }
        }
    }

    fn command(&mut self, line: &str) -> io::Result<()> {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb.to_ascii_uppercase().as_str() {
            "EHLO" => {
                self.greeted = true;
                self.say("250-sink.example.com\r\n250-8BITMIME\r\n250-SIZE 1000000\r\n250 AUTH LOGIN PLAIN")
            }
            "AUTH" if self.greeted => self.auth(rest),
            "MAIL" if !self.signed_in => self.say("530 5.7.0 Authentication required"),
            "MAIL" => {
                if self.answer(Moment::Sender, "250 Ok")? {
                    self.from = Some(path(rest));
                }
                Ok(())
            }
            "RCPT" if self.from.is_some() && self.to.is_none() => {
                if self.answer(Moment::Recipient, "250 Ok")? {
                    self.to = Some(path(rest));
                }
                Ok(())
            }
            "DATA" => match (self.from.take(), self.to.take()) {
                (Some(from), Some(to)) => self.data(from, to),
                _ => self.say("503 Bad sequence of commands"),
            },
            "RSET" | "NOOP" => {
                (self.from, self.to) = (None, None);
                self.say("250 Ok")
            }
            _ => self.say("503 Bad sequence of commands"),
        }
    }

    fn auth(&mut self, rest: &str) -> io::Result<()> {
        let (mechanism, initial) = rest.split_once(' ').unwrap_or((rest, ""));
        let good = match mechanism.to_ascii_uppercase().as_str() {
            "PLAIN" => {
                let given = if initial.is_empty() {
                    self.ask("")?
                } else {
                    decoded(initial)
                };
                given == format!("\0{USER}\0{PASSWORD}")
            }
            "LOGIN" => {
                let user = self.ask("Username:")?;
                user == USER && self.ask("Password:")? == PASSWORD
            }
            _ => return self.say("504 Unrecognized authentication type"),
        };
        if !good {
            return self.say("535 5.7.8 Authentication credentials invalid");
        }
        self.signed_in = self.answer(Moment::Auth, "235 Ok")?;
        *lock(&self.state.sign_ins) += u32::from(self.signed_in);
        Ok(())
    }

    fn ask(&mut self, prompt: &str) -> io::Result<String> {
        self.say(&format!("334 {}", BASE64.encode(prompt.as_bytes())))?;
        Ok(decoded(&self.line()?.unwrap_or_default()))
    }

    fn data(&mut self, from: String, to: String) -> io::Result<()> {
        if !self.answer(Moment::Data, "354 End data with <CR><LF>.<CR><LF>")? {
            return Ok(());
        }
        let mut raw = String::new();
        loop {
            let Some(line) = self.line()? else { return Ok(()) };
            if line == "." {
                break;
            }
            // Dots at the start of a line are doubled on the way (RFC 5321, 4.5.2).
            raw.push_str(line.strip_prefix('.').unwrap_or(&line));
            raw.push_str("\r\n");
        }
        lock(&self.state.mails).push(Mail { from, to, raw });
        self.answer(Moment::End, "250 Ok: queued").map(drop)
    }
}

/// The address of `FROM:<a@b> …` or `TO:<a@b> …`.
fn path(rest: &str) -> String {
    let start = rest.find('<').map_or(0, |at| at + 1);
    let end = rest.find('>').unwrap_or(rest.len());
    rest.get(start..end).unwrap_or_default().to_owned()
}

fn decoded(text: &str) -> String {
    let bytes = BASE64.decode(text.trim().as_bytes()).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
