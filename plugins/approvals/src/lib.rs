//! Approvals: who approved which deployment of a project, with a panel in the review.
//!
//! An approval belongs to one stored version, so a new deployment begins without any. It keeps the name that its account had.

use galley_sdk::events::ProjectDeleted;
use galley_sdk::prelude::*;
use galley_sdk::sql::{FromRow, Row};
use galley_sdk::{clock, sites};
use serde::{Deserialize, Serialize};

galley_sdk::export!(plugin);

/// The most approvals in one answer.
const MAX_LISTED: u32 = 1_000;

/// The plugin of the slot `approvals`.
pub fn plugin() -> Plugin {
    let all = "/api/v1/projects/{project}/approvals";
    let own = "/api/v1/projects/{project}/approvals/{deployment}";
    let person = Guard::project_comment().identified();
    Plugin::new("approvals", env!("CARGO_PKG_VERSION"))
        .postgres()
        .migration(1, include_str!("../migrations/1.sql"))
        .postgres_migration(1, include_str!("../migrations/1.postgres.sql"))
        .openapi(include_str!("../openapi.json"))
        .route(
            get(all, list)
                .guard(Guard::project_read())
                .summary("List who approved the deployments of a project"),
        )
        .route(
            put(own, approve)
                .guard(person.message("Sign in to approve a deployment"))
                .summary("Approve a deployment in one's own name"),
        )
        .route(
            delete(own, withdraw)
                .guard(person.message("Sign in to withdraw an approval"))
                .summary("Withdraw one's own approval"),
        )
        .on("project-deleted", forget)
        .ui(Ui::review_panel("Approvals", "panel.html").icon("approved.svg"))
        .asset("panel.html", include_str!("../ui/panel.html"))
        .asset("panel.css", include_str!("../ui/panel.css"))
        .asset("panel.js", include_str!("../ui/panel.js"))
        .asset("approved.svg", include_str!("../ui/approved.svg"))
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Approval {
    deployment_id: String,
    user_id: String,
    name: String,
    at: String,
}

impl<'r> FromRow<'r> for Approval {
    fn from_row(row: &mut Row<'_, 'r>) -> Result<Approval, Problem> {
        Ok(Approval {
            deployment_id: row.take()?,
            user_id: row.take()?,
            name: row.take()?,
            at: row.take()?,
        })
    }
}

#[derive(Debug, Serialize)]
struct Approvals {
    approvals: Vec<Approval>,
}

#[derive(Debug, Deserialize)]
struct Wanted {
    deployment: Option<String>,
}

/// GET: the newest ones, in the order in which they were given.
fn list(project: ProjectId, Query(wanted): Query<Wanted>) -> Result<Json<Approvals>> {
    let mut approvals: Vec<Approval> = sql::all(
        sql!(
            "SELECT deployment_id, user_id, name, at FROM approvals \
             WHERE project_id = ?1 AND deployment_id = coalesce(?2, deployment_id) ORDER BY at DESC, user_id DESC LIMIT ?3"
        ),
        params![project, wanted.deployment.as_deref(), MAX_LISTED],
    )?;
    approvals.reverse();
    Ok(Json(Approvals { approvals }))
}

/// PUT: the same again changes nothing.
fn approve(caller: Caller, Path((project, deployment)): Path<(String, String)>) -> Result<Json<Approval>> {
    let Some(user) = caller.user else {
        return Err(nobody());
    };
    if !sites::versions(&project)?
        .iter()
        .any(|version| version.id == deployment)
    {
        return Err(Error::not_found("The project has no such deployment"));
    }
    sql::execute(
        sql!(
            "INSERT INTO approvals (project_id, deployment_id, user_id, name, at) VALUES (?1, ?2, ?3, ?4, ?5) \
             ON CONFLICT DO NOTHING"
        ),
        params![
            project.as_str(),
            deployment.as_str(),
            user.id.as_str(),
            user.name,
            clock::now()
        ],
    )?;
    let given: Vec<Approval> = sql::all(
        sql!(
            "SELECT deployment_id, user_id, name, at FROM approvals \
             WHERE project_id = ?1 AND deployment_id = ?2 AND user_id = ?3"
        ),
        params![project, deployment, user.id],
    )?;
    let given = given.into_iter().next();
    given
        .map(Json)
        .ok_or_else(|| Error::conflict("The approval was withdrawn at the same moment: try again"))
}

/// DELETE: one's own. Without one it changes nothing.
fn withdraw(caller: Caller, Path((project, deployment)): Path<(String, String)>) -> Result<NoContent> {
    let Some(user) = caller.user else {
        return Err(nobody());
    };
    sql::execute(
        sql!("DELETE FROM approvals WHERE project_id = ?1 AND deployment_id = ?2 AND user_id = ?3"),
        params![project, deployment, user.id],
    )?;
    Ok(NoContent)
}

/// The admin bearer is no person.
fn nobody() -> Error {
    Error::forbidden("An approval is a person's: use a session, or a token of your own")
}

fn forget(event: Event<ProjectDeleted>) -> Result<()> {
    sql::execute(
        sql!("DELETE FROM approvals WHERE project_id = ?1"),
        params![event.data.project_id],
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use galley_sdk::testing::TestHost;
    use serde_json::json;

    use super::*;

    const PATH: &str = "/api/v1/projects/p1/approvals";

    #[test]
    fn people_approve_what_is_there_in_their_own_name() {
        let host = TestHost::new(plugin());
        host.project("p1")
            .access("public-link")
            .version("d1", &[("index.html", "<h1>Shop</h1>")]);
        let (ann, bob) = (host.account("ann@example.com"), host.account("bob@example.com"));
        let own = format!("{PATH}/d1");
        for person in [&ann, &bob, &ann] {
            assert_eq!(host.put(&own).as_user(person).send().status, 200);
        }
        let list = || host.get(PATH).as_user(&bob).send().json()["approvals"].clone();
        assert_eq!(list().as_array().map(Vec::len), Some(2));
        assert_eq!(host.delete(&own).as_user(&ann).send().status, 204);
        assert_eq!((&list()[0]["deploymentId"], &list()[1]), (&json!("d1"), &json!(null)));
        assert_eq!(host.put(&format!("{PATH}/d2")).as_user(&ann).send().status, 404);
        assert_eq!(host.put(&own).send().status, 401);
        assert_eq!(host.put(&own).as_admin().send().status, 403);
    }
}
