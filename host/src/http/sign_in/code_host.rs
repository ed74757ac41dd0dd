//! `/api/v1/auth/codehost` and its callback: OAuth with `state` and PKCE. Both values are kept in an encrypted cookie of the
//! browser, so that a link prepared by somebody else signs nobody in.

use std::sync::Arc;

use axum::Extension;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use cookie::{Cookie, SameSite};
use data_encoding::BASE64URL_NOPAD;
use galley_people::{email, name};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::{Deserialize, Serialize};

use super::{enter, too_many};
use crate::accounts::{Admission, Identity, Verified};
use crate::codehost::{CodeHostError, People, Person, Secret, Tokens};
use crate::config::Config;
use crate::http::App;
use crate::http::error::ApiError;
use crate::http::page::{self, wants_page};
use crate::http::request::{ClientAddr, Local};
use crate::http::return_path;
use crate::identity::cookie_values;
use crate::storage::id::{new_secret, now_ms, same_secret};

/// How long an attempt may take, in seconds.
const LIFE_SECONDS: i64 = 600;
/// What the cookie is sealed for.
const PURPOSE: &str = "an attempt to sign in by the code host";
/// Identities of the code host.
const PROVIDER: &str = "codehost";

/// An attempt to sign in, as stored in the cookie.
#[derive(Serialize, Deserialize)]
struct Attempt {
    /// The OAuth `state`, which the browser brings back.
    state: String,
    /// The PKCE verifier, which is sent to the code host with the code.
    verifier: String,
    /// Where to go afterwards.
    to: String,
    /// The token of the local operator, when they were sent here by their link.
    operator: Option<String>,
    /// Milliseconds since 1970.
    began: i64,
}

impl Attempt {
    fn seal(&self, people: &People) -> Option<String> {
        let plain = serde_json::to_vec(self).ok()?;
        let sealed = people.sealer().seal(PURPOSE, &plain).ok()?;
        Some(BASE64URL_NOPAD.encode(&sealed))
    }

    /// The attempt with this `state` in a request's cookies, if it has not expired.
    fn of(people: &People, config: &Config, headers: &HeaderMap, state: &str) -> Option<Self> {
        cookie_values(headers, cookie_name(config))
            .filter_map(|sealed| Self::unseal(people, sealed))
            .find(|attempt| same_secret(&attempt.state, state))
    }

    fn unseal(people: &People, sealed: &str) -> Option<Self> {
        let sealed = BASE64URL_NOPAD.decode(sealed.as_bytes()).ok()?;
        let plain = people.sealer().unseal(PURPOSE, &sealed).ok()?;
        let attempt: Self = serde_json::from_slice(&plain).ok()?;
        (0..LIFE_SECONDS * 1_000)
            .contains(&(now_ms() - attempt.began))
            .then_some(attempt)
    }
}

/// With https no other host of the domain can set it, a prototype's own origin neither.
fn cookie_name(config: &Config) -> &'static str {
    if config.secure_cookies() {
        "__Host-galley_codehost"
    } else {
        "galley_codehost"
    }
}

