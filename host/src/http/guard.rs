//! Who may pass a plugin's route: the rules of the manifest's guards, before the plugin runs.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::StatusCode;

use crate::capabilities::contract::galley::sql::sql::Value;
use crate::capabilities::rows;
use crate::identity::Caller;
use crate::identity::access::{self, Refusal};
use crate::plugins::manifest::{Guard, GuardKind, ProjectFrom, Route};
use crate::plugins::plugin::Plugin;
use crate::storage::core::{Core, Project};
use crate::storage::restrict::{Effort, restricted};

/// How long the statement that finds a route's project may take.
const LOOKUP: Duration = Duration::from_millis(100);

/// Checks a route's guard; `params` are the values of the path's parameters, in order. The project it resolved.
pub fn pass(
    core: &Core,
    plugin: &Plugin,
    route: &Route,
    caller: &Caller,
    params: &[String],
) -> Result<Option<Arc<Project>>, Refusal> {
    let passed = check(core, plugin, route, caller, params);
    if route.guard.hidden {
        // Whoever may not learns as little as from a path that is not there.
        return passed.map_err(|_| Refusal::new(StatusCode::NOT_FOUND, "Not found"));
    }
    passed
}

fn check(
    core: &Core,
    plugin: &Plugin,
    route: &Route,
    caller: &Caller,
    params: &[String],
) -> Result<Option<Arc<Project>>, Refusal> {
    let guard = &route.guard;
    match guard.kind {
        // What is signed is the body, which has not arrived yet: `signature` sees to it.
        GuardKind::Public | GuardKind::Signature => Ok(None),
        GuardKind::Identified if caller.is_identified() => Ok(None),
        GuardKind::Identified => Err(anonymous(guard, StatusCode::UNAUTHORIZED, "Sign in first")),
        GuardKind::Session if matches!(caller, Caller::Session { .. }) => Ok(None),
        GuardKind::Session => Err(anonymous(
            guard,
            StatusCode::UNAUTHORIZED,
            "Sign in with a browser first",
        )),
        GuardKind::InstanceAdmin => access::instance_admin(caller).map(|()| None),
        GuardKind::ProjectRead | GuardKind::ProjectContribute | GuardKind::ProjectManage => {
            let project = find(core, plugin, route, params).filter(|project| access::may_read(core, caller, project));
            let project = project.ok_or_else(|| not_found(guard))?;
            project_rule(core, guard, caller, &project)?;
            Ok(Some(project))
        }
    }
}

fn project_rule(core: &Core, guard: &Guard, caller: &Caller, project: &Project) -> Result<(), Refusal> {
    let nobody = matches!(caller, Caller::Anonymous);
    if guard.identified {
        if nobody {
            return Err(anonymous(guard, StatusCode::UNAUTHORIZED, "Sign in first"));
        }
        access::write_scope(caller)?;
    }
    match guard.kind {
        GuardKind::ProjectContribute => access::contribute_to(core, caller).map_err(|refusal| {
            if nobody {
                anonymous(guard, StatusCode::FORBIDDEN, &refusal.message)
            } else {
                refusal
            }
        }),
        GuardKind::ProjectManage if nobody => Err(anonymous(
            guard,
            StatusCode::UNAUTHORIZED,
            "Sign in to manage this project",
        )),
        GuardKind::ProjectManage => access::manage(core, caller, &project.id, guard.write).map(|_| ()),
        _ => Ok(()),
    }
}

fn anonymous(guard: &Guard, status: StatusCode, message: &str) -> Refusal {
    let status = guard
        .anonymous_status
        .and_then(|status| StatusCode::from_u16(status).ok())
        .unwrap_or(status);
    let message = guard.message.clone().unwrap_or_else(|| message.to_owned());
    Refusal {
        status,
        message: Cow::Owned(message),
    }
}

fn not_found(guard: &Guard) -> Refusal {
    match &guard.project {
        ProjectFrom::Parameter(_) => access::project_not_found(),
        ProjectFrom::Row { not_found, .. } => Refusal {
            status: StatusCode::NOT_FOUND,
            message: Cow::Owned(not_found.clone()),
        },
    }
}

fn find(core: &Core, plugin: &Plugin, route: &Route, params: &[String]) -> Option<Arc<Project>> {
    let value = |wanted: &str| {
        let at = route.parameters().position(|name| name == wanted)?;
        params.get(at)
    };
    match &route.guard.project {
        ProjectFrom::Parameter(name) => core.project(value(name)?),
        ProjectFrom::Row { param, sql, .. } => {
            let key = [Value::Text(value(param)?.clone())];
            let database = plugin.state.database.as_ref()?;
            let packed = database.read(|connection| {
                restricted(Instant::now() + LOOKUP, Effort::UntilDeadline, || {
                    rows::run(connection, sql, &key)
                })
            });
            match packed {
                Ok(packed) => core.project(rows::first_text(&packed)?),
                Err(error) => {
                    let reason = error.into_problem().message;
                    tracing::error!(
                        slot = plugin.state.name,
                        "the guard of {} cannot be checked: {reason}",
                        route.path
                    );
                    None
                }
            }
        }
    }
}
