//! Black-box tests of the Editor.

#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

mod api;
mod assets;
mod bridge;
mod canvas;
mod chat;
mod codes;
mod components;
mod config;
mod corpus;
mod crash;
mod edits;
mod gate;
mod git;
mod git_looks;
mod hints;
mod hosts;
mod interface;
mod interface_canvas;
mod interface_chat;
mod interface_models;
mod interface_readers;
mod link;
mod models;
mod models_double;
mod models_gate;
mod models_page;
mod models_small;
mod oracle_classes;
mod oracle_css;
mod oracle_jsx;
mod oracle_vue;
mod origin;
mod readings;
mod reasons;
mod scripts;
mod stamping;
mod terminal;
mod undo;