/// `Lax`, because the redirect back comes from another site.
fn cookie(config: &Config, value: &str) -> String {
    let life = if value.is_empty() { 0 } else { LIFE_SECONDS };
    Cookie::build((cookie_name(config), value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(config.secure_cookies())
        .max_age(cookie::time::Duration::seconds(life))
        .build()
        .to_string()
}

/// The address that is registered at the code host.
fn redirect_uri(config: &Config) -> String {
    format!("{}/api/v1/auth/codehost/callback", config.public_url)
}

/// The query of [`begin`].
#[derive(Deserialize)]
pub struct Begin {
    #[serde(default)]
    to: String,
    operator: Option<String>,
}

/// `GET /api/v1/auth/codehost?to=/path`: redirects to the code host.
pub async fn begin(
    State(app): State<Arc<App>>,
    Extension(local): Extension<Local>,
    Extension(client): Extension<ClientAddr>,
    begin: Result<Query<Begin>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let people = people(&app)?;
    if let Some(answer) = too_many(&app.sign_in_rate, client, &headers).await {
        return Ok(answer);
    }
    let Ok(Query(begin)) = begin else {
        return Ok(End::Stray.page(&headers));
    };
    if let Some(token) = &begin.operator
        && !(local.0 && app.local_sign_in.accepts(token).await?)
    {
        return Ok(super::dead_link(&headers));
    }
    let attempt = Attempt {
        state: new_secret(),
        verifier: new_secret(),
        to: return_path::local(begin.to),
        operator: begin.operator,
        began: now_ms(),
    };
    let sealed = attempt.seal(people);
    let sealed = sealed.ok_or_else(|| ApiError::internal("an attempt to sign in", &"it cannot be sealed"))?;
    let onward = people
        .oauth()
        .authorize_url(&redirect_uri(&app.config), &attempt.state, &attempt.verifier);
    let headers = [
        (header::SET_COOKIE, cookie(&app.config, &sealed)),
        (header::LOCATION, onward),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((StatusCode::SEE_OTHER, headers).into_response())
}

/// The query of the callback.
#[derive(Deserialize)]
pub struct Back {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
}

/// `GET /api/v1/auth/codehost/callback`: authenticates, admits, and redirects to the path where the sign-in began.
pub async fn finish(
    State(app): State<Arc<App>>,
    Extension(client): Extension<ClientAddr>,
    back: Result<Query<Back>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let people = people(&app)?;
    if let Some(answer) = too_many(&app.sign_in_rate, client, &headers).await {
        return Ok(answer);
    }
    let Ok(Query(back)) = back else {
        return Ok(End::Stray.page(&headers));
    };
    let state = back.state.as_deref().unwrap_or_default();
    let Some(attempt) = Attempt::of(people, &app.config, &headers, state) else {
        return Ok(End::Stray.page(&headers));
    };
    let mut response = match come_back(&app, people, &attempt, back).await {
        Ok((admission, to)) => enter(&app, &headers, admission, to).await?,
        Err(Failure::End(end)) => end.page(&headers),
        Err(Failure::Error(error)) => return Err(error),
    };
    // The attempt is over, however it ended.
    if let Ok(gone) = HeaderValue::try_from(cookie(&app.config, "")) {
        response.headers_mut().append(header::SET_COOKIE, gone);
    }
    Ok(response)
}

enum Failure {
    End(End),
    Error(ApiError),
}

impl From<End> for Failure {
    fn from(end: End) -> Self {
        Self::End(end)
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        Self::Error(error)
    }
}

async fn come_back(app: &App, people: &People, attempt: &Attempt, back: Back) -> Result<(Admission, String), Failure> {
    match (back.error.as_deref(), back.code) {
        (Some("access_denied"), _) => Err(End::Denied.into()),
        (Some(_), _) | (None, None) => Err(End::Failed.into()),
        (None, Some(code)) => {
            let (tokens, person) = identify(people, attempt, &code, &redirect_uri(&app.config)).await?;
            let verified = verified(&person).ok_or(End::NoAddress)?;
            let as_operator = match &attempt.operator {
                Some(token) => app.local_sign_in.spend(token).await.map_err(ApiError::from)?,
                None => false,
            };
            let admission = app.core.admit(verified, as_operator).await.map_err(ApiError::from)?;
            if let Admission::Admitted(account) = &admission
                && let Err(error) = people.keep(&account.id, &tokens).await
            {
                // The sign-in works without the token; only the person's repositories cannot be listed.
                tracing::error!("{error}");
            }
            Ok((admission, attempt.to.clone()))
        }
    }
}

async fn identify(people: &People, attempt: &Attempt, code: &str, redirect_uri: &str) -> Result<(Tokens, Person), End> {
    let tokens = people.oauth().exchange(code, &attempt.verifier, redirect_uri).await;
    let tokens = tokens.map_err(|error| match error {
        CodeHostError::Refused(reason) if reason == "bad_verification_code" => End::Failed,
        error => End::unreachable(&error),
    })?;
    let person = person(people, &tokens.access).await?;
    Ok((tokens, person))
}

async fn person(people: &People, token: &Secret) -> Result<Person, End> {
    people.person(token).await.map_err(|error| End::unreachable(&error))
}

/// The checked profile of a person; `None` without a verified address.
fn verified(person: &Person) -> Option<Verified> {
    let email = email::parse(person.email.as_deref()?)?;
    let login = cleaned(&person.login);
    let name = person.name.as_deref().and_then(cleaned);
    Some(Verified {
        email,
        display_name: name.or_else(|| login.clone()),
        identity: Some(Identity {
            provider: PROVIDER.to_owned(),
            subject: person.id.clone(),
            login: login.unwrap_or_default(),
        }),
    })
}

/// A name as the code host tells it; `None` when it cannot be one.
fn cleaned(text: &str) -> Option<String> {
    name::checked(&name::cleaned(text))
}

/// The routes exist only with them.
fn people(app: &App) -> Result<&People, ApiError> {
    app.services
        .people
        .as_deref()
        .ok_or_else(|| ApiError::not_found("Not found"))
}

/// Why an attempt failed. Each is a page that says what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// It was not begun in this browser, or too long ago.
    Stray,
    /// The person denied the request at the code host.
    Denied,
    /// The code host sent no usable code.
    Failed,
    /// The person has no address that is both primary and verified.
    NoAddress,
    /// The code host did not answer, or sent an unexpected answer.
    Unreachable,
}

impl End {
    /// Logs the cause, which the browser does not get.
    fn unreachable(error: &CodeHostError) -> Self {
        tracing::error!("somebody could not sign in by the code host: {error}");
        Self::Unreachable
    }

    fn page(self, headers: &HeaderMap) -> Response {
        let (status, title, text) = match self {
            Self::Stray => (
                StatusCode::BAD_REQUEST,
                "This sign-in cannot be finished",
                "It was not begun in this browser, or more than ten minutes ago. Start again from here.",
            ),
            Self::Denied => (
                StatusCode::FORBIDDEN,
                "You did not sign in",
                "The code host was told not to let this server know who you are. Start again, or sign in another way.",
            ),
            Self::Failed => (
                StatusCode::BAD_REQUEST,
                "The code host did not sign you in",
                "What it sent back was used already or cannot be used. Start again.",
            ),
            Self::NoAddress => (
                StatusCode::FORBIDDEN,
                "Your address is not verified",
                "This server goes by the primary email address of your account at the code host, and it has none that is \
                 verified. Verify it there, then start again.",
            ),
            Self::Unreachable => (
                StatusCode::BAD_GATEWAY,
                "The code host cannot be asked right now",
                "It did not answer, or not as it should. Try again in a moment, or sign in another way; if it stays like \
                 this, the operator finds the reason in the server's log.",
            ),
        };
        if wants_page(headers) {
            return page::message_with_links(status, title, text, &[("/sign-in", "Back to signing in")]);
        }
        ApiError::new(status, text).into_response()
    }
}
