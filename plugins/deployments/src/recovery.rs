//! After a crash: brings records that were left `building` in line with the files.

use galley_sdk::prelude::*;
use galley_sdk::{info, sites};

use crate::upload::{finish, forget};

/// Looks at each upload that did not come to its end. If its files were published they are live, and the record says so; if
/// not, nobody was told of it, and the record goes. (Builds are not uploads: who runs them knows how they ended.)
pub(crate) fn start() -> Result<()> {
    let sql = "SELECT id, project_id FROM deployments WHERE status = 'building' AND source = 'upload'";
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

fn is_published(project: &str, id: &str) -> Result<bool> {
    match sites::versions(project) {
        Ok(versions) => Ok(versions.iter().any(|version| version.id == id)),
        Err(problem) if problem.is("not-found") => Ok(false),
        Err(problem) => Err(problem.into()),
    }
}
