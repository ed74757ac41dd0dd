//! Starts builds: on request, and for pushes.
//!
//! The record is written before the build is enqueued. A crash in between leaves a record that no build belongs to;
//! [`recovery`](crate::recovery) removes it, and the build has to be requested again. Where it removed one that goes on all the same, the
//! record is written again.

use galley_sdk::builds::{self, Conditions};
use galley_sdk::prelude::*;
use galley_sdk::{events, logs, random, warn};
use serde::{Deserialize, Serialize};

use crate::cluster::is_alone;
use crate::connection::Connection;
use crate::record::New;
use crate::upload::forget;

/// The answer to a build that was started.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Building {
    deployment_id: String,
    status: &'static str,
}

/// A push to the branch a project is connected to.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BuildRequested {
    project_id: String,
    commit_sha: Option<String>,
    branch: Option<String>,
    delivery_id: String,
}

/// The topic of [`PushHandled`].
pub(crate) const PUSH_HANDLED: &str = "deployments/push-handled";

/// The event that reports the result of a push.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PushHandled<'p> {
    pub(crate) project_id: &'p str,
    pub(crate) delivery_id: &'p str,
    /// The deployment that is built from it.
    pub(crate) deployment_id: Option<&'p str>,
    /// Why nothing is built from it.
    pub(crate) ignored: Option<&'p str>,
}

impl PushHandled<'_> {
    pub(crate) fn publish(&self) -> Result<(), Problem> {
        events::publish(PUSH_HANDLED, self)
    }
}

/// The facts about a deployment that are known before it is built.
#[derive(Debug, Default)]
struct Origin<'a> {
    commit: Option<&'a str>,
    user: Option<&'a str>,
    delivery: Option<&'a str>,
}

/// POST `…/deployments/build`: 202 with the deployment that is being built.
pub fn build(project: ManagedProject, caller: Caller) -> Result<(Status, Json<Building>)> {
    let running = builds::running(&project).map_err(refusal)?;
    let connection =
        Connection::of(&project)?.ok_or_else(|| Error::conflict("Connect a repository before building"))?;
    if let Some(running) = running {
        return Err(already_running(running));
    }
    let id = random::id();
    let user = caller.user.map(|user| user.id);
    let origin = Origin {
        user: user.as_deref(),
        ..Origin::default()
    };
    start(&project, &id, connection, &origin).map_err(refusal)?;
    let status = "building";
    Ok((
        Status::ACCEPTED,
        Json(Building {
            deployment_id: id,
            status,
        }),
    ))
}

/// `build-requested`: builds what was pushed, at once or when the build that runs has ended. Of pushes that wait, only
/// the newest is built.
pub fn requested(event: Event<BuildRequested>) -> Result<()> {
    let push = event.data;
    let project = push.project_id.as_str();
    let built = sql!("SELECT id FROM deployments WHERE project_id = ?1 AND delivery = ?2");
    if sql::one::<(String,)>(built, params![project, push.delivery_id.as_str()])?.is_some() {
        return Ok(());
    }
    let waiting = sql!("SELECT delivery FROM wanted_builds WHERE project_id = ?1 AND delivery <> ?2");
    let waiting = sql::one::<(String,)>(waiting, params![project, push.delivery_id.as_str()])?;
    let sql = sql!(
        "INSERT INTO wanted_builds (project_id, deployment_id, branch, commit_sha, delivery) \
         VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (project_id) DO UPDATE SET deployment_id = excluded.deployment_id, branch = excluded.branch, \
         commit_sha = excluded.commit_sha, delivery = excluded.delivery WHERE wanted_builds.delivery <> excluded.delivery"
    );
    sql::execute(
        sql,
        params![
            project,
            random::id(),
            push.branch,
            push.commit_sha.filter(|sha| is_whole(sha)),
            push.delivery_id.as_str()
        ],
    )?;
    if let Some((replaced,)) = waiting {
        tell_ignored(
            project,
            &replaced,
            "A newer push came while it waited for another build",
        )?;
    }
    start_next(project)
}

