//! What the program does for authors of plugins: a new plugin, the SDK it is written against, and its component.

pub mod build;
mod carried;
pub mod component;
pub mod new;
pub mod sdk;
