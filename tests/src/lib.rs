//! The harness of the black-box tests: it starts the real `galley` in a folder of its own and speaks to it from outside.
//!
//! ```no_run
//! use galley_tests::prelude::*;
//!
//! let server = Server::start();
//! let answer = server.user("ed").post("/api/v1/projects", json!({ "slug": "shop", "name": "Shop" }));
//! assert_eq!(answer.expect(201).json()["slug"], "shop");
//! ```
//!
//! What is deliberately absent: any knowledge of how the server works inside. The one exception is [`accounts`], which
//! writes into the server's database what cannot be made over HTTP yet.

pub mod accounts;
pub mod again;
pub mod archive;
pub mod balancer;
pub mod bench;
pub mod cli;
pub mod client;
pub mod cluster;
pub mod codehost;
pub mod collector;
pub mod company;
pub mod contracts;
mod core_database;
pub mod dashboard;
pub mod forward_proxy;
pub mod greeter;
mod kept;
pub mod kills;
pub mod languages;
pub mod mail;
pub mod metrics;
mod namespace;
pub mod nodes;
pub mod oci;
pub mod operator;
pub mod outside;
pub mod paths;
pub mod pause;
pub mod publisher;
pub mod relay;
pub mod server;
pub mod shelf;
pub mod socks_proxy;
pub mod stand_in;
pub mod steps;
pub mod template;
pub mod tls_front;

pub use galley_harness::{bundle, disk, http, node, poll, process, sse, usage};

/// What nearly every test uses.
pub mod prelude {
    pub use serde_json::{Value, json};

    pub use crate::bundle::Bundle;
    pub use crate::client::Client;
    pub use crate::http::Response;
    pub use crate::poll::eventually;
    pub use crate::server::Server;
    pub use crate::steps::*;
}
