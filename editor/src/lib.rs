//! The Editor: opens a prototype's repository, and changes its source exactly where one points.
//!
//! The rooms, and the one direction in which they may use each other:
//! `main → cli → api → hosts → proxy`, and below these `stamp → source`, `workspace`, `gate` and `config`. ARCHITECTURE.md
//! in this crate shows the way of an edit through the house; API.md is the contract with the interface.

pub mod api;
pub mod cli;
pub mod config;
pub mod gate;
pub mod hosts;
pub mod proxy;
pub mod source;
pub mod stamp;
pub mod workspace;
