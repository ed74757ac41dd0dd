//! The Galley server: it owns HTTP, storage and credentials, and hosts the plugins that are its features.
//!
//! The rooms, and the one direction in which they may use each other:
//! `main → cli → http → plugins → capabilities → projects → accounts → core → storage`. `config` is read by all; `identity`,
//! `mail` and `codehost` stand beside `http` and use what stands below `capabilities`; `outside` and `telemetry` use `web`
//! only, which has what HTTP clients have in common; `builds` uses `codehost` too. ARCHITECTURE.md in this crate shows
//! the path of a request.

pub mod accounts;
pub mod author;
pub mod builds;
pub mod capabilities;
pub mod cli;
pub mod codehost;
pub mod config;
pub mod core;
pub mod http;
pub mod identity;
pub mod mail;
pub mod outside;
pub mod plugins;
pub mod projects;
pub mod storage;
pub mod telemetry;
pub mod web;
