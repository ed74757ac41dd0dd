//! The caller of a request. The record gives no authority: the host has checked the route's guard before the handler runs,
//! and checks its own record of the caller in every import that needs it.

use crate::bindings::galley::http::types::Caller as Raw;

/// The caller of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The kind of credential that the request has.
    pub kind: Kind,
    /// The account behind a session or a token; `None` for everybody else.
    pub user: Option<User>,
    /// Whether this credential may change things: false for an anonymous caller and a read-only token.
    pub can_write: bool,
}

/// The kinds of credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// No credential.
    Anonymous,
    /// A browser that signed in.
    Session,
    /// A personal access token.
    Token,
    /// The static admin bearer, which belongs to no account.
    Admin,
    /// The host itself: start, events, and requests that passed [`Guard::signature`](crate::Guard::signature).
    System,
    /// A kind this SDK does not know yet.
    Other(String),
}

/// The account of a caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The account's id, without any prefix.
    pub id: String,
    /// The account's email address, lower-case.
    pub email: String,
    /// The account's display name.
    pub name: String,
    /// `viewer`, `editor` or `admin`.
    pub role: String,
}

impl Caller {
    /// Whether the request has no credential.
    pub fn is_anonymous(&self) -> bool {
        self.kind == Kind::Anonymous
    }

    /// Whether the caller is an account with the role `admin`, or the admin bearer.
    pub fn is_admin(&self) -> bool {
        self.kind == Kind::Admin || self.user.as_ref().is_some_and(|user| user.role == "admin")
    }
}

impl From<Raw> for Caller {
    fn from(raw: Raw) -> Caller {
        let user = raw.user_id.map(|id| User {
            id,
            email: raw.email.unwrap_or_default(),
            name: raw.name.unwrap_or_default(),
            role: raw.role.unwrap_or_default(),
        });
        let kind = match raw.kind.as_str() {
            "anonymous" => Kind::Anonymous,
            "session" => Kind::Session,
            "token" => Kind::Token,
            "admin" => Kind::Admin,
            "system" => Kind::System,
            _ => Kind::Other(raw.kind),
        };
        Caller {
            kind,
            user,
            can_write: raw.can_write,
        }
    }
}
