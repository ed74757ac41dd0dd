//! Black-box tests of the Editor.

mod bridge;
mod hosts;
mod config;
mod gate;
mod oracle_jsx;
mod oracle_vue;
mod terminal;
