//! The Editor: opens a prototype's repository, and changes its source exactly where one points.
//!
//! The rooms, and the one direction in which they may use each other:
//! `main → cli → api → hosts → proxy`, beside them `agent → models` and `canvas → review`, and below these `libraries`, `stamp → source`, `home → workspace`,
//! `gate` and `config`. ARCHITECTURE.md
//! in this crate shows the way of an edit through the house; API.md is the contract with the interface.

#[cfg(feature = "program")]
pub mod agent;
#[cfg(feature = "program")]
pub mod api;
#[cfg(feature = "program")]
pub mod canvas;
#[cfg(feature = "program")]
pub mod cli;
#[cfg(feature = "program")]
pub mod config;
#[cfg(feature = "program")]
pub mod gate;
#[cfg(feature = "program")]
pub mod home;
#[cfg(feature = "program")]
pub mod hosts;
#[cfg(feature = "program")]
pub mod libraries;
#[cfg(feature = "program")]
pub mod models;
#[cfg(feature = "program")]
pub mod proxy;
#[cfg(feature = "program")]
pub mod review;
pub mod source;
pub mod stamp;
#[cfg(feature = "program")]
pub mod workspace;
