//! One SQLite file: a writer thread that commits in groups, and a pool of readers.
//!
//! Reads run on the calling thread (a few microseconds each). Writes go to one thread, which runs all that are waiting
//! in one transaction and syncs once: each is durable when its future resolves, and none sees another's failure.

mod copy;
mod database;
mod error;
mod migration;
mod staged;
mod writer;

pub use copy::{Snapshot, WriteLock, copy_database, is_interrupted, overwrite_database};
pub use database::{Configure, Database, MIGRATION_TIMEOUT};
pub use error::StorageError;
pub use migration::{Migration, open_alone};
pub use staged::Transaction;

#[cfg(test)]
mod tests;
