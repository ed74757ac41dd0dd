//! OAuth for people: a browser is sent here, a person approves, and the client exchanges a code for a token.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State as Shared};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use data_encoding::BASE64URL_NOPAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::state::{Code, State};
use super::{CLIENT_ID, CLIENT_SECRET};

/// The path every registered callback has.
const CALLBACK: &str = "/api/v1/auth/codehost/callback";

/// `GET /login/oauth/authorize`: the person approves at once, or says no.
pub async fn authorize(Shared(state): Shared<Arc<State>>, Query(query): Query<HashMap<String, String>>) -> Response {
    let asked = |name: &str| query.get(name).map(String::as_str).unwrap_or_default();
    if asked("client_id") != CLIENT_ID {
        return refused("there is no client with this `client_id`");
    }
    let redirect_uri = asked("redirect_uri");
    let registered = url::Url::parse(redirect_uri).is_ok_and(|url| url.path() == CALLBACK && url.query().is_none());
    if !registered {
        return refused("the `redirect_uri` is not the registered one");
    }
    // GitHub would go on without; a client that leaves them out is not safe.
    if asked("state").len() < 16 {
        return refused("the `state` is missing or too short");
    }
    if asked("code_challenge_method") != "S256" || asked("code_challenge").len() != 43 {
        return refused("a `code_challenge` of the method S256 is missing");
    }
    let mut back = url::Url::parse(redirect_uri).expect("it was parsed");
    match state.approver() {
        Some(login) => {
            let code = state.issue_code(Code {
                login,
                redirect_uri: redirect_uri.to_owned(),
                challenge: asked("code_challenge").to_owned(),
            });
            back.query_pairs_mut().append_pair("code", &code);
        }
        None => {
            back.query_pairs_mut()
                .append_pair("error", "access_denied")
                .append_pair("error_description", "The user has denied your application access.");
        }
    }
    back.query_pairs_mut().append_pair("state", asked("state"));
    (StatusCode::FOUND, [(header::LOCATION, back.to_string())]).into_response()
}

fn refused(why: &str) -> Response {
    (StatusCode::NOT_FOUND, format!("The code host refuses: {why}\n")).into_response()
}

/// `POST /login/oauth/access_token`: errors come with status 200, as GitHub's do.
pub async fn access_token(Shared(state): Shared<Arc<State>>, headers: HeaderMap, body: String) -> Response {
    let is_json = headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let form: HashMap<String, String> = if is_json {
        serde_json::from_str(&body).unwrap_or_default()
    } else {
        url::form_urlencoded::parse(body.as_bytes()).into_owned().collect()
    };
    let answer = exchange(&state, &form).unwrap_or_else(|(error, text)| {
        json!({ "error": error, "error_description": text, "error_uri": "https://docs.example/oauth-errors" })
    });
    let wants_json = headers
        .get(header::ACCEPT)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if wants_json {
        Json(answer).into_response()
    } else {
        form_encoded(&answer)
    }
}

fn exchange(state: &State, form: &HashMap<String, String>) -> Result<Value, (&'static str, &'static str)> {
    let sent = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
    if sent("client_id") != CLIENT_ID || sent("client_secret") != CLIENT_SECRET {
        return Err((
            "incorrect_client_credentials",
            "The client_id and/or client_secret passed are incorrect.",
        ));
    }
    if sent("grant_type") == "refresh_token" {
        let login = state.spend_refresh_token(sent("refresh_token"));
        let login = login.ok_or(("bad_refresh_token", "The refresh token passed is incorrect or expired."))?;
        return Ok(tokens(state, &login));
    }
    // Whatever is wrong with it, a code that was shown is spent.
    let code = state.spend_code(sent("code"));
    let code = code.ok_or(("bad_verification_code", "The code passed is incorrect or expired."))?;
    if !sent("redirect_uri").is_empty() && sent("redirect_uri") != code.redirect_uri {
        return Err((
            "redirect_uri_mismatch",
            "The redirect_uri must match the one of the authorization.",
        ));
    }
    let digest = Sha256::digest(sent("code_verifier").as_bytes());
    if BASE64URL_NOPAD.encode(&digest) != code.challenge {
        return Err((
            "bad_verification_code",
            "The code verifier does not match the challenge.",
        ));
    }
    Ok(tokens(state, &code.login))
}

fn tokens(state: &State, login: &str) -> Value {
    let mut answer = json!({
        "access_token": state.issue_user_token(login), "token_type": "bearer", "scope": "",
    });
    if state.expiring() {
        answer["expires_in"] = state.user_life().into();
        answer["refresh_token"] = state.issue_refresh_token(login).into();
        answer["refresh_token_expires_in"] = 15_897_600.into();
    }
    answer
}

fn form_encoded(answer: &Value) -> Response {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in answer.as_object().into_iter().flatten() {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        form.append_pair(name, &text);
    }
    let kind = [(header::CONTENT_TYPE, "application/x-www-form-urlencoded; charset=utf-8")];
    (kind, form.finish()).into_response()
}
