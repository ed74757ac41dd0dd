//! Streaming answers, which the host continues to send after the handler returned. The plugin's instance is free meanwhile.
//!
//! ```
//! use galley_sdk::prelude::*;
//! use galley_sdk::testing::TestHost;
//!
//! fn watch(project: ProjectId) -> Result<Tail> {
//!     Ok(tail::bell(&project, r#"{"type":"connected"}"#, r#"{"type":"changed"}"#, 25_000)?)
//! }
//!
//! let plugin = Plugin::new("demo", "1.0.0")
//!     .route(get("/api/v1/projects/{project}/demo/stream", watch).guard(Guard::project_read()));
//! let host = TestHost::new(plugin);
//! host.project("p1");
//! let answer = host.get("/api/v1/projects/p1/demo/stream").as_admin().send();
//! assert_eq!(answer.bell().expect("a bell").topic, "p1");
//! ```

use crate::error::Problem;
use crate::host::http;
use crate::response::{IntoResponse, Response};

/// A streaming answer. A route that returns one should bound it with
/// [`Route::stream`](crate::Route::stream).
#[derive(Debug)]
pub struct Tail(http::Tail);

/// Server-sent events that follow the bell `topic`: `hello` when the stream opens, `ring` each time it rings (both are
/// the data of one event), and a comment every `ping_ms` milliseconds (at least 1,000). `bad-data` when either has more than
/// one line.
pub fn bell(topic: &str, hello: &str, ring: &str, ping_ms: u32) -> Result<Tail, Problem> {
    http::Tail::bell(topic, hello, ring, ping_ms).map(Tail)
}

/// Server-sent events that follow the log `id` from its start (or from where the client lost it) to its end.
/// `not-found` when there is no such log.
pub fn log(id: &str, ping_ms: u32) -> Result<Tail, Problem> {
    http::Tail::log(id, ping_ms).map(Tail)
}

impl IntoResponse for Tail {
    fn into_response(self) -> Response {
        Response {
            tail: Some(self.0),
            ..Response::empty(200)
        }
    }
}
