//! Addresses and names of people, as they are typed or told by others: checked where they come in.
//!
//! The host and plugins use these functions, so that an address is the same person everywhere and no name can change how
//! the text around it reads.

pub mod email;
pub mod name;
