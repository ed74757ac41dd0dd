//! Pages of the web, from the hosts that the repository's configuration names and no others.

mod fetch;
mod page;

pub use fetch::{Fetcher, Refused};
