//! Models: who provides them, with whose key, what is asked and what comes back, and what it costs.
//!
//! Two wire formats stand behind one [`Client`]: Anthropic's Messages and OpenAI's Chat Completions, which most others speak too.
//! Nothing here knows what a model is asked for, and nothing here touches a file of the prototype.

pub mod access;
pub mod budget;
pub mod client;
mod completions;
pub mod credentials;
pub mod event;
pub mod flow;
mod hints;
mod messages;
pub mod prices;
pub mod provider;
pub mod request;
pub mod secrets;
mod sse;

pub use access::{Access, KeySource};
pub use budget::{Budget, Exceeded, Meter};
pub use client::{Answer, Client, Outcome};
pub use credentials::Credentials;
pub use event::{Event, Failure, FailureKind, StopReason, Usage};
pub use flow::Flow;
pub use prices::{Cost, Rates};
pub use provider::{Provider, Wire};
pub use request::{Assistant, Message, Part, Request, Tool, ToolCall, ToolResult};
pub use secrets::{Secret, Secrets};

#[cfg(test)]
mod tests;
