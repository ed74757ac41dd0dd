//! The token of the first sign-in of a new instance.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::core::{Core, CoreError};
use crate::storage::id::{hash_secret, new_secret, same_secret};

/// The link's token, as a hash, while it can be used.
pub enum LocalSignIn {
    /// In memory: the present one of this server.
    Here(Mutex<Option<String>>),
    /// In the database, where several servers use one: each has one of its own, all take any, and one of them is good once.
    Together(Arc<Core>),
}

impl LocalSignIn {
    /// That of a server, or of all of its database.
    pub fn of(core: &Arc<Core>) -> Self {
        match core.freshness() {
            Some(_) => Self::Together(core.clone()),
            None => Self::Here(Mutex::default()),
        }
    }

    /// Makes a token; the caller shows it to the operator.
    pub async fn issue(&self) -> Result<String, CoreError> {
        let token = new_secret();
        let hash = hash_secret(&token);
        match self {
            Self::Here(present) => *present.lock() = Some(hash),
            Self::Together(core) => core.keep_first_link(hash).await?,
        }
        Ok(token)
    }

    /// Whether the token is valid. It stays valid.
    pub async fn accepts(&self, token: &str) -> Result<bool, CoreError> {
        match self {
            Self::Here(present) => Ok(is(present.lock().as_deref(), token)),
            Self::Together(core) => core.has_first_link(&hash_secret(token)).await,
        }
    }

    /// Redeems the token: true for one caller only.
    pub async fn spend(&self, token: &str) -> Result<bool, CoreError> {
        match self {
            Self::Here(present) => {
                let mut hash = present.lock();
                let good = is(hash.as_deref(), token);
                if good {
                    *hash = None;
                }
                Ok(good)
            }
            Self::Together(core) => core.spend_first_link(&hash_secret(token)).await,
        }
    }

    /// Forgets the token, and those of all servers, when the first account was made.
    pub async fn forget(&self) -> Result<(), CoreError> {
        match self {
            Self::Here(present) => {
                *present.lock() = None;
                Ok(())
            }
            Self::Together(core) => core.forget_first_links().await,
        }
    }
}

fn is(hash: Option<&str>, token: &str) -> bool {
    hash.is_some_and(|hash| same_secret(hash, &hash_secret(token)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_token_is_spent_once() {
        let local = LocalSignIn::Here(Mutex::default());
        let accepts = async |token: &str| local.accepts(token).await.unwrap();
        let spend = async |token: &str| local.spend(token).await.unwrap();
        assert!(!accepts("").await && !spend("").await);
        let token = local.issue().await.unwrap();
        assert!(!spend("wrong").await && accepts(&token).await);
        assert!(spend(&token).await);
        assert!(!spend(&token).await && !accepts(&token).await);
    }
}
