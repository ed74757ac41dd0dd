//! `/api/v1/auth/local`: the first sign-in of a new instance, by a one-time link in the log that works on this machine
//! only. It makes the first account, or redirects to the code host when sign-in by the code host is configured.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::body::Body;
use axum::extract::{Query, Request, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::{HeaderMap, StatusCode};
use serde::Deserialize;

use super::form::{Form, Wrong, apart};
use super::{enter, refuse_link, too_many};
use crate::accounts::Admission;
use crate::core::CoreError;
use crate::http::App;
use crate::http::error::ApiError;
use crate::http::page::{self, wants_page};
use crate::http::request::{ClientAddr, Local};

/// The query of the link.
#[derive(Deserialize)]
pub struct Link {
    #[serde(default)]
    token: String,
}

#[derive(Template)]
#[template(path = "local_sign_in.html")]
struct Page<'p> {
    token: &'p str,
    email: &'p str,
    name: &'p str,
    email_error: &'p str,
    name_error: &'p str,
}

/// The same answer for a token that is wrong, redeemed, or used from another machine.
fn refused(headers: &HeaderMap) -> Response {
    refuse_link(
        headers,
        "It works once, on the machine of the server, until the first account exists. The server's log has the present \
         one.",
    )
}

async fn is_good(app: &App, local: Local, link: &Link) -> Result<bool, CoreError> {
    Ok(local.0 && app.local_sign_in.accepts(&link.token).await?)
}

/// With sign-in by the code host configured, the operator signs in there. The token is redeemed when they come back.
fn hand_off(app: &App, link: &Link) -> Option<Response> {
    app.config.sign_in.as_ref()?;
    // The token is one that was accepted: nothing in it needs escaping.
    let to = format!("/api/v1/auth/codehost?operator={}", link.token);
    Some(Redirect::to(&to).into_response())
}

/// `GET`: renders the form. It does not redeem the token.
pub async fn form(
    State(app): State<Arc<App>>,
    Extension(local): Extension<Local>,
    Query(link): Query<Link>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if !is_good(&app, local, &link).await? {
        return Ok(refused(&headers));
    }
    Ok(hand_off(&app, &link).unwrap_or_else(|| show_form(StatusCode::OK, &link, None)))
}

fn show_form(status: StatusCode, link: &Link, wrong: Option<(&Form, Wrong)>) -> Response {
    let beside = |field| match wrong {
        Some((_, wrong)) if wrong == field => wrong.for_people(),
        _ => "",
    };
    let page = Page {
        token: &link.token,
        email: wrong.map_or("", |(form, _)| form.text("email")),
        name: wrong.map_or("", |(form, _)| form.text("displayName")),
        email_error: beside(Wrong::Email),
        name_error: beside(Wrong::Name),
    };
    page::page(status, &page)
}

/// `POST { email, displayName }`: makes the first account, an admin, and signs it in. Takes the page's form or JSON.
pub async fn redeem(
    State(app): State<Arc<App>>,
    Extension(local): Extension<Local>,
    Extension(client): Extension<ClientAddr>,
    Query(link): Query<Link>,
    request: Request<Body>,
) -> Result<Response, ApiError> {
    let (headers, body) = apart(request);
    if let Some(answer) = too_many(&app.sign_in_rate, client, &headers).await {
        return Ok(answer);
    }
    if !is_good(&app, local, &link).await? {
        return Ok(refused(&headers));
    }
    if let Some(elsewhere) = hand_off(&app, &link) {
        return Ok(elsewhere);
    }
    let form = Form::receive(&headers, body, &["email", "displayName"]).await?;
    let checked = form.email().and_then(|email| Ok((email, form.display_name()?)));
    let (email, name) = match checked {
        Ok(checked) => checked,
        Err(wrong) if form.is_json || !wants_page(&headers) => return Err(wrong.for_programs()),
        Err(wrong) => return Ok(show_form(StatusCode::BAD_REQUEST, &link, Some((&form, wrong)))),
    };
    // Without admission: the typed address is unverified, so it must not sign in to an existing account.
    let account = match app.core.create_first_account(email, name).await {
        Err(CoreError::Exists) => return Ok(refused(&headers)),
        account => account?,
    };
    // None is good beside an account, so this must not keep the person out.
    if let Err(error) = app.local_sign_in.forget().await {
        tracing::warn!("links that make the first account stay in the database: {error}");
    }
    enter(&app, &headers, Admission::Admitted(account), "/".to_owned()).await
}
