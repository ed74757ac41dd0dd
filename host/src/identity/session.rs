//! The session cookie.

use std::sync::Arc;

use cookie::{Cookie, SameSite};
use http::{HeaderMap, StatusCode};

use super::access::unavailable;
use super::page_key::{PAGE_KEY, scope_of};
use super::{Caller, Refusal, Scope, cookie_values};
use crate::accounts::{Account, SESSION_LENGTH};
use crate::config::Config;
use crate::core::Core;

/// The cookie's name. With https it has the prefix that makes browsers insist on `Secure`, `Path=/` and no `Domain`.
fn name(config: &Config) -> &'static str {
    if config.secure_cookies() {
        "__Host-galley_session"
    } else {
        "galley_session"
    }
}

/// The secrets in a request's session cookies, valid or not. There is more than one when another host of the domain set a
/// cookie of the same name.
pub fn session_secrets<'h>(config: &Config, headers: &'h HeaderMap) -> impl Iterator<Item = &'h str> + use<'h> {
    cookie_values(headers, name(config))
}

/// The `Set-Cookie` that gives a browser a session, or takes it away.
pub fn session_cookie(config: &Config, secret: Option<&str>) -> String {
    let length = if secret.is_some() {
        SESSION_LENGTH.as_secs() as i64
    } else {
        0
    };
    Cookie::build((name(config), secret.unwrap_or_default()))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(config.secure_cookies())
        .max_age(cookie::time::Duration::seconds(length))
        .build()
        .to_string()
}

/// The caller of the first cookie whose session has not ended; anonymous without one.
pub async fn check(core: &Arc<Core>, config: &Config, headers: &HeaderMap) -> Result<Caller, Refusal> {
    for secret in session_secrets(config, headers) {
        if let Some((account, renew)) = core.session(secret).await.map_err(|error| unavailable(&error))? {
            return Ok(found(core, secret, account, renew, Scope::All));
        }
    }
    Ok(Caller::Anonymous)
}

/// The caller of a request to the API. A browser's request, which has `Sec-Fetch-Mode`, needs the key of a page that was given to
/// the very session: any script of this origin can send the cookie, a prototype's too. Programs need none. Of several sessions
/// the one counts that the key belongs to, so a cookie that somebody else set leads nobody into another account.
pub async fn check_with_key(core: &Arc<Core>, config: &Config, headers: &HeaderMap) -> Result<Caller, Refusal> {
    if !headers.contains_key("sec-fetch-mode") {
        return check(core, config, headers).await;
    }
    let key = headers.get(PAGE_KEY).map(|key| key.to_str().unwrap_or_default());
    for secret in session_secrets(config, headers) {
        if let Some(scope) = key.and_then(|key| scope_of(secret, key))
            && let Some((account, renew)) = core.session(secret).await.map_err(|error| unavailable(&error))?
        {
            return Ok(found(core, secret, account, renew, scope));
        }
    }
    let is_signed_in = !matches!(check(core, config, headers).await?, Caller::Anonymous);
    match (is_signed_in, key) {
        (true, None) => Err(Refusal::about_key(
            StatusCode::FORBIDDEN,
            "missing",
            "This request of a browser lacks the key of its page (X-Galley-Key): open this server's own pages, or use an \
             access token in a program",
        )),
        (true, Some(_)) => Err(Refusal::about_key(
            StatusCode::FORBIDDEN,
            "stale",
            "The key of this page belongs to another sign-in: reload the page",
        )),
        (false, Some(_)) => Err(Refusal::about_key(
            StatusCode::UNAUTHORIZED,
            "ended",
            "Your session has ended: sign in again",
        )),
        (false, None) => Ok(Caller::Anonymous),
    }
}

fn found(core: &Arc<Core>, secret: &str, account: Account, renew: bool, scope: Scope) -> Caller {
    if renew {
        let (core, secret) = (core.clone(), secret.to_owned());
        tokio::spawn(async move {
            if let Err(error) = core.renew_session(&secret).await {
                tracing::warn!("a session could not be renewed: {error}");
            }
        });
    }
    Caller::Session {
        account: Arc::new(account),
        secret: secret.into(),
        scope,
    }
}
