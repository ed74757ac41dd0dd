//! What is on disk: SQLite files, the trees of files that are served, logs and blobs. Nothing here knows HTTP or
//! plugins.

pub mod backup;
pub mod blobs;
pub mod core;
pub mod disk;
pub mod durable;
pub mod id;
pub mod logs;
pub mod low_priority;
pub mod own_time;
pub mod pace;
pub mod reads;
pub mod seal;
pub mod sites;
pub mod slot_data;
pub mod sqlite;
