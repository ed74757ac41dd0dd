//! POST `…/deployments`: a gzipped tar becomes the live version of the project.
//!
//! The record is written as `building` before the files are published and as `ready` after. Publishing is one step of the
//! host, all or nothing: a crash leaves either the old version live or the new one, and [`recovery`](crate::recovery)
//! brings the record in line with what happened. It may have given up an upload that was held up for long and goes on all the same:
//! then its record is written again.

use galley_sdk::prelude::*;
use galley_sdk::sites::Tree;
use galley_sdk::{Request, clock, logs, projects, random, warn};
use serde::{Deserialize, Serialize};

use crate::cluster::is_alone;
use crate::cover::Cover;
use crate::outcome;
use crate::record::{Deployment, New, is_published};
use crate::{notes, warnings};

/// The query of an upload.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    commit_sha: Option<String>,
}

/// The answer to an upload: the deployment, where to see it, and its log.
#[derive(Debug, Serialize)]
pub struct Uploaded {
    #[serde(flatten)]
    deployment: Deployment,
    url: Option<String>,
    log: String,
}

/// POST `…/deployments?commitSha=…`: 201 with the deployment, which is live.
pub fn upload(
    project: ManagedProject,
    caller: Caller,
    request: Request,
    Query(origin): Query<Origin>,
    upload: Upload,
) -> Result<(Status, Json<Uploaded>)> {
    check_type(&request)?;
    // An empty one is a variable that is not set in somebody's script.
    let commit = origin.commit_sha.filter(|sha| !sha.is_empty());
    let commit = commit.map(self::commit).transpose()?;
    if upload.tree.stat("index.html").is_none() {
        return Err(Error::bad_request("Bundle has no index.html at its root"));
    }

    let id = random::id();
    let log = report(&upload)?;
    let user = caller.user.map(|user| user.id);
    let new = New {
        id: &id,
        project: &project,
        source: "upload",
        commit: commit.as_deref(),
        user: user.as_deref(),
        files: upload.tree.files(),
        bytes: upload.tree.bytes(),
        cover: Cover::of(&upload.tree),
        ..New::default()
    };
    new.insert()?;

    if let Err(problem) = publish(upload.tree, &project, &id, &log) {
        // It may be live all the same where the database was lost meanwhile. The recovery knows later.
        if is_alone() || !problem.is("interrupted") {
            forget(&id);
        }
        return Err(match problem.code.as_str() {
            "not-found" => Error::not_found("Project not found"),
            _ => problem.into(),
        });
    }
    if !finish(&id)? && is_published(&project, &id)? {
        new.insert()?;
        logs::open(&id)?.append(&log)?;
        finish(&id)?;
    }
    let deployment = Deployment::find(&project, &id)?;
    let url = projects::get(&project).map(|project| project.url);
    Ok((Status::CREATED, Json(Uploaded { deployment, url, log })))
}

/// Accepts the types of a gzipped tar, no type, and generic ones: many clients send files without a type or as bytes.
fn check_type(request: &Request) -> Result<()> {
    let Some(header) = request.header("content-type") else {
        return Ok(());
    };
    let essence = header.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match essence.as_str() {
        "" | "application/gzip" | "application/x-gzip" | "application/octet-stream" => Ok(()),
        _ => Err(Error::bad_request(format!(
            "Content-Type must be application/gzip, not {essence}"
        ))),
    }
}

/// A commit's hash, or the start of one.
fn commit(sha: String) -> Result<String> {
    if (7..=64).contains(&sha.len()) && sha.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(sha);
    }
    Err(Error::bad_request("`commitSha` must be 7 to 64 hexadecimal digits"))
}

/// The text of the log: the received files, and warnings.
fn report(upload: &Upload) -> Result<String> {
    let (files, bytes) = (upload.tree.files(), upload.tree.bytes());
    let mut log = format!("Received {} (sha256 {})\n", size(upload.size), upload.sha256);
    log += &format!(
        "Unpacked {files} {}, {}\n",
        if files == 1 { "file" } else { "files" },
        size(bytes)
    );
    log += &warnings::of(&upload.tree);
    log += &notes::of(&upload.tree)?;
    Ok(log)
}

/// A size in a readable unit.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} KB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// Writes the log, then makes the files live.
fn publish(tree: Tree, project: &ProjectId, id: &str, log: &str) -> Result<(), Problem> {
    logs::open(id)?.append(log)?;
    tree.publish(project, id)
}

/// Records that the files are published and live, once: the recovery may have been faster. False when there is no record.
pub(crate) fn finish(id: &str) -> Result<bool> {
    let sql = sql!("UPDATE deployments SET status = 'ready', finished_at = ?2 WHERE id = ?1 AND status <> 'ready'");
    let batch = sql::batch().step(sql, params![id, clock::now()]).expect(1);
    match outcome::live(batch, id, false)?.run() {
        Ok(_) => {}
        Err(problem) if problem.is("expectation") => {
            let recorded = sql!("SELECT id FROM deployments WHERE id = ?1");
            if sql::one::<(String,)>(recorded, params![id])?.is_none() {
                return Ok(false);
            }
        }
        Err(problem) => return Err(problem.into()),
    }
    logs::open(id)?.close("ready")?;
    Ok(true)
}

/// Removes the record and log of a deployment whose files were not published. The recovery does it if this fails.
pub(crate) fn forget(id: &str) {
    let sql = sql!("DELETE FROM deployments WHERE id = ?1 AND status = 'building'");
    let removed = logs::remove(id).and_then(|()| sql::execute(sql, params![id]));
    if let Err(problem) = removed {
        warn!(
            "the deployment {id} was not published and its record stays until it is looked for: {}",
            problem.message
        );
    }
}
