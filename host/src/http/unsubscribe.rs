//! Unsubscribing: the page behind the link in a mail, and the one-click POST of RFC 8058 that mail programs send.
//!
//! The signed token in the query is the only authority: no cookie, no session, no same-origin rule. `GET` changes
//! nothing, because scanners follow every link in a mail. Without SERVICE_UNSUBSCRIBE_SECRET the routes do not exist.

use std::sync::Arc;

use askama::Template;
use axum::body::Body;
use axum::extract::{Query, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::{HeaderMap, StatusCode, header};
use serde::Deserialize;

use super::error::ApiError;
use super::page::{self, wants_page};
use super::{App, body};

/// Where the routes are.
pub const PATH: &str = "/api/v1/unsubscribe";

/// The query of the link.
#[derive(Deserialize)]
pub struct Link {
    #[serde(default)]
    token: String,
}

#[derive(Template)]
#[template(path = "unsubscribe.html")]
struct Page<'p> {
    token: &'p str,
    address: &'p str,
    /// Whether this request unsubscribed the address.
    done: bool,
}

/// What a POST asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Unsubscribe,
    SubscribeAgain,
}

/// The routes, when notes say how to unsubscribe.
pub fn router(app: &App) -> Router<Arc<App>> {
    match app.services.mail.can_unsubscribe() {
        true => Router::new().route(PATH, get(ask).post(change)),
        false => Router::new(),
    }
}

/// `GET /api/v1/unsubscribe?token=…`: a page that asks for confirmation.
async fn ask(State(app): State<Arc<App>>, Query(link): Query<Link>, headers: HeaderMap) -> Response {
    match app.services.mail.unsubscribe_address(&link.token) {
        Some(address) => show(&link, &address, false),
        None => refused(&headers),
    }
}

/// `POST /api/v1/unsubscribe?token=…`: unsubscribes, or subscribes again by the page's second button.
async fn change(
    State(app): State<Arc<App>>,
    Query(link): Query<Link>,
    request: Request<Body>,
) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    let Some(address) = app.services.mail.unsubscribe_address(&link.token) else {
        return Ok(refused(&parts.headers));
    };
    let bytes = body::receive_json(&parts.headers, body).await?;
    let content_type = parts
        .headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let wish = wish(content_type.unwrap_or_default(), &bytes)
        .ok_or_else(|| ApiError::bad_request("The body must be the form `List-Unsubscribe=One-Click`"))?;
    let unsubscribed = wish == Wish::Unsubscribe;
    app.core.set_unsubscribed(&address, unsubscribed).await?;
    if !wants_page(&parts.headers) {
        return Ok(Json(serde_json::json!({ "unsubscribed": unsubscribed })).into_response());
    }
    Ok(match wish {
        Wish::Unsubscribe => show(&link, &address, true),
        Wish::SubscribeAgain => page::message(
            StatusCode::OK,
            "You get mails again",
            &format!("When somebody mentions you in a review, {address} hears of it."),
        ),
    })
}

fn show(link: &Link, address: &str, done: bool) -> Response {
    let token = &link.token;
    page::page(StatusCode::OK, &Page { token, address, done })
}

fn refused(headers: &HeaderMap) -> Response {
    const TEXT: &str = "This link is not valid: open it again from the mail, in full";
    if wants_page(headers) {
        return page::message(StatusCode::BAD_REQUEST, "This link does not work", TEXT);
    }
    ApiError::bad_request(TEXT).into_response()
}

/// The requested action of a form, in either encoding; `None` for an unknown one. A POST without a body unsubscribes.
fn wish(content_type: &str, body: &[u8]) -> Option<Wish> {
    if body.is_empty() {
        return Some(Wish::Unsubscribe);
    }
    let fields = match boundary(content_type) {
        Some(boundary) => multipart(&boundary, body),
        None => url::form_urlencoded::parse(body.trim_ascii()).into_owned().collect(),
    };
    fields
        .iter()
        .find_map(|(name, value)| match (name.as_str(), value.as_str()) {
            ("List-Unsubscribe", "One-Click") => Some(Wish::Unsubscribe),
            ("Subscribe", "Again") => Some(Wish::SubscribeAgain),
            _ => None,
        })
}

/// The boundary of `multipart/form-data; boundary=…`.
fn boundary(content_type: &str) -> Option<String> {
    let mut parts = content_type.split(';').map(str::trim);
    if !parts.next()?.eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let boundary = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("boundary")
            .then(|| value.trim().trim_matches('"'))
    });
    // Without one there are no parts, which is another thing than another encoding.
    Some(boundary.unwrap_or_default().to_owned())
}

/// The small fields of a form (RFC 7578): name and value of each part that is text.
fn multipart(boundary: &str, body: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(body);
    if boundary.is_empty() {
        return Vec::new();
    }
    let field = |part: &str| {
        let (head, value) = part.split_once("\r\n\r\n")?;
        let disposition = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.trim().eq_ignore_ascii_case("content-disposition").then_some(value)
        })?;
        let name = disposition
            .split(';')
            .find_map(|part| part.trim().strip_prefix("name="))?;
        Some((
            name.trim_matches('"').to_owned(),
            value.trim_end_matches("\r\n").to_owned(),
        ))
    };
    text.split(&format!("--{boundary}")).filter_map(field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str = "application/x-www-form-urlencoded";

    #[test]
    fn both_encodings_of_a_form_are_read() {
        let click = b"List-Unsubscribe=One-Click";
        assert_eq!(wish(FORM, click), Some(Wish::Unsubscribe));
        assert_eq!(wish("", click), Some(Wish::Unsubscribe));
        assert_eq!(wish("", b""), Some(Wish::Unsubscribe));
        assert_eq!(wish(FORM, b"List-Unsubscribe=One%2DClick\r\n"), Some(Wish::Unsubscribe));
        assert_eq!(wish(FORM, b"Subscribe=Again"), Some(Wish::SubscribeAgain));
        let parts = b"--b1\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b1--\r\n";
        for kind in [
            "multipart/form-data; boundary=b1",
            "Multipart/Form-Data; charset=utf-8; BOUNDARY=\"b1\"",
        ] {
            assert_eq!(wish(kind, parts), Some(Wish::Unsubscribe), "{kind}");
        }
    }

    #[test]
    fn other_bodies_ask_for_nothing() {
        for (kind, body) in [
            (FORM, " "),
            (FORM, "List-Unsubscribe=Two-Clicks"),
            (FORM, "list-unsubscribe=One-Click"),
            ("multipart/form-data", "List-Unsubscribe=One-Click"),
            ("multipart/form-data; boundary=b", "List-Unsubscribe=One-Click"),
            ("multipart/form-data; boundary=b", "--b\r\n\r\nOne-Click\r\n--b--"),
            ("application/json", "{\"List-Unsubscribe\":\"One-Click\"}"),
        ] {
            assert_eq!(wish(kind, body.as_bytes()), None, "{kind}: {body}");
        }
    }
}
