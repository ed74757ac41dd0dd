//! Loading, keeping and calling plugins.

pub mod artifacts;
pub mod breaker;
pub mod cache;
pub mod cause;
pub mod claims;
pub mod contract;
pub mod delivery;
pub mod engine;
pub mod entry;
mod exports;
pub mod gate;
pub mod inspect;
pub mod instances;
pub mod loader;
pub mod lock;
pub mod manifest;
mod opened;
pub mod operations;
pub mod plugin;
pub mod pool;
pub mod registry;
pub mod retries;
pub mod review;
pub mod signature;
pub mod slow_lane;
pub mod ticker;
pub mod verify;
