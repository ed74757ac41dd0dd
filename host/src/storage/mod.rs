//! What is on disk: SQLite files, and the trees of files that are served. Nothing here knows HTTP or plugins.

pub mod core;
pub mod id;
pub mod restrict;
pub mod sites;
pub mod sqlite;
