//! How what is written fits in with the text around it.

pub mod lines;
