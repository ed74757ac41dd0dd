//! Builds of connected repositories: a real code host, real git over HTTP, real commands. Each test is named after the
//! rule it holds.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

mod confinement;
mod crashes;
mod environment;
mod output;
mod push;
mod queue;
mod secrets;
mod studio;
mod vite;
mod watching;
