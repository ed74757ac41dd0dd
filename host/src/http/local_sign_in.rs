//! The first sign-in of a new instance: a one-time link in the log, good on this machine only, that makes the first
//! account.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::body::Body;
use axum::extract::{Query, Request, State};
use axum::response::{Html, IntoResponse, Response};
use http::{StatusCode, header};
use parking_lot::Mutex;
use serde::Deserialize;

use super::App;
use super::body;
use super::error::ApiError;
use super::json::JsonBody;
use super::request::Local;
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

/// The page's form.
#[derive(Deserialize)]
struct Form {
    #[serde(default)]
    email: String,
    #[serde(default, rename = "displayName")]
    display_name: String,
}

/// One answer for a token that is wrong, spent or used from elsewhere.
fn refused() -> ApiError {
    ApiError::not_found(
        "This sign-in link is not valid: it works once, on this machine, until the first account exists",
    )
}

fn check(app: &App, local: Local, link: &Link) -> Result<(), ApiError> {
    if local.0 && app.local_sign_in.accepts(&link.token) {
        Ok(())
    } else {
        Err(refused())
    }
}

/// `GET /api/v1/auth/local`: renders the form and spends nothing.
pub async fn page(
    State(app): State<Arc<App>>,
    Extension(local): Extension<Local>,
    Query(link): Query<Link>,
) -> Result<Response, ApiError> {
    check(&app, local, &link)?;
    render(
        StatusCode::OK,
        &Page {
            token: &link.token,
            error: "",
        },
    )
}

/// `POST /api/v1/auth/local`: makes the first account, an admin, and signs it in. Takes the page's form or JSON.
pub async fn redeem(
    State(app): State<Arc<App>>,
    Extension(local): Extension<Local>,
    Query(link): Query<Link>,
    request: Request<Body>,
) -> Result<Response, ApiError> {
    check(&app, local, &link)?;
    let (parts, body) = request.into_parts();
    let bytes = body::receive_json(&parts.headers, body).await?;
    let content_type = parts
        .headers
        .get(header::CONTENT_TYPE)
        .map(|value| value.as_bytes())
        .unwrap_or_default();
    let is_json = content_type.starts_with(b"application/json");
    let form = if is_json {
        from_json(&bytes)?
    } else {
        from_form(&bytes)?
    };
    let (email, name) = match checked(&form) {
        Ok(checked) => checked,
        Err(error) if is_json => return Err(ApiError::bad_request(error)),
        Err(error) => {
            return render(
                StatusCode::BAD_REQUEST,
                &Page {
                    token: &link.token,
                    error,
                },
            );
        }
    };
    let account = app
        .core
        .create_first_account(email, name)
        .await
        .map_err(|error| match error {
            CoreError::Exists => refused(),
            error => error.into(),
        })?;
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

fn from_form(bytes: &[u8]) -> Result<Form, ApiError> {
    let mut form = Form {
        email: String::new(),
        display_name: String::new(),
    };
    for (name, value) in url::form_urlencoded::parse(bytes) {
        match name.as_ref() {
            "email" => form.email = value.into_owned(),
            "displayName" => form.display_name = value.into_owned(),
            _ => {}
        }
    }
    Ok(form)
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

fn render(status: StatusCode, page: &Page<'_>) -> Result<Response, ApiError> {
    let html = page
        .render()
        .map_err(|error| ApiError::internal("a page could not be rendered", &error))?;
    Ok((status, Html(html)).into_response())
}
