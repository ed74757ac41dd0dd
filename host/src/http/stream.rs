//! Server-sent events: the streaming rest of a plugin's answer, sent without the plugin.

use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream::{Stream, unfold};
use http::{HeaderValue, header};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::{Instant, Sleep};
use tokio_stream::wrappers::WatchStream;

use crate::capabilities::objects::Tail;
use crate::capabilities::{SlotState, logs};
use crate::core::{Core, Limits, Place};
use crate::storage::logs::Piece;

/// The most log text in one frame, in bytes.
const FRAME: usize = 64 << 10;

/// Bounds the open streams of a client on each route. Servers of one database count together.
#[derive(Default)]
pub struct StreamLimits {
    /// The number of open streams of this server by route and client.
    open: Mutex<HashMap<(String, String), u32>>,
    /// Where several servers count together.
    together: Option<Arc<Limits>>,
}

/// One open stream, counted until this is dropped.
pub struct StreamPermit {
    limits: Arc<StreamLimits>,
    key: (String, String),
    /// The same at all servers.
    place: Option<Place>,
}

impl StreamLimits {
    /// The limits of a server, together with those of the others of its core's database.
    pub fn of(core: &Core) -> Self {
        Self {
            open: Mutex::default(),
            together: core.limits().cloned(),
        }
    }

    /// Counts a stream of `client` on `route`. `None` when it has `max` open streams there already.
    pub async fn take(self: &Arc<Self>, route: &str, client: &str, max: u32) -> Option<StreamPermit> {
        let mut permit = self.take_here(route, client, max)?;
        if let Some(limits) = &self.together {
            permit.place = Some(limits.hold(format!("{client} {route}"), max).await?);
        }
        Some(permit)
    }

    fn take_here(self: &Arc<Self>, route: &str, client: &str, max: u32) -> Option<StreamPermit> {
        let key = (route.to_owned(), client.to_owned());
        let mut open = self.open.lock();
        let count = open.entry(key.clone()).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        Some(StreamPermit {
            limits: self.clone(),
            key,
            place: None,
        })
    }

    /// How many streams are open at this server.
    pub fn open(&self) -> u32 {
        self.open.lock().values().sum()
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut open = self.limits.open.lock();
        if let Some(count) = open.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.key);
            }
        }
    }
}

/// Turns a response into an event stream. It ends when the client leaves, when the log ends, or when the server stops.
pub fn respond(
    mut response: Response,
    slot: Arc<SlotState>,
    tail: Tail,
    last_event_id: Option<u64>,
    permit: Option<StreamPermit>,
    stop: watch::Receiver<bool>,
) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Proxies of the nginx kind would otherwise hold the first events back.
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    let wait = |topic: &str, ping_ms| Wait::new(slot.services.bells.listen(&slot.name, topic), ping_ms, stop);
    *response.body_mut() = match tail {
        Tail::Bell {
            topic,
            hello,
            ring,
            ping_ms,
        } => Body::from_stream(BellFrames {
            hello: Some(event(&hello)),
            ring: event(&ring),
            wait: wait(&topic, ping_ms),
            _permit: permit,
        }),
        Tail::Log { id, ping_ms } => {
            let wait = wait(&logs::bell(&id), ping_ms);
            follow_log(slot, id, last_event_id.unwrap_or(0), wait, permit)
        }
    };
    response
}

fn event(data: &str) -> Bytes {
    Bytes::from(format!("data: {data}\n\n"))
}

/// Waiting for a bell, the next ping or the end. The waits are kept from one frame to the next: thousands of them are
/// woken at the same moment.
struct Wait {
    bell: WatchStream<u64>,
    stop: WatchStream<bool>,
    ping: Duration,
    /// Made when it is first waited for.
    next_ping: Option<Pin<Box<Sleep>>>,
}

enum Woken {
    Rung,
    Ping,
    Stop,
}

