//! The first sign-in of a new instance: a one-time link in the log, good on this machine only, that makes the first
//! account.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::body::Body;
use axum::extract::{Query, Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};
use parking_lot::Mutex;
use serde::Deserialize;

use super::error::ApiError;
use super::json::JsonBody;
use super::page::{self, wants_page};
use super::request::{ClientAddr, Local};
use super::{App, body};
use crate::identity::session_cookie;
use crate::storage::core::CoreError;
use crate::storage::id::{hash_secret, new_secret, same_secret};

const MAX_EMAIL: usize = 254;
const MAX_NAME: usize = 100;

/// The link's token, as a hash, while it can be used.
#[derive(Default)]
pub struct LocalSignIn(Mutex<Option<String>>);

impl LocalSignIn {
    /// Makes a token; the caller shows it to the operator.
    pub fn issue(&self) -> String {
        let token = new_secret();
        *self.0.lock() = Some(hash_secret(&token));
        token
    }

    fn accepts(&self, token: &str) -> bool {
        self.0
            .lock()
            .as_deref()
            .is_some_and(|hash| same_secret(hash, &hash_secret(token)))
    }

    fn spend(&self) {
        *self.0.lock() = None;
    }
}

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
    error: &'p str,
}

/// What the form holds.
#[derive(Default)]
struct Form {
    email: String,
    display_name: String,
}

/// One answer for a token that is wrong, spent or used from elsewhere.
fn refused(headers: &HeaderMap) -> Response {
    const TEXT: &str = "This sign-in link is not valid: it works once, on this machine, until the first account exists";
    if wants_page(headers) {
        return page::message(StatusCode::NOT_FOUND, "This link does not work", TEXT);
    }
    ApiError::not_found(TEXT).into_response()
}

fn is_good(app: &App, local: Local, link: &Link) -> bool {
    local.0 && app.local_sign_in.accepts(&link.token)
}

/// `GET /api/v1/auth/local`: renders the form and spends nothing.
pub async fn form(
    State(app): State<Arc<App>>,
    Extension(local): Extension<Local>,
    Query(link): Query<Link>,
    headers: HeaderMap,
) -> Response {
    if !is_good(&app, local, &link) {
        return refused(&headers);
    }
    show_form(StatusCode::OK, &link, "")
}

fn show_form(status: StatusCode, link: &Link, error: &str) -> Response {
    let token = &link.token;
    page::page(status, &Page { token, error })
}

/// `POST /api/v1/auth/local`: makes the first account, an admin, and signs it in. Takes the page's form or JSON.
pub async fn redeem(
    State(app): State<Arc<App>>,
    Extension(local): Extension<Local>,
    Extension(client): Extension<ClientAddr>,
    Query(link): Query<Link>,
    request: Request<Body>,
) -> Result<Response, ApiError> {
    app.sign_in_rate.take(client.0)?;
    let (parts, body) = request.into_parts();
    if !is_good(&app, local, &link) {
        return Ok(refused(&parts.headers));
    }
    let bytes = body::receive_json(&parts.headers, body).await?;
    let content_type = parts.headers.get(header::CONTENT_TYPE);
    let is_json = content_type.is_some_and(|value| value.as_bytes().starts_with(b"application/json"));
    let form = if is_json { from_json(&bytes)? } else { from_form(&bytes) };
    let (email, name) = match checked(&form) {
        Ok(checked) => checked,
        Err(error) if is_json => return Err(ApiError::bad_request(error)),
        Err(error) => return Ok(show_form(StatusCode::BAD_REQUEST, &link, error)),
    };
    let account = match app.core.create_first_account(email, name).await {
        Err(CoreError::Exists) => return Ok(refused(&parts.headers)),
        account => account?,
    };
    app.local_sign_in.spend();
    let secret = app.core.create_session(&account.id).await?;
    let cookie = [(header::SET_COOKIE, session_cookie(&app.config, Some(&secret)))];
    Ok((StatusCode::SEE_OTHER, cookie, [(header::LOCATION, "/")]).into_response())
}

fn from_json(bytes: &[u8]) -> Result<Form, ApiError> {
    let body = JsonBody::parse(bytes)?;
    let text = |name| body.text(name).map(Option::unwrap_or_default);
    Ok(Form {
        email: text("email")?,
        display_name: text("displayName")?,
    })
}

/// The page's form; what a person types by hand may say `name`.
fn from_form(bytes: &[u8]) -> Form {
    let mut form = Form::default();
    for (name, value) in url::form_urlencoded::parse(bytes) {
        match name.as_ref() {
            "email" => form.email = value.into_owned(),
            "displayName" | "name" => form.display_name = value.into_owned(),
            _ => {}
        }
    }
    form
}

fn checked(form: &Form) -> Result<(String, String), &'static str> {
    let email = form.email.trim().to_lowercase();
    let name = form.display_name.trim();
    let plain = |text: &str| !text.chars().any(char::is_control);
    let parts = email.split_once('@');
    let shape = parts.is_some_and(|(user, host)| !user.is_empty() && !host.is_empty() && !host.contains('@'));
    if !shape || email.len() > MAX_EMAIL || email.contains(char::is_whitespace) || !plain(&email) {
        return Err("`email` must be an email address");
    }
    if name.is_empty() || name.chars().count() > MAX_NAME || !plain(name) {
        return Err("`displayName` must have 1 to 100 characters");
    }
    Ok((email, name.to_owned()))
}
