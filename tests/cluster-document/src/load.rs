//! Writers that note what was acknowledged, and when.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use galley_harness::http::Request;
use serde_json::json;

/// How long a writer waits for an answer. What it says after that is not known.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(3);

/// How long a writer waits after a failure.
const PAUSE: Duration = Duration::from_millis(20);

/// A comment that was acknowledged.
#[derive(Debug, Clone)]
pub struct Acknowledged {
    /// Its text, which no other comment has.
    pub body: String,
    /// The server.
    pub node: SocketAddr,
    /// When the answer was there.
    pub at: Instant,
}

/// Writers, one at each server. Dropped, they end.
#[derive(Debug)]
pub struct Load {
    state: Arc<State>,
    writers: Vec<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct State {
    ends: AtomicBool,
    acknowledged: Mutex<Vec<Acknowledged>>,
}

impl Load {
    /// Starts a writer at each server. `name` is part of the texts.
    pub fn start(name: &str, nodes: &[SocketAddr], target: &str, token: &str) -> Load {
        let state = Arc::new(State::default());
        let writers = nodes.iter().enumerate().map(|(writer, &node)| {
            let state = Arc::clone(&state);
            let request = Request::new(node, "POST", target)
                .header("authorization", format!("Bearer {token}"))
                .within(ANSWER_TIMEOUT);
            let name = format!("{name}-{writer}");
            std::thread::spawn(move || state.write(&request, &name))
        });
        let writers = writers.collect();
        Load { state, writers }
    }

    /// What was acknowledged so far.
    pub fn acknowledged(&self) -> Vec<Acknowledged> {
        self.state.lock().clone()
    }

    /// Ends the writers and gives all that was acknowledged.
    pub fn end(mut self) -> Vec<Acknowledged> {
        self.finish();
        self.acknowledged()
    }

    fn finish(&mut self) {
        self.state.ends.store(true, Ordering::Relaxed);
        for writer in self.writers.drain(..) {
            let _ = writer.join();
        }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.finish();
    }
}

impl State {
    fn write(&self, request: &Request, name: &str) {
        for number in 0.. {
            if self.ends.load(Ordering::Relaxed) {
                return;
            }
            let body = format!("{name}-{number}");
            let comment = json!({ "body": body, "position": { "anchorSelector": "main", "page": "/" } });
            match request.clone().json(&comment).try_send() {
                Ok(answer) if answer.status == 201 => self.lock().push(Acknowledged {
                    body,
                    node: request.to,
                    at: Instant::now(),
                }),
                _ => std::thread::sleep(PAUSE),
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Acknowledged>> {
        self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The longest time in which one server acknowledged nothing, between two moments.
pub fn gap(acknowledged: &[Acknowledged], node: SocketAddr, since: Instant, until: Instant) -> Duration {
    let mut before = since;
    let mut longest = Duration::ZERO;
    let writes = acknowledged.iter().filter(|write| write.node == node);
    for at in writes.map(|write| write.at).filter(|at| (since..until).contains(at)) {
        longest = longest.max(at - before);
        before = at;
    }
    longest.max(until - before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_never_answers_again_is_a_gap_until_the_end() {
        let begin = Instant::now();
        let after = |seconds| begin + Duration::from_secs(seconds);
        let [one, other] = ["10.0.0.1:1", "10.0.0.2:1"].map(|text| text.parse().unwrap());
        let write = |node, at| Acknowledged {
            body: String::new(),
            node,
            at: after(at),
        };
        let writes = [write(one, 1), write(other, 2), write(one, 3), write(one, 8)];
        assert_eq!(gap(&writes, one, after(2), after(9)), Duration::from_secs(5));
        assert_eq!(gap(&writes, other, after(2), after(9)), Duration::from_secs(7));
    }
}
