//! The page at `/`: who is signed in, and the projects they may open. It works without scripts.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse;
use http::{StatusCode, header};

use super::caller::Reader;
use super::me::renewed_cookie;
use super::{App, page};
use crate::identity::access;

#[derive(Template)]
#[template(path = "home.html")]
struct Page {
    /// Whether there is no account yet, so that nobody can be signed in.
    is_new: bool,
    /// Whether the log has a link that makes the first account.
    by_link: bool,
    /// Whether the sign-in page offers a way in to somebody without an account.
    can_sign_in: bool,
    /// The signed-in person's name; empty without a session.
    person: String,
    projects: Vec<Row>,
}

struct Row {
    name: String,
    url: String,
    access: &'static str,
    live: bool,
}

/// `GET /`.
pub async fn page(State(app): State<Arc<App>>, Reader(caller): Reader) -> impl IntoResponse {
    let projects = app.core.projects();
    let readable = projects
        .iter()
        .filter(|project| access::may_read(&app.core, &caller, project));
    // A database that cannot be read now is no reason to say that the instance is new.
    let is_new = caller.account().is_none() && app.core.count_accounts().await.is_ok_and(|count| count == 0);
    let rendered = Page {
        is_new,
        by_link: app.config.admin_token.is_none(),
        can_sign_in: app.config.sign_in.is_some() || app.services.mail.is_configured(),
        person: caller
            .account()
            .map(|account| account.display_name.clone())
            .unwrap_or_default(),
        projects: readable
            .map(|project| Row {
                name: project.name.clone(),
                url: app.config.project_url(&project.slug),
                access: project.access.as_str(),
                live: project.live_version.is_some(),
            })
            .collect(),
    };
    (renewed_cookie(&app, &caller), page::page(StatusCode::OK, &rendered))
}

/// The colours that the server's own pages share with the Editor and the pages of `host/dashboard`, then their rules.
const STYLESHEET: &str = concat!(
    include_str!("../../../editor/kit/tokens.css"),
    include_str!("../../templates/galley.css")
);

/// `GET /galley.css`: the one stylesheet of the server's own pages.
pub async fn stylesheet() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "text/css; charset=utf-8"),
        (header::CACHE_CONTROL, "max-age=3600"),
    ];
    (headers, STYLESHEET)
}

/// `GET /robots.txt`: nothing here is for search engines. Prototypes on origins of their own may have their own.
pub async fn robots() -> impl IntoResponse {
    let headers = [(header::CACHE_CONTROL, "max-age=86400")];
    (headers, "User-agent: *\nDisallow: /\n")
}

/// `GET /galley.svg`, and `/favicon.ico` when no prototype's page asks: the icon of the server's own pages.
pub async fn icon() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "max-age=86400"),
    ];
    (headers, include_str!("../../templates/galley.svg"))
}
