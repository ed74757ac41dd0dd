//! Writes the output of a build to its log: whole lines, without secrets and without colours, up to a bound.

use std::sync::{Arc, LazyLock};

use regex::bytes::Regex;

use super::unwritten::Unwritten;
use crate::config::Secret;
use crate::storage::logs::{self, LogStore};

/// Called with slot and log after each addition to a log.
pub type Ring = dyn Fn(&str, &str) + Send + Sync;

/// The most output of commands in one log, in bytes. Lines of the server itself are not counted.
pub const MAX_OUTPUT: u64 = logs::MAX_BYTES - (1 << 20);
/// The longest line, in bytes. A longer one is broken.
const MAX_LINE: usize = 16 << 10;

/// The replacement of a secret.
const HIDDEN: &[u8] = b"***";

/// The escape sequences of terminals (ECMA-48): programs colour their output when `CI` is set.
static ESCAPES: LazyLock<Regex> = LazyLock::new(|| {
    let sequences =
        r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[@-Z\\^_]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]";
    Regex::new(&format!("(?-u){sequences}")).expect("the expression is well formed")
});

/// The log of one build.
pub struct Transcript {
    target: Target,
    secrets: Vec<Vec<u8>>,
    /// Output that has no line end yet.
    partial: Vec<u8>,
    /// The last byte was a carriage return.
    returned: bool,
    left: u64,
    full: bool,
}

/// Where the lines go.
enum Target {
    /// A file, at once.
    File {
        logs: LogStore,
        slot: String,
        id: String,
        ring: Arc<Ring>,
    },
    /// Rows, soon.
    Rows(Arc<Unwritten>),
}

impl Transcript {
    /// Opens the log; it is created when it does not exist.
    pub fn open(logs: LogStore, slot: &str, id: &str, ring: Arc<Ring>) -> Self {
        if let Err(error) = logs.create(slot, id) {
            tracing::error!(slot, "the log of the build {id} cannot be made: {error}");
        }
        Self::to(Target::File {
            logs,
            slot: slot.to_owned(),
            id: id.to_owned(),
            ring,
        })
    }

    /// A log that is rows of a database.
    pub fn in_rows(unwritten: Arc<Unwritten>) -> Self {
        Self::to(Target::Rows(unwritten))
    }

    fn to(target: Target) -> Self {
        Self {
            target,
            secrets: Vec::new(),
            partial: Vec::new(),
            returned: false,
            left: MAX_OUTPUT,
            full: false,
        }
    }

    /// Replaces this secret in everything that is written from now on.
    pub fn hide(&mut self, secret: &Secret) {
        if !secret.expose().is_empty() {
            self.secrets.push(secret.expose().as_bytes().to_owned());
        }
    }

    /// Adds a line of the server's own.
    pub fn say(&mut self, line: &str) {
        self.finish_line();
        self.write(&format!("{line}\n"));
    }

    /// Takes a piece of a command's output.
    pub fn output(&mut self, piece: &[u8]) {
        let mut text = String::new();
        for &byte in piece {
            // A carriage return redraws a line; here each state is a line. Before a line end it means nothing.
            let redrawn = std::mem::take(&mut self.returned) && byte != b'\n' && byte != b'\r';
            if redrawn && !self.partial.is_empty() {
                self.take_line(&mut text);
            }
            if byte == b'\r' {
                self.returned = true;
            } else if byte == b'\n' {
                self.take_line(&mut text);
            } else {
                self.partial.push(byte);
                if self.partial.len() >= MAX_LINE {
                    self.break_line(&mut text);
                }
            }
        }
        self.add(text);
    }

    /// Ends a command's output: what has no line end gets one.
    pub fn finish_line(&mut self) {
        if !self.partial.is_empty() {
            let mut text = String::new();
            self.take_line(&mut text);
            self.add(text);
        }
    }

    fn take_line(&mut self, text: &mut String) {
        let line = std::mem::take(&mut self.partial);
        *text += &self.clean(&line);
        text.push('\n');
    }

    /// Breaks a long line, but never inside a secret: bytes that could begin one are kept for the next piece.
    fn break_line(&mut self, text: &mut String) {
        let longest = self.secrets.iter().map(Vec::len).max().unwrap_or(0);
        let line = hide(&std::mem::take(&mut self.partial), &self.secrets);
        let kept = longest.saturating_sub(1).min(line.len());
        let (said, rest) = line.split_at(line.len() - kept);
        *text += &self.clean(said);
        text.push('\n');
        self.partial = rest.to_owned();
    }

