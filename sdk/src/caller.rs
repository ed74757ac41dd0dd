//! Who asks. A description, never an authority: the host has checked the route's guard before the handler runs, and
//! checks again in every import that needs it.

use crate::bindings::galley::http::types::Caller as Raw;

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// What kind of credential came with the request.
    pub kind: Kind,
    /// The account behind a session or a token; `None` for everybody else.
    pub user: Option<User>,
    /// Whether this credential may change things: false for an anonymous caller and a read-only token.
    pub can_write: bool,
}

/// The kinds of credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// None.
    Anonymous,
    /// A browser that signed in.
    Session,
    /// A personal access token.
    Token,
    /// The static admin bearer, which is nobody in particular.
    Admin,
    /// The host itself: start and events.
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
    /// Whether no credential came with the request.
    pub fn is_anonymous(&self) -> bool {
        self.kind == Kind::Anonymous
    }

    /// Whether this is an Admin, by account or by the admin bearer.
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
