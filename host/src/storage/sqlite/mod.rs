//! One SQLite file: a writer thread that commits in groups, and a pool of readers.
//!
//! Reads run on the calling thread (a few microseconds each). Writes go to one thread, which runs all that are waiting
//! in one transaction and syncs once: each is durable when its future resolves, and none sees another's failure.

mod database;
mod error;
mod migration;
mod writer;

pub use database::{Configure, Database, MIGRATION_TIMEOUT};
pub use error::StorageError;
pub use migration::{Migration, schema_version};

#[cfg(test)]
mod tests;
