//! Who may pass a plugin's route. This gathers the facts; the rule is [`Guard::decide`](galley_manifest::Guard::decide),
//! which the SDK's test harness asks too.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::capabilities::contract::galley::sql::sql::Value;
use crate::capabilities::rows;
use crate::identity::Caller;
use crate::identity::access::{self, Refusal};
use crate::plugins::manifest::{ProjectSource, Route};
use crate::plugins::plugin::Plugin;
use crate::storage::core::{Core, Project};
use crate::storage::restrict::{Effort, restricted};

/// How long the statement that finds a route's project may take.
const LOOKUP_TIMEOUT: Duration = Duration::from_millis(100);

/// Checks a route's guard; `params` are the values of the path's parameters, in order. The project it resolved.
pub fn pass(
    core: &Core,
    plugin: &Plugin,
    route: &Route,
    caller: &Caller,
    params: &[String],
) -> Result<Option<Arc<Project>>, Refusal> {
    let project = match route.guard.kind.needs_project() {
        true => find(core, plugin, route, params),
        false => None,
    };
    let facts = project
        .as_ref()
        .map(|project| access::project_facts(core, caller.account(), project));
    route.guard.decide(&caller.facts(), facts.as_ref())?;
    Ok(project)
}

fn find(core: &Core, plugin: &Plugin, route: &Route, params: &[String]) -> Option<Arc<Project>> {
    let value = |wanted: &str| {
        let at = route.parameters().position(|name| name == wanted)?;
        params.get(at)
    };
    let key = value(route.guard.project_parameter())?;
    match &route.guard.project {
        None | Some(ProjectSource::Parameter(_)) => core.project(key),
        Some(ProjectSource::Row { sql, .. }) => {
            let key = [Value::Text(key.clone())];
            let database = plugin.state.database.as_ref()?;
            let packed = database.read(|connection| {
                restricted(Instant::now() + LOOKUP_TIMEOUT, Effort::UntilDeadline, || {
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
