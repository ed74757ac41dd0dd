//! The session cookie.

use std::sync::Arc;

use cookie::{Cookie, SameSite};
use http::{HeaderMap, header};

use super::{Caller, Refusal, unavailable};
use crate::config::Config;
use crate::storage::core::{Core, SESSION_LENGTH};

/// The cookie's name. With https it has the prefix that makes browsers insist on `Secure`, `Path=/` and no `Domain`.
fn name(config: &Config) -> &'static str {
    if config.secure_cookies() {
        "__Host-galley_session"
    } else {
        "galley_session"
    }
}

/// The secret in a request's session cookie, whether or not it means anything.
pub fn session_secret(config: &Config, headers: &HeaderMap) -> Option<String> {
    let wanted = name(config);
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == wanted)
        .map(|(_, value)| value.to_owned())
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

/// Whose session it is; nobody's when it has ended.
pub fn check(core: &Arc<Core>, secret: &str) -> Result<Caller, Refusal> {
    let found = core.session(secret).map_err(|error| unavailable(&error))?;
    let Some((account, renew)) = found else {
        return Ok(Caller::Anonymous);
    };
    if renew {
        let (core, secret) = (core.clone(), secret.to_owned());
        tokio::spawn(async move {
            if let Err(error) = core.renew_session(&secret).await {
                tracing::warn!("a session could not be renewed: {error}");
            }
        });
    }
    Ok(Caller::Session {
        account: Arc::new(account),
        secret: secret.into(),
    })
}
