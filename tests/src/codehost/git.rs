//! Repositories over smart HTTP.

use std::sync::Arc;

use axum::extract::Request;
use axum::response::Response;

use super::router::not_found;
use super::state::State;

/// Answers a request at `/{owner}/{name}.git/…`.
pub async fn serve(_state: Arc<State>, _request: Request) -> Response {
    not_found()
}
