//! Traces for a collector that speaks OTLP: a request, the plugin's call in it, and each call of the host in that are one trace.
//!
//! Off unless SERVICE_OTLP_ENDPOINT is set, and then nothing of it is made. A span has names, counts and times; never a body, a
//! header, a parameter or a path with the values of its parameters.

mod export;
mod sampling;
mod spans;

pub use export::{Traces, layer};
pub use spans::{HOST_CALLS, answered, guest, inject, is_on, request, rows};
