//! Signing in: one file for each way, and the end they share.
//!
//! Opening a link renders a page and does not redeem it, because programs that scan mails open links, too; the page's form
//! redeems it. Wrong, redeemed, revoked and expired links get the same 404, which tells nothing to somebody who guesses.

mod code_host;
mod form;
mod invite;
mod link;
mod local;
mod magic_link;
mod start;

use std::sync::Arc;

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http::{HeaderMap, StatusCode, header};

use super::error::ApiError;
use super::page::{self, wants_page};
use super::rate::Rate;
use super::request::ClientAddr;
use super::{App, return_path};
use crate::identity::{session_cookie, session_secrets};
use crate::storage::core::{Admission, CoreError};

pub use local::LocalSignIn;

/// The routes of this folder. Those of the code host exist only when one can sign in by it.
pub fn router(app: &App) -> Router<Arc<App>> {
    let by_code_host = if app.services.people.is_some() {
        Router::new()
            .route("/api/v1/auth/codehost", get(code_host::begin))
            .route("/api/v1/auth/codehost/callback", get(code_host::finish))
    } else {
        Router::new()
    };
    by_code_host
        .route("/sign-in", get(start::page))
        .route("/api/v1/auth/local", get(local::form).post(local::redeem))
        .route("/api/v1/auth/magic-link", post(magic_link::request))
        .route("/api/v1/auth/invite/{token}", get(invite::form).post(invite::redeem))
        .route("/api/v1/auth/signin/{token}", get(link::form).post(link::redeem))
}

/// Ends every sign-in: a fresh session for whoever was admitted, in place of the one the browser may have had, and on to
/// `to`; the invite-only page for everybody else. `to` is a path of this server, or it counts as `/`.
pub async fn enter(app: &App, headers: &HeaderMap, admission: Admission, to: String) -> Result<Response, ApiError> {
    let Admission::Admitted(account) = admission else {
        return Ok(invite_only(headers));
    };
    let ended: Vec<&str> = session_secrets(&app.config, headers).collect();
    let secret = match app.core.begin_session(&account.id, &ended).await {
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
    const TEXT: &str = "This instance is invite-only, and no account was made. Ask whoever sent you here, or an admin \
                        of this instance, to invite the email address you sign in with.";
    if wants_page(headers) {
        return page::message(StatusCode::FORBIDDEN, "You need an invitation", TEXT);
    }
    ApiError::forbidden(TEXT).into_response()
}

/// A link that does not work, whatever the reason.
fn dead_link(headers: &HeaderMap) -> Response {
    refuse_link(
        headers,
        "It was used already, it expired, or a newer one replaced it. Sign in another way, or ask whoever sent it for a \
         new one.",
    )
}

/// The page and the error for a link that does not work.
fn refuse_link(headers: &HeaderMap, why: &str) -> Response {
    const TITLE: &str = "This link does not work";
    if wants_page(headers) {
        let links = [("/sign-in", "Sign in another way")];
        return page::message_with_links(StatusCode::NOT_FOUND, TITLE, why, &links);
    }
    ApiError::not_found(format!("{TITLE}. {why}")).into_response()
}

/// Counts an attempt to sign in. Returns the answer when the limit is exceeded.
fn too_many(rate: &Rate, client: ClientAddr, headers: &HeaderMap) -> Option<Response> {
    let error = rate.take(client.0).err()?;
    Some(page::refuse(headers, "Too many attempts", error))
}
