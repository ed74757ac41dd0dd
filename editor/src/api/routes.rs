//! Which address is answered by what.

use std::sync::Arc;

use axum::Router;
use axum::handler::Handler;
use axum::routing::{MethodRouter, get, post, put};
use http::{Method, Uri};

use super::app::App;
use super::code::Code;
use super::error::ApiError;
use super::{
    assets, canvas, chat, classes, comments, components, edit, events, file, git, guard, history, host, inspect,
    interface, llm, models, notes, plans, project, reading, settings, stamping, tree,
};

/// A route that reads. Browsers send no `Origin` with their own GET requests, so the interface asks by POST without a body.
/// Where a name is for reading and for doing, a body makes the difference.
fn read<H, T>(handler: H) -> MethodRouter<Arc<App>>
where
    H: Handler<T, Arc<App>>,
    T: 'static,
{
    get(handler.clone()).post(handler)
}

pub(super) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/editor/state", read(events::state))
        .route("/api/editor/events", read(events::events))
        .route("/api/editor/inspect", read(inspect::inspect))
        .route("/api/editor/tree", read(tree::tree))
        .route("/api/editor/edit", post(edit::edit))
        .route("/api/editor/undo", post(history::undo))
        .route("/api/editor/redo", post(history::redo))
        .route("/api/editor/history", read(history::history))
        .route("/api/editor/classes", read(classes::classes))
        .route("/api/editor/components", read(components::components))
        .route("/api/editor/libraries", read(components::libraries))
        .route("/api/editor/llm-fallback", post(llm::fallback))
        .route("/api/editor/llm-fallback/accept", post(llm::accept))
        .route("/api/editor/reading", post(reading::answer))
        .route("/api/models", read(models::show).merge(put(models::choose)))
        .route("/api/models/available", read(models::available))
        .route("/api/editor/chat/conventions", read(chat::conventions))
        .route("/api/editor/chat/sessions", read(chat::sessions))
        .route(
            "/api/editor/chat/sessions/{id}",
            read(chat::session).put(chat::rename).delete(chat::delete),
        )
        .route("/api/editor/chat/sessions/{id}/events", read(chat::events))
        .route("/api/editor/chat/sessions/{id}/turns", post(chat::begin))
        .route("/api/editor/chat/sessions/{id}/turns/{turn}/undo", post(chat::undo))
        .route("/api/editor/chat/sessions/{id}/stop", post(chat::stop))
        .route("/api/editor/chat/sessions/{id}/pictures/{name}", read(chat::picture))
        .route(
            "/api/editor/chat/sessions/{id}/approvals/{approval}",
            post(chat::answer),
        )
        .route("/api/editor/file", read(file::read).put(file::write))
        .route("/api/editor/assets", read(assets::list).merge(put(assets::add)))
        .route("/api/editor/notes", read(notes::list))
        .route("/api/editor/notes/", read(notes::list))
        .route("/api/editor/notes/{name}", read(notes::read).put(notes::write))
        .route("/api/editor/canvas", read(canvas::show))
        .route("/api/editor/canvas/picture", read(canvas::picture))
        .route(
            "/api/editor/plans/{name}",
            read(plans::read).put(plans::write).delete(plans::delete),
        )
        .route("/api/editor/plans/{name}/rename", post(plans::rename))
        .route("/api/editor/plans/{name}/run", post(plans::run))
        .route("/api/editor/plans/{name}/stop", post(plans::stop))
        .route("/api/editor/plans/{name}/pictures/{picture}", read(plans::picture))
        .route("/api/git/status", read(git::status))
        .route("/api/git/branches", read(git::branches))
        .route("/api/git/branch", post(git::switch))
        .route("/api/git/diff", read(git::diff))
        .route("/api/git/commit", post(git::commit))
        .route("/api/git/publish", read(git::publish))
        .route("/api/git/discard", post(git::discard))
        .route("/api/host/restart", post(host::restart))
        .route("/api/project", read(project::show))
        .route("/api/project/link", post(project::link))
        .route("/api/project/unlink", post(project::unlink))
        .route("/api/project/comments", read(comments::comments))
        .route("/api/project/comments/{id}/replies", post(comments::reply))
        .route("/api/project/comments/{id}/resolve", post(comments::resolve))
        .route("/api/project/participants", read(comments::participants))
        .route("/api/settings", read(settings::list).merge(put(settings::write)))
        .route("/__stamp", post(stamping::stamp))
        .fallback(otherwise)
        .method_not_allowed_fallback(no_method)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}

async fn otherwise(
    state: axum::extract::State<Arc<App>>,
    method: Method,
    uri: Uri,
) -> Result<axum::response::Response, ApiError> {
    let path = uri.path();
    if path == "/api" || path.starts_with("/api/") {
        return Err(ApiError::not_found(format!("There is no {path} in the Editor's API")));
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return Err(no_method(method, uri.clone()).await);
    }
    interface::file(&state, path).await
}

async fn no_method(method: Method, uri: Uri) -> ApiError {
    let reason = format!("{} does not answer {method}", uri.path());
    ApiError::new(Code::Method, reason)
}
