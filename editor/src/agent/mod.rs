//! What models do here: they propose, and the engine and the gate let through or refuse. Nothing else of what they say reaches a
//! file. The chat, its tools, and what they may read and ask.

pub mod chat;
pub mod conventions;
mod fence;
pub mod gate;
pub mod goal;
pub mod hints;
pub mod lanes;
mod lines;
pub mod mcp;
pub mod question;
pub mod reading;
pub mod vendor;
pub mod web;
