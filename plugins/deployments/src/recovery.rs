//! After a crash: brings records that were left `building` in line with the files.
//!
//! A server alone finds them when it starts, and nothing of before is under way then. Where other servers may serve, a start says
//! nothing of what is under way there, and a server that ends need not start again: a job looks, and leaves what is young alone.

use std::time::Duration;

use galley_sdk::prelude::*;
use galley_sdk::{builds, clock, info};

use crate::build::start_next;
use crate::cluster::is_alone;
use crate::record::is_published;
use crate::upload::{finish, forget};

/// The job that looks after what was cut off where other servers serve, too.
pub(crate) const JOB: &str = "settle";
/// How often it does.
pub(crate) const EVERY: &str = "30s";

/// How long after its record was made an upload, or what goes before a build, counts as under way at another server. A call that is
/// allowed to take longer, or whose server was stopped for longer, writes its record again.
const CALL_TIMEOUT: Duration = Duration::from_secs(60);

/// Checks every deployment that is still `building`, and builds the pushes that wait.
pub(crate) fn start() -> Result<()> {
    settle()?;
    for (project,) in sql::all::<(String,)>(sql!("SELECT project_id FROM wanted_builds"), params![])? {
        start_next(&project)?;
    }
    Ok(())
}

/// Checks every deployment that is still `building` and that nobody works at.
pub(crate) fn settle() -> Result<()> {
    let before = clock::now_ms().saturating_sub(CALL_TIMEOUT.as_millis() as u64);
    let until = (!is_alone()).then(|| clock::format(before));
    uploads(until.as_deref())?;
    builds(until.as_deref())
}

/// Uploads: if the files were published, they are live, and the record becomes `ready`. Otherwise no client got an answer, and
/// the record is deleted.
fn uploads(until: Option<&str>) -> Result<()> {
    for (id, project) in left("upload", until)? {
        if is_published(&project, &id)? {
            info!("the upload {id} was cut off after its files were live; it is ready");
            finish(&id)?;
        } else {
            info!("the upload {id} was cut off before its files were live; it is forgotten");
            forget(&id);
        }
    }
    Ok(())
}

/// The host knows how builds ended, and tells. One that it never heard of was cut off before it was enqueued: nobody was
/// told of it, and the record goes. The host forgets those whose end was recorded, which may have happened just now.
fn builds(until: Option<&str>) -> Result<()> {
    for (id, _) in left("build", until)? {
        if builds::state(&id)?.is_none() && is_building(&id)? {
            info!("the build {id} was cut off before it was enqueued; it is forgotten");
            forget(&id);
        }
    }
    Ok(())
}

fn is_building(id: &str) -> Result<bool> {
    let sql = sql!("SELECT id FROM deployments WHERE id = ?1 AND status = 'building'");
    Ok(sql::one::<(String,)>(sql, params![id])?.is_some())
}

/// Id and project of the records of a source that are `building`: of all, or of those that were made until then.
fn left(source: &str, until: Option<&str>) -> Result<Vec<(String, String)>> {
    let sql = sql!(
        "SELECT id, project_id FROM deployments \
         WHERE status = 'building' AND source = ?1 AND (created_at <= ?2 OR ?2 IS NULL)"
    );
    Ok(sql::all(sql, params![source, until])?)
}
