//! Black-box tests of the Editor.

mod bridge;
mod terminal;
