//! The local API: what the interface and the dev server's shim ask. `API.md` is its contract.
//!
//! [`App`] is made before the dev server is started, because that needs to know where to stamp; what happens later is told to
//! it ([`App::follow`], [`App::warn`]). [`serve`] answers until it is told to stop.

mod app;
mod assets;
mod body;
mod canvas;
mod chat;
mod chats;
mod classes;
mod client;
mod code;
mod comments;
mod components;
mod desk;
mod diff;
mod direct;
mod edit;
mod error;
mod event;
mod events;
mod file;
mod git;
mod guard;
mod hints;
mod history;
mod host;
mod inspect;
mod interface;
mod landing;
mod linked;
mod llm;
mod models;
mod notes;
mod peer;
mod plans;
mod project;
mod proposals;
mod reading;
mod readings;
mod routes;
mod seeing;
mod serve;
mod settings;
mod stamped;
mod stamping;
mod tree;

pub use app::{App, Parts};
pub use code::Code;
pub use direct::{Direct, refused};
pub use serve::serve;
