//! Black-box tests of the Editor.

mod terminal;
