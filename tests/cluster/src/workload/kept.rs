//! What clients remember of their requests to one object.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::checker::history::{Moment, Operation};

/// The time that all clients go by.
#[derive(Debug, Clone, Copy)]
pub struct Clock(Instant);

impl Clock {
    /// One that begins now.
    pub fn start() -> Clock {
        Clock(Instant::now())
    }

    /// Now.
    pub fn now(&self) -> Moment {
        Moment::try_from(self.0.elapsed().as_micros()).unwrap_or(Moment::MAX)
    }
}

/// A list that all clients add to.
#[derive(Debug)]
pub struct Kept<T>(Mutex<Vec<T>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Kept(Mutex::default())
    }
}

impl<T: Clone> Kept<T> {
    /// Adds one.
    pub fn add(&self, one: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(one);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// All of them.
    pub fn all(&self) -> Vec<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The requests to one object.
pub type History<C> = Kept<Operation<C>>;
