//! POST `…/cancel`: ends a build that is queued or running.

use galley_sdk::caller;
use galley_sdk::prelude::*;
use galley_sdk::{builds, clock};

use crate::outcome;
use crate::record::Deployment;

/// Longest name in the log's line, in bytes: a reason has at most 200.
const MAX_NAME: usize = 180;

/// 200 with the deployment, which has failed; the log says who cancelled it. A push that waits for the build is built
/// next.
///
/// 409 when nothing is being built, so also when it was cancelled before: a client that repeats the request learns the
/// status from the message.
pub fn cancel(project: ManagedProject, caller: Caller, Path(id): Path<String>) -> Result<Json<Deployment>> {
    let deployment = Deployment::find(&project, &id)?;
    if deployment.status != "building" {
        return Err(Error::conflict(format!(
            "The deployment is {}; only one that is being built can be cancelled",
            deployment.status
        )));
    }
    if !builds::cancel(&id, &format!("Cancelled by {}", who(&caller)))? {
        return Err(Error::conflict("The build has just ended"));
    }
    // `build-finished` closes the log behind the last word of the build, and is on its way.
    let sql = sql!("UPDATE deployments SET status = 'failed', finished_at = ?2 WHERE id = ?1 AND status = 'building'");
    let reason = format!("Cancelled by {}", who(&caller));
    let batch = sql::batch().step(sql, params![&id, clock::now()]);
    outcome::failed(batch, &id, true, Some(&reason))?.run()?;
    Deployment::find(&project, &id).map(Json)
}

/// The caller, for people.
fn who(caller: &Caller) -> String {
    match (&caller.user, &caller.kind) {
        (Some(user), _) => {
            let plain: String = user.name.chars().filter(|c| !c.is_control()).collect();
            plain[..plain.floor_char_boundary(MAX_NAME)].to_owned()
        }
        (None, caller::Kind::Admin) => "the admin".to_owned(),
        (None, _) => "the server".to_owned(),
    }
}
