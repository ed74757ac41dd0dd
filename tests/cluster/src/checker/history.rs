//! Requests to one object, with what became of them, and the objects that they are compared with.

use std::fmt::{self, Display};
use std::hash::Hash;

/// Microseconds since the run began, by one clock for all clients.
pub type Moment = u64;

/// A request and its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation<C> {
    /// Who sent it. A client waits for an answer before it sends the next request.
    pub client: usize,
    /// The server that was asked.
    pub node: usize,
    /// What was asked, and what was answered.
    pub call: C,
    /// When it was sent.
    pub invoked: Moment,
    /// When its answer was there. `None`: nobody knows whether it was done; it may be done at any moment after `invoked`, or never.
    pub returned: Option<Moment>,
}

/// An object as it behaves when requests come one after the other.
pub trait Model {
    /// All that later answers depend on.
    type State: Clone + Eq + Hash;
    /// A request with its answer.
    type Call: Clone + Eq + Display;

    /// The object before the first request.
    fn initial(&self) -> Self::State;

    /// The object after this call; `None` when it would have answered something else.
    fn step(&self, state: &Self::State, call: &Self::Call) -> Option<Self::State>;

    /// The call as it is known before its answer; `None` when it changes nothing.
    fn without_answer(&self, call: &Self::Call) -> Option<Self::Call>;

    /// Whether a history that has an order with this call has one without it, too. `others` are the rest of it.
    fn may_leave_out(&self, call: &Self::Call, others: &[&Self::Call]) -> bool;
}

impl<C: Display> Display for Operation<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |moment: Moment| moment as f64 / 1e6;
        write!(f, "{:>11.6} ", seconds(self.invoked))?;
        match self.returned {
            Some(returned) => write!(f, "{:>11.6}", seconds(returned))?,
            None => write!(f, "{:>11}", "unknown")?,
        }
        write!(
            f,
            "  client {} at node {}: {}",
            self.client + 1,
            self.node + 1,
            self.call
        )
    }
}
