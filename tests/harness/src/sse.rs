//! Reading server-sent events as a browser would.

use std::io::{BufRead, BufReader};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::Value;

use crate::http::{Request, Response};
use crate::poll::WAIT_TIMEOUT;

/// One frame.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Event {
    /// The `event` field; empty when there is none (a browser calls it `message`).
    pub event: String,
    /// The `data` lines, joined.
    pub data: String,
    /// The `id` field.
    pub id: Option<String>,
    /// Comment lines, as a ping.
    pub comments: Vec<String>,
}

impl Event {
    /// The data as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap_or_else(|error| panic!("{error} in the event {self:?}"))
    }

    fn is_empty(&self) -> bool {
        *self == Event::default()
    }
}

/// Nothing came in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Silence;

/// An open stream. Dropped, the connection is closed.
#[derive(Debug)]
pub struct EventStream {
    /// The head of the answer.
    pub head: Response,
    events: Receiver<Event>,
    connection: TcpStream,
}

impl EventStream {
    /// Opens a stream; any other answer is the error.
    pub fn open(request: &Request) -> Result<EventStream, Box<Response>> {
        let (mut head, body, connection) = request.open().expect("the server answers");
        head.request = format!("{} {}", request.method, request.target);
        let kind = head.header("content-type").unwrap_or_default().to_owned();
        if head.status != 200 || !kind.starts_with("text/event-stream") {
            let _ = std::io::Read::read_to_end(&mut { body }, &mut head.body);
            return Err(Box::new(head));
        }
        let (sender, events) = channel();
        std::thread::spawn(move || {
            let mut event = Event::default();
            for line in BufReader::new(body).lines() {
                let Ok(line) = line else { break };
                if line.is_empty() {
                    let event = std::mem::take(&mut event);
                    if !event.is_empty() && sender.send(event).is_err() {
                        break;
                    }
                    continue;
                }
                let (field, value) = line.split_once(':').unwrap_or((&line, ""));
                let value = value.strip_prefix(' ').unwrap_or(value);
                match field {
                    "" => event.comments.push(value.into()),
                    "event" => event.event = value.into(),
                    "id" => event.id = Some(value.into()),
                    "data" if event.data.is_empty() => event.data = value.into(),
                    "data" => event.data = format!("{}\n{value}", event.data),
                    _ => {}
                }
            }
        });
        Ok(EventStream {
            head,
            events,
            connection,
        })
    }

    /// The next frame that carries data.
    ///
    /// # Panics
    /// When the stream ends or stays silent.
    #[track_caller]
    pub fn next(&self) -> Event {
        match self.next_within(WAIT_TIMEOUT) {
            Ok(Some(event)) => event,
            Ok(None) => panic!("{}: the stream ended", self.head.request),
            Err(Silence) => panic!("{}: no event within {WAIT_TIMEOUT:?}", self.head.request),
        }
    }

    /// The next frame that carries data; `Ok(None)` at the end of the stream, `Err` when it stays silent for `time`.
    pub fn next_within(&self, time: Duration) -> Result<Option<Event>, Silence> {
        loop {
            match self.events.recv_timeout(time) {
                Ok(event) if event.data.is_empty() && event.event.is_empty() => {}
                Ok(event) => return Ok(Some(event)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => return Err(Silence),
            }
        }
    }

    /// All frames that carry data until the server ends the stream.
    #[track_caller]
    pub fn rest(&self) -> Vec<Event> {
        let mut events = Vec::new();
        loop {
            match self.next_within(WAIT_TIMEOUT) {
                Ok(Some(event)) => events.push(event),
                Ok(None) => return events,
                Err(Silence) => panic!("{}: the stream does not end after {events:?}", self.head.request),
            }
        }
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        let _ = self.connection.shutdown(Shutdown::Both);
    }
}
