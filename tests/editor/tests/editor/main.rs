//! Black-box tests of the Editor.

mod api;
mod bridge;
mod crash;
mod edits;
mod git;
mod link;
mod hosts;
mod config;
mod gate;
mod oracle_jsx;
mod oracle_vue;
mod origin;
mod terminal;
mod undo;
