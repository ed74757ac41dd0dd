//! Checks of people's addresses and names, for every place where they enter.
//!
//! The host and plugins use these functions, so that an address is the same person everywhere and no name can change how
//! the text around it reads.

pub mod email;
pub mod name;
