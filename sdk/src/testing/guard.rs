//! The guards, as the host evaluates them, and the checks of a manifest.

use super::imports::sql::Database;
use super::world;
use crate::bindings::galley::http::types::Caller;
use crate::guard::ProjectFrom;
use crate::route::Route;
use crate::sql::Value;

/// The status and message of a request that is not let in.
pub(super) struct Refusal(pub(super) u16, pub(super) String);

fn refuse<T>(status: u16, message: &str) -> Result<T, Refusal> {
    Err(Refusal(status, message.into()))
}

/// The project of a `project:…` guard, when the caller may pass.
pub(super) fn allow(route: &Route, caller: &Caller, params: &[String]) -> Result<Option<String>, Refusal> {
    let allowed = check_rule(route, caller, params);
    if route.guard.hidden {
        return allowed.or_else(|_| refuse(404, "Not found"));
    }
    allowed
}

fn check_rule(route: &Route, caller: &Caller, params: &[String]) -> Result<Option<String>, Refusal> {
    let guard = &route.guard;
    let anonymous = caller.kind == "anonymous";
    let message = |otherwise: &'static str| {
        if anonymous {
            guard.message.unwrap_or(otherwise)
        } else {
            otherwise
        }
    };
    let (message_in, message_write) = (message("Sign in first"), "This action requires a write-scoped token");
    let status = guard
        .anonymous_status
        .unwrap_or(if guard.kind == "project:comment" { 403 } else { 401 });
    match guard.kind {
        // The signature is the real host's to check; what comes here counts as signed.
        "public" | "signature" => return Ok(None),
        "identified" if caller.user_id.is_some() => return Ok(None),
        "session" if caller.kind == "session" => return Ok(None),
        "identified" | "session" => return refuse(if anonymous { status } else { 403 }, message_in),
        "instance:admin" if caller.kind == "admin" => return Ok(None),
        "instance:admin" if caller.role.as_deref() == Some("admin") && caller.can_write => return Ok(None),
        "instance:admin" if anonymous => return refuse(401, "Sign in as an admin"),
        "instance:admin" if caller.role.as_deref() == Some("admin") => return refuse(403, message_write),
        "instance:admin" => return refuse(403, "Only admins may administer the instance"),
        _ => {}
    }
    let (id, not_found) = find_project(route, params)?;
    if !may(caller, &id, "read") {
        return refuse(404, not_found);
    }
    let may_write = caller.can_write || guard.write == Some(false);
    match guard.kind {
        "project:comment" if anonymous && !may(caller, &id, "comment") => return refuse(status, message_in),
        "project:manage" if anonymous => return refuse(status, message_in),
        "project:comment" | "project:manage" if !anonymous && !may_write => return refuse(403, message_write),
        "project:manage" if !manages(caller) => return refuse(403, "Only editors and admins may do this"),
        _ => {}
    }
    if guard.identified && anonymous {
        return refuse(status, message_in);
    }
    if guard.identified && !caller.can_write {
        return refuse(403, message_write);
    }
    Ok(Some(id))
}

/// The id of the project, and what is said when there is none.
fn find_project(route: &Route, params: &[String]) -> Result<(String, &'static str), Refusal> {
    let param = |name: &str| {
        route
            .names
            .iter()
            .position(|other| *other == name)
            .map(|at| params[at].clone())
    };
    match route.guard.project.as_ref().unwrap_or(&ProjectFrom::Param("project")) {
        ProjectFrom::Param(name) => Ok((param(name).expect("checked at the start"), "Project not found")),
        ProjectFrom::Sql {
            param: name,
            sql,
            not_found,
        } => {
            let key = param(name).expect("checked at the start");
            let found = crate::sql::one::<(String,)>(sql, [Value::Text(key)]).expect("the guard's statement works");
            found
                .map(|(id,)| (id, *not_found))
                .ok_or_else(|| Refusal(404, (*not_found).into()))
        }
    }
}

fn manages(caller: &Caller) -> bool {
    matches!(caller.kind.as_str(), "admin" | "system") || matches!(caller.role.as_deref(), Some("editor" | "admin"))
}

/// Whether a caller may do something to a project.
pub(crate) fn may(caller: &Caller, id: &str, action: &str) -> bool {
    world::with(|world| {
        let Some(state) = world.projects.get(id) else {
            return false;
        };
        let admin = matches!(caller.kind.as_str(), "admin" | "system") || caller.role.as_deref() == Some("admin");
        let reads = match (state.project.access.as_str(), &caller.user_id) {
            _ if admin => true,
            ("invited", user) => user.as_ref().is_some_and(|user| state.listed.contains(user)),
            ("public-link", None) => world.flag("allowPublicLinks"),
            (_, user) => user.is_some(),
        };
        match action {
            "read" => reads,
            "comment" if caller.kind == "anonymous" => reads && world.flag("allowAnonymousComments"),
            "comment" => reads && caller.can_write,
            "manage" => reads && caller.can_write && manages(caller),
            _ => false,
        }
    })
}

/// Checks what the real host checks when it loads a plugin.
pub(super) fn check(routes: &[Route], database: &Database) {
    for (index, route) in routes.iter().enumerate() {
        let same = |other: &&Route| other.method == route.method && shape(other.path) == shape(route.path);
        if let Some(other) = routes[..index].iter().find(same) {
            panic!("{route:?} and {other:?} are the same route");
        }
        if !route.guard.kind.starts_with("project:") {
            continue;
        }
        let param = match route.guard.project.as_ref().unwrap_or(&ProjectFrom::Param("project")) {
            ProjectFrom::Param(param) => param,
            ProjectFrom::Sql { param, sql, .. } => {
                database
                    .check(sql)
                    .unwrap_or_else(|problem| panic!("the guard of {route:?}: {}", problem.message));
                param
            }
        };
        assert!(
            route.names.contains(param),
            "the guard of {route:?} needs the path parameter {{{param}}}"
        );
    }
}

/// A path without the names of its parameters.
fn shape(path: &str) -> Vec<&str> {
    path.split('/')
        .map(|part| if part.starts_with('{') { "{}" } else { part })
        .collect()
}
