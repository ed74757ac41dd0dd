//! `GET /sign-in`: the ways to sign in that this instance offers.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use http::{HeaderMap, StatusCode, header};
use serde::Deserialize;

use super::form::{Form, Wrong};
use crate::config::host_of;
use crate::http::{App, page, return_path};
use crate::identity::Caller;

/// Where to go afterwards.
#[derive(Deserialize)]
pub struct Onward {
    to: Option<String>,
}

#[derive(Template)]
#[template(path = "sign_in.html")]
struct Page<'p> {
    /// The name of the person signed in at this browser; empty without a session.
    person: &'p str,
    /// Whether there is no account yet.
    is_new: bool,
    /// Whether the log has a link that makes the first account.
    by_link: bool,
    by_mail: bool,
    /// The code host's name; empty without sign-in by the code host.
    code_host: &'p str,
    to: &'p str,
    email: &'p str,
    error: &'p str,
}

/// `GET /sign-in?to=/path`; without `to`, back to the prototype whose page led here.
pub async fn page(
    State(app): State<Arc<App>>,
    Query(onward): Query<Onward>,
    caller: Caller,
    headers: HeaderMap,
) -> Response {
    let to = onward.to.or_else(|| prototype_before(&headers)).unwrap_or_default();
    show(&app, &caller, StatusCode::OK, to, None).await
}

/// The address of a prototype that a `Referer` of this host names.
fn prototype_before(headers: &HeaderMap) -> Option<String> {
    let referer = headers.get(header::REFERER)?.to_str().ok()?;
    let (_, rest) = referer.split_once("://")?;
    let (host, path) = rest.split_at(rest.find('/')?);
    let here = headers.get(header::HOST)?.to_str().ok()? == host;
    let prototype = path.starts_with("/p/") || path.starts_with("/open/");
    (here && prototype).then(|| path.to_owned())
}

/// The page; `wrong` is what was typed, and why it cannot be right.
pub async fn show(
    app: &App,
    caller: &Caller,
    status: StatusCode,
    to: String,
    wrong: Option<(&Form, Wrong)>,
) -> Response {
    let config = &app.config;
    let code_host = host_of(&config.code_host.url);
    let page = Page {
        person: caller.account().map_or("", |account| &account.display_name),
        is_new: app.core.count_accounts().await.is_ok_and(|accounts| accounts == 0),
        by_link: config.admin_token.is_none(),
        by_mail: app.services.mail.is_configured(),
        code_host: if config.sign_in.is_some() { code_host } else { "" },
        to: &return_path::local(to),
        email: wrong.map_or("", |(form, _)| form.text("email")),
        error: wrong.map_or("", |(_, wrong)| wrong.for_people()),
    };
    page::page(status, &page)
}
