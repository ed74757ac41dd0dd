//! The access log and the request metrics.

use std::time::Duration;

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use http::{Method, StatusCode};

pub use super::matched::Route;

/// Adds the matched route of the host's own router to the response.
pub async fn note_route(request: Request, next: Next) -> Response {
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let mut response = next.run(request).await;
    if let Some(matched) = matched {
        let path = matched.as_str().into();
        response.extensions_mut().insert(Route { path, slot: None });
    }
    response
}

/// Logs and counts an answer. `path` is the request's path without secrets.
pub fn note(request: &str, method: &Method, path: &str, route: Option<&Route>, status: StatusCode, took: Duration) {
    let status = status.as_u16();
    let slot = route.and_then(|route| route.slot.as_deref()).unwrap_or("host");
    let route = route.map_or("none", |route| &route.path);
    let ms = took.as_secs_f64() * 1e3;
    // Reads are many and change nothing, so they are logged only on request (`SERVICE_LOG=info,access=debug`).
    if status >= 500 || !method.is_safe() {
        tracing::info!(target: "access", request, route, slot, status, "{method} {path} {status} in {ms:.1} ms");
    } else {
        tracing::debug!(target: "access", request, route, slot, status, "{method} {path} {status} in {ms:.1} ms");
    }
    super::metrics::count(method, route, slot, status, took);
}
