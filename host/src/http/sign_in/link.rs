//! `/api/v1/auth/signin/:token`: links that were mailed, and those an admin made for an account.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::extract::{Query, State};
use axum::response::Response;
use http::{HeaderMap, StatusCode};
use serde::Deserialize;

use super::{dead_link, enter, too_many};
use crate::core::CoreError;
use crate::http::error::ApiError;
use crate::http::request::{ClientAddr, Params};
use crate::http::{App, page, return_path};
use crate::identity::Caller;

/// Where to go afterwards.
#[derive(Deserialize)]
pub struct Onward {
    #[serde(default)]
    to: String,
}

#[derive(Template)]
#[template(path = "sign_in_link.html")]
struct Page<'p> {
    token: &'p str,
    email: &'p str,
    /// The name of the person signed in at this browser; empty without a session.
    person: &'p str,
    to: &'p str,
}

/// `GET`: renders the page. It does not redeem the link.
pub async fn form(
    State(app): State<Arc<App>>,
    Params(token): Params<String>,
    Query(onward): Query<Onward>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Some(email) = app.core.sign_in_link_email(&token).await? else {
        return Ok(dead_link(&headers));
    };
    let page = Page {
        token: &token,
        email: &email,
        person: caller.account().map_or("", |account| &account.display_name),
        to: &return_path::local(onward.to),
    };
    Ok(page::page_leading_to_sites(&app.config, StatusCode::OK, &page))
}

/// `POST`: redeems the link. A mailed link goes through admission.
pub async fn redeem(
    State(app): State<Arc<App>>,
    Extension(client): Extension<ClientAddr>,
    Params(token): Params<String>,
    Query(onward): Query<Onward>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if let Some(answer) = too_many(&app.sign_in_rate, client, &headers).await {
        return Ok(answer);
    }
    match app.core.redeem_sign_in_link(&token).await {
        Err(CoreError::NotFound) => Ok(dead_link(&headers)),
        admission => enter(&app, &headers, admission?, onward.to).await,
    }
}
