//! Black-box tests of the Editor.

mod bridge;
mod oracle_jsx;
mod oracle_vue;
mod hosts;
mod terminal;
