//! A stream of events that a step left open.

use std::time::Duration;

use anyhow::{Context, bail};
use memchr::memmem;
use tokio::time::{Instant, timeout_at};

use super::difference::Answer;

/// How long the next event may take.
const EVENT_TIMEOUT: Duration = Duration::from_secs(10);
/// The largest event, in bytes.
const MAX_EVENT_BYTES: usize = 1 << 20;

/// Server-sent events, as they arrive.
pub struct Stream {
    response: reqwest::Response,
    received: Vec<u8>,
}

impl Stream {
    /// The events of an answer whose head has arrived.
    pub fn new(response: reqwest::Response) -> Self {
        Self {
            response,
            received: Vec::new(),
        }
    }

    /// The next event: its data are the body, `id` and `event` headers. Comments, which keep the connection open, are left out.
    pub async fn next(&mut self) -> anyhow::Result<Answer> {
        let until = Instant::now() + EVENT_TIMEOUT;
        loop {
            // The host ends lines with `\n`.
            while let Some(end) = memmem::find(&self.received, b"\n\n") {
                let event: Vec<u8> = self.received.drain(..end + 2).collect();
                if let Some(answer) = parse(&String::from_utf8_lossy(&event)) {
                    return Ok(answer);
                }
            }
            if self.received.len() > MAX_EVENT_BYTES {
                bail!("an event has more than {MAX_EVENT_BYTES} bytes");
            }
            let chunk = timeout_at(until, self.response.chunk()).await;
            let chunk = chunk.with_context(|| format!("no event came within {} s", EVENT_TIMEOUT.as_secs()))?;
            let Some(chunk) = chunk.map_err(reqwest::Error::without_url)? else {
                bail!("the stream has ended");
            };
            self.received.extend_from_slice(&chunk);
        }
    }
}

fn parse(event: &str) -> Option<Answer> {
    let mut headers = Vec::new();
    let mut data: Option<String> = None;
    for line in event.lines() {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                data = Some(match data {
                    Some(before) => format!("{before}\n{value}"),
                    None => value.to_owned(),
                });
            }
            "id" | "event" => headers.push((field.to_owned(), value.to_owned())),
            _ => {}
        }
    }
    data.map(|data| Answer {
        status: 200,
        headers,
        body: data.into_bytes(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_data_and_comments_are_none() {
        let event = parse("id: 7\nevent: log\ndata: one\ndata:two").unwrap();
        assert_eq!(event.body, b"one\ntwo");
        assert_eq!(
            event.headers,
            [("id".into(), "7".into()), ("event".into(), "log".into())]
        );
        assert!(parse(": ping").is_none() && parse("retry: 500").is_none());
    }
}
