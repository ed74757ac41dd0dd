//! Server-sent events: the streaming rest of a plugin's answer, sent without the plugin.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream::unfold;
use http::{HeaderValue, header};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::capabilities::http::Tail;
use crate::capabilities::{SlotState, logs};

/// The most log text in one frame, in bytes.
const FRAME: usize = 64 << 10;

/// Who holds how many open streams of a route.
#[derive(Default)]
pub struct Places {
    taken: Mutex<HashMap<(String, String), u32>>,
}

/// A place of one client, free again when dropped.
pub struct Place {
    places: Arc<Places>,
    key: (String, String),
}

impl Places {
    /// A place for `client` on `route`, or `None` when it has `most` already.
    pub fn take(self: &Arc<Self>, route: &str, client: &str, most: u32) -> Option<Place> {
        let key = (route.to_owned(), client.to_owned());
        let mut taken = self.taken.lock();
        let count = taken.entry(key.clone()).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Place {
            places: self.clone(),
            key,
        })
    }
}

impl Places {
    /// How many places are taken.
    pub fn open(&self) -> u32 {
        self.taken.lock().values().sum()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken.lock();
        if let Some(count) = taken.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.key);
            }
        }
    }
}

/// Turns a response into an event stream. It ends when the client leaves, when the log ends, or when `stop` turns true.
pub fn respond(
    mut response: Response,
    slot: Arc<SlotState>,
    tail: Tail,
    last_event_id: Option<u64>,
    place: Option<Place>,
    stop: watch::Receiver<bool>,
) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Proxies of the nginx kind would otherwise hold the first events back.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    *response.body_mut() = match tail {
        Tail::Bell {
            topic,
            hello,
            ring,
            ping_ms,
        } => {
            let bell = slot.services.bells.listen(&slot.name, &topic);
            follow_bell(bell, event(&hello), event(&ring), Wait::new(ping_ms, stop), place)
        }
        Tail::Log { id, ping_ms } => follow_log(slot, id, last_event_id.unwrap_or(0), Wait::new(ping_ms, stop), place),
    };
    response
}

fn event(data: &str) -> Bytes {
    Bytes::from(format!("data: {data}\n\n"))
}

/// Waiting for a bell, the next ping or the end.
struct Wait {
    ping: Duration,
    next_ping: Instant,
    stop: watch::Receiver<bool>,
}

enum Woken {
    Rung,
    Ping,
    Stop,
}

impl Wait {
    fn new(ping_ms: u32, stop: watch::Receiver<bool>) -> Self {
        let ping = Duration::from_millis(u64::from(ping_ms));
        Self {
            ping,
            next_ping: Instant::now() + ping,
            stop,
        }
    }

    async fn on(&mut self, bell: &mut watch::Receiver<u64>) -> Woken {
        if *self.stop.borrow() {
            return Woken::Stop;
        }
        tokio::select! {
            changed = bell.changed() => if changed.is_ok() { Woken::Rung } else { Woken::Stop },
            () = tokio::time::sleep_until(self.next_ping) => {
                self.next_ping = Instant::now() + self.ping;
                Woken::Ping
            }
            _ = self.stop.changed() => Woken::Stop,
        }
    }
}

type Frame = Result<Bytes, std::convert::Infallible>;

fn follow_bell(bell: watch::Receiver<u64>, hello: Bytes, ring: Bytes, wait: Wait, place: Option<Place>) -> Body {
    let start = (bell, Some(hello), ring, wait, place);
    let frames = unfold(start, |(mut bell, hello, ring, mut wait, place)| async move {
        let frame = match hello {
            Some(hello) => hello,
            None => match wait.on(&mut bell).await {
                Woken::Rung => ring.clone(),
                Woken::Ping => Bytes::from_static(b": ping\n\n"),
                Woken::Stop => return None,
            },
        };
        Some((Frame::Ok(frame), (bell, None, ring, wait, place)))
    });
    Body::from_stream(frames)
}

struct LogReader {
    slot: Arc<SlotState>,
    id: String,
    offset: u64,
    bell: watch::Receiver<u64>,
    wait: Wait,
    ended: bool,
    _place: Option<Place>,
}

fn follow_log(slot: Arc<SlotState>, id: String, offset: u64, wait: Wait, place: Option<Place>) -> Body {
    let bell = slot.services.bells.listen(&slot.name, &logs::bell(&id));
    let reader = LogReader {
        slot,
        id,
        offset,
        bell,
        wait,
        ended: false,
        _place: place,
    };
    Body::from_stream(unfold(reader, |mut reader| async move {
        let frame = reader.next().await?;
        Some((Frame::Ok(frame), reader))
    }))
}

impl LogReader {
    async fn next(&mut self) -> Option<Bytes> {
        while !self.ended {
            // The status before the text: a log that ends in between is read to its end the next time round.
            let logs = &self.slot.services.logs;
            let status = logs.status(&self.slot.name, &self.id).ok()?;
            let text = logs.read(&self.slot.name, &self.id, self.offset, FRAME).ok()?;
            if !text.is_empty() {
                self.offset += text.len() as u64;
                let data = serde_json::json!({ "text": text });
                return Some(Bytes::from(format!(
                    "id: {}\nevent: log\ndata: {data}\n\n",
                    self.offset
                )));
            }
            if let Some(status) = status {
                self.ended = true;
                let data = serde_json::json!({ "status": status });
                return Some(Bytes::from(format!("event: done\ndata: {data}\n\n")));
            }
            match self.wait.on(&mut self.bell).await {
                Woken::Rung => {}
                Woken::Ping => return Some(Bytes::from_static(b": ping\n\n")),
                Woken::Stop => return None,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_for_each_client() {
        let places = Arc::new(Places::default());
        let held: Vec<_> = (0..20).map(|_| places.take("r", "ana", 20)).collect();
        assert!(held.iter().all(Option::is_some));
        assert!(places.take("r", "ana", 20).is_none());
        assert!(places.take("r", "bo", 20).is_some());
        drop(held);
        assert!(places.take("r", "ana", 20).is_some());
    }
}
