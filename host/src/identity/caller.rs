//! The caller of a request.

use std::sync::Arc;

use galley_manifest::CallerKind;

use super::Scope;
use crate::accounts::{Account, Actor};

/// The caller of a request.
#[derive(Debug, Clone)]
pub enum Caller {
    /// No credential.
    Anonymous,
    /// The static admin bearer, which may do everything and belongs to no account.
    Admin,
    /// A browser session.
    Session {
        /// Whose it is.
        account: Arc<Account>,
        /// The session's secret, as the cookie carried it.
        secret: Arc<str>,
        /// What the key of the page that sent the request is for; everything for a program.
        scope: Scope,
    },
    /// A personal access token.
    Token {
        /// Whose it is.
        account: Arc<Account>,
        /// The token's id.
        token_id: String,
        /// The scope `read`.
        can_read: bool,
        /// The scope `write`.
        can_write: bool,
    },
}

impl Caller {
    /// The account, for a session or a token.
    pub fn account(&self) -> Option<&Account> {
        match self {
            Self::Session { account, .. } | Self::Token { account, .. } => Some(account),
            Self::Anonymous | Self::Admin => None,
        }
    }

    /// Whether the request has a valid credential.
    pub fn is_identified(&self) -> bool {
        self.account().is_some()
    }

    /// The caller on a route that only reads, where a token without the scope `read` counts as anonymous.
    pub fn into_reader(self) -> Self {
        match self.facts().as_reader().kind {
            CallerKind::Anonymous => Self::Anonymous,
            _ => self,
        }
    }

    /// The actor of an administrative act; `None` for an anonymous caller.
    pub fn actor(&self) -> Option<Actor> {
        let account = |account: &Account, by_token| Actor::Account {
            id: account.id.clone(),
            email: account.email.clone(),
            by_token,
        };
        match self {
            Self::Anonymous => None,
            Self::Admin => Some(Actor::Admin),
            Self::Session { account: of, .. } => Some(account(of, false)),
            Self::Token { account: of, .. } => Some(account(of, true)),
        }
    }

    /// Whether this credential may change things.
    pub fn can_write(&self) -> bool {
        match self {
            Self::Anonymous => false,
            Self::Admin | Self::Session { .. } => true,
            Self::Token { can_write, .. } => *can_write,
        }
    }
}
