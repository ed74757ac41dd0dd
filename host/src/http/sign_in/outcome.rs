//! What every way to sign in ends in.

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};

use crate::accounts::Admission;
use crate::core::CoreError;
use crate::http::error::ApiError;
use crate::http::page::{self, wants_page};
use crate::http::rate::Rate;
use crate::http::request::ClientAddr;
use crate::http::{App, return_path};
use crate::identity::{browser, session_cookie, session_secrets};

/// The last step of every sign-in. An admitted person gets a fresh session, which replaces the browser's earlier one, and is
/// redirected to `to`. A refused person gets the invite-only page. A `to` that is not a path of this server counts as `/`.
pub async fn enter(app: &App, headers: &HeaderMap, admission: Admission, to: String) -> Result<Response, ApiError> {
    let Admission::Admitted(account) = admission else {
        return Ok(invite_only(headers));
    };
    let ended: Vec<&str> = session_secrets(&app.config, headers).collect();
    let secret = match app.core.begin_session(&account.id, browser(headers), &ended).await {
        // The account was removed right after it was admitted.
        Err(CoreError::Removed) => return Ok(invite_only(headers)),
        secret => secret?,
    };
    let headers = [
        (header::SET_COOKIE, session_cookie(&app.config, Some(&secret))),
        (header::LOCATION, return_path::local(to)),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((StatusCode::SEE_OTHER, headers).into_response())
}

/// The page for a person who was not admitted; no account was made.
pub fn invite_only(headers: &HeaderMap) -> Response {
    const TEXT: &str = "This instance is invite-only, and no account was made. Ask the person who sent you here, or an admin \
                        of this instance, to invite the email address you sign in with.";
    if wants_page(headers) {
        return page::message(StatusCode::FORBIDDEN, "You need an invitation", TEXT);
    }
    ApiError::forbidden(TEXT).into_response()
}

/// A link that does not work, whatever the reason.
pub fn dead_link(headers: &HeaderMap) -> Response {
    refuse_link(
        headers,
        "It was used already, it expired, or a newer one replaced it. Sign in another way, or ask the sender for a \
         new one.",
    )
}

/// The page and the error for a link that does not work.
pub fn refuse_link(headers: &HeaderMap, why: &str) -> Response {
    const TITLE: &str = "This link does not work";
    if wants_page(headers) {
        let links = [("/sign-in", "Sign in another way")];
        return page::message_with_links(StatusCode::NOT_FOUND, TITLE, why, &links);
    }
    ApiError::not_found(format!("{TITLE}. {why}")).into_response()
}

/// Counts an attempt to sign in. Returns the answer when the limit is exceeded.
pub async fn too_many(rate: &Rate, client: ClientAddr, headers: &HeaderMap) -> Option<Response> {
    let error = rate.take(client.0).await.err()?;
    Some(page::refuse(headers, "Too many attempts", error))
}
