//! `/api/v1/auth/invite/:token`: the link of an invite.

use std::sync::Arc;

use askama::Template;
use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use http::{HeaderMap, StatusCode};

use super::form::{Form, Wrong, apart};
use super::{dead_link, enter, too_many};
use crate::accounts::Invite;
use crate::core::CoreError;
use crate::http::App;
use crate::http::error::ApiError;
use crate::http::page::{self, wants_page};
use crate::http::request::{ClientAddr, Params};
use crate::identity::Caller;

#[derive(Template)]
#[template(path = "invite.html")]
struct Page<'p> {
    token: &'p str,
    email: &'p str,
    role: &'p str,
    /// The name of the person signed in at this browser; empty without a session.
    person: &'p str,
    name: &'p str,
    error: &'p str,
}

/// `GET`: renders the page. It does not redeem the link.
pub async fn form(
    State(app): State<Arc<App>>,
    Params(token): Params<String>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    Ok(match app.core.invite_by_token(&token).await? {
        Some(invite) => show(StatusCode::OK, &token, &invite, &caller, "", None),
        None => dead_link(&headers),
    })
}

/// `POST { displayName? }`: makes the account with the invite's role, and signs it in.
pub async fn redeem(
    State(app): State<Arc<App>>,
    Extension(client): Extension<ClientAddr>,
    Params(token): Params<String>,
    caller: Caller,
    request: Request<Body>,
) -> Result<Response, ApiError> {
    let (headers, body) = apart(request);
    if let Some(answer) = too_many(&app.sign_in_rate, client, &headers).await {
        return Ok(answer);
    }
    let Some(invite) = app.core.invite_by_token(&token).await? else {
        return Ok(dead_link(&headers));
    };
    let form = Form::receive(&headers, body, &["displayName"]).await?;
    let name = match form.optional_name() {
        Ok(name) => name,
        Err(wrong) if form.is_json || !wants_page(&headers) => return Err(wrong.for_programs()),
        Err(wrong) => {
            let name = form.text("displayName");
            return Ok(show(
                StatusCode::BAD_REQUEST,
                &token,
                &invite,
                &caller,
                name,
                Some(wrong),
            ));
        }
    };
    match app.core.redeem_invite(&token, name).await {
        Err(CoreError::NotFound) => Ok(dead_link(&headers)),
        admission => enter(&app, &headers, admission?, "/".to_owned()).await,
    }
}

fn show(
    status: StatusCode,
    token: &str,
    invite: &Invite,
    caller: &Caller,
    name: &str,
    wrong: Option<Wrong>,
) -> Response {
    let page = Page {
        token,
        email: &invite.email,
        role: invite.role.as_str(),
        person: caller.account().map_or("", |account| &account.display_name),
        name,
        error: wrong.map_or("", Wrong::for_people),
    };
    page::page(status, &page)
}
