//! Who may call. Any page that runs in the user's browser can send requests to 127.0.0.1: only the interface's own may reach
//! the API, and the browser tells which page it was.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use serde_json::json;

use super::app::App;

/// In bytes.
const MAX_SMALL_BODY: usize = 64 << 10;

/// Refuses what is not from the interface; adds what every answer carries.
pub(super) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_api = path == "/api" || path.starts_with("/api/");
    let is_host = only(request.headers(), header::HOST) == Some(app.host_header.as_bytes());
    let mut response = if is_api && !(is_host && is_from_interface(&app, request.headers())) {
        refuse(&app)
    } else if !is_api && !is_host && matches!(*request.method(), Method::GET | Method::HEAD) {
        // Opened under another name, the interface could load but would be refused everything.
        let rest = request.uri().path_and_query().map_or("/", |rest| rest.as_str());
        Redirect::temporary(&format!("{}{rest}", app.origin)).into_response()
    } else {
        next.run(at_hand(request).await).await
    };
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// A small body is taken from the wire whether or not it is asked for: a connection with an unread rest cannot be used again.
async fn at_hand(request: Request) -> Request {
    let length = only(request.headers(), header::CONTENT_LENGTH);
    let length = length.and_then(|length| str::from_utf8(length).ok()?.parse::<usize>().ok());
    if !length.is_some_and(|length| (1..=MAX_SMALL_BODY).contains(&length)) {
        return request;
    }
    let (parts, body) = request.into_parts();
    let body = match axum::body::to_bytes(body, MAX_SMALL_BODY).await {
        Ok(bytes) => Body::from(bytes),
        // Broken off: whoever wants the body finds it does not fit.
        Err(_) => Body::empty(),
    };
    Request::from_parts(parts, body)
}

fn is_from_interface(app: &App, headers: &HeaderMap) -> bool {
    only(headers, header::ORIGIN) == Some(app.origin.as_bytes())
}

/// A header's value when there is exactly one.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&[u8]> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    values.next().is_none().then_some(first.as_bytes())
}

fn refuse(app: &App) -> Response {
    let reason = format!("Invalid Origin (expected {})", app.origin);
    (StatusCode::FORBIDDEN, Json(json!({ "ok": false, "reason": reason }))).into_response()
}
