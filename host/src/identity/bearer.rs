//! `Authorization: Bearer …`: the admin bearer, or a personal access token.

use std::sync::Arc;

use http::{HeaderMap, StatusCode, header};

use super::access::unavailable;
use super::{Caller, Refusal};
use crate::config::Config;
use crate::core::Core;
use crate::storage::id::{hash_secret, now_ms, same_secret};

/// How often the use of a token is recorded, in milliseconds.
const USED_EVERY: i64 = 30_000;

/// A hash that no secret has. It is compared when the token is unknown, so that both cases take the same time.
const NO_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The answer to every invalid bearer.
pub fn refused() -> Refusal {
    Refusal::new(
        StatusCode::UNAUTHORIZED,
        "The bearer token is not valid: it is unknown, expired or revoked",
    )
}

/// Whether a request has a bearer, valid or not.
pub fn has_bearer(headers: &HeaderMap) -> bool {
    bearers(headers).next().is_some()
}

/// The caller of a request with a bearer; `None` for one without. Other schemes than `Bearer` are ignored: a proxy in front
/// of the server may ask for a password of its own.
pub async fn check(core: &Arc<Core>, config: &Config, headers: &HeaderMap) -> Option<Result<Caller, Refusal>> {
    let mut bearers = bearers(headers);
    let token = bearers.next()?;
    Some(match bearers.next() {
        None => one(core, config, token).await,
        // Two bearers are refused: which of them counts would depend on the reader.
        Some(_) => Err(refused()),
    })
}

/// What follows `Bearer` in each such header; empty when nothing does.
fn bearers(headers: &HeaderMap) -> impl Iterator<Item = &[u8]> {
    headers.get_all(header::AUTHORIZATION).iter().filter_map(|value| {
        let value = value.as_bytes().trim_ascii();
        let end = value.iter().position(u8::is_ascii_whitespace).unwrap_or(value.len());
        let (scheme, token) = value.split_at(end);
        scheme.eq_ignore_ascii_case(b"bearer").then(|| token.trim_ascii())
    })
}

async fn one(core: &Arc<Core>, config: &Config, token: &[u8]) -> Result<Caller, Refusal> {
    let token = std::str::from_utf8(token).map_err(|_| refused())?;
    match token.strip_prefix("tok_") {
        Some(rest) => personal(core, rest).await,
        None => match &config.admin_token {
            // Comparing hashes hides even the length from the time it takes.
            Some(admin) if same_secret(&hash_secret(admin.expose()), &hash_secret(token)) => Ok(Caller::Admin),
            _ => Err(refused()),
        },
    }
}

async fn personal(core: &Arc<Core>, rest: &str) -> Result<Caller, Refusal> {
    let (id, secret) = rest.split_once('_').ok_or_else(refused)?;
    let record = core.token(id).await.map_err(|error| unavailable(&error))?;
    let expected = record.as_ref().map_or(NO_HASH, |record| &record.secret_hash);
    let same = same_secret(expected, &hash_secret(secret));
    let Some(record) = record.filter(|_| same) else {
        return Err(refused());
    };
    let token = record.token;
    if now_ms() - token.last_used_at.unwrap_or(0) > USED_EVERY {
        note_use(core, &token.id);
    }
    Ok(Caller::Token {
        account: Arc::new(record.account),
        token_id: token.id,
        can_read: token.can_read,
        can_write: token.can_write,
    })
}

/// Recorded in the background; losing it in a crash is fine.
fn note_use(core: &Arc<Core>, id: &str) {
    let (core, id) = (core.clone(), id.to_owned());
    tokio::spawn(async move {
        if let Err(error) = core.token_used(&id).await {
            tracing::warn!("the use of a token could not be written down: {error}");
        }
    });
}
