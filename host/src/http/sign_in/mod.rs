//! Signing in: one file for each way, and the end they share.
//!
//! Opening a link renders a page and does not redeem it, because programs that scan mails open links, too; the page's form
//! redeems it. Wrong, redeemed, revoked and expired links get the same 404, so that guessing reveals nothing.

mod code_host;
mod form;
mod invite;
mod link;
mod local;
mod local_token;
mod magic_link;
mod outcome;
mod start;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use super::App;

pub use local_token::LocalSignIn;
pub use outcome::invite_only;

pub(crate) use outcome::{dead_link, enter, refuse_link, too_many};

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
