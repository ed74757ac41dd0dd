//! The middleware around every request: its id, the client's address, the rules that apply before routing, the access
//! line.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::response::IntoResponse;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, header};
use http_body_util::Either;
use hyper::body::Incoming;
use tower::ServiceExt;
use tracing::Instrument;

use super::App;
use super::access;
use super::body;
use super::error::ApiError;
use super::origin;
use super::own_headers;
use super::page;
use super::request::{self, RequestId};
use super::routes::FAVICON;
use super::sites::SiteBody;
use crate::storage::asked::asked;
use crate::storage::id::new_id;
use crate::telemetry;

/// A file of a prototype, or what the router answers with.
pub type Answer = Either<SiteBody, Body>;

/// Pages under /api/v1 that a browser is meant to open, and what their forms are sent to: these paths and all paths below
/// them. A plugin cannot have routes there (`galley_manifest` refuses its manifest).
const PAGES: [&str; 7] = [
    "auth/codehost",
    "auth/invite",
    "auth/signin",
    "auth/local",
    "auth/magic-link",
    "auth/logout",
    "unsubscribe",
];

/// What is answered without the database, because it says whether the database is there.
const HEALTH: &str = "/api/v1/health";

/// Answers one request of a connection.
pub async fn answer(app: Arc<App>, peer: SocketAddr, request: Request<Incoming>) -> Response<Answer> {
    let started = Instant::now();
    let id = new_id();
    let method = request.method().clone();
    // Shared, not copied.
    let uri = request.uri().clone();
    // Where other servers write the database, too: what they acknowledged before this request counts for it.
    if let Some(freshness) = app.core.freshness()
        && uri.path() != HEALTH
        && Box::pin(freshness.check()).await.is_err()
    {
        let mut response = isolated(page::refuse(
            request.headers(),
            "Not available",
            ApiError::database_away(),
        ));
        put_id(response.headers_mut(), &id);
        access::note(
            &id,
            &method,
            without_secrets(uri.path()),
            None,
            response.status(),
            started.elapsed(),
        );
        body::leave(Body::new(request.into_body()));
        return response.map(Either::Right);
    }
    // Most requests are for files of prototypes, and need nothing else.
    if let Some(mut response) = app.sites.serve(&request).await {
        own_headers::stay_on_https(&app.config, response.headers_mut());
        put_id(response.headers_mut(), &id);
        let route = Some(&app.prototypes);
        access::note(&id, &method, uri.path(), route, response.status(), started.elapsed());
        return response.map(Either::Left);
    }
    let span = telemetry::request(&id, &method, request.headers());
    // In a box of its own: a connection keeps room for the whole of this function, and thousands of them only wait.
    let routed = Box::pin(asked(route(&app, peer, &id, request)));
    let mut response = routed.instrument(span.clone()).await;
    let headers = response.headers_mut();
    own_headers::stay_on_https(&app.config, headers);
    put_id(headers, &id);
    if uri.path().starts_with("/api/") {
        own_headers::contain(headers);
    }
    let (route, path) = (response.extensions().get(), without_secrets(uri.path()));
    access::note(&id, &method, path, route, response.status(), started.elapsed());
    let slot = route.and_then(|route| route.slot.as_deref());
    telemetry::answered(&span, route.map(|route| &*route.path), slot, response.status().as_u16());
    response.map(Either::Right)
}

fn put_id(headers: &mut HeaderMap, id: &str) {
    if let Ok(value) = HeaderValue::from_str(id) {
        headers.insert(HeaderName::from_static("x-request-id"), value);
    }
}

/// Paths of sign-in links end in a secret.
fn without_secrets(path: &str) -> &str {
    let Some(rest) = path.strip_prefix("/api/v1/auth/") else {
        return path;
    };
    let kept = rest.find('/').map_or(rest.len(), |end| end + 1);
    &path[..path.len() - rest.len() + kept]
}

