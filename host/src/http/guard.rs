//! Who may pass a plugin's route. This gathers the facts; the rule is [`Guard::decide`](galley_manifest::Guard::decide),
//! which the SDK's test harness asks too.

use std::sync::Arc;
use std::time::Instant;

use http::StatusCode;

use crate::capabilities::contract::galley::sql::sql::Value;
use crate::capabilities::{rows, sql};
use crate::core::{Core, Project};
use crate::identity::Caller;
use crate::identity::access::{self, Refusal};
use crate::plugins::manifest::{ProjectSource, Route};
use crate::plugins::plugin::Plugin;

/// Checks a route's guard; `params` are the values of the path's parameters, in order. The project it resolved.
pub async fn pass(
    core: &Core,
    plugin: &Plugin,
    route: &Route,
    caller: &Caller,
    params: &[String],
) -> Result<Option<Arc<Project>>, Refusal> {
    let project = match route.guard.kind.needs_project() {
        true => find(core, plugin, route, params).await?,
        false => None,
    };
    let facts = project
        .as_ref()
        .map(|project| access::project_facts(core, caller.account(), project));
    route.guard.decide(&caller.facts(), facts.as_ref())?;
    access::within_scope(caller, route.guard.kind, project.as_deref())?;
    Ok(project)
}

/// The project that the path leads to. Its statement is the plugin's, so it has a call's deadline and runs where the
/// plugin's other reads do: on the thread of the call for a moment only.
async fn find(core: &Core, plugin: &Plugin, route: &Route, params: &[String]) -> Result<Option<Arc<Project>>, Refusal> {
    let value = |wanted: &str| {
        let at = route.parameters().position(|name| name == wanted)?;
        params.get(at)
    };
    let Some(key) = value(route.guard.project_parameter()) else {
        return Ok(None);
    };
    let statement = match &route.guard.project {
        None | Some(ProjectSource::Parameter(_)) => return Ok(core.project(key)),
        Some(ProjectSource::Row { sql, .. }) => sql,
    };
    let Some(database) = plugin.state.database.clone() else {
        return Ok(None);
    };
    let deadline = Instant::now() + plugin.state.limits().deadline();
    let key = vec![Value::Text(key.clone())];
    match sql::read(&plugin.state, database, deadline, statement, key).await {
        Ok(packed) => Ok(rows::first_text(&packed).and_then(|id| core.project(id))),
        Err(error) => {
            let slot = &plugin.state.name;
            let reason = error.into_problem().message;
            tracing::error!(slot, "the guard of {} cannot be checked: {reason}", route.path);
            let message = format!("The plugin `{slot}` could not say which project this is; try again soon");
            Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message))
        }
    }
}
