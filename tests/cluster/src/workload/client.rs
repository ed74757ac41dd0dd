//! A client: it sends one request after the other, each to any server, and keeps what became of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use galley_harness::http::{Request, Response};
use rand::RngExt;
use rand::rngs::StdRng;
use serde_json::Value;

use super::caller::{Answer, ask};
use super::instance::Instance;
use super::kept::{Clock, History, Kept};
use super::silence::Silence;
use crate::checker::history::Operation;
use crate::cluster::{Cluster, Credentials};

/// How long a client that was refused waits.
const PAUSE: Duration = Duration::from_millis(25);

/// What all clients have in common.
pub struct Common {
    /// The servers.
    pub cluster: Cluster,
    /// Whom they sign in as.
    pub credentials: Credentials,
    /// Their time.
    pub clock: Clock,
    /// What there is once in the cluster.
    pub instance: Instance,
    /// Answers that a server of a cluster must not give, whatever happens.
    pub wrong: Kept<String>,
    /// How many requests were answered, refused, and neither.
    pub counts: [AtomicU64; 3],
    /// The times without an answer.
    pub answers: Silence,
    /// The times without an answer to a write.
    pub writes: Silence,
    names: AtomicU64,
}

impl Common {
    /// For clients of this cluster.
    pub fn of(cluster: Cluster, credentials: Credentials) -> Arc<Common> {
        Arc::new(Common {
            cluster,
            credentials,
            clock: Clock::start(),
            instance: Instance::default(),
            wrong: Kept::default(),
            counts: Default::default(),
            answers: Silence::default(),
            writes: Silence::default(),
            names: AtomicU64::new(0),
        })
    }

    /// A text that nobody had before.
    pub fn new_name(&self, what: &str) -> String {
        format!("{what}-{}", self.names.fetch_add(1, Ordering::Relaxed))
    }
}

/// Who a request is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum As {
    /// The administrator, by a token.
    Administrator,
    /// The administrator's browser.
    Browser,
    /// Nobody.
    Nobody,
}

/// A client.
pub struct Client {
    /// Its number.
    pub number: usize,
    /// What it has in common with the others.
    pub common: Arc<Common>,
    /// Its choices.
    pub random: StdRng,
}

impl Client {
    /// Any server.
    pub fn any_node(&mut self) -> usize {
        self.random.random_range(0..self.common.cluster.nodes().len())
    }

    /// A request to a server.
    pub fn request(&self, node: usize, who: As, method: &str, target: &str) -> Request {
        let request = Request::new(self.common.cluster.nodes()[node].address(), method, target);
        let credentials = &self.common.credentials;
        match who {
            As::Administrator => request.header("authorization", credentials.bearer.clone()),
            As::Browser => request.header("cookie", credentials.cookie.clone()),
            As::Nobody => request,
        }
    }

    /// Sends a request. `denials` are the statuses that are no mistake.
    pub fn send(&self, node: usize, request: Request, denials: &[u16]) -> Answer {
        let what = format!(
            "client {} at node {}: {} {}",
            self.number + 1,
            node + 1,
            request.method,
            request.target
        );
        let is_write = request.method != "GET";
        let asked = self.common.clock.now();
        let answer = ask(request);
        let now = self.common.clock.now();
        let count = match &answer {
            Answer::Denied(answer) | Answer::Failed(answer) if !denials.contains(&answer.status) => {
                let (asked, now) = (asked as f64 / 1e6, now as f64 / 1e6);
                let (status, text) = (answer.status, answer.text());
                self.common
                    .wrong
                    .add(format!("{what} ({asked:.6} to {now:.6}): {status} {text}"));
                0
            }
            Answer::Done(_) | Answer::Denied(_) | Answer::Failed(_) => 0,
            Answer::Refused => 1,
            Answer::Unknown => 2,
        };
        self.common.counts[count].fetch_add(1, Ordering::Relaxed);
        match answer {
            Answer::Done(_) => {
                self.common.answers.ends(now);
                if is_write {
                    self.common.writes.ends(now);
                }
            }
            // Whoever is told to come back does not do so at once.
            Answer::Refused => std::thread::sleep(PAUSE),
            _ => {}
        }
        answer
    }

    /// Sends a write, and keeps it: as `call`, or with what the answer shows.
    pub fn write<C: Clone>(
        &self,
        history: &History<C>,
        (node, request): (usize, Request),
        call: C,
        shown: impl FnOnce(&Response, C) -> Option<C>,
    ) {
        let invoked = self.common.clock.now();
        let answer = self.send(node, request, &[]);
        let operation = |call, returned| Operation {
            client: self.number,
            node,
            call,
            invoked,
            returned,
        };
        match answer {
            Answer::Done(answer) => match shown(&answer, call) {
                Some(call) => history.add(operation(call, Some(self.common.clock.now()))),
                None => self.odd(&answer),
            },
            Answer::Unknown | Answer::Failed(_) => history.add(operation(call, None)),
            Answer::Refused | Answer::Denied(_) => {}
        }
    }

    /// Sends a read, and keeps what the answer shows. Whether there is one.
    pub fn read<C: Clone>(
        &self,
        history: &History<C>,
        (node, request): (usize, Request),
        denials: &[u16],
        shown: impl FnOnce(&Response) -> Option<C>,
    ) -> bool {
        let invoked = self.common.clock.now();
        let answer = self.send(node, request, denials);
        let returned = Some(self.common.clock.now());
        let (Answer::Done(answer) | Answer::Denied(answer)) = answer else {
            return false;
        };
        if answer.status >= 400 && !denials.contains(&answer.status) {
            return false;
        }
        let Some(call) = shown(&answer) else {
            self.odd(&answer);
            return false;
        };
        history.add(Operation {
            client: self.number,
            node,
            call,
            invoked,
            returned,
        });
        true
    }

    /// Keeps an answer that says something else than was asked.
    pub fn odd(&self, answer: &Response) {
        let (request, text) = (&answer.request, answer.text());
        self.common
            .wrong
            .add(format!("{request}: the answer is odd: {} {text}", answer.status));
    }
}

/// A member of an answer that is JSON.
pub fn member(answer: &Response, path: &str) -> Option<Value> {
    let body: Value = serde_json::from_slice(&answer.body).ok()?;
    body.pointer(path).cloned()
}

/// The same as a text.
pub fn text(answer: &Response, path: &str) -> Option<String> {
    let value = member(answer, path)?;
    match value {
        Value::Null => Some("none".to_owned()),
        Value::Bool(is) => Some(if is { "on" } else { "off" }.to_owned()),
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(_) | Value::Object(_) => None,
    }
}
