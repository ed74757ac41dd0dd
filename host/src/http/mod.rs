//! (being built)

pub mod sites;