/// Starts the build that a project waits for, unless one runs. Nothing happens when none waits.
pub(crate) fn start_next(project: &str) -> Result<()> {
    type Wanted = (String, Option<String>, Option<String>, String);
    let sql = sql!("SELECT deployment_id, branch, commit_sha, delivery FROM wanted_builds WHERE project_id = ?1");
    let Some((id, branch, commit, delivery)) = sql::one::<Wanted>(sql, params![project])? else {
        return Ok(());
    };
    // The connection may have changed since the push: then there is nothing to build any more.
    let connection = Connection::of(project)?.filter(|now| branch.is_none_or(|branch| now.branch == branch));
    if let Some(connection) = connection {
        let origin = Origin {
            commit: commit.as_deref(),
            delivery: Some(&delivery),
            ..Origin::default()
        };
        match start(project, &id, connection, &origin) {
            Ok(()) => {
                let told = PushHandled {
                    project_id: project,
                    delivery_id: &delivery,
                    deployment_id: Some(&id),
                    ignored: None,
                };
                told.publish()?;
            }
            Err(problem) if problem.is("running") => return Ok(()),
            Err(problem) if GIVE_UP.contains(&problem.code.as_str()) => {
                warn!("a push to the project {project} is not built: {}", problem.message);
                tell_ignored(project, &delivery, &problem.message)?;
            }
            Err(problem) => return Err(problem.into()),
        }
    } else {
        tell_ignored(
            project,
            &delivery,
            "The project is not connected to the branch any more",
        )?;
    }
    sql::execute(sql!("DELETE FROM wanted_builds WHERE deployment_id = ?1"), params![id])?;
    Ok(())
}

fn tell_ignored(project: &str, delivery: &str, reason: &str) -> Result<(), Problem> {
    let told = PushHandled {
        project_id: project,
        delivery_id: delivery,
        deployment_id: None,
        ignored: Some(reason),
    };
    told.publish()
}

/// Refusals of a build that trying again does not change.
const GIVE_UP: [&str; 3] = ["unconfigured", "not-found", "bad-request"];

/// Records the deployment and enqueues its build; a second time with the same id changes nothing.
fn start(project: &str, id: &str, connection: Connection, origin: &Origin<'_>) -> Result<(), Problem> {
    // The log is opened first, so that clients that see the record can follow it.
    logs::open(id)?;
    let branch = connection.branch.clone();
    let new = New {
        id,
        project,
        source: "build",
        commit: origin.commit,
        branch: Some(&branch),
        user: origin.user,
        delivery: origin.delivery,
        ..New::default()
    };
    let is_new = new.insert()?;
    let ended = sql!("SELECT id FROM deployments WHERE id = ?1 AND status <> 'building'");
    if !is_new && sql::one::<(String,)>(ended, params![id])?.is_some() {
        return Ok(());
    }
    let conditions = Conditions {
        repository_id: connection.repository_id,
        // What was pushed is built while it is the newest: whoever repeats an old push must not bring old work live.
        only_newest: origin.delivery.is_some(),
    };
    let request = connection.request(id, project, origin.commit.map(str::to_owned));
    match builds::enqueue_with(&request, conditions) {
        Err(problem) if problem.is("exists") => Ok(()),
        Err(problem) if problem.is("running") && problem.message == id => Ok(()),
        Err(problem) => {
            // It may be queued all the same where the database was lost meanwhile. The recovery knows later.
            if is_alone() || !problem.is("interrupted") {
                forget(id);
            }
            Err(problem)
        }
        Ok(()) if is_alone() => Ok(()),
        Ok(()) => {
            // It may have been given up meanwhile. Where it was not, nothing changes.
            logs::open(id)?;
            new.insert()?;
            Ok(())
        }
    }
}

fn refusal(problem: Problem) -> Error {
    match problem.code.as_str() {
        "unconfigured" => Error::unavailable("Builds are not enabled on this deployment"),
        "running" => already_running(problem.message),
        "not-found" => Error::not_found("Project not found"),
        "bad-request" => Error::bad_request(problem.message),
        _ => problem.into(),
    }
}

fn already_running(id: String) -> Error {
    Error::conflict("A build is already running for this project").with("deploymentId", id)
}

/// Whether a text is a whole commit hash.
fn is_whole(sha: &str) -> bool {
    matches!(sha.len(), 40 | 64) && sha.bytes().all(|byte| byte.is_ascii_hexdigit())
}
