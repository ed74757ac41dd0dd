//! The server's own HTML pages, as answers.

use askama::Template;
use axum::response::{Html, IntoResponse, Response};
use http::{HeaderMap, HeaderName, StatusCode, header};

use super::error::ApiError;

/// What a page may load and who may frame it: the stylesheet of this server, and nobody. The referrer stays on this
/// server (links hold secrets), but is not dropped: without it browsers send `Origin: null` with a form.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("x-robots-tag"), "noindex"),
];

#[derive(Template)]
#[template(path = "message.html")]
struct Message<'m> {
    title: &'m str,
    text: &'m str,
}

/// Renders a page.
pub fn page(status: StatusCode, template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => (status, HEADERS, Html(html)).into_response(),
        Err(error) => ApiError::internal("a page could not be rendered", &error).into_response(),
    }
}

/// A page that says one thing.
pub fn message(status: StatusCode, title: &str, text: &str) -> Response {
    page(status, &Message { title, text })
}

/// Whether whoever asks is looking at the answer in a browser.
pub fn wants_page(headers: &HeaderMap) -> bool {
    let accepts = headers.get_all(header::ACCEPT).iter();
    accepts
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.contains("text/html"))
}
