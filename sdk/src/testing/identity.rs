//! The caller in a test: the form that the plugin gets, and the facts that guards are decided from.

use galley_manifest::{CallerFacts, CallerKind, Role};

use crate::accounts::Account;
use crate::bindings::galley::http::types::Caller;

/// Who asks.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    /// The form that the plugin gets.
    pub(crate) described: Caller,
    /// The facts that guards are decided from.
    pub(crate) facts: CallerFacts,
}

impl Identity {
    /// Without an account: no credential, the admin bearer, or the host itself.
    pub(crate) fn nobody(facts: CallerFacts) -> Identity {
        Identity {
            described: Caller {
                kind: kind(&facts).into(),
                user_id: None,
                email: None,
                name: None,
                role: None,
                can_write: facts.can_write,
            },
            facts,
        }
    }

    /// The host itself.
    pub(crate) fn system() -> Identity {
        Identity::nobody(CallerFacts::system())
    }

    /// An account with this credential; its role is the account's.
    pub(crate) fn account(account: &Account, facts: CallerFacts) -> Identity {
        let facts = CallerFacts {
            role: Some(role(account)),
            ..facts
        };
        Identity {
            described: Caller {
                kind: kind(&facts).into(),
                user_id: Some(account.id.clone()),
                email: Some(account.email.clone()),
                name: Some(account.name.clone()),
                role: Some(account.role.clone()),
                can_write: facts.can_write,
            },
            facts,
        }
    }

    /// Who this is on a route that only reads.
    pub(crate) fn into_reader(self) -> Identity {
        match self.facts.as_reader() {
            facts if facts == self.facts => self,
            facts => Identity::nobody(facts),
        }
    }

    pub(crate) fn is_system(&self) -> bool {
        self.facts.kind == CallerKind::System
    }
}

/// The form that the plugin gets.
fn kind(facts: &CallerFacts) -> &'static str {
    match facts.kind {
        CallerKind::Anonymous => "anonymous",
        CallerKind::Session => "session",
        CallerKind::Token => "token",
        CallerKind::Admin => "admin",
        CallerKind::System => "system",
    }
}

fn role(account: &Account) -> Role {
    match account.role.as_str() {
        "viewer" => Role::Viewer,
        "editor" => Role::Editor,
        "admin" => Role::Admin,
        other => panic!("`{other}` is not a role"),
    }
}
