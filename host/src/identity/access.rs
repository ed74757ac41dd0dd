//! Authorization: the rules of `galley-manifest` for the callers and projects of this server.

use std::borrow::Cow;
use std::sync::Arc;

use galley_manifest::{self as rules, CallerFacts, Guard, GuardKind, ProjectFacts};
use http::StatusCode;

use super::{Caller, Scope};
use crate::accounts::{Account, Role};
use crate::core::{Access, Core, CoreError, Project};

/// Why a caller may not do something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// 401, 403 or 404; 503 when it could not be checked.
    pub status: StatusCode,
    /// For people.
    pub message: Cow<'static, str>,
    /// What is wrong with the key of the page that sent the request, for that page; `None` when it is about something else.
    pub key: Option<&'static str>,
}

impl Refusal {
    /// A refusal.
    pub fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            message: message.into(),
            key: None,
        }
    }

    /// A refusal that is about the key of a page.
    pub fn about_key(status: StatusCode, key: &'static str, message: &'static str) -> Self {
        Self {
            key: Some(key),
            ..Self::new(status, message)
        }
    }
}

impl From<rules::Refusal> for Refusal {
    fn from(refusal: rules::Refusal) -> Self {
        // The rules know 401, 403 and 404 only.
        let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::FORBIDDEN);
        Self::new(status, refusal.message)
    }
}

impl Caller {
    /// What the caller's page has a key for; everything for callers without a page.
    pub fn scope(&self) -> &Scope {
        match self {
            Self::Session { scope, .. } => scope,
            Self::Anonymous | Self::Admin | Self::Token { .. } => &Scope::All,
        }
    }

    /// What the rules ask about a caller.
    pub fn facts(&self) -> CallerFacts {
        match self {
            Self::Anonymous => CallerFacts::anonymous(),
            Self::Admin => CallerFacts::admin(),
            Self::Session { account, .. } => CallerFacts::session(role(account)),
            Self::Token {
                account,
                can_read,
                can_write,
                ..
            } => CallerFacts::token(role(account), *can_read, *can_write),
        }
    }
}

fn role(account: &Account) -> rules::Role {
    match account.role {
        Role::Viewer => rules::Role::Viewer,
        Role::Editor => rules::Role::Editor,
        Role::Admin => rules::Role::Admin,
    }
}

/// What the rules ask about a project, for a caller with this account.
pub fn project_facts(core: &Core, account: Option<&Account>, project: &Project) -> ProjectFacts {
    let access = match project.access {
        Access::AllMembers => rules::Access::AllMembers,
        Access::Invited => rules::Access::Invited,
        Access::PublicLink => rules::Access::PublicLink,
    };
    let settings = core.settings();
    ProjectFacts {
        access,
        is_listed: access == rules::Access::Invited
            && account.is_some_and(|account| core.is_listed(&project.id, &account.id)),
        public_links: settings.allow_public_links,
        anonymous_comments: settings.allow_anonymous_comments,
    }
}

/// The answer when the database fails. The reason goes to the log only.
pub(super) fn unavailable(error: &CoreError) -> Refusal {
    error.tell("a credential could not be checked");
    Refusal::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "The server cannot check credentials right now",
    )
}

/// Missing and unreadable projects get the same 404.
pub fn project_not_found() -> Refusal {
    rules::Refusal::project_not_found().into()
}

/// Whether the caller may read the project under its access setting. A route that only reads asks for
/// [`Caller::into_reader`]: to change a project, a token without the scope `read` sees what its owner may read.
pub fn may_read(core: &Core, caller: &Caller, project: &Project) -> bool {
    caller.scope().includes(&project.id) && project_facts(core, caller.account(), project).may_read(&caller.facts())
}

/// Whether an account, or an anonymous caller, may read the project under its access setting.
pub fn account_may_read(core: &Core, account: Option<&Account>, project: &Project) -> bool {
    let caller = account.map_or(CallerFacts::anonymous(), |account| CallerFacts::session(role(account)));
    project_facts(core, account, project).may_read(&caller)
}

/// The project, if this guard lets the caller pass.
fn pass(core: &Core, caller: &Caller, id: &str, guard: Guard) -> Result<Arc<Project>, Refusal> {
    let project = core.project(id);
    let facts = project
        .as_ref()
        .map(|project| project_facts(core, caller.account(), project));
    guard.decide(&caller.facts(), facts.as_ref())?;
    within_scope(caller, guard.kind, project.as_deref())?;
    project.ok_or_else(project_not_found)
}

/// Refuses what the key of the caller's page is not for. The guard has let the caller pass.
pub fn within_scope(caller: &Caller, guard: GuardKind, project: Option<&Project>) -> Result<(), Refusal> {
    let reviews = matches!(guard, GuardKind::ProjectRead | GuardKind::ProjectComment);
    match caller.scope() {
        Scope::All => Ok(()),
        scope if reviews && project.is_some_and(|project| scope.includes(&project.id)) => Ok(()),
        Scope::Review(_) => Err(too_narrow()),
    }
}

/// The answer to a page whose key is for less than it asks for.
pub fn too_narrow() -> Refusal {
    Refusal::about_key(
        StatusCode::FORBIDDEN,
        "narrow",
        "The key of this page is for one project's review: open the list of projects for anything else",
    )
}

/// The project, if the caller may read it.
pub fn read(core: &Core, caller: &Caller, id: &str) -> Result<Arc<Project>, Refusal> {
    pass(core, caller, id, Guard::project_read())
}

/// The project, if the caller may manage it. `write` is whether a token needs the write scope.
pub fn manage(core: &Core, caller: &Caller, id: &str, write: bool) -> Result<Arc<Project>, Refusal> {
    let guard = Guard::project_manage();
    pass(core, caller, id, if write { guard } else { guard.read_only() })
}

/// The project, if the caller may add remarks to it.
pub fn contribute(core: &Core, caller: &Caller, id: &str) -> Result<Arc<Project>, Refusal> {
    pass(core, caller, id, Guard::project_comment())
}

/// Refuses a token that may only read.
pub fn write_scope(caller: &Caller) -> Result<(), Refusal> {
    Ok(caller.facts().require_write_scope()?)
}

/// Refuses callers who are neither editors nor admins.
pub fn editor(caller: &Caller) -> Result<(), Refusal> {
    caller.facts().require_editor()?;
    within_scope(caller, GuardKind::ProjectManage, None)
}

/// Refuses callers who may not administer the instance.
pub fn instance_admin(caller: &Caller) -> Result<(), Refusal> {
    caller.facts().require_instance_admin()?;
    within_scope(caller, GuardKind::InstanceAdmin, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::Actor;
    use crate::projects::{NewProject, SettingsChange};

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
        let core = Core::open(folder.path()).await.unwrap();
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
