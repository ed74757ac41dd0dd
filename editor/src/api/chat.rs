//! `/api/editor/chat/…`: sessions of the chat and their turns.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;
use http::header;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::app::{App, blocking};
use super::body::{Json as Body, Maybe, Query};
use super::chats::chats;
use super::code::Code;
use super::diff;
use super::error::ApiError;
use super::event::Event;
use crate::agent::chat::{Asked, Chip, Choice, NotBegun, Session, Told, is_id};
use crate::workspace::{Committed, WorkspaceError};

const PING_INTERVAL: Duration = Duration::from_secs(25);
/// Characters of what a user writes.
const MAX_TEXT: usize = 32_000;
/// Characters of a title.
const MAX_TITLE: usize = 120;
/// Selected elements.
const MAX_CHIPS: usize = 20;
/// Characters of a chip's texts.
const MAX_LABEL: usize = 200;
const MAX_PATH: usize = 2_000;
/// Turns of one answer.
const TURNS: usize = 30;
const MAX_TURNS: usize = 100;
/// The shortest id of a turn: pages make them up, and two must not be the same.
const MIN_TURN_ID: usize = 8;

#[derive(Deserialize)]
pub(super) struct Titled {
    #[serde(default)]
    title: String,
}

/// Without a body lists, with one makes a session.
pub(super) async fn sessions(State(app): State<Arc<App>>, Maybe(made): Maybe<Titled>) -> Result<Json<Value>, ApiError> {
    blocking(move || {
        let all = chats(&app);
        let Some(Titled { title }) = made else {
            let sessions = all.list().map_err(disk)?;
            let shown: Vec<_> = sessions.iter().map(|session| session.shown()).collect();
            return Ok(Json(
                json!({ "ok": true, "sessions": shown, "single": all.is_single() }),
            ));
        };
        let title = checked_title(&title, 0)?;
        let session = all.create(&title).map_err(disk)?;
        Ok(Json(json!({ "ok": true, "session": session.shown() })))
    })
    .await
}

fn checked_title(title: &str, least: usize) -> Result<String, ApiError> {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if !(least..=MAX_TITLE).contains(&title.chars().count()) {
        let reason = format!("`title` must have {least} to {MAX_TITLE} characters");
        return Err(ApiError::bad_request(reason).with("key", "title"));
    }
    Ok(title)
}

/// The newest turns, or those before one.
pub(super) async fn session(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    query: Query,
) -> Result<Json<Value>, ApiError> {
    let before: Option<String> = query.get("before").map(str::to_owned);
    let limit = query.parse::<usize>("limit")?.unwrap_or(TURNS).clamp(1, MAX_TURNS);
    blocking(move || {
        let session = find(&app, &id)?;
        let (turns, more, seq) = session.page(before.as_deref(), limit).map_err(disk)?;
        Ok(Json(
            json!({ "ok": true, "session": session.shown(), "turns": turns, "more": more, "seq": seq }),
        ))
    })
    .await
}

pub(super) async fn rename(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(titled): Body<Titled>,
) -> Result<Json<Value>, ApiError> {
    blocking(move || {
        let title = checked_title(&titled.title, 1)?;
        let session = find(&app, &id)?;
        session.rename(&title).map_err(disk)?;
        Ok(Json(json!({ "ok": true, "session": session.shown() })))
    })
    .await
}

