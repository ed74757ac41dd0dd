//! Review comments: remarks pinned to an element of a prototype, with replies, mentions and a resolved flag, and the
//! directory of people who can be mentioned.
//!
//! The host checks the rights to read and to write before a handler runs. This crate has the rules of comments: their
//! authors (`author`), who may change them (`comments`), who can be mentioned (`participants`), and the mails about mentions
//! (`notifications`).

mod author;
mod comments;
mod events;
mod notifications;
mod participants;
mod record;
mod replies;
mod text;

use galley_sdk::events::ProjectDeleted;
use galley_sdk::prelude::*;

galley_sdk::export!(plugin);

/// Writes a minute of one address whose people have no account.
const MAX_ANONYMOUS_WRITES: u32 = 120;
/// Invitations a minute from one address.
const MAX_INVITATIONS: u32 = 60;

/// The plugin of the slot `comments`.
pub fn plugin() -> Plugin {
    let write = Guard::project_comment().message("Sign in to comment on this project");
    let invite = Guard::project_read()
        .identified()
        .message("Sign in to invite a participant by email");
    let read = Guard::project_read();
    let all = "/api/v1/projects/{project}/comments";
    let one = "/api/v1/projects/{project}/comments/{comment}";
    let people = "/api/v1/projects/{project}/participants";

    Plugin::new("comments", env!("CARGO_PKG_VERSION"))
        .migration(1, include_str!("../migrations/1.sql"))
        .openapi(include_str!("../openapi.json"))
        .route(
            get(all, comments::list)
                .guard(read)
                .summary("List the comments of a project, oldest first"),
        )
        .route(
            post(all, comments::create)
                .guard(write)
                .anonymous_rate(MAX_ANONYMOUS_WRITES)
                .summary("Write a comment"),
        )
        .route(
            patch(one, comments::update)
                .guard(write)
                .anonymous_rate(MAX_ANONYMOUS_WRITES)
                .summary("Change or resolve a comment"),
        )
        .route(
            delete(one, comments::remove)
                .guard(write)
                .anonymous_rate(MAX_ANONYMOUS_WRITES)
                .summary("Delete a comment"),
        )
        .route(
            post("/api/v1/projects/{project}/comments/{comment}/replies", replies::create)
                .guard(write)
                .anonymous_rate(MAX_ANONYMOUS_WRITES)
                .summary("Reply to a comment"),
        )
        .route(
            get("/api/v1/projects/{project}/comments/stream", watch)
                .guard(read)
                .stream(20, 5, "Too many open connections from this client")
                .summary("Watch for changes (server-sent events)"),
        )
        .route(
            get(people, participants::list)
                .guard(read)
                .summary("List who can be mentioned"),
        )
        .route(
            post(people, participants::invite)
                .guard(invite)
                .rate(MAX_INVITATIONS)
                .summary("Invite somebody by email to be mentioned"),
        )
        .publishes(notifications::TOPIC, notifications::SCHEMA)
        .publishes(events::WRITTEN, events::WRITTEN_SCHEMA)
        .publishes(events::RESOLVED, events::RESOLVED_SCHEMA)
        .on("project-deleted", project_deleted)
        .on(notifications::TOPIC, notifications::people_mentioned)
}

/// GET `…/comments/stream`: rings whenever anything about the project's comments changes.
fn watch(project: ProjectId) -> Result<Tail> {
    Ok(tail::bell(
        &project,
        r#"{"type":"connected"}"#,
        r#"{"type":"changed"}"#,
        25_000,
    )?)
}

/// Comments go with their project. An account that is removed leaves its comments behind: they belong to the review.
fn project_deleted(event: Event<ProjectDeleted>) -> Result<()> {
    let project = event.data.project_id.as_str();
    sql::batch()
        .step("DELETE FROM replies WHERE project_id = ?1", params![project])
        .step("DELETE FROM comments WHERE project_id = ?1", params![project])
        .step("DELETE FROM participants WHERE project_id = ?1", params![project])
        .run()?;
    Ok(())
}
