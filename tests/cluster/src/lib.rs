//! Random requests at random servers of a cluster while parts of it fail, and a judgment of the answers.
//!
//! What has one value at a time (names, access, settings, live versions, numbers) is judged by a search for an order in which
//! the requests could have been done one after the other ([`checker::search`]), comments as a list that only grows
//! ([`checker::comments`]). A request whose answer was lost may have been done at any later moment, or never.

pub mod checker;
pub mod cluster;
pub mod workload;
