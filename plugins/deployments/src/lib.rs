//! Deployments: uploaded bundles, and builds of a connected repository. One of them is a project's live version.
//!
//! The host receives or builds, stores and serves the files; this crate decides what is a deployment (`upload`, `build`,
//! `cancel`, `finished`), keeps the record of them (`record`, with what their first page shows in `cover`), says which one is
//! live (`routes`), and sums them up for lists of projects (`summary`).

mod build;
mod cancel;
mod cluster;
mod connection;
mod cover;
mod finished;
mod icon;
mod notes;
mod outcome;
mod record;
mod recovery;
mod routes;
mod summary;
mod upload;
mod warnings;

use galley_sdk::events::ProjectDeleted;
use galley_sdk::guard::OfProject;
use galley_sdk::logs;
use galley_sdk::prelude::*;

galley_sdk::export!(plugin);

/// How the host finds the project of a route that names a deployment only.
const PROJECT: &str = sql!("SELECT project_id FROM deployments WHERE id = ?1");

/// The guard for the project of the deployment that the path names.
fn of<K: OfProject>(guard: Guard<K>) -> Guard<K> {
    guard.project_sql("deployment", PROJECT, "Deployment not found")
}

/// The plugin of the slot `deployments`.
pub fn plugin() -> Plugin {
    let all = "/api/v1/projects/{project}/deployments";
    let watch = Guard::project_manage()
        .read_only()
        .anonymous_status(403)
        .message("Only editors and admins may read the log of a deployment");

    Plugin::new(finished::SLOT, env!("CARGO_PKG_VERSION"))
        .postgres()
        .migration(1, include_str!("../migrations/1.sql"))
        .postgres_migration(1, include_str!("../migrations/1.postgres.sql"))
        .migration_with_down(
            2,
            include_str!("../migrations/2.sql"),
            include_str!("../migrations/2.down.sql"),
        )
        .postgres_migration_with_down(
            2,
            include_str!("../migrations/2.postgres.sql"),
            include_str!("../migrations/2.down.sql"),
        )
        .openapi(include_str!("../openapi.json"))
        .route(
            get(all, routes::list)
                .guard(Guard::project_read())
                .summary("List deployments, newest first"),
        )
        .route(
            post(all, upload::upload)
                .guard(Guard::project_manage())
                .max_bytes(200 << 20)
                .max_unpacked(200 << 20, 20_000)
                .summary("Deploy a gzipped tar of a built prototype"),
        )
        .route(
            post("/api/v1/projects/{project}/deployments/build", build::build)
                .guard(Guard::project_manage())
                .summary("Build the connected repository"),
        )
        .route(
            get("/api/v1/deployments/summary", summary::summary)
                .guard(Guard::public())
                .summary("What is live and being built in each readable project"),
        )
        .route(
            get("/api/v1/deployments/{deployment}", routes::show)
                .guard(of(Guard::project_read()))
                .summary("One deployment"),
        )
        .route(
            delete("/api/v1/deployments/{deployment}", routes::remove)
                .guard(of(Guard::project_manage()))
                .summary("Delete a deployment that is not live"),
        )
        .route(
            post("/api/v1/deployments/{deployment}/activate", routes::activate)
                .guard(of(Guard::project_manage()))
                .summary("Make an earlier deployment live again"),
        )
        .route(
            post("/api/v1/deployments/{deployment}/cancel", cancel::cancel)
                .guard(of(Guard::project_manage()))
                .summary("Cancel a build that waits or runs"),
        )
        .route(
            get("/api/v1/deployments/{deployment}/log/stream", routes::watch)
                .guard(of(watch))
                .summary("Follow the log of a deployment (server-sent events)"),
        )
        .publishes(build::PUSH_HANDLED, outcome::PUSH_HANDLED_SCHEMA)
        .publishes(outcome::LIVE, outcome::LIVE_SCHEMA)
        .publishes(outcome::FAILED, outcome::FAILED_SCHEMA)
        .on("project-deleted", project_deleted)
        .on("repo/build-requested", build::requested)
        .on("build-finished", finished::finished)
        .on_start(recovery::start)
        .cluster_job(recovery::JOB, recovery::EVERY, recovery::settle)
}

/// Records and logs go with their project; the host deletes the files.
fn project_deleted(event: Event<ProjectDeleted>) -> Result<()> {
    let project = event.data.project_id.as_str();
    for (id,) in sql::all::<(String,)>(
        sql!("SELECT id FROM deployments WHERE project_id = ?1"),
        params![project],
    )? {
        logs::remove(&id)?;
    }
    sql::execute(
        sql!("DELETE FROM wanted_builds WHERE project_id = ?1"),
        params![project],
    )?;
    sql::execute(sql!("DELETE FROM deployments WHERE project_id = ?1"), params![project])?;
    sql::execute(sql!("DELETE FROM numbers WHERE project_id = ?1"), params![project])?;
    Ok(())
}
