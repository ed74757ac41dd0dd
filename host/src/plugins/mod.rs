//! Loading, keeping and calling plugins.

pub mod cache;
pub mod delivery;
pub mod engine;
pub mod inspect;
pub mod instances;
pub mod lock;
pub mod manifest;
pub mod plugin;
pub mod registry;
