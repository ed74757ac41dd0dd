//! The facts that guards are decided from: who calls, and what holds for the project. The host and the test harness gather
//! them.

/// What a caller showed. The server knows it from the credential, the test harness from the test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallerKind {
    /// No credential.
    Anonymous,
    /// A browser that signed in.
    Session,
    /// A personal access token.
    Token,
    /// The static admin bearer. It has every right and no account.
    Admin,
    /// The host itself: start and events. No request comes from it.
    System,
}

/// The role of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Reads and comments.
    Viewer,
    /// Manages projects.
    Editor,
    /// Manages the instance.
    Admin,
}

/// Who calls. An account that was removed has no live credential: its session is [`CallerKind::Anonymous`], its token is
/// refused before any guard is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallerFacts {
    /// What the caller showed.
    pub kind: CallerKind,
    /// The role of the account behind a session or a token.
    pub role: Option<Role>,
    /// The scope `read` of a token. True for every other credential.
    pub can_read: bool,
    /// The scope `write` of a token. True for every other credential, false without one.
    pub can_write: bool,
}

impl CallerFacts {
    /// Without a credential.
    pub const fn anonymous() -> CallerFacts {
        CallerFacts {
            kind: CallerKind::Anonymous,
            role: None,
            can_read: true,
            can_write: false,
        }
    }

    /// The static admin bearer.
    pub const fn admin() -> CallerFacts {
        CallerFacts {
            kind: CallerKind::Admin,
            role: None,
            can_read: true,
            can_write: true,
        }
    }

    /// The host itself.
    pub const fn system() -> CallerFacts {
        CallerFacts {
            kind: CallerKind::System,
            ..CallerFacts::admin()
        }
    }

    /// The browser session of an account.
    pub const fn session(role: Role) -> CallerFacts {
        CallerFacts {
            kind: CallerKind::Session,
            role: Some(role),
            can_read: true,
            can_write: true,
        }
    }

    /// A personal access token of an account, with its scopes.
    pub const fn token(role: Role, can_read: bool, can_write: bool) -> CallerFacts {
        CallerFacts {
            kind: CallerKind::Token,
            role: Some(role),
            can_read,
            can_write,
        }
    }

    /// Whether the credential has the rights of the host itself or of the admin bearer.
    pub(crate) fn is_almighty(&self) -> bool {
        matches!(self.kind, CallerKind::Admin | CallerKind::System)
    }

    /// Who this caller is on a route that only reads ([`Guard::only_reads`](crate::Guard::only_reads)): a token without the
    /// scope `read` is an anonymous caller there.
    pub const fn as_reader(self) -> CallerFacts {
        match self.kind {
            CallerKind::Token if !self.can_read => CallerFacts::anonymous(),
            _ => self,
        }
    }
}

/// Who may read a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Every account.
    AllMembers,
    /// Admins and the accounts on the project's access list.
    Invited,
    /// Everybody while the instance allows public links, else every account.
    PublicLink,
}

/// What holds for the project of a guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProjectFacts {
    /// The project's access setting.
    pub access: Access,
    /// Whether the caller's account is on the project's access list.
    pub is_listed: bool,
    /// The instance setting `allowPublicLinks`.
    pub public_links: bool,
    /// The instance setting `allowAnonymousComments`.
    pub anonymous_comments: bool,
}

impl ProjectFacts {
    /// Whether the caller may read the project. A route that only reads asks this of [`CallerFacts::as_reader`]: to change a
    /// project, a token without the scope `read` sees what its owner may read.
    pub fn may_read(&self, caller: &CallerFacts) -> bool {
        if caller.is_almighty() {
            return true;
        }
        // A token without any scope counts as anonymous.
        let role = caller.role.filter(|_| caller.can_read || caller.can_write);
        match self.access {
            Access::PublicLink if self.public_links => true,
            Access::PublicLink | Access::AllMembers => role.is_some(),
            Access::Invited => role.is_some_and(|role| role == Role::Admin || self.is_listed),
        }
    }
}
