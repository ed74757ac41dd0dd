//! `POST /api/v1/auth/magic-link`: asks for a link by mail. The answer is the same for everybody, in words and in time:
//! it must not tell who has an account here.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use http::StatusCode;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;

use super::form::{Form, apart};
use super::{start, too_many};
use crate::core::CoreError;
use crate::http::error::ApiError;
use crate::http::page::{self, wants_page};
use crate::http::request::ClientAddr;
use crate::http::{App, return_path};
use crate::identity::Caller;

/// The shortest time of every answer. Making a link and queueing its mail takes much less, so the time does not reveal
/// whether there was a mail.
const ANSWER_TIME: Duration = Duration::from_millis(400);

/// The longest return path in a mail, in bytes; a longer one becomes `/`.
const MAX_PATH: usize = 1000;

/// `POST { email, to? }`: always 202. A link is mailed only to an address whose owner would be admitted.
pub async fn request(
    State(app): State<Arc<App>>,
    Extension(client): Extension<ClientAddr>,
    caller: Caller,
    request: Request<Body>,
) -> Result<Response, ApiError> {
    let (headers, body) = apart(request);
    if !app.services.mail.is_configured() {
        return Ok(page::refuse(&headers, "There is no mail here", not_configured()));
    }
    if let Some(answer) = too_many(&app.magic_link_rate, client, &headers).await {
        return Ok(answer);
    }
    let form = Form::receive(&headers, body, &["email", "to"]).await?;
    let to = form.text("to").to_owned();
    let email = match form.email() {
        Ok(email) => email,
        Err(wrong) if form.is_json || !wants_page(&headers) => return Err(wrong.for_programs()),
        Err(wrong) => {
            let page = start::show(&app, &caller, StatusCode::BAD_REQUEST, to, Some((&form, wrong)));
            return Ok(page.await);
        }
    };
    // A task of its own, which continues when the client hangs up early.
    let mailing = tokio::spawn(mail_link(app, email, return_path::local(to)));
    let (mailed, ()) = tokio::join!(mailing, tokio::time::sleep(ANSWER_TIME));
    if let Ok(Err(error)) = mailed {
        tracing::error!("a sign-in link could not be mailed: {error}");
    }
    const TEXT: &str = "If this address may sign in here, a link is on its way to it. It works once, for 15 minutes.";
    if wants_page(&headers) {
        return Ok(page::message(StatusCode::ACCEPTED, "Look into your mail", TEXT));
    }
    Ok((StatusCode::ACCEPTED, Json(json!({ "message": TEXT }))).into_response())
}

fn not_configured() -> ApiError {
    ApiError::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "This instance sends no mail. Ask an admin for a sign-in link, or sign in another way.",
    )
}

/// The mail is handed over durably when this resolves.
async fn mail_link(app: Arc<App>, email: String, to: String) -> Result<(), CoreError> {
    let Some(token) = app.core.create_magic_link(email.clone()).await? else {
        return Ok(());
    };
    let mut url = format!("{}/api/v1/auth/signin/{token}", app.config.public_url);
    if to != "/" && to.len() <= MAX_PATH {
        url.push_str(&format!("?to={}", utf8_percent_encode(&to, NON_ALPHANUMERIC)));
    }
    app.services.mail.magic_link(&email, &url).await
}
