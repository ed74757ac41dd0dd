//! The session cookie.

use std::sync::Arc;

use cookie::{Cookie, SameSite};
use http::HeaderMap;

use super::access::unavailable;
use super::{Caller, Refusal, cookie_values};
use crate::config::Config;
use crate::storage::core::{Account, Core, SESSION_LENGTH};

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
pub fn check(core: &Arc<Core>, config: &Config, headers: &HeaderMap) -> Result<Caller, Refusal> {
    for secret in session_secrets(config, headers) {
        if let Some((account, renew)) = core.session(secret).map_err(|error| unavailable(&error))? {
            return Ok(found(core, secret, account, renew));
        }
    }
    Ok(Caller::Anonymous)
}

fn found(core: &Arc<Core>, secret: &str, account: Account, renew: bool) -> Caller {
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
    }
}
