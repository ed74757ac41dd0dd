//! `Authorization: Bearer …`: the admin bearer, or a personal access token.

use std::sync::Arc;

use http::{HeaderValue, StatusCode};

use super::{Caller, Refusal, unavailable};
use crate::config::Config;
use crate::storage::core::Core;
use crate::storage::id::{hash_secret, now_ms, same_secret};

/// How often using a token is written down, in milliseconds.
const USED_EVERY: i64 = 30_000;

/// A hash no secret has, compared when there is no such token, so that both cases take as long.
const NO_HASH: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The one answer for every bearer that is none.
pub fn refused() -> Refusal {
    Refusal::new(
        StatusCode::UNAUTHORIZED,
        "The bearer token is not valid: it is unknown, expired or revoked",
    )
}

/// Checks the header's value.
pub fn check(core: &Arc<Core>, config: &Config, value: &HeaderValue) -> Result<Caller, Refusal> {
    let value = value.to_str().map_err(|_| refused())?;
    let (scheme, token) = value.split_once(' ').ok_or_else(refused)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(refused());
    }
    let token = token.trim();
    match token.strip_prefix("tok_") {
        Some(rest) => personal(core, rest),
        None => match &config.admin_token {
            // Hashes are compared, so that not even the length shows in the time.
            Some(admin) if same_secret(&hash_secret(admin.expose()), &hash_secret(token)) => Ok(Caller::Admin),
            _ => Err(refused()),
        },
    }
}

fn personal(core: &Arc<Core>, rest: &str) -> Result<Caller, Refusal> {
    let (id, secret) = rest.split_once('_').ok_or_else(refused)?;
    let record = core.token(id).map_err(|error| unavailable(&error))?;
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

/// Written in the background: nobody waits for it, and losing it in a crash is fine.
fn note_use(core: &Arc<Core>, id: &str) {
    let (core, id) = (core.clone(), id.to_owned());
    tokio::spawn(async move {
        if let Err(error) = core.token_used(&id).await {
            tracing::warn!("the use of a token could not be written down: {error}");
        }
    });
}
