//! The token of the first sign-in of a new instance.

use parking_lot::Mutex;

use crate::storage::id::{hash_secret, new_secret, same_secret};

/// The link's token, as a hash, while it can be used.
#[derive(Default)]
pub struct LocalSignIn(Mutex<Option<String>>);

impl LocalSignIn {
    /// Makes a token; the caller shows it to the operator.
    pub fn issue(&self) -> String {
        let token = new_secret();
        *self.0.lock() = Some(hash_secret(&token));
        token
    }

    /// Whether the token is valid. It stays valid.
    pub fn accepts(&self, token: &str) -> bool {
        is(self.0.lock().as_deref(), token)
    }

    /// Redeems the token: true for one caller only.
    pub fn spend(&self, token: &str) -> bool {
        let mut hash = self.0.lock();
        let good = is(hash.as_deref(), token);
        if good {
            *hash = None;
        }
        good
    }
}

fn is(hash: Option<&str>, token: &str) -> bool {
    hash.is_some_and(|hash| same_secret(hash, &hash_secret(token)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_spent_once() {
        let local = LocalSignIn::default();
        assert!(!local.accepts("") && !local.spend(""));
        let token = local.issue();
        assert!(!local.spend("wrong") && local.accepts(&token));
        assert!(local.spend(&token));
        assert!(!local.spend(&token) && !local.accepts(&token));
    }
}
