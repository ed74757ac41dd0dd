//! Server-sent events, as they come in pieces. No event and no answer may be larger than its limit: a provider, or whoever sits in
//! its place, must not fill the memory.

/// One event may have so many bytes.
pub const MAX_EVENT_BYTES: usize = 1 << 20;
/// One answer may have so many bytes.
pub const MAX_ANSWER_BYTES: usize = 32 << 20;

/// What cannot be read as events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// An event, or all of them together, is too large.
    #[error("its answer is larger than any real one")]
    TooLarge,
    /// It is no UTF-8.
    #[error("its answer is no text")]
    NoText,
}

/// Takes pieces, gives the data of events. Names of events are not needed: the data says what it is.
#[derive(Debug, Default)]
pub struct Events {
    /// The line that has not ended yet.
    line: Vec<u8>,
    /// The data of the event that has not ended yet.
    data: Vec<u8>,
    has_data: bool,
    total: usize,
    /// The last byte was a carriage return, so a line feed that follows belongs to it.
    after_return: bool,
    begun: bool,
}

impl Events {
    /// Takes the next piece. Gives the data of each event that ended in it.
    ///
    /// # Errors
    /// When it is too large or no text. Nothing more can be read then.
    pub fn take(&mut self, piece: &[u8]) -> Result<Vec<String>, Malformed> {
        self.total += piece.len();
        if self.total > MAX_ANSWER_BYTES {
            return Err(Malformed::TooLarge);
        }
        let mut ended = Vec::new();
        for byte in piece {
            let follows = std::mem::replace(&mut self.after_return, *byte == b'\r');
            match byte {
                b'\n' if follows => {}
                b'\n' | b'\r' => {
                    if let Some(data) = self.end_line()? {
                        ended.push(data);
                    }
                }
                byte => {
                    self.line.push(*byte);
                    if self.line.len() + self.data.len() > MAX_EVENT_BYTES {
                        return Err(Malformed::TooLarge);
                    }
                }
            }
        }
        Ok(ended)
    }

    /// Bytes so far.
    #[must_use]
    pub fn total(&self) -> usize {
        self.total
    }

    fn end_line(&mut self) -> Result<Option<String>, Malformed> {
        let mut line = std::mem::take(&mut self.line);
        if !std::mem::replace(&mut self.begun, true) && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
        }
        if line.is_empty() {
            if !std::mem::take(&mut self.has_data) {
                return Ok(None);
            }
            let data = std::mem::take(&mut self.data);
            return String::from_utf8(data).map(Some).map_err(|_| Malformed::NoText);
        }
        let Some(value) = line.strip_prefix(b"data") else {
            return Ok(None);
        };
        let value = match value {
            [] => value,
            [b':', b' ', value @ ..] | [b':', value @ ..] => value,
            // Another field, whose name only begins so.
            _ => return Ok(None),
        };
        if std::mem::replace(&mut self.has_data, true) {
            self.data.push(b'\n');
        }
        self.data.extend_from_slice(value);
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STREAM: &str = "\u{feff}event: a\r\ndata: {\"x\":\r\ndata: 1}\r\n\r\n: ping\n\ndata:é\n\nid: 5\ndata\n\rdatabase: x\n\ndata: cut";

    proptest! {
        #[test]
        fn events_are_the_same_however_they_are_cut(cuts in prop::collection::vec(0..STREAM.len(), 0..6)) {
            let mut cuts = cuts;
            cuts.extend([0, STREAM.len()]);
            cuts.sort_unstable();
            let mut events = Events::default();
            let mut found = Vec::new();
            for pair in cuts.windows(2) {
                found.extend(events.take(&STREAM.as_bytes()[pair[0]..pair[1]]).unwrap());
            }
            prop_assert_eq!(found, ["{\"x\":\n1}", "é", ""]);
        }
    }

    #[test]
    fn what_is_too_large_or_no_text_ends_it() {
        let mut events = Events::default();
        assert_eq!(events.take(&vec![b'x'; MAX_EVENT_BYTES + 1]), Err(Malformed::TooLarge));
        let mut events = Events::default();
        let small = [b"data: ".as_slice(), &[b'x'; 1000], b"\n\n"].concat();
        let rounds = MAX_ANSWER_BYTES / small.len() + 1;
        assert!((0..rounds).any(|_| events.take(&small) == Err(Malformed::TooLarge)));
        assert_eq!(Events::default().take(b"data: \xff\n\n"), Err(Malformed::NoText));
    }
}
