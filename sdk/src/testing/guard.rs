//! The facts of the in-memory host for the rule of the guards, which is [`Guard::decide`] as in the real host.

use galley_manifest::{Access, CallerFacts, Guard, ProjectFacts, ProjectSource, Refusal, Role};

use super::database::Database;
use super::identity::Identity;
use super::world::{self, World};
use crate::accounts::Account;
use crate::plugin::Plugin;
use crate::route::Route;
use crate::sql::Value;

/// The project of a `project:…` guard, when the caller may pass.
pub(super) fn allow(route: &Route, caller: &Identity, params: &[String]) -> Result<Option<String>, Refusal> {
    let guard = &route.rule.guard;
    let id = match guard.kind.needs_project() {
        true => find_project(route, params),
        false => None,
    };
    let facts = id
        .as_deref()
        .and_then(|id| world::with(|world| facts(world, caller, id)));
    guard.decide(&caller.facts, facts.as_ref())?;
    Ok(id)
}

/// The id that the path leads to; whether there is such a project is not asked here.
fn find_project(route: &Route, params: &[String]) -> Option<String> {
    let guard = &route.rule.guard;
    let at = route.names.iter().position(|name| *name == guard.project_parameter());
    let value = params[at.expect("the manifest was checked")].clone();
    match guard.project {
        None | Some(ProjectSource::Parameter(_)) => Some(value),
        Some(ProjectSource::Row { sql, .. }) => {
            let found = crate::sql::one::<(String,)>(sql, [Value::from(value)]).expect("the guard's statement works");
            found.map(|(id,)| id)
        }
    }
}

fn facts(world: &World, caller: &Identity, id: &str) -> Option<ProjectFacts> {
    let state = world.projects.get(id)?;
    let user = caller.described.user_id.as_ref();
    Some(ProjectFacts {
        access: match state.project.access.as_str() {
            "all-members" => Access::AllMembers,
            "invited" => Access::Invited,
            "public-link" => Access::PublicLink,
            other => panic!("`{other}` is not an access setting"),
        },
        is_listed: user.is_some_and(|user| state.listed.contains(user)),
        public_links: world.flag("allowPublicLinks"),
        anonymous_comments: world.flag("allowAnonymousComments"),
    })
}

/// Whether the current caller may do something to a project.
pub(crate) fn may(id: &str, action: &str) -> bool {
    let (caller, project) = world::with(|world| (world.caller.clone(), facts(world, &world.caller, id)));
    let Some(project) = project else {
        return false;
    };
    let passes = |guard: Guard| guard.decide(&caller.facts, Some(&project)).is_ok();
    match action {
        "read" => project.may_read(&caller.facts),
        "comment" => passes(Guard::project_comment()),
        "manage" => passes(Guard::project_manage()),
        _ => false,
    }
}

/// Whether an account may read a project, whoever calls.
pub(crate) fn account_may_read(account: &Account, id: &str) -> bool {
    let identity = Identity::account(account, CallerFacts::session(Role::Viewer));
    let project = world::with(|world| facts(world, &identity, id));
    !account.removed && project.is_some_and(|project| project.may_read(&identity.facts))
}

/// Checks the manifest as the real host does when it loads a plugin.
pub(super) fn check(plugin: &Plugin) {
    if let Err(error) = plugin.manifest().check() {
        panic!("the plugin `{}` cannot be loaded: {error}", plugin.slot());
    }
}

/// Checks the statements of the guards against the plugin's database.
pub(super) fn check_statements(plugin: &Plugin, database: &Database) {
    for route in &plugin.routes {
        if let Some(ProjectSource::Row { sql, .. }) = route.rule.guard.project
            && let Err(problem) = database.check(sql)
        {
            panic!("the guard of {route:?}: {}", problem.message);
        }
    }
}
