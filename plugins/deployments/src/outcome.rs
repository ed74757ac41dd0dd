//! What other slots may learn of deployments: that one is live, that one failed.

use galley_sdk::prelude::*;
use galley_sdk::sql::Batch;
use serde::Serialize;

/// The files of a deployment are what its project serves now.
pub(crate) const LIVE: &str = "deployments/live";

/// The data of [`LIVE`]: [`Live`].
pub(crate) const LIVE_SCHEMA: &str = r#"{
    "type": "object",
    "required": ["projectId", "deploymentId", "source"],
    "properties": {
        "projectId": { "type": "string" },
        "deploymentId": { "type": "string", "description": "Also the id of the version in galley:sites." },
        "source": { "type": "string", "enum": ["upload", "build"] },
        "commitSha": { "type": "string" },
        "again": { "type": "boolean", "description": "true: an earlier deployment was made live again." }
    }
}"#;

/// A deployment failed or was cancelled.
pub(crate) const FAILED: &str = "deployments/failed";

/// The data of [`FAILED`]: [`Failed`].
pub(crate) const FAILED_SCHEMA: &str = r#"{
    "type": "object",
    "required": ["projectId", "deploymentId", "cancelled"],
    "properties": {
        "projectId": { "type": "string" },
        "deploymentId": { "type": "string" },
        "source": { "type": "string", "enum": ["upload", "build"] },
        "commitSha": { "type": "string" },
        "cancelled": { "type": "boolean" },
        "reason": { "type": "string", "description": "A sentence; absent where the deployment's log says it." }
    }
}"#;

/// The data of `deployments/push-handled`.
pub(crate) const PUSH_HANDLED_SCHEMA: &str = r#"{
    "type": "object",
    "required": ["projectId", "deliveryId"],
    "properties": {
        "projectId": { "type": "string" },
        "deliveryId": { "type": "string" },
        "deploymentId": { "type": ["string", "null"] },
        "ignored": { "type": ["string", "null"], "description": "Why nothing is built of the push." }
    }
}"#;

/// The data of [`LIVE`].
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Live<'a> {
    project_id: &'a str,
    deployment_id: &'a str,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit_sha: Option<&'a str>,
    again: bool,
}

/// The data of [`FAILED`].
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Failed<'a> {
    project_id: &'a str,
    deployment_id: &'a str,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit_sha: Option<&'a str>,
    cancelled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

/// Project, source and commit of a deployment.
type Facts = (String, String, Option<String>);

fn facts(id: &str) -> Result<Option<Facts>> {
    let sql = sql!("SELECT project_id, source, commit_sha FROM deployments WHERE id = ?1");
    Ok(sql::one(sql, params![id])?)
}

/// Adds [`LIVE`] to the batch that records it.
pub(crate) fn live(batch: Batch, id: &str, again: bool) -> Result<Batch> {
    let Some((project, source, commit)) = facts(id)? else {
        return Ok(batch);
    };
    let event = Live {
        project_id: &project,
        deployment_id: id,
        source: &source,
        commit_sha: commit.as_deref(),
        again,
    };
    Ok(batch.publish(LIVE, &event))
}

/// Adds [`FAILED`] to the batch that records it.
pub(crate) fn failed(batch: Batch, id: &str, cancelled: bool, reason: Option<&str>) -> Result<Batch> {
    let Some((project, source, commit)) = facts(id)? else {
        return Ok(batch);
    };
    let event = Failed {
        project_id: &project,
        deployment_id: id,
        source: &source,
        commit_sha: commit.as_deref(),
        cancelled,
        reason,
    };
    Ok(batch.publish(FAILED, &event))
}
