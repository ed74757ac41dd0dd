//! Repositories: which one a project is built from, what there is to choose from at the code host, and the pushes that
//! ask for builds.
//!
//! The connection is the slot's attachment of a project: it goes with the project, stands in its record as `repo`, and is
//! read by whoever builds. This crate holds no credential: it names one, and the host attaches it.
//!
//! | file | what it owns |
//! |---|---|
//! | `connection.rs` | connecting and disconnecting |
//! | `fields.rs` | what the parts of a connection may be |
//! | `code_host.rs` | asking the code host, for whoever the caller is |
//! | `discovery.rs` | what there is to choose from |
//! | `webhook.rs` | deliveries of the code host, by their kind |
//! | `payload.rs` | what deliveries contain |
//! | `push.rs` | pushes: which projects they build, and why not |
//! | `earlier.rs` | connections of earlier versions, which have no id |
//! | `delivery_log.rs` | what became of each push, for the people of a project |

mod code_host;
mod connection;
mod delivery_log;
mod discovery;
mod earlier;
mod fields;
mod payload;
mod push;
mod webhook;

use galley_sdk::prelude::*;

galley_sdk::export!(plugin);

/// The slot this plugin fills.
const SLOT: &str = "repo";

/// The largest delivery, in bytes. A push names its commits with their files: seldom more than some hundred kilobytes.
const MAX_DELIVERY: u64 = 8 << 20;

/// The plugin of the slot `repo`.
pub fn plugin() -> Plugin {
    let connection = "/api/v1/projects/{project}/repo";
    let installations = "/api/v1/codehost/installations";
    let repositories = "/api/v1/codehost/installations/{installation}/repos";
    let branches = "/api/v1/codehost/installations/{installation}/repos/{owner}/{name}/branches";
    let signed_in = Guard::signed_in().message("Sign in to see your repositories");

    Plugin::new(SLOT, env!("CARGO_PKG_VERSION"))
        .postgres()
        .migration(1, include_str!("../migrations/1.sql"))
        .postgres_migration(1, include_str!("../migrations/1.postgres.sql"))
        .migration(2, include_str!("../migrations/2.sql"))
        .postgres_migration(2, include_str!("../migrations/2.postgres.sql"))
        .openapi(include_str!("../openapi.json"))
        .host("codehost-caller")
        .host("codehost-app")
        .host("codehost-installation")
        .route(
            put(connection, connection::connect)
                .guard(Guard::project_manage())
                .summary("Connect a repository, or change the connection"),
        )
        .route(
            delete(connection, connection::disconnect)
                .guard(Guard::project_manage())
                .summary("Disconnect the repository; what was built stays"),
        )
        .route(
            get(installations, discovery::installations)
                .guard(signed_in)
                .summary("List the installations of the app that the caller sees"),
        )
        .route(
            get(repositories, discovery::repositories)
                .guard(signed_in)
                .summary("List the repositories of an installation"),
        )
        .route(
            get(branches, discovery::branches)
                .guard(signed_in)
                .summary("List the branches of a repository"),
        )
        .route(
            post("/api/v1/webhooks/codehost", webhook::receive)
                .guard(Guard::signature().message("Webhooks are not configured"))
                .max_bytes(MAX_DELIVERY)
                .summary("Take a delivery of the code host; a push asks for builds"),
        )
        .route(
            get("/api/v1/projects/{project}/deliveries", delivery_log::list)
                .guard(Guard::project_manage().read_only())
                .summary("List the pushes to the connected repository and what became of them, newest first"),
        )
        .on_start(earlier::start)
        .publishes(earlier::LOOKUP, r#"{ "type": "object" }"#)
        .publishes(push::BUILD_REQUESTED, push::BUILD_REQUESTED_SCHEMA)
        .on(earlier::LOOKUP, earlier::look_up)
        .on("deployments/push-handled", delivery_log::handled)
        .on("project-deleted", delivery_log::project_deleted)
}