pub(super) async fn delete(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Json<Value>, ApiError> {
    blocking(move || {
        find(&app, &id)?;
        chats(&app).delete(&id).map_err(disk)?;
        Ok(Json(json!({ "ok": true })))
    })
    .await
}

#[derive(Deserialize)]
pub(super) struct Begun {
    turn: String,
    text: String,
    #[serde(default)]
    selection: Vec<Chip>,
    page: Option<String>,
}

/// Begins a turn. It is on disk when this is answered.
pub(super) async fn begin(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(begun): Body<Begun>,
) -> Result<Json<Value>, ApiError> {
    check(&begun)?;
    blocking(move || {
        let session = find(&app, &id)?;
        let turn = begun.turn.clone();
        let asked = Asked {
            turn: begun.turn,
            text: begun.text,
            selection: begun.selection,
            page: begun.page.filter(|page| !page.is_empty()),
        };
        chats(&app).start(&session, asked).map_err(not_begun)?;
        let (_, snapshot) = session.snapshot();
        Ok(Json(json!({
            "ok": true, "session": snapshot["session"], "turn": session.turn(&turn), "seq": snapshot["seq"]
        })))
    })
    .await
}

fn check(begun: &Begun) -> Result<(), ApiError> {
    let wrong = |key: &str, reason: String| Err(ApiError::bad_request(format!("`{key}` {reason}")).with("key", key));
    if begun.turn.len() < MIN_TURN_ID || !is_id(&begun.turn) {
        return wrong(
            "turn",
            format!("must have {MIN_TURN_ID} to 64 letters, digits, - and _"),
        );
    }
    if begun.text.trim().is_empty() || begun.text.chars().count() > MAX_TEXT {
        return wrong("text", format!("must have 1 to {MAX_TEXT} characters"));
    }
    if begun.selection.len() > MAX_CHIPS {
        return wrong("selection", format!("may have at most {MAX_CHIPS} elements"));
    }
    let is_long = |text: &Option<String>, most| text.as_ref().is_some_and(|text| text.chars().count() > most);
    for chip in &begun.selection {
        if chip.src.len() > MAX_PATH || is_long(&chip.label, MAX_LABEL) || is_long(&chip.source_hash, MAX_LABEL) {
            return wrong(
                "selection",
                format!("has a label of more than {MAX_LABEL} characters, or another text that is too long"),
            );
        }
    }
    if is_long(&begun.page, MAX_PATH) {
        return wrong("page", format!("may have at most {MAX_PATH} characters"));
    }
    Ok(())
}

fn not_begun(error: NotBegun) -> ApiError {
    let reason = error.to_string();
    match error {
        NotBegun::Running => ApiError::new(Code::TurnRunning, reason),
        NotBegun::Ceiling(_) => ApiError::new(Code::CostCeiling, reason).with("key", "chat.costCeilingUsd"),
        NotBegun::MissingKey(_) => ApiError::new(Code::MissingKey, reason),
        NotBegun::Disk(_) => ApiError::internal(reason),
    }
}

pub(super) async fn stop(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Json<Value>, ApiError> {
    blocking(move || {
        let stopped = find(&app, &id)?.stop();
        Ok(Json(json!({ "ok": true, "stopped": stopped })))
    })
    .await
}

#[derive(Deserialize)]
pub(super) struct Answered {
    answer: Choice,
}

pub(super) async fn answer(
    State(app): State<Arc<App>>,
    Path((id, approval)): Path<(String, String)>,
    Body(Answered { answer }): Body<Answered>,
) -> Result<Json<Value>, ApiError> {
    blocking(move || {
        if find(&app, &id)?.answer(&approval, answer) {
            Ok(Json(json!({ "ok": true })))
        } else {
            Err(ApiError::not_found(
                "Nothing waits for this answer: it was given already, or the turn is over",
            ))
        }
    })
    .await
}

/// Takes all edits of a turn back, or none.
pub(super) async fn undo(
    State(app): State<Arc<App>>,
    Path((id, turn)): Path<(String, String)>,
) -> Result<Json<Value>, ApiError> {
    let session = {
        let (app, id) = (Arc::clone(&app), id.clone());
        blocking(move || find(&app, &id)).await?
    };
    let shown = session.shown();
    if shown.turn.as_deref() == Some(&*turn) {
        session.stop();
        session.stopped().await;
    }
    blocking(move || {
        let known = session.turn(&turn);
        let known =
            known.ok_or_else(|| ApiError::not_found(format!("The chat's newest turns have none called {turn}")))?;
        let files = take_back(&app, &known.edits)?;
        let known = session.mark_undone(&turn).map_err(disk)?;
        Ok(Json(json!({ "ok": true, "turn": known, "files": files })))
    })
    .await
}

fn take_back(app: &App, edits: &[String]) -> Result<Value, ApiError> {
    let mut writer = app.parts.workspace.writer();
    let standing: Vec<&String> = {
        let history = writer.history();
        edits.iter().filter(|id| history.done.contains(id)).collect()
    };
    if standing.is_empty() {
        return Err(WorkspaceError::NothingToUndo.into());
    }
    let mut done: Vec<Committed> = Vec::new();
    for id in standing.iter().rev() {
        match writer.undo(Some(id)) {
            Ok(step) => done.push(step),
            Err(error) => {
                // All or none: what was taken back is done again, the last one first.
                for _ in &done {
                    if let Err(error) = writer.redo() {
                        tracing::error!(%error, "a step that was taken back could not be done again");
                        break;
                    }
                }
                return Err(error.into());
            }
        }
    }
    drop(writer);
    let mut files = Vec::new();
    for step in &done {
        let shown = diff::files(&step.files);
        app.tell(Event::new("edited", json!({ "editId": step.id, "files": shown })));
        files.extend(shown.as_array().cloned().unwrap_or_default());
    }
    Ok(Value::Array(files))
}

/// A picture of what an edit is about, before or after it.
pub(super) async fn picture(
    State(app): State<Arc<App>>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    blocking(move || {
        let picture = find(&app, &id)?.picture(&name).map_err(disk)?;
        let gone = || ApiError::not_found("The picture is gone, or never was: the edit's diff says what changed");
        Ok(([(header::CONTENT_TYPE, "image/png")], picture.ok_or_else(gone)?).into_response())
    })
    .await
}

/// The repository's instruction files, as the next turn would take them.
pub(super) async fn conventions(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    blocking(move || {
        let found = chats(&app).conventions();
        Ok(Json(json!({ "ok": true, "taken": found.taken, "left": found.left })))
    })
    .await
}

/// The stream of a session, from the number the page has.
pub(super) async fn events(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    query: Query,
) -> Result<Sse<impl Stream<Item = Result<sse::Event, Infallible>>>, ApiError> {
    let after: Option<u64> = query.parse("after")?;
    let session = {
        let app = Arc::clone(&app);
        blocking(move || find(&app, &id)).await?
    };
    let (sender, receiver) = mpsc::channel(64);
    tokio::spawn(send(app, session, after, sender));
    let alive = KeepAlive::new().interval(PING_INTERVAL).text("ping");
    Ok(Sse::new(ReceiverStream::new(receiver)).keep_alive(alive))
}

/// Ends when the page goes, the session or the program.
async fn send(
    app: Arc<App>,
    session: Arc<Session>,
    mut after: Option<u64>,
    page: mpsc::Sender<Result<sse::Event, Infallible>>,
) {
    let mut ends = app.ending.subscribe();
    // What comes out is a guard, which must not be held while waiting for anything else.
    let ending = async { drop(ends.wait_for(|ending| *ending).await) };
    tokio::pin!(ending);
    let mut bell = session.bell();
    loop {
        bell.mark_unchanged();
        let events = match after.and_then(|after| session.after(after)) {
            Some(events) => events,
            None => {
                let (seq, snapshot) = session.snapshot();
                // Asked behind the snapshot: what is deleted from here on is told as an event.
                let (name, data) = if session.is_deleted() {
                    ("deleted", "{}".to_owned())
                } else {
                    ("snapshot", snapshot.to_string())
                };
                after = Some(seq);
                vec![Told { seq, name, data }]
            }
        };
        for event in events {
            after = after.max(Some(event.seq));
            let is_last = event.name == "deleted";
            let sent = sse::Event::default()
                .id(event.seq.to_string())
                .event(event.name)
                .data(event.data);
            if page.send(Ok(sent)).await.is_err() || is_last {
                return;
            }
        }
        tokio::select! {
            changed = bell.changed() => if changed.is_err() { return },
            () = &mut ending => return,
            () = page.closed() => return,
        }
    }
}

fn find(app: &Arc<App>, id: &str) -> Result<Arc<Session>, ApiError> {
    let missing = || ApiError::not_found(format!("There is no chat {id}"));
    chats(app).find(id).map_err(disk)?.ok_or_else(missing)
}

fn disk(error: io::Error) -> ApiError {
    ApiError::internal(format!("The chat cannot be kept in .tool/chat: {error}"))
}
