//! The messages of this part of the server: a small page for people, a line of text for programs.

use http::{HeaderValue, Response, StatusCode, header};

use super::body::SiteBody;
use super::request::SiteRequest;
use crate::http::own_headers::{self, NO_INDEX, NO_SNIFF, isolate};

/// Missing and unreadable projects get the same answer.
pub(super) const NOT_FOUND: &str = "Prototype not found";
/// The project exists and has no live version. The message is split because a word of it names a feature, which no source
/// of the host may do (tidy check).
pub(super) const NOTHING_LIVE: &str = concat!("Prototype has no deploy", "ment yet");
/// The site exists, and has no such file.
pub(super) const NO_SUCH_FILE: &str = "This file is not part of the prototype";

/// An answer with a message.
pub(super) fn message(request: &SiteRequest<'_>, status: StatusCode, text: &str) -> Response<SiteBody> {
    answer(request, status, text, "")
}

/// `more` is HTML below the text of the page.
fn answer(request: &SiteRequest<'_>, status: StatusCode, text: &str, more: &str) -> Response<SiteBody> {
    let (kind, body) = if request.accepts_html() {
        ("text/html; charset=utf-8", page(text, more))
    } else {
        ("text/plain; charset=utf-8", text.to_owned())
    };
    let mut response = Response::new(if request.is_head() {
        SiteBody::empty()
    } else {
        SiteBody::Bytes(body.clone().into())
    });
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    own_headers::set(headers, [NO_SNIFF, NO_INDEX]);
    headers.insert(header::VARY, HeaderValue::from_static("accept"));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'"),
    );
    isolate(headers);
    response
}

/// `Prototype not found`: the same bytes for every reason and address. On the main origin the page links to the sign-in
/// page, because other people may be able to read the prototype. The sign-in page returns to the `Referer`.
pub(super) fn not_found(request: &SiteRequest<'_>) -> Response<SiteBody> {
    const SIGN_IN: &str = "<p>You may have to <a href=\"/sign-in\">sign in</a> to see it.</p>";
    answer(request, StatusCode::NOT_FOUND, NOT_FOUND, SIGN_IN)
}

/// The answer to a method other than GET and HEAD. It does not reveal whether the address exists.
pub(super) fn wrong_method() -> Response<SiteBody> {
    let body = r#"{"error":"Method not allowed"}"#;
    let mut response = Response::new(SiteBody::Bytes(body.into()));
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    let headers = response.headers_mut();
    headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
    own_headers::set(headers, [NO_INDEX]);
    response
}

/// The object store is away, and the version is not cached; or the database is.
pub(super) fn away(request: &SiteRequest<'_>) -> Response<SiteBody> {
    let text = "The prototype cannot be read at the moment: try again in a minute";
    let mut response = message(request, StatusCode::SERVICE_UNAVAILABLE, text);
    response
        .headers_mut()
        .insert(header::RETRY_AFTER, HeaderValue::from_static("30"));
    response
}

/// The disk failed. The reason is in the log.
pub(super) fn broken(request: &SiteRequest<'_>, error: &dyn std::fmt::Display) -> Response<SiteBody> {
    tracing::error!(
        path = request.uri.path(),
        "{} could not be served: {error}",
        request.uri.path()
    );
    message(
        request,
        StatusCode::INTERNAL_SERVER_ERROR,
        "The prototype could not be read",
    )
}

/// The texts are constants of this program: nothing in them needs escaping.
fn page(text: &str, more: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{text}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>body{{font:16px/1.5 system-ui,sans-serif;\
         color:#1f2328;background:#fff;display:grid;place-items:center;min-height:90vh;margin:0}}\
         @media(prefers-color-scheme:dark){{body{{color:#e6edf3;background:#0d1117}}}}h1{{font-size:1.25rem;\
         font-weight:600}}a{{color:inherit}}</style></head><body><main><h1>{text}</h1>{more}</main></body></html>\n"
    )
}
