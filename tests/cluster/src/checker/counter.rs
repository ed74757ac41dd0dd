//! A counter: each addition answers what it counted to, a read sees how far it is.

use std::fmt::{self, Display};

use super::history::Model;

/// A counter that begins at 0.
#[derive(Debug, Clone, Copy)]
pub struct Counter;

/// A request to a counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Call {
    /// Counts one further, to this number where it was answered.
    Add(Option<u64>),
    /// Sees this number.
    Read(u64),
}

impl Model for Counter {
    type State = u64;
    type Call = Call;

    fn initial(&self) -> u64 {
        0
    }

    fn step(&self, state: &u64, call: &Call) -> Option<u64> {
        match *call {
            Call::Add(Some(number)) => (number == state + 1).then_some(number),
            Call::Add(None) => Some(state + 1),
            Call::Read(number) => (number == *state).then_some(number),
        }
    }

    fn without_answer(&self, call: &Call) -> Option<Call> {
        matches!(call, Call::Add(_)).then_some(Call::Add(None))
    }

    fn may_leave_out(&self, call: &Call, _others: &[&Call]) -> bool {
        matches!(call, Call::Read(_))
    }
}

impl Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Call::Add(Some(number)) => write!(f, "counts to {number}"),
            Call::Add(None) => write!(f, "counts one further"),
            Call::Read(number) => write!(f, "reads {number}"),
        }
    }
}
