//! Builds of connected repositories: a real code host, real git over HTTP, real commands. Each test is named after the
//! rule it holds.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

mod bounds;
mod cancel;
mod cluster;
mod confinement;
mod crashes;
mod environment;
mod output;
mod proxies;
mod push;
mod queue;
mod sandbox;
mod secrets;
mod static_site;
mod studio;
mod vite;
mod watching;
mod with_two_nodes;
