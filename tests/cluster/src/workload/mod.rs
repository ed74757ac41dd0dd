//! What clients do to a cluster, and what they keep of the answers.

mod caller;
mod client;
mod instance;
mod kept;
mod project;
mod run;
mod silence;
mod trouble;
mod verdict;

pub use run::{Plan, run};
pub use verdict::Verdict;
