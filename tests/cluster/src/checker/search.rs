//! Searches an order of the requests to one object that explains every answer and keeps what was over before something else began:
//! the algorithm of Wing and Gong, which visits no configuration twice (Lowe), as porcupine and knossos do.

use std::collections::HashSet;

use super::history::{Model, Moment, Operation};

/// The most configurations that one search visits. Each is some 200 bytes of memory.
pub const MAX_CONFIGURATIONS: usize = 500_000;

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// There is an order.
    Legal,
    /// There is none.
    Illegal,
    /// It was given up after so many configurations: nothing is known.
    TooLarge(usize),
}

/// How far an order has come.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Configuration<S> {
    /// All answered operations before this one are in it, this one is not.
    first: usize,
    /// The answered ones behind `first` that are in it, sorted.
    ahead: Vec<usize>,
    /// The operations of unknown outcome that are in it, sorted.
    counted: Vec<usize>,
    state: S,
}

struct History<'h, M: Model> {
    model: &'h M,
    /// By the time they were sent.
    answered: Vec<&'h Operation<M::Call>>,
    /// By the time they were sent, without those that explain nothing.
    unknown: Vec<&'h Operation<M::Call>>,
}

/// Searches an order, in at most `most` configurations.
pub fn search<M: Model>(model: &M, operations: &[Operation<M::Call>], most: usize) -> Verdict {
    let history = History::of(model, operations);
    let mut open = vec![Configuration {
        first: 0,
        ahead: Vec::new(),
        counted: Vec::new(),
        state: model.initial(),
    }];
    let mut seen = HashSet::new();
    while let Some(configuration) = open.pop() {
        if configuration.first == history.answered.len() {
            return Verdict::Legal;
        }
        if seen.len() >= most {
            return Verdict::TooLarge(seen.len());
        }
        for next in history.after(&configuration) {
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    Verdict::Illegal
}

impl<'h, M: Model> History<'h, M> {
    fn of(model: &'h M, operations: &'h [Operation<M::Call>]) -> Self {
        let (mut answered, unknown): (Vec<_>, Vec<_>) =
            operations.iter().partition(|operation| operation.returned.is_some());
        let calls: Vec<_> = answered.iter().map(|operation| &operation.call).collect();
        let explains = |operation: &&Operation<M::Call>| !model.may_leave_out(&operation.call, &calls);
        let mut unknown: Vec<_> = unknown.into_iter().filter(explains).collect();
        answered.sort_by_key(|operation| operation.invoked);
        unknown.sort_by_key(|operation| operation.invoked);
        History {
            model,
            answered,
            unknown,
        }
    }

    /// All configurations that are one operation further, the most promising one last.
    fn after(&self, configuration: &Configuration<M::State>) -> Vec<Configuration<M::State>> {
        let (mut candidates, bound) = self.candidates(configuration);
        // What was over first was most likely done first.
        candidates.sort_by_key(|&at| std::cmp::Reverse(self.answered[at].returned));
        let unknown = self.unknown_candidates(configuration, bound);
        let with_unknown = unknown.filter_map(|at| {
            let state = self.model.step(&configuration.state, &self.unknown[at].call)?;
            let mut counted = configuration.counted.clone();
            counted.insert(counted.partition_point(|&other| other < at), at);
            Some(Configuration {
                counted,
                state,
                ..configuration.clone()
            })
        });
        let with_answered = candidates.into_iter().filter_map(|at| {
            let state = self.model.step(&configuration.state, &self.answered[at].call)?;
            Some(configuration.with(at, state))
        });
        with_unknown.chain(with_answered).collect()
    }

    /// The answered operations that may be next, and the moment before which whatever is next was sent: the first end of one that
    /// is not in the order yet.
    fn candidates(&self, configuration: &Configuration<M::State>) -> (Vec<usize>, Moment) {
        let mut bound = Moment::MAX;
        let mut candidates = Vec::new();
        for (at, operation) in self.answered.iter().enumerate().skip(configuration.first) {
            if operation.invoked > bound {
                break;
            }
            if configuration.ahead.binary_search(&at).is_err() {
                bound = bound.min(operation.returned.unwrap_or(Moment::MAX));
                candidates.push(at);
            }
        }
        candidates.retain(|&at| self.answered[at].invoked <= bound);
        (candidates, bound)
    }

    /// The operations of unknown outcome that may be next. Of equal ones the first: whatever the others explain, it explains, too.
    fn unknown_candidates<'s>(
        &'s self,
        configuration: &'s Configuration<M::State>,
        bound: Moment,
    ) -> impl Iterator<Item = usize> + 's {
        let is_open = |at: usize| configuration.counted.binary_search(&at).is_err();
        let sent = self.unknown.partition_point(|operation| operation.invoked <= bound);
        (0..sent).filter(move |&at| {
            let is_same = |other: usize| self.unknown[other].call == self.unknown[at].call;
            is_open(at) && !(0..at).any(|other| is_open(other) && is_same(other))
        })
    }
}

impl<S: Clone> Configuration<S> {
    /// The same with an answered operation more.
    fn with(&self, at: usize, state: S) -> Self {
        let (mut first, mut ahead) = (self.first, self.ahead.clone());
        if at == first {
            first += 1;
            let run = ahead.iter().zip(first..).take_while(|(at, next)| **at == *next).count();
            ahead.drain(..run);
            first += run;
        } else {
            ahead.insert(ahead.partition_point(|&other| other < at), at);
        }
        Configuration {
            first,
            ahead,
            counted: self.counted.clone(),
            state,
        }
    }
}
