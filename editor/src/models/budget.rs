//! How much may be spent on one task, all its calls together. A call that could cross the budget is not made.

use std::time::{Duration, Instant};

use super::event::Usage;
use super::prices::{Cost, Rates};

/// What one task may cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budget {
    /// Calls of the model.
    pub calls: u32,
    /// Tokens it reads.
    pub input: u64,
    /// Tokens it writes.
    pub output: u64,
    /// From the first call on.
    pub time: Duration,
    /// Dollars.
    pub usd: f64,
}

/// Texts, attributes, styles and classes that the engine refused.
pub const SAVE: Budget = Budget::new(2, 24_000, 2_000, 60, 0.08);
/// Structure, and items of lists.
pub const REPAIR: Budget = Budget::new(2, 32_000, 4_000, 75, 0.12);
/// Whether a turn of a chat reached its goal.
pub const GOAL: Budget = Budget::new(1, 8_000, 300, 30, 0.03);
/// Hints for a library of components.
pub const HINTS: Budget = Budget::new(1, 16_000, 2_000, 60, 0.06);

impl Budget {
    const fn new(calls: u32, input: u64, output: u64, seconds: u64, usd: f64) -> Self {
        let time = Duration::from_secs(seconds);
        Self {
            calls,
            input,
            output,
            time,
            usd,
        }
    }
}

/// What of a budget the next call would cross.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Exceeded {
    /// The number of calls.
    #[error("this task may ask the model no more often")]
    Calls,
    /// What the model reads.
    #[error("the model would have to read more than this task may have it read")]
    Input,
    /// What the model writes.
    #[error("the model would have nothing left to write with")]
    Output,
    /// The time.
    #[error("the time for this task is over")]
    Time,
    /// The money.
    #[error("the model could cost more than this task may cost")]
    Usd,
}

/// What of a budget is spent.
#[derive(Debug, Clone)]
pub struct Meter {
    budget: Budget,
    rates: Rates,
    begun: Instant,
    calls: u32,
    usage: Usage,
}

/// Bytes of a request for each token, at least: a bound, not an estimate.
const MIN_BYTES_PER_TOKEN: u64 = 3;

/// An answer of fewer tokens is of no use.
const MIN_OUTPUT: u64 = 200;

impl Meter {
    /// Nothing is spent yet, and time begins.
    #[must_use]
    pub fn new(budget: Budget, rates: Rates) -> Self {
        Self {
            budget,
            rates,
            begun: Instant::now(),
            calls: 0,
            usage: Usage::default(),
        }
    }

    /// Whether a call with a request of so many bytes may be made: the tokens its answer may have.
    ///
    /// # Errors
    /// With what it could cross.
    pub fn may_call(&self, request_bytes: usize) -> Result<u32, Exceeded> {
        let input = (request_bytes as u64).div_ceil(MIN_BYTES_PER_TOKEN);
        if self.calls >= self.budget.calls {
            return Err(Exceeded::Calls);
        }
        if self.time_left().is_zero() {
            return Err(Exceeded::Time);
        }
        if self.usage.all_input() + input > self.budget.input {
            return Err(Exceeded::Input);
        }
        let output = self.budget.output.saturating_sub(self.usage.output);
        if output < MIN_OUTPUT {
            return Err(Exceeded::Output);
        }
        let worst = Usage {
            cache_write: input,
            output: MIN_OUTPUT,
            ..Usage::default()
        };
        let left = self.budget.usd - self.cost().usd;
        if self.rates.cost(&worst).usd > left {
            return Err(Exceeded::Usd);
        }
        // What the money is enough for, when that is less than the tokens.
        let read = Usage { output: 0, ..worst };
        let affordable = self.rates.output_tokens_for(left - self.rates.cost(&read).usd);
        Ok(u32::try_from(output.min(affordable)).unwrap_or(u32::MAX))
    }

    /// Counts a call that is made now.
    pub fn call(&mut self) {
        self.calls += 1;
    }

    /// Counts what a call used, also one that ended early.
    pub fn add(&mut self, usage: Usage) {
        self.usage += usage;
    }

    /// What is left of the time.
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.budget.time.saturating_sub(self.begun.elapsed())
    }

    /// Calls so far.
    #[must_use]
    pub fn calls(&self) -> u32 {
        self.calls
    }

    /// Tokens so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Dollars so far.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.rates.cost(&self.usage)
    }
}
