//! Authorization: the rules for callers and projects, each with its refusal.

use std::borrow::Cow;
use std::sync::Arc;

use http::StatusCode;

use super::Caller;
use crate::storage::core::{Access, Account, Core, Project, Role};

/// Why a caller may not do something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// 401, 403 or 404; 503 when it could not be checked.
    pub status: StatusCode,
    /// For people.
    pub message: Cow<'static, str>,
}

impl Refusal {
    /// A refusal.
    pub fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            message: message.into(),
        }
    }
}

/// Missing and unreadable projects get the same 404.
pub fn project_not_found() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "Project not found")
}

/// Whether the caller may read the project under its access setting. A route that only reads asks for
/// [`Caller::as_reader`]: to change a project, a token without the scope `read` sees what its owner may read.
pub fn may_read(core: &Core, caller: &Caller, project: &Project) -> bool {
    if matches!(caller, Caller::Admin) {
        return true;
    }
    // A token without any scope counts as anonymous.
    let account = match caller {
        Caller::Token {
            can_read: false,
            can_write: false,
            ..
        } => None,
        caller => caller.account(),
    };
    account_may_read(core, account, project)
}

/// Whether an account, or an anonymous caller, may read the project under its access setting.
pub fn account_may_read(core: &Core, account: Option<&Account>, project: &Project) -> bool {
    match project.access {
        Access::PublicLink if core.settings().allow_public_links => true,
        // Without public links the project is open to those who are signed in, as by default.
        Access::PublicLink | Access::AllMembers => account.is_some(),
        Access::Invited => {
            account.is_some_and(|account| account.role == Role::Admin || core.is_listed(&project.id, &account.id))
        }
    }
}

/// The project, if the caller may read it.
pub fn read(core: &Core, caller: &Caller, id: &str) -> Result<Arc<Project>, Refusal> {
    core.project(id)
        .filter(|project| may_read(core, caller, project))
        .ok_or_else(project_not_found)
}

/// The project, if the caller may manage it. `write` is whether a token needs the write scope.
pub fn manage(core: &Core, caller: &Caller, id: &str, write: bool) -> Result<Arc<Project>, Refusal> {
    let project = read(core, caller, id)?;
    if matches!(caller, Caller::Anonymous) {
        return Err(Refusal::new(StatusCode::UNAUTHORIZED, "Sign in to manage this project"));
    }
    if write {
        write_scope(caller)?;
    }
    editor(caller)?;
    Ok(project)
}

/// The project, if the caller may add remarks to it.
pub fn contribute(core: &Core, caller: &Caller, id: &str) -> Result<Arc<Project>, Refusal> {
    let project = read(core, caller, id)?;
    contribute_to(core, caller)?;
    Ok(project)
}

/// The same for a project that the caller is known to be able to read.
pub fn contribute_to(core: &Core, caller: &Caller) -> Result<(), Refusal> {
    match caller {
        Caller::Anonymous if !core.settings().allow_anonymous_comments => {
            Err(Refusal::new(StatusCode::FORBIDDEN, "Sign in to write on this project"))
        }
        Caller::Anonymous => Ok(()),
        caller => write_scope(caller),
    }
}

/// Refuses a token that may only read.
pub fn write_scope(caller: &Caller) -> Result<(), Refusal> {
    match caller {
        Caller::Token { can_write: false, .. } => Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "This action requires a write-scoped token",
        )),
        _ => Ok(()),
    }
}

/// Refuses callers who are neither editors nor admins. The specification sets the message.
pub fn editor(caller: &Caller) -> Result<(), Refusal> {
    match caller {
        Caller::Admin => Ok(()),
        caller if caller.account().is_some_and(|account| account.role >= Role::Editor) => Ok(()),
        _ => Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "Only editors and admins may connect a repository",
        )),
    }
}

/// Refuses callers who may not administer the instance.
pub fn instance_admin(caller: &Caller) -> Result<(), Refusal> {
    match caller {
        Caller::Anonymous => Err(Refusal::new(StatusCode::UNAUTHORIZED, "Sign in as an admin")),
        Caller::Admin => Ok(()),
        caller if caller.account().is_some_and(|account| account.role == Role::Admin) => write_scope(caller),
        _ => Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "Only admins may administer the instance",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::core::{Actor, NewProject, SettingsChange};

    fn person(role: Role) -> Caller {
        let account = Account {
            id: format!("id-{}", role.as_str()),
            email: "a@x.org".into(),
            display_name: "A".into(),
            role,
            removed: false,
            created_at: 0,
        };
        Caller::Token {
            account: Arc::new(account),
            token_id: "t".into(),
            can_read: true,
            can_write: true,
        }
    }

    #[tokio::test]
    async fn each_access_setting_lets_its_readers_in() {
        let folder = tempfile::tempdir().unwrap();
        let core = Core::open(folder.path()).unwrap();
        let make = async |slug: &str, access| {
            let new = NewProject {
                slug: slug.into(),
                name: "A".into(),
                access,
                listed: None,
            };
            core.create_project(new).await.unwrap()
        };
        let (members, invited, public) = (
            make("m1", Access::AllMembers).await,
            make("i1", Access::Invited).await,
            make("p1", Access::PublicLink).await,
        );
        let readers = |project: &Project| {
            [
                Caller::Anonymous,
                Caller::Admin,
                person(Role::Viewer),
                person(Role::Editor),
                person(Role::Admin),
            ]
            .map(|caller| may_read(&core, &caller, project))
        };
        assert_eq!(readers(&members), [false, true, true, true, true]);
        assert_eq!(readers(&invited), [false, true, false, false, true]);
        assert_eq!(readers(&public), [false, true, true, true, true]);
        let change = SettingsChange {
            allow_public_links: Some(true),
            ..Default::default()
        };
        core.update_settings(&Actor::System, change).await.unwrap();
        assert!(may_read(&core, &Caller::Anonymous, &public) && !may_read(&core, &Caller::Anonymous, &members));
        assert_eq!(
            manage(&core, &Caller::Anonymous, &public.id, true).unwrap_err().status,
            401
        );
        assert_eq!(
            manage(&core, &person(Role::Viewer), &public.id, true)
                .unwrap_err()
                .status,
            403
        );
        assert_eq!(
            manage(&core, &person(Role::Editor), &invited.id, true).unwrap_err(),
            project_not_found()
        );
        assert!(manage(&core, &person(Role::Editor), &public.id, true).is_ok());
    }
}
