//! One-time codes that a prototype's own host exchanges for its cookies. They are in memory, or in the database where several servers
//! use one.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::core::{Core, CoreError};
use crate::storage::id::{hash_secret, new_secret};

/// How long a code is valid, in milliseconds.
const CODE_LENGTH: i64 = 60_000;
/// The most unused codes in memory.
const MAX_CODES: usize = 10_000;
/// The most codes for one session and project within [`CODE_LENGTH`]. A browser that keeps no cookie comes back for
/// another code at once; a person who reloads a review needs one each time, too.
const MAX_TRIES: usize = 30;

/// The codes of one server, or of all of its database.
pub(super) enum Codes {
    /// In memory, by the hash of the code.
    Here(Mutex<HashMap<String, Grant>>),
    /// In the database.
    Together(Arc<Core>),
}

/// What a code grants.
#[derive(Clone)]
pub(super) struct Grant {
    /// The hash of the session's secret, as the database stores it.
    session: String,
    project: String,
    /// Milliseconds since 1970.
    expires: i64,
}

impl Codes {
    /// Those of a server, or of all of its database.
    pub fn of(core: &Arc<Core>) -> Self {
        match core.freshness() {
            Some(_) => Self::Together(core.clone()),
            None => Self::Here(Mutex::default()),
        }
    }

    /// A new code for a session, given by its hash, and a project; `None` when there are too many.
    pub async fn issue(&self, session: &str, project: &str, now: i64) -> Result<Option<String>, CoreError> {
        let code = new_secret();
        let hash = hash_secret(&code);
        let is_kept = match self {
            Self::Here(codes) => keep(&mut codes.lock(), hash, session, project, now),
            Self::Together(core) => {
                core.keep_view_code(hash, session, project, CODE_LENGTH, MAX_TRIES)
                    .await?
            }
        };
        Ok(is_kept.then_some(code))
    }

    /// Redeems a code for a project: the hash of the session it was issued to. The code is spent even when this fails.
    /// A spent code counts towards the bound until it expires.
    pub async fn redeem(&self, code: &str, project: &str, now: i64) -> Result<Option<String>, CoreError> {
        let hash = hash_secret(code);
        match self {
            Self::Here(codes) => Ok(spend(&mut codes.lock(), &hash, project, now)),
            Self::Together(core) => core.spend_view_code(&hash, project).await,
        }
    }
}

fn keep(codes: &mut HashMap<String, Grant>, hash: String, session: &str, project: &str, now: i64) -> bool {
    codes.retain(|_, grant| grant.expires > now);
    let tries = codes
        .values()
        .filter(|grant| grant.session == session && grant.project == project)
        .count();
    if codes.len() >= MAX_CODES || tries >= MAX_TRIES {
        return false;
    }
    let grant = Grant {
        session: session.to_owned(),
        project: project.to_owned(),
        expires: now + CODE_LENGTH,
    };
    codes.insert(hash, grant);
    true
}

fn spend(codes: &mut HashMap<String, Grant>, hash: &str, project: &str, now: i64) -> Option<String> {
    let grant = codes.remove(hash)?;
    // Kept under a name that no code has: it still counts, which ends a browser's redirect loop.
    codes.insert(format!("spent {}", new_secret()), grant.clone());
    (grant.project == project && grant.expires > now).then_some(grant.session)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes in memory.
    struct Here(Codes);

    impl Here {
        fn new() -> Self {
            Self(Codes::Here(Mutex::default()))
        }

        async fn issue(&self, session: &str, project: &str, now: i64) -> Option<String> {
            self.0.issue(session, project, now).await.unwrap()
        }

        async fn redeem(&self, code: &str, project: &str, now: i64) -> Option<String> {
            self.0.redeem(code, project, now).await.unwrap()
        }
    }

    #[tokio::test]
    async fn codes_are_good_once_for_a_minute_for_their_project() {
        let codes = Here::new();
        let code = codes.issue("u", "p", 0).await.unwrap();
        assert_eq!(codes.redeem(&code, "p", 59_999).await.as_deref(), Some("u"));
        assert_eq!(codes.redeem(&code, "p", 59_999).await, None);
        let code = codes.issue("u", "p", 0).await.unwrap();
        assert_eq!(codes.redeem(&code, "other", 1).await, None);
        assert_eq!(codes.redeem(&code, "p", 1).await, None);
        let code = codes.issue("u", "p", 0).await.unwrap();
        assert_eq!(codes.redeem(&code, "p", 60_000).await, None);
        assert_eq!(codes.redeem("", "p", 0).await, None);
    }

    #[tokio::test]
    async fn a_browser_without_cookies_is_stopped() {
        let codes = Here::new();
        for _ in 0..MAX_TRIES {
            let code = codes.issue("u", "p", 0).await.unwrap();
            codes.redeem(&code, "p", 1).await.unwrap();
        }
        assert_eq!(codes.issue("u", "p", 1).await, None);
        assert!(codes.issue("u", "q", 1).await.is_some());
        assert!(codes.issue("u", "p", 60_001).await.is_some());
    }
}
