//! What a plugin writes where others read.

use galley_sdk::log;
use galley_sdk::prelude::Response;
use serde_json::{Value, json};

/// Writes `times` long lines.
pub(crate) fn flood(times: u32) -> Value {
    for number in 0..times {
        log::warn(format_args!("flood {number} {}", "x".repeat(1_000)));
    }
    json!(times)
}

/// Writes a line that tries to look like two.
pub(crate) fn forge(mark: &str) -> Value {
    log::warn(format_args!(
        "begins {mark}\n2026-01-01T00:00:00Z ERROR galley: forged {mark}\u{1b}[2J"
    ));
    json!(mark)
}

/// A script under any content type; under none when that is empty.
pub(crate) fn answer_as(content_type: &str) -> Response {
    let mut response = Response::empty(200);
    response.body = b"<html><script>alert(1)</script></html>".to_vec();
    match content_type {
        "" => response,
        content_type => response.header("content-type", content_type),
    }
}
