//! Servers of `.mcp.json` and the design tool's: programs on this machine that offer tools, spoken to over their standard input
//! and output (the Model Context Protocol, JSON-RPC, one message a line).
//!
//! A client of our own, as the part of the protocol that is used is small: begin, list tools, call one. A server that is dead,
//! slow or says what nobody asked for costs its own tools only.

mod approved;
mod child;
mod client;
mod content;
mod offer;
mod pool;

pub use approved::{Approved, fingerprint};
pub use client::Described;
pub use content::Answered;
pub use offer::{Offer, Permission, offer};
pub use pool::Pool;
