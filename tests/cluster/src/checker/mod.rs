//! What a history of requests may look like, whatever answered them. Nothing here knows a server.

pub mod comments;
pub mod counter;
pub mod history;
pub mod objection;
pub mod record;
pub mod search;
pub mod smallest;

#[cfg(test)]
mod tests;
