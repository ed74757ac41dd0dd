//! A record of a few fields. A write sets some of them, a read sees some of them, each in one moment.

use std::fmt::{self, Display};
use std::sync::Arc;

use super::history::Model;

/// Some of a record's fields: their places and values.
pub type Fields = Vec<(usize, Arc<str>)>;

/// A record.
#[derive(Debug, Clone)]
pub struct Record {
    initial: Vec<Arc<str>>,
}

/// A request to a record, done in one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Call {
    /// The fields it sets; the rest stays.
    pub written: Fields,
    /// The fields that its answer shows, as they are afterwards.
    pub seen: Fields,
}

impl Record {
    /// One with these fields.
    pub fn new(initial: &[&str]) -> Record {
        Record {
            initial: initial.iter().map(|&value| value.into()).collect(),
        }
    }
}

impl Call {
    /// Sets fields.
    pub fn write<const N: usize>(fields: [(usize, &str); N]) -> Call {
        let written = fields.map(|(place, value)| (place, value.into())).into();
        Call {
            written,
            ..Call::default()
        }
    }

    /// Sees fields.
    pub fn read<const N: usize>(fields: [(usize, &str); N]) -> Call {
        Call::default().and_reads(fields)
    }

    /// The same with what its answer shows.
    pub fn and_reads<const N: usize>(self, fields: [(usize, &str); N]) -> Call {
        let seen = fields.map(|(place, value)| (place, value.into())).into();
        Call { seen, ..self }
    }
}

impl Model for Record {
    type State = Vec<Arc<str>>;
    type Call = Call;

    fn initial(&self) -> Self::State {
        self.initial.clone()
    }

    fn step(&self, state: &Self::State, call: &Call) -> Option<Self::State> {
        let mut state = state.clone();
        for (place, value) in &call.written {
            state[*place] = value.clone();
        }
        let is_seen = call.seen.iter().all(|(place, value)| state[*place] == *value);
        is_seen.then_some(state)
    }

    fn without_answer(&self, call: &Call) -> Option<Call> {
        let changes = !call.written.is_empty();
        changes.then(|| Call {
            seen: Fields::new(),
            ..call.clone()
        })
    }

    /// What writes nothing, and writes of which nobody else saw anything: a read between such a write and the next one would have.
    fn may_leave_out(&self, call: &Call, others: &[&Call]) -> bool {
        let is_written = |field| call.written.contains(field);
        !others.iter().any(|other| other.seen.iter().any(is_written))
    }
}

impl Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = |fields: &Fields| {
            let values: Vec<&str> = fields.iter().map(|(_, value)| &**value).collect();
            values.join(", ")
        };
        let (written, seen) = (values(&self.written), values(&self.seen));
        match (written.is_empty(), seen.is_empty()) {
            (false, true) => write!(f, "writes {written}"),
            (true, _) => write!(f, "reads {seen}"),
            (false, false) => write!(f, "writes {written}, and reads {seen}"),
        }
    }
}
