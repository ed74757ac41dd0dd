//! The vendor's own program, with the sign-in that the user has in it. The Editor never sees that sign-in and never offers one: it
//! starts the program and speaks to it by lines of JSON. The program asks its model; our tools travel to it as messages of a server
//! within the same pipe.

mod once;
mod program;
mod talk;
mod verdict;

pub use once::{Once, once};
pub use program::{Start, find, is_used, missing};
pub use talk::{Heard, Question, Talk, Wants, used};
pub use verdict::Verdict;

/// How long the program may take to stop when it is asked to.
pub const STOP_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(3);
