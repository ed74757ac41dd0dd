//! What the SDK promises plugin authors, seen from outside.
#![allow(clippy::unwrap_used, reason = "a failed helper is a failed test")]

mod answers;
mod bounds;
mod database;
mod engines;
mod guards;
mod manifest;
mod statements;
#[path = "../../template/src/lib.rs"]
mod template;
