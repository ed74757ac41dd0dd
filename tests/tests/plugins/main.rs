//! Plugins from the operator's side: looking at them, switching them, replacing them; and plugins that misbehave.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

mod administering;
mod answers;
mod approving;
mod authoring;
mod bad_input;
mod bad_input_by_api;
mod config;
mod contained;
mod contract;
mod data;
mod data_operations;
mod data_swaps;
mod events;
mod failing;
mod figures;
mod guards;
mod installing;
mod jobs;
mod kept_handles;
mod killed_steps;
mod languages;
mod latency;
mod limits;
mod operating;
mod outbound;
mod registries;
mod replacing;
mod requests;
mod sandbox;
mod second_comments;
mod secrets;
mod shared;
mod shared_data;
mod shared_killed;
mod signing;
mod socket;
mod swapping;
mod traces;
mod tripping;
mod tutorial;
mod ui;
mod with_two_nodes;