async fn route(app: &Arc<App>, peer: SocketAddr, id: &str, request: Request<Incoming>) -> Response<Body> {
    app.core.approvals().followed().await;
    let (client, local) = request::client(peer.ip(), request.headers(), &app.config.trusted_proxies);
    let mut request = request.map(Body::new);
    if let Err(refused) = before_routing(app, &request) {
        return isolated(refused.into_response());
    }
    let extensions = request.extensions_mut();
    extensions.insert(client);
    extensions.insert(local);
    extensions.insert(RequestId(id.to_owned()));
    let may_fall_back = !request.uri().path().starts_with("/api/") && request.headers().contains_key(header::REFERER);
    let fallback = may_fall_back.then(|| bare(&request));
    let gives_way = request.uri().path() == FAVICON;
    let routed = app.router().oneshot(request).await;
    let response = routed.unwrap_or_else(|never| match never {});
    match fallback {
        // What would be the ordinary 404 may be a file of the prototype the request came from.
        Some(request) if response.status() == StatusCode::NOT_FOUND || gives_way => app
            .sites
            .fallback(&request)
            .await
            .map_or_else(|| isolated(response), |found| found.map(Body::new)),
        _ => isolated(response),
    }
}

/// An answer of the server itself.
fn isolated(mut response: Response<Body>) -> Response<Body> {
    own_headers::isolate(response.headers_mut());
    response
}

/// The request without its body.
fn bare(request: &Request<Body>) -> Request<()> {
    let mut bare = Request::new(());
    *bare.method_mut() = request.method().clone();
    *bare.uri_mut() = request.uri().clone();
    *bare.headers_mut() = request.headers().clone();
    *bare.extensions_mut() = request.extensions().clone();
    bare
}

/// Document fetches of the API, and changes that another site asks a signed-in browser for.
fn before_routing(app: &App, request: &Request<Body>) -> Result<(), ApiError> {
    let path = request.uri().path();
    if let Some(rest) = path
        .strip_prefix("/api/v1")
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))
    {
        let rest = rest.trim_start_matches('/');
        if is_document_fetch(request.headers()) && !is_page(rest) {
            return Err(ApiError::forbidden("This endpoint may not be loaded as a document."));
        }
    }
    if origin::is_foreign(&app.config, request) {
        return Err(ApiError::forbidden(
            "This request comes from another site than this server's own pages",
        ));
    }
    Ok(())
}

/// Whether a path, without `/api/v1/`, is one of [`PAGES`] or below one.
fn is_page(path: &str) -> bool {
    let is_below = |page: &str| {
        path.strip_prefix(page)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    PAGES.into_iter().any(is_below)
}

fn is_document_fetch(headers: &HeaderMap) -> bool {
    const DOCUMENTS: [&[u8]; 6] = [b"document", b"iframe", b"frame", b"fencedframe", b"embed", b"object"];
    // Any of them: a second value must not hide the first.
    let mut destinations = headers.get_all("sec-fetch-dest").iter();
    destinations.any(|dest| DOCUMENTS.contains(&dest.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_matched_whole() {
        for path in ["auth/local", "auth/codehost/callback", "auth/invite/abc", "unsubscribe"] {
            assert!(is_page(path), "{path}");
        }
        for path in ["auth/localx", "auth/localx/a", "unsubscribe-x", "auth", "", "me"] {
            assert!(!is_page(path), "{path}");
        }
    }

    #[test]
    fn secrets_in_paths_are_not_logged() {
        assert_eq!(without_secrets("/api/v1/auth/invite/abc"), "/api/v1/auth/invite/");
        assert_eq!(without_secrets("/api/v1/auth/signin/abc/"), "/api/v1/auth/signin/");
        assert_eq!(without_secrets("/api/v1/auth/logout"), "/api/v1/auth/logout");
        assert_eq!(without_secrets("/api/v1/projects/p1"), "/api/v1/projects/p1");
    }
}
