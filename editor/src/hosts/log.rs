//! The dev server's own words: its lines without colours, the last of them kept.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::sync::mpsc;

/// How many lines are kept.
const MAX_LINES: usize = 60;

/// How many bytes of a line are kept; what follows begins another line.
const MAX_LINE: usize = 4_096;

/// The last lines.
#[derive(Debug, Clone, Default)]
pub struct Log {
    lines: Arc<Mutex<VecDeque<String>>>,
}

impl Log {
    /// Adds a line.
    pub fn push(&self, line: String) {
        let mut lines = self.lines.lock();
        if lines.len() == MAX_LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// Forgets everything: another process speaks now.
    pub fn clear(&self) {
        self.lines.lock().clear();
    }

    /// The last `count` lines, oldest first.
    pub fn last(&self, count: usize) -> Vec<String> {
        let lines = self.lines.lock();
        lines.iter().skip(lines.len().saturating_sub(count)).cloned().collect()
    }
}

/// Sends the lines of a pipe until it ends.
pub async fn read_lines(pipe: impl AsyncRead + Unpin, lines: mpsc::Sender<String>) {
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    loop {
        let read = match pipe.fill_buf().await {
            Ok([]) | Err(_) => break,
            Ok(read) => read,
        };
        let room = MAX_LINE - line.len();
        let (end, used) = match read.iter().take(room).position(|byte| *byte == b'\n') {
            Some(at) => (at, at + 1),
            None => (read.len().min(room), read.len().min(room)),
        };
        let whole = used > end;
        line.extend_from_slice(&read[..end]);
        pipe.consume(used);
        if (whole || line.len() == MAX_LINE) && lines.send(plain(&std::mem::take(&mut line))).await.is_err() {
            return;
        }
    }
    if !line.is_empty() {
        let _ = lines.send(plain(&line)).await;
    }
}

/// A line as text: without the sequences that colour it or move the cursor.
fn plain(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\u{1b}' => match chars.next() {
                // Parameters, then a letter.
                Some('[') => while chars.next().is_some_and(|char| !('@'..='~').contains(&char)) {},
                // A title or a link: up to its end.
                Some(']') => while chars.next().is_some_and(|char| !matches!(char, '\u{7}' | '\\')) {},
                _ => {}
            },
            '\t' => out.push(' '),
            char if char.is_control() => {}
            char => out.push(char),
        }
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(bytes: &[u8]) -> Vec<String> {
        let (sender, mut receiver) = mpsc::channel(1_000);
        read_lines(bytes, sender).await;
        let mut lines = Vec::new();
        while let Some(line) = receiver.recv().await {
            lines.push(line);
        }
        lines
    }

    #[tokio::test]
    async fn lines_come_without_colours() {
        let text = b"\x1b[32m  VITE\x1b[0m ready\r\n\x1b]8;;http://x\x07link\x1b]8;;\x07\nlast";
        assert_eq!(lines(text).await, ["  VITE ready", "link", "last"]);
    }

    #[tokio::test]
    async fn an_endless_line_is_cut_into_pieces() {
        let text = vec![b'a'; MAX_LINE * 2 + 10];
        let lengths: Vec<_> = lines(&text).await.iter().map(String::len).collect();
        assert_eq!(lengths, [MAX_LINE, MAX_LINE, 10]);
    }

    #[test]
    fn only_the_last_lines_are_kept() {
        let log = Log::default();
        (0..MAX_LINES + 5).for_each(|number| log.push(number.to_string()));
        assert_eq!(log.last(2), [(MAX_LINES + 3).to_string(), (MAX_LINES + 4).to_string()]);
        assert_eq!(log.last(usize::MAX).len(), MAX_LINES);
    }
}
