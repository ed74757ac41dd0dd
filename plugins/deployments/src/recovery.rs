//! After a crash: brings records that were left `building` in line with the files.

use galley_sdk::prelude::*;
use galley_sdk::{builds, info, sites};

use crate::build::start_next;
use crate::upload::{finish, forget};

/// Checks every deployment that is still `building`.
pub(crate) fn start() -> Result<()> {
    uploads()?;
    builds()
}

/// Uploads: if the files were published, they are live, and the record becomes `ready`. Otherwise no client got an answer, and
/// the record is deleted.
fn uploads() -> Result<()> {
    let sql = sql!("SELECT id, project_id FROM deployments WHERE status = 'building' AND source = 'upload'");
    for (id, project) in sql::all::<(String, String)>(sql, params![])? {
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
/// told of it, and the record goes. Pushes that wait are built.
fn builds() -> Result<()> {
    let sql = sql!("SELECT id FROM deployments WHERE status = 'building' AND source = 'build'");
    for (id,) in sql::all::<(String,)>(sql, params![])? {
        if builds::state(&id)?.is_none() {
            info!("the build {id} was cut off before it was enqueued; it is forgotten");
            forget(&id);
        }
    }
    for (project,) in sql::all::<(String,)>(sql!("SELECT project_id FROM wanted_builds"), params![])? {
        start_next(&project)?;
    }
    Ok(())
}

pub(crate) fn is_published(project: &str, id: &str) -> Result<bool> {
    match sites::versions(project) {
        Ok(versions) => Ok(versions.iter().any(|version| version.id == id)),
        Err(problem) if problem.is("not-found") => Ok(false),
        Err(problem) => Err(problem.into()),
    }
}
