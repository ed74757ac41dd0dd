//! The rule of the guards: whether a caller may pass, and the refusal if not.

use std::borrow::Cow;
use std::fmt;

use crate::facts::{CallerFacts, CallerKind, ProjectFacts, Role};
use crate::guard::{Guard, GuardKind, ProjectSource};

/// The answer to a caller who may not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// 401, 403 or 404.
    pub status: u16,
    /// For people.
    pub message: Cow<'static, str>,
}

impl Refusal {
    /// A refusal.
    pub fn new(status: u16, message: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal {
            status,
            message: message.into(),
        }
    }

    fn forbidden(message: &'static str) -> Refusal {
        Refusal::new(403, message)
    }

    /// The one answer for a project that does not exist and for one the caller may not read.
    pub fn project_not_found() -> Refusal {
        Refusal::new(404, "Project not found")
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

impl<S: AsRef<str>> Guard<S> {
    /// Whether the caller may pass. `project` is `None` when the route has no project, or when it does not exist.
    ///
    /// A `signature` guard lets everybody pass here: what is signed is the body, which has not arrived yet.
    pub fn decide(&self, caller: &CallerFacts, project: Option<&ProjectFacts>) -> Result<(), Refusal> {
        let decided = match self.only_reads() {
            true => self.apply(&caller.as_reader(), project),
            false => self.apply(caller, project),
        };
        if self.hidden {
            // A refused caller gets the answer of an unknown path.
            return decided.map_err(|_| Refusal::new(404, "Not found"));
        }
        decided
    }

    fn apply(&self, caller: &CallerFacts, project: Option<&ProjectFacts>) -> Result<(), Refusal> {
        match self.kind {
            GuardKind::Public | GuardKind::Signature => Ok(()),
            GuardKind::Identified => self.require_account(caller),
            GuardKind::Session => self.require_session(caller),
            GuardKind::InstanceAdmin => caller.require_instance_admin(),
            GuardKind::ProjectRead | GuardKind::ProjectComment | GuardKind::ProjectManage => {
                let readable = project.filter(|project| project.may_read(caller));
                let project = readable.ok_or_else(|| self.project_not_found())?;
                self.apply_to(caller, project)
            }
        }
    }

    /// Whether passing needs no more than reading. There a token without the scope `read` is an anonymous caller.
    pub fn only_reads(&self) -> bool {
        match self.kind {
            GuardKind::ProjectRead => !self.identified,
            GuardKind::ProjectManage => !self.write && !self.identified,
            // These depend on who the caller is, not on what the caller may read.
            GuardKind::Public | GuardKind::Identified | GuardKind::Session | GuardKind::InstanceAdmin => false,
            GuardKind::ProjectComment | GuardKind::Signature => false,
        }
    }

    /// The rules on top of reading the project.
    fn apply_to(&self, caller: &CallerFacts, project: &ProjectFacts) -> Result<(), Refusal> {
        let is_anonymous = caller.kind == CallerKind::Anonymous;
        if self.identified {
            if is_anonymous {
                return Err(self.refuse_anonymous(401, "Sign in first"));
            }
            caller.require_write_scope()?;
        }
        match self.kind {
            GuardKind::ProjectComment if is_anonymous && !project.anonymous_comments => {
                Err(self.refuse_anonymous(403, "Sign in to comment on this project"))
            }
            GuardKind::ProjectComment if !is_anonymous => caller.require_write_scope(),
            GuardKind::ProjectManage if is_anonymous => {
                Err(self.refuse_anonymous(401, "Sign in to manage this project"))
            }
            GuardKind::ProjectManage => {
                if self.write {
                    caller.require_write_scope()?;
                }
                caller.require_editor()
            }
            _ => Ok(()),
        }
    }

    fn require_account(&self, caller: &CallerFacts) -> Result<(), Refusal> {
        match caller.kind {
            CallerKind::Session | CallerKind::Token => Ok(()),
            // The admin bearer asserts no identity: it is not signed in.
            CallerKind::Anonymous | CallerKind::Admin | CallerKind::System => {
                Err(self.refuse_anonymous(401, "Sign in first"))
            }
        }
    }

    fn require_session(&self, caller: &CallerFacts) -> Result<(), Refusal> {
        match caller.kind {
            CallerKind::Session => Ok(()),
            CallerKind::Anonymous => Err(self.refuse_anonymous(401, "Sign in with a browser first")),
            CallerKind::Token => Err(Refusal::forbidden(
                "Personal access tokens do not work here: sign in with a browser",
            )),
            CallerKind::Admin | CallerKind::System => Err(Refusal::forbidden(
                "The admin token does not work here: sign in with a browser",
            )),
        }
    }

    fn refuse_anonymous(&self, status: u16, message: &'static str) -> Refusal {
        let status = self.anonymous_status.unwrap_or(status);
        match &self.message {
            Some(message) => Refusal::new(status, message.as_ref().to_owned()),
            None => Refusal::new(status, message),
        }
    }

    fn project_not_found(&self) -> Refusal {
        match &self.project {
            Some(ProjectSource::Row { not_found, .. }) => Refusal::new(404, not_found.as_ref().to_owned()),
            _ => Refusal::project_not_found(),
        }
    }
}

impl CallerFacts {
    /// Refuses a token that may only read.
    pub fn require_write_scope(&self) -> Result<(), Refusal> {
        if self.kind == CallerKind::Token && !self.can_write {
            return Err(Refusal::forbidden("This action requires a write-scoped token"));
        }
        Ok(())
    }

    /// Refuses an account that is neither an editor nor an admin. The message is the specification's, for every such
    /// action.
    pub fn require_editor(&self) -> Result<(), Refusal> {
        if self.is_almighty() || self.role >= Some(Role::Editor) {
            return Ok(());
        }
        Err(Refusal::forbidden("Only editors and admins may connect a repository"))
    }

    /// Refuses a caller who may not administer the instance.
    pub fn require_instance_admin(&self) -> Result<(), Refusal> {
        match self.kind {
            CallerKind::Anonymous => Err(Refusal::new(401, "Sign in as an admin")),
            CallerKind::Admin => Ok(()),
            _ if self.role == Some(Role::Admin) => self.require_write_scope(),
            _ => Err(Refusal::forbidden("Only admins may administer the instance")),
        }
    }
}
