//! The router: the host's own routes and those of the plugins.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};

use super::error::ApiError;
use super::openapi::Document;
use super::plugin_routes::{self, RouteContext};
use super::{
    App, access, dashboard, directory, health, home, me, members, my_mail, my_sessions, plugin_ui, plugins, projects,
    readers, resolve, sign_in, tokens, ui, unsubscribe,
};
use crate::plugins::registry::Registry;

/// The host's own paths, with `{}` for parameters. No plugin can claim one.
pub const OWN_PATHS: &[&str] = &[
    "/api/v1/health",
    "/api/v1/openapi.json",
    "/api/v1/ui",
    "/api/v1/me",
    "/api/v1/me/sessions",
    "/api/v1/me/sessions/{}",
    "/api/v1/me/mail",
    "/api/v1/directory",
    "/api/v1/auth/logout",
    "/api/v1/auth/logout/all",
    "/api/v1/auth/local",
    "/api/v1/auth/codehost",
    "/api/v1/auth/codehost/callback",
    "/api/v1/auth/magic-link",
    "/api/v1/auth/invite/{}",
    "/api/v1/auth/signin/{}",
    "/api/v1/tokens",
    "/api/v1/tokens/{}",
    "/api/v1/projects",
    "/api/v1/projects/resolve",
    "/api/v1/projects/{}",
    "/api/v1/projects/{}/access",
    "/api/v1/projects/{}/members",
    "/api/v1/projects/{}/members/{}",
    plugins::PATH,
    "/api/v1/instance/plugins/artifacts",
    "/api/v1/instance/plugins/{}",
    "/api/v1/instance/plugins/{}/update",
    "/api/v1/instance/plugins/{}/rollback",
    "/api/v1/instance/plugins/{}/enable",
    "/api/v1/instance/plugins/{}/disable",
    "/api/v1/instance/plugins/{}/history",
    "/api/v1/instance/plugins/{}/limits",
    "/api/v1/instance/plugins/{}/config",
    "/api/v1/instance/plugins/{}/events",
    "/api/v1/instance/plugins/{}/events/{}",
    "/api/v1/instance/plugins/{}/events/{}/retry",
    unsubscribe::PATH,
    "/api/v1",
];

/// Browsers request it for every page. The icon of a prototype, found by the page's `Referer`, comes first.
pub(super) const FAVICON: &str = "/favicon.ico";

/// All routes: the host's and those of the plugins.
pub fn router(app: Arc<App>, registry: &Registry, context: &RouteContext) -> Router {
    let document = Arc::new(Document::of(registry));
    let own = Router::new()
        .route("/", get(dashboard::root))
        .route("/galley.css", get(home::stylesheet))
        .route("/galley.svg", get(home::icon))
        .route(FAVICON, get(home::icon))
        .route("/robots.txt", get(home::robots))
        .route("/api/v1/health", get(health::get))
        .route("/api/v1/openapi.json", get(async move || document.answer()))
        .route("/api/v1/ui", get(ui::get))
        .route("/api/v1/me", get(me::get).patch(me::update))
        .route("/api/v1/me/sessions", get(my_sessions::list))
        .route("/api/v1/me/sessions/{id}", delete(my_sessions::end))
        .route("/api/v1/me/mail", get(my_mail::get).put(my_mail::set))
        .route("/api/v1/directory", get(directory::search))
        .route("/api/v1/auth/logout", post(me::logout))
        .route("/api/v1/auth/logout/all", post(me::logout_all))
        .merge(dashboard::router(&app))
        .merge(sign_in::router(&app))
        .route("/api/v1/tokens", get(tokens::list).post(tokens::create))
        .route("/api/v1/tokens/{id}", delete(tokens::revoke))
        .route("/api/v1/projects", get(projects::list).post(projects::create))
        .route("/api/v1/projects/resolve", post(resolve::resolve))
        .route(
            "/api/v1/projects/{id}",
            get(projects::get).patch(projects::update).delete(projects::delete),
        )
        .route("/api/v1/projects/{id}/access", get(readers::get))
        .route("/api/v1/projects/{id}/members", get(members::list).post(members::add))
        .route("/api/v1/projects/{id}/members/{user}", delete(members::remove))
        .merge(plugins::router())
        .merge(plugin_ui::router())
        .merge(unsubscribe::router(&app))
        .route_layer(axum::middleware::from_fn(access::note_route))
        .with_state(app);
    own.merge(plugin_routes::router(registry, context))
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(not_found)
}

/// The ordinary 404: JSON under /api/, a line of text elsewhere.
async fn not_found(request: Request) -> Response {
    if request.uri().path().starts_with("/api/") {
        return ApiError::not_found("Not found").into_response();
    }
    (http::StatusCode::NOT_FOUND, "Not found\n").into_response()
}

/// axum adds the `Allow` header.
async fn method_not_allowed(request: Request) -> ApiError {
    let message = format!(
        "{} is not allowed here; the Allow header lists what is",
        request.method()
    );
    ApiError::new(http::StatusCode::METHOD_NOT_ALLOWED, message)
}
