//! The routes, and what stands before all of them: recording and failing.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State as Shared};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::{StreamExt, stream};
use serde_json::json;

use super::state::{Failure, Recorded, State};
use super::{API_PATH, api, app, git, oauth};

/// Everything the host answers.
pub fn router(state: Arc<State>) -> Router {
    let api = Router::new()
        .route("/user", get(api::user))
        .route("/user/emails", get(api::emails))
        .route("/user/installations", get(api::user_installations))
        .route("/user/installations/{id}/repositories", get(api::user_repositories))
        .route("/installation/repositories", get(api::installation_repositories))
        .route("/repos/{owner}/{name}", get(api::repository))
        .route("/repositories/{id}", get(api::repository_by_id))
        .route("/repos/{owner}/{name}/branches", get(api::branches))
        .route("/app", get(app::app))
        .route("/app/installations", get(app::installations))
        .route("/app/installations/{id}", get(app::installation))
        .route("/app/installations/{id}/access_tokens", post(app::access_token));
    Router::new()
        .route("/login/oauth/authorize", get(oauth::authorize))
        .route("/login/oauth/access_token", post(oauth::access_token))
        .nest(API_PATH, api)
        .fallback(elsewhere)
        .layer(from_fn_with_state(state.clone(), before))
        .with_state(state)
}

/// Repositories of git lie at `/{owner}/{name}.git/…`; everything else is a 404.
async fn elsewhere(Shared(state): Shared<Arc<State>>, request: Request) -> Response {
    let is_git = request
        .uri()
        .path()
        .split('/')
        .nth(2)
        .is_some_and(|name| name.ends_with(".git"));
    if is_git {
        return git::serve(state, request).await;
    }
    not_found()
}

/// The host's 404.
pub fn not_found() -> Response {
    message(404, "Not Found")
}

/// An error of the API.
pub fn message(status: u16, text: &str) -> Response {
    let status = StatusCode::from_u16(status).expect("a status");
    (
        status,
        Json(json!({ "message": text, "status": status.as_u16().to_string() })),
    )
        .into_response()
}

/// Most bytes of a body that are recorded; git sends more, and is passed on unread.
const RECORDED: usize = 64 << 10;

async fn before(Shared(state): Shared<Arc<State>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path();
    let path = path.strip_prefix(API_PATH).unwrap_or(path).to_owned();
    let is_git = path.contains(".git/");
    let (body, text) = if is_git {
        (body, String::new())
    } else {
        let bytes = axum::body::to_bytes(body, RECORDED).await.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        (Body::from(bytes), text)
    };
    let headers = parts.headers.iter();
    let headers =
        headers.map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()));
    state.record(Recorded {
        method: parts.method.to_string(),
        path: path.clone(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers: headers.collect(),
        body: text,
    });
    match state.failure_at(&path) {
        Some(Failure::Slow(time)) => tokio::time::sleep(time).await,
        Some(failure) => return fail(failure).await,
        None => {}
    }
    if parts.uri.path().starts_with(API_PATH) && !parts.headers.contains_key(header::USER_AGENT) {
        // GitHub's own rule.
        return message(
            403,
            "Request forbidden by administrative rules. Please make sure your request has a User-Agent header",
        );
    }
    next.run(Request::from_parts(parts, body)).await
}

async fn fail(failure: Failure) -> Response {
    match failure {
        Failure::Status(status) => message(status, "The double was told to fail"),
        Failure::Html => {
            Html("<!doctype html><title>Unicorn!</title><p>This page is taking too long to load.").into_response()
        }
        Failure::Json(value) => Json(value).into_response(),
        Failure::Redirect(to) => (StatusCode::FOUND, [(header::LOCATION, to)]).into_response(),
        Failure::Huge => {
            let start = stream::once(async { Ok::<_, std::io::Error>(Bytes::from_static(b"[\"")) });
            let chunk = Bytes::from(vec![b'x'; 64 << 10]);
            let endless = start.chain(stream::repeat_with(move || Ok(chunk.clone())));
            ([(header::CONTENT_TYPE, "application/json")], Body::from_stream(endless)).into_response()
        }
        Failure::HangUp => {
            let start = stream::once(async { Ok(Bytes::from_static(b"{\"id\":")) });
            let end = stream::once(async {
                tokio::time::sleep(Duration::from_millis(20)).await;
                Err(std::io::Error::other("gone"))
            });
            (
                [(header::CONTENT_TYPE, "application/json")],
                Body::from_stream(start.chain(end)),
            )
                .into_response()
        }
        Failure::Silence | Failure::Slow(_) => std::future::pending().await,
    }
}
