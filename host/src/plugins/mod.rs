//! Loading, keeping and calling plugins.

pub mod cache;
pub mod cause;
pub mod claims;
pub mod delivery;
pub mod engine;
pub mod inspect;
pub mod instances;
pub mod loader;
pub mod lock;
pub mod manifest;
pub mod plugin;
pub mod pool;
pub mod registry;
pub mod ticker;
pub mod verify;
