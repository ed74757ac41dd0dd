//! `/api/git/…`: the repository, through the user's own git.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::app::{App, blocking};
use super::body::{Json as Body, Maybe, Query};
use super::edit::told;
use super::error::ApiError;
use super::event::Event;
use crate::workspace::git::{Author, Status};
use crate::workspace::{Entry, WorkspaceError, checked};

type Answer = Result<Json<Value>, ApiError>;

#[derive(Deserialize)]
pub(super) struct Switch {
    name: String,
    #[serde(default)]
    create: bool,
}

#[derive(Deserialize)]
pub(super) struct Commit {
    message: String,
    paths: Option<Vec<String>>,
    /// Who makes it, where git does not know: for this one commit.
    author: Option<Author>,
}

#[derive(Deserialize)]
pub(super) struct Discard {
    path: Option<String>,
    #[serde(default)]
    all: bool,
}

/// With `ok` added.
fn ok(answer: impl serde::Serialize) -> Json<Value> {
    let mut answer = json!(answer);
    answer["ok"] = json!(true);
    Json(answer)
}

/// Something about the repository is another.
fn changed(app: &App) {
    app.tell(Event::new("git", json!({})));
    app.touch();
}

fn named(path: &str) -> Result<(), ApiError> {
    checked(path).map_err(|error| WorkspaceError::from(error).into())
}

pub(super) async fn status(State(app): State<Arc<App>>) -> Answer {
    blocking(move || {
        let git = app.git();
        let (status, identity) = git.overview()?;
        let mut answer = json!(status);
        answer["identity"] = json!(identity);
        answer["steps"] = json!(steps(&app, &status));
        Ok(ok(answer))
    })
    .await
}

pub(super) async fn branches(State(app): State<Arc<App>>) -> Answer {
    blocking(move || Ok(ok(app.git().branches()?))).await
}

pub(super) async fn switch(State(app): State<Arc<App>>, Body(to): Body<Switch>) -> Answer {
    blocking(move || {
        // An edit between git's look at the files and its writing them would be lost.
        let writer = app.parts.workspace.writer();
        let text = app.git().switch(&to.name, to.create)?;
        drop(writer);
        changed(&app);
        Ok(ok(json!({ "branch": to.name, "text": text })))
    })
    .await
}

pub(super) async fn diff(State(app): State<Arc<App>>, query: Query) -> Answer {
    let path = query.get("path").map(str::to_owned);
    path.as_deref().map(named).transpose()?;
    blocking(move || Ok(ok(json!({ "files": app.git().diff(path.as_deref())? })))).await
}

/// Commits the named files; those the Editor changed, when none are named.
pub(super) async fn commit(State(app): State<Arc<App>>, Body(commit): Body<Commit>) -> Answer {
    if commit.message.trim().is_empty() {
        return Err(ApiError::bad_request("`message` must say what the commit does").with("key", "message"));
    }
    if let Some(Err((key, why))) = commit.author.as_ref().map(Author::check) {
        return Err(ApiError::bad_request(format!("`author.{key}` {why}")).with("key", format!("author.{key}")));
    }
    blocking(move || {
        let paths = commit.paths.unwrap_or_else(|| edited(&app));
        for path in &paths {
            named(path)?;
        }
        let writer = app.parts.workspace.writer();
        let made = app.git().commit(&commit.message, &paths, commit.author.as_ref())?;
        drop(writer);
        app.parts.workspace.sweep();
        changed(&app);
        Ok(ok(made))
    })
    .await
}

/// The steps that a commit of all files would hold, the oldest first: their titles without the names of the files, and which of the
/// files they changed.
fn steps(app: &App, status: &Status) -> Vec<Value> {
    let edited = edited(app);
    let changed = status.files.iter().map(|file| file.path.as_str());
    let changed = changed.filter(|path| edited.iter().any(|edited| edited == path));
    let changed: Vec<(&str, Option<String>)> = changed.map(|path| (path, app.git().committed(path))).collect();
    if changed.is_empty() {
        return Vec::new();
    }
    let committed_at = app.git().committed_at().unwrap_or_default();
    let writer = app.parts.workspace.writer();
    let mut steps: BTreeMap<(u64, &str), (&Entry, Vec<&str>)> = BTreeMap::new();
    for (path, committed) in &changed {
        for entry in writer.uncommitted(path, committed.as_deref(), committed_at) {
            let step = steps.entry((entry.at, &entry.id)).or_insert((entry, Vec::new()));
            step.1.push(path);
        }
    }
    let told = steps.into_values().map(|(entry, files)| {
        let title = entry
            .title
            .rsplit_once(" in ")
            .map_or(&*entry.title, |(title, _)| title);
        json!({ "title": title, "files": files })
    });
    told.collect()
}

/// The files of steps that are done.
fn edited(app: &App) -> Vec<String> {
    let writer = app.parts.workspace.writer();
    let history = writer.history();
    let done = history.entries.iter().filter(|entry| !history.is_undone(&entry.id));
    let mut paths: Vec<String> = done
        .flat_map(|entry| entry.files.iter().map(|file| file.path.clone()))
        .collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// Without a body: what a push would do. With one: it is done.
pub(super) async fn publish(State(app): State<Arc<App>>, Maybe(push): Maybe<Map<String, Value>>) -> Answer {
    blocking(move || {
        if push.is_none() {
            return Ok(ok(app.git().publish_plan()?));
        }
        let text = app.git().publish()?;
        changed(&app);
        Ok(ok(json!({ "text": text })))
    })
    .await
}

/// Throws changes away, as a step that undo brings back.
pub(super) async fn discard(State(app): State<Arc<App>>, Body(discard): Body<Discard>) -> Answer {
    let path = match (discard.path, discard.all) {
        (Some(path), false) => Some(path),
        (None, true) => None,
        _ => {
            return Err(ApiError::bad_request(
                "Either `path` or `all: true` says what to discard",
            ));
        }
    };
    path.as_deref().map(named).transpose()?;
    blocking(move || {
        let done = app.parts.workspace.discard(path.as_deref())?;
        changed(&app);
        match done {
            Some(done) => Ok(Json(told(&app, &done))),
            None => Ok(ok(json!({ "editId": null, "files": [] }))),
        }
    })
    .await
}
