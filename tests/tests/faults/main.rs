//! kill -9 at any moment: every acknowledged write is there after the next boot, what was live stays live, and nothing is
//! left lying about.
//!
//! `GALLEY_KILLS` says how often each test kills the server; the default suits a test run, the benchmark takes 200.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

mod comments;
mod mail;
mod mixed;
mod sign_in;
mod uploads;
mod with_two_nodes;

/// How often to kill.
fn kills() -> u32 {
    std::env::var("GALLEY_KILLS")
        .ok()
        .and_then(|kills| kills.parse().ok())
        .unwrap_or(15)
}
