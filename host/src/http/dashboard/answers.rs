//! The addresses of the pages. The documents hold keys, so they go to navigations of a window only: no script of this origin
//! can fetch one, frame one, or keep a window in which one is open.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::http::caller::Reader;
use crate::http::me::renewed_cookie;
use crate::http::page::wants_page;
use crate::http::request::Params;
use crate::http::{App, home, own_headers};
use crate::identity::access::may_read;
use crate::identity::{Caller, Scope, page_key};

/// Where the files of a build are. Not `/assets/`: there the files of prototypes are found by the `Referer`.
const FILES: &str = "/.galley/app/";
/// The text of the documents in whose place the key is put. Guests have none: there the text stays.
const PLACEHOLDER: &str = "__GALLEY_KEY__";
/// Cuts a document off from the window that opened it, and from those it opens.
const ALONE: HeaderValue = HeaderValue::from_static("same-origin");
/// Cuts a document off from the window that opened it, whatever that one says. With `same-origin` a prototype that is framed in
/// it could keep a window of the same group that it opens.
const OPENED_ALONE: HeaderValue = HeaderValue::from_static("noopener-allow-popups");

/// The addresses of a build; none without one.
pub fn router(app: &App) -> Router<Arc<App>> {
    if app.dashboard.is_none() {
        return Router::new();
    }
    let pages = [
        "/projects/{slug}/{*rest}",
        "/instance",
        "/instance/{*rest}",
        "/you",
        "/you/{*rest}",
        "/x/{*rest}",
    ];
    let router = Router::new()
        .route(&format!("{FILES}{{*path}}"), get(file))
        .route("/projects/{slug}", get(review))
        .route("/projects/{slug}/", get(review))
        .route("/projects/{slug}/compare/{*versions}", get(compare));
    pages
        .into_iter()
        .fold(router, |router, path| router.route(path, get(app_page)))
}

/// `GET /`: the pages for somebody who is signed in, the list without scripts for everybody else.
pub async fn root(State(app): State<Arc<App>>, reader: Reader, headers: HeaderMap) -> Response {
    match (&app.dashboard, &reader.0) {
        (Some(pages), Caller::Session { secret, .. }) if is_navigation(&headers) => {
            let key = page_key(secret, &Scope::All);
            document(&app, &reader.0, StatusCode::OK, &pages.app, Some(&key), ALONE)
        }
        _ => home::page(State(app), reader).await.into_response(),
    }
}

/// A page about everything but one project's review. It needs somebody who is signed in.
async fn app_page(State(app): State<Arc<App>>, Reader(caller): Reader, uri: Uri, headers: HeaderMap) -> Response {
    let Some(pages) = app.dashboard.as_ref().filter(|_| is_navigation(&headers)) else {
        return not_found();
    };
    let Caller::Session { secret, .. } = &caller else {
        return to_sign_in(&uri);
    };
    let key = page_key(secret, &Scope::All);
    document(&app, &caller, StatusCode::OK, &pages.app, Some(&key), ALONE)
}

/// A project's review. Guests may be there, where the project can be read with its link.
async fn review(
    State(app): State<Arc<App>>,
    Reader(caller): Reader,
    Params(slug): Params<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let Some(pages) = app.dashboard.as_ref().filter(|_| is_navigation(&headers)) else {
        return not_found();
    };
    let project = app.core.project_by_slug(&slug);
    let project = project.filter(|project| may_read(&app.core, &caller, project));
    let key = match (&caller, &project) {
        (Caller::Session { secret, .. }, _) => {
            let id = project.as_ref().map(|project| project.id.clone());
            Some(page_key(secret, &Scope::Review(id.unwrap_or_default())))
        }
        (_, Some(_)) => None,
        // Whether the project exists is said to nobody who may not read it.
        (_, None) => return to_sign_in(&uri),
    };
    let status = if project.is_some() {
        StatusCode::OK
    } else {
        StatusCode::NOT_FOUND
    };
    document(&app, &caller, status, &pages.review, key.as_deref(), OPENED_ALONE)
}

/// Two versions of a project side by side. They are framed, so the document is the review's: the key of the other pages would be
/// in the reach of a prototype that shares this origin.
async fn compare(
    state: State<Arc<App>>,
    reader: Reader,
    Params((slug, _)): Params<(String, String)>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    review(state, reader, Params(slug), uri, headers).await
}

/// A file of the build.
async fn file(State(app): State<Arc<App>>, request: Request) -> Response {
    let path = request.uri().path().strip_prefix(FILES);
    let file = path.and_then(|path| app.dashboard.as_ref()?.file(path));
    match file {
        Some(file) => file.answer(&request).await.map(Body::new),
        None => not_found(),
    }
}

fn document(
    app: &App,
    caller: &Caller,
    status: StatusCode,
    html: &str,
    key: Option<&str>,
    opener: HeaderValue,
) -> Response {
    let html = match key {
        Some(key) => html.replace(PLACEHOLDER, key),
        None => html.to_owned(),
    };
    let mut response = (status, own_headers::PAGE, renewed_cookie(app, caller), Html(html)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy(app));
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), opener);
    response
}

/// What a document may load: its own files, the API, and prototypes in frames. Radix sets styles by attributes. Text becomes no
/// script by mistake (Trusted Types).
fn policy(app: &App) -> HeaderValue {
    const BEFORE: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; \
                          img-src 'self' data: blob:; frame-src 'self'";
    const BEHIND: &str =
        "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";
    let prototypes = app.config.prototype_origins().map(|origins| format!(" {origins}"));
    let policy = format!("{BEFORE}{}{BEHIND}", prototypes.unwrap_or_default());
    // A domain that could not stand in a header could not have been parsed as one.
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// Whether a window is to show the answer. Browsers that do not say what for they ask (old ones, and all of them over http beyond
/// this machine) send no `Sec-Fetch-Mode` either, which is what keys are demanded by.
fn is_navigation(headers: &HeaderMap) -> bool {
    let mut destinations = headers.get_all("sec-fetch-dest").iter();
    match (destinations.next(), destinations.next()) {
        (None, _) => wants_page(headers),
        (Some(destination), None) => destination == "document",
        (Some(_), Some(_)) => false,
    }
}

/// To the sign-in page, and back.
fn to_sign_in(uri: &Uri) -> Response {
    let here = uri.path_and_query().map_or("/", |here| here.as_str());
    let to = format!("/sign-in?to={}", utf8_percent_encode(here, NON_ALPHANUMERIC));
    let headers = [(header::LOCATION, to), (header::CACHE_CONTROL, "no-store".to_owned())];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// The ordinary 404, behind which a file of a prototype may be found.
fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "Not found\n").into_response()
}