    fn clean(&self, line: &[u8]) -> String {
        // Both before and after: an escape sequence must not split a secret.
        let plain = ESCAPES.replace_all(line, &b""[..]);
        String::from_utf8_lossy(&hide(&plain, &self.secrets)).into_owned()
    }

    /// Adds output up to the bound. When the bound is reached, the log says so once.
    fn add(&mut self, text: String) {
        if text.is_empty() || self.full {
            return;
        }
        if text.len() as u64 > self.left {
            self.full = true;
            let bound = MAX_OUTPUT >> 20;
            self.write(&format!(
                "The output has reached {bound} MB: the build goes on, and what it says is not kept\n"
            ));
            return;
        }
        self.left -= text.len() as u64;
        self.write(&text);
    }

    fn write(&self, text: &str) {
        match &self.target {
            Target::File { logs, slot, id, ring } => {
                if let Err(error) = logs.append(slot, id, text) {
                    tracing::error!(slot, "the log of the build {id} cannot be written: {error}");
                }
                ring(slot, id);
            }
            Target::Rows(unwritten) => unwritten.add(text),
        }
    }
}

fn hide(text: &[u8], secrets: &[Vec<u8>]) -> Vec<u8> {
    let mut hidden = text.to_owned();
    for secret in secrets {
        let mut at = 0;
        while let Some(found) = find(&hidden[at..], secret) {
            hidden.splice(at + found..at + found + secret.len(), HIDDEN.iter().copied());
            at += found + HIDDEN.len();
        }
    }
    hidden
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    struct Fixture {
        transcript: Transcript,
        logs: LogStore,
        rung: Arc<AtomicU32>,
        _folder: tempfile::TempDir,
    }

    fn open() -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let logs = LogStore::open(folder.path()).unwrap();
        let rung = Arc::new(AtomicU32::new(0));
        let count = rung.clone();
        let ring: Arc<Ring> = Arc::new(move |_: &str, _: &str| {
            count.fetch_add(1, Ordering::Relaxed);
        });
        Fixture {
            transcript: Transcript::open(logs.clone(), "hello", "b1", ring),
            logs,
            rung,
            _folder: folder,
        }
    }

    impl Fixture {
        fn text(&self) -> String {
            self.logs.read("hello", "b1", 0, 64 << 20).unwrap()
        }
    }

    #[test]
    fn lines_are_written_whole_and_watchers_are_woken() {
        let mut log = open();
        log.transcript.say("$ npm ci");
        log.transcript.output(b"one\ntw");
        assert_eq!(log.text(), "$ npm ci\none\n");
        log.transcript.output(b"o\r\nthree\rfour");
        log.transcript.say("end");
        assert_eq!(log.text(), "$ npm ci\none\ntwo\nthree\nfour\nend\n");
        assert!(log.rung.load(Ordering::Relaxed) >= 4);
    }

    #[test]
    fn colours_and_control_characters_are_left_out() {
        let mut log = open();
        log.transcript
            .output(b"\x1b[32m\xe2\x9c\x93\x1b[39m built \x1b]8;;http://x\x07link\x1b]8;;\x07\x00\tnow \xff\n");
        assert_eq!(log.text(), "✓ built link\tnow \u{fffd}\n");
    }

    #[test]
    fn a_secret_is_hidden_however_it_arrives() {
        let mut log = open();
        log.transcript.hide(&Secret::new("ghs_0123456789".into()));
        log.transcript.output(b"a ghs_0123");
        log.transcript.output(b"456789 b ghs_0123456789\n");
        log.transcript.output(b"ghs_01\x1b[1m23456789\n");
        assert_eq!(log.text(), "a *** b ***\n***\n");
        // At every place relative to where a long line is broken.
        for before in MAX_LINE - 20..MAX_LINE + 2 {
            let mut line = vec![b'x'; before];
            line.extend(b"ghs_0123456789 and more\n");
            log.transcript.output(&line);
        }
        let text = log.text().replace('\n', "");
        assert!(!text.contains("ghs_0123456789"), "a broken line must not hold a secret");
    }

    #[test]
    fn output_past_the_bound_is_dropped_and_the_log_says_so_once() {
        let mut log = open();
        let line = [&[b'x'; 8191][..], b"\n"].concat();
        for _ in 0..MAX_OUTPUT / 8192 + 100 {
            log.transcript.output(&line);
        }
        log.transcript.say("The build ended");
        let text = log.text();
        assert_eq!(text.matches("The output has reached 15 MB").count(), 1);
        assert!(text.ends_with("The build ended\n") && (text.len() as u64) < logs::MAX_BYTES);
    }
}