impl Wait {
    fn new(bell: watch::Receiver<u64>, ping_ms: u32, stop: watch::Receiver<bool>) -> Self {
        Self {
            bell: WatchStream::from_changes(bell),
            // It tells its first value too: the server may be stopping already.
            stop: WatchStream::new(stop),
            ping: Duration::from_millis(u64::from(ping_ms)),
            next_ping: None,
        }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Woken> {
        while let Poll::Ready(stop) = Pin::new(&mut self.stop).poll_next(context) {
            if stop != Some(false) {
                return Poll::Ready(Woken::Stop);
            }
        }
        match Pin::new(&mut self.bell).poll_next(context) {
            Poll::Ready(Some(_)) => return Poll::Ready(Woken::Rung),
            Poll::Ready(None) => return Poll::Ready(Woken::Stop),
            Poll::Pending => {}
        }
        let ping = self.ping;
        let next_ping = self.next_ping.get_or_insert_with(|| Box::pin(tokio::time::sleep(ping)));
        std::task::ready!(next_ping.as_mut().poll(context));
        next_ping.as_mut().reset(Instant::now() + ping);
        Poll::Ready(Woken::Ping)
    }
}

type Frame = Result<Bytes, std::convert::Infallible>;

const PING: Bytes = Bytes::from_static(b": ping\n\n");

/// The frames of a stream that follows a bell.
struct BellFrames {
    hello: Option<Bytes>,
    ring: Bytes,
    wait: Wait,
    _permit: Option<StreamPermit>,
}

impl Stream for BellFrames {
    type Item = Frame;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Frame>> {
        if let Some(hello) = self.hello.take() {
            return Poll::Ready(Some(Ok(hello)));
        }
        Poll::Ready(match std::task::ready!(self.wait.poll(context)) {
            Woken::Rung => Some(Ok(self.ring.clone())),
            Woken::Ping => Some(Ok(PING)),
            Woken::Stop => None,
        })
    }
}

struct LogReader {
    slot: Arc<SlotState>,
    id: String,
    offset: u64,
    wait: Wait,
    ended: bool,
    _permit: Option<StreamPermit>,
}

fn follow_log(slot: Arc<SlotState>, id: String, offset: u64, wait: Wait, permit: Option<StreamPermit>) -> Body {
    let reader = LogReader {
        slot,
        id,
        offset,
        wait,
        ended: false,
        _permit: permit,
    };
    Body::from_stream(unfold(reader, |mut reader| async move {
        let frame = reader.next().await?;
        Some((Frame::Ok(frame), reader))
    }))
}

impl LogReader {
    async fn next(&mut self) -> Option<Bytes> {
        while !self.ended {
            let logs = &self.slot.services.logs;
            let look = logs.look();
            let piece = match logs.piece(&self.slot.name, &self.id, self.offset, FRAME).await {
                Ok(piece) => piece,
                // Whoever listens goes on when it is back.
                Err(error) if look.is_some() && error.is_passing() => Piece::default(),
                Err(_) => return None,
            };
            if !piece.text.is_empty() {
                self.offset += piece.text.len() as u64;
                let data = serde_json::json!({ "text": piece.text });
                return Some(Bytes::from(format!(
                    "id: {}\nevent: log\ndata: {data}\n\n",
                    self.offset
                )));
            }
            if let Some(status) = piece.status {
                self.ended = true;
                let data = serde_json::json!({ "status": status });
                return Some(Bytes::from(format!("event: done\ndata: {data}\n\n")));
            }
            let woken = poll_fn(|context| self.wait.poll(context));
            let woken = match look {
                None => woken.await,
                // What other servers write rings nothing here.
                Some(look) => tokio::time::timeout(look, woken).await.unwrap_or(Woken::Rung),
            };
            match woken {
                Woken::Rung => {}
                Woken::Ping => return Some(PING),
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
        let limits = Arc::new(StreamLimits::default());
        let held: Vec<_> = (0..20).map(|_| limits.take_here("r", "ana", 20)).collect();
        assert!(held.iter().all(Option::is_some));
        assert!(limits.take_here("r", "ana", 20).is_none());
        assert!(limits.take_here("r", "bo", 20).is_some());
        drop(held);
        assert!(limits.take_here("r", "ana", 20).is_some());
    }
}
