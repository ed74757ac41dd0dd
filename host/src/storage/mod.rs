//! What is stored: SQLite files, the trees of files that are served, logs and blobs, on disk or in an object store. Nothing here
//! knows routes, plugins or people.

pub mod asked;
pub mod backup;
pub mod blobs;
pub mod blocking;
pub mod committed;
pub mod data_folder;
pub mod disk;
pub mod durable;
pub mod engine;
pub mod id;
pub mod logs;
pub mod low_priority;
pub mod memory;
pub mod objects;
pub mod outage;
pub mod own_time;
pub mod pace;
pub mod priority;
pub mod reads;
pub mod seal;
pub mod sites;
pub mod slot;
pub mod slot_data;
pub mod sqlite;
pub mod stamp;
pub mod transfer;
