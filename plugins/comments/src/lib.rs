//! Review comments: remarks pinned to an element of a prototype, with replies, mentions and a resolved flag, and the
//! directory of people who can be mentioned.
//!
//! The host checks the rights to read and to write before a handler runs. This crate has the rules of comments: their
//! authors (`author`), who may change them (`comments`), who can be mentioned (`participants`), and the mails about mentions
//! (`notifications`). What is asked of the database is a trait (`store`), and the SQL of the plugin's tables is in one place
//! (`tables`): a plugin with other tables depends on this crate without its feature `component`, and calls [`over`].

mod author;
mod comments;
mod events;
mod ids;
mod image_files;
mod images;
mod notifications;
mod participants;
mod position;
mod record;
mod replies;
mod resolving;
mod seen;
pub mod store;
mod tables;
mod text;

pub use author::Author;

use galley_sdk::bells;
use galley_sdk::events::ProjectDeleted;
use galley_sdk::prelude::*;

use store::Store;
use tables::Tables;

#[cfg(feature = "component")]
galley_sdk::export!(plugin);

/// Writes a minute of one address whose people have no account.
const MAX_ANONYMOUS_WRITES: u32 = 120;
/// Images a minute from one address whose people have no account.
const MAX_ANONYMOUS_IMAGES: u32 = 20;
/// Invitations a minute from one address.
const MAX_INVITATIONS: u32 = 60;

/// The plugin of the slot `comments`, with its own tables.
pub fn plugin() -> Plugin {
    over::<Tables>()
}

/// The plugin of the slot `comments` with the tables of `S`.
pub fn over<S: Store>() -> Plugin {
    let write = Guard::project_comment().message("Sign in to comment on this project");
    let invite = Guard::project_read()
        .identified()
        .message("Sign in to invite a participant by email");
    let read = Guard::project_read();
    let keep = Guard::project_read()
        .identified()
        .message("Sign in to keep what you have read");
    let all = "/api/v1/projects/{project}/comments";
    let one = "/api/v1/projects/{project}/comments/{comment}";
    let reply = "/api/v1/projects/{project}/comments/{comment}/replies/{reply}";
    let images = "/api/v1/projects/{project}/comments/{comment}/images";
    let image = "/api/v1/projects/{project}/comments/{comment}/images/{image}";
    let people = "/api/v1/projects/{project}/participants";

    S::schema(Plugin::new("comments", env!("CARGO_PKG_VERSION")))
        .openapi(include_str!("../openapi.json"))
        .route(
            get(all, comments::list::<S>)
                .guard(read)
                .summary("List the comments of a project, oldest first"),
        )
        .route(
            post(all, comments::create::<S>)
                .guard(write)
                .anonymous_rate(MAX_ANONYMOUS_WRITES)
                .summary("Write a comment"),
        )
        .route(
            patch(one, comments::update::<S>)
                .guard(write)
                .anonymous_rate(MAX_ANONYMOUS_WRITES)
                .summary("Change or resolve a comment"),
        )
        .route(
            delete(one, comments::remove::<S>)
                .guard(write)
                .anonymous_rate(MAX_ANONYMOUS_WRITES)
                .summary("Delete a comment"),
        )
        .route(
            post(
                "/api/v1/projects/{project}/comments/{comment}/replies",
                replies::create::<S>,
            )
            .guard(write)
            .anonymous_rate(MAX_ANONYMOUS_WRITES)
            .summary("Reply to a comment"),
        )
        .route(
            patch(reply, replies::update::<S>)
                .guard(write)
                .anonymous_rate(MAX_ANONYMOUS_WRITES)
                .summary("Change a reply"),
        )
        .route(
            delete(reply, replies::remove::<S>)
                .guard(write)
                .anonymous_rate(MAX_ANONYMOUS_WRITES)
                .summary("Delete a reply"),
        )
        .route(
            post(images, images::add::<S>)
                .guard(write)
                .max_bytes(images::MAX_BYTES)
                .anonymous_rate(MAX_ANONYMOUS_IMAGES)
                .summary("Add an image to a comment"),
        )
        .route(
            get(image, images::show::<S>)
                .guard(read)
                .summary("An image of a comment"),
        )
        .route(
            delete(image, images::remove::<S>)
                .guard(write)
                .anonymous_rate(MAX_ANONYMOUS_WRITES)
                .summary("Delete an image of a comment"),
        )
        .route(
            post("/api/v1/projects/{project}/comments/resolve", resolving::several::<S>)
                .guard(write)
                .anonymous_rate(MAX_ANONYMOUS_WRITES)
                .summary("Resolve several comments, or open them again"),
        )
        .route(
            put("/api/v1/projects/{project}/comments/seen", seen::put::<S>)
                .guard(keep)
                .summary("Keep what the caller has read"),
        )
        .route(
            get("/api/v1/comments/summary", seen::summary::<S>)
                .guard(Guard::signed_in().message("Sign in to see your projects"))
                .summary("Count the open and the unread comments of each project"),
        )
        .route(
            get("/api/v1/projects/{project}/comments/stream", watch)
                .guard(read)
                .stream(20, 5, "Too many open connections from this client")
                .summary("Watch for changes (server-sent events)"),
        )
        .route(
            get(people, participants::list::<S>)
                .guard(read)
                .summary("List who can be mentioned"),
        )
        .route(
            post(people, participants::invite::<S>)
                .guard(invite)
                .rate(MAX_INVITATIONS)
                .summary("Invite somebody by email to be mentioned"),
        )
        .publishes(notifications::TOPIC, notifications::SCHEMA)
        .publishes(events::WRITTEN, events::WRITTEN_SCHEMA)
        .publishes(events::RESOLVED, events::RESOLVED_SCHEMA)
        .job(image_files::JOB, image_files::EVERY, image_files::run_job::<S>)
        .on("project-deleted", project_deleted::<S>)
        .on(notifications::TOPIC, notifications::people_mentioned::<S>)
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
fn project_deleted<S: Store>(event: Event<ProjectDeleted>) -> Result<()> {
    let project = event.data.project_id.as_str();
    S::remove_project(project)?;
    // Whoever follows its comments learns that they are gone.
    bells::ring(project);
    image_files::tidy_now::<S>();
    Ok(())
}
