//! `POST /api/editor/llm-fallback`: a model tries an edit that the engine refused.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::app::{App, blocking};
use super::body::Json as Body;
use super::diff;
use super::edit::{Undone, awake, carry_out, title, told, understand, with_fallback};
use super::error::ApiError;
use super::event::Event;
use super::landing::landing;
use super::models::model;
use super::proposals::Waiting;
use super::seeing::{Looking, noted};
use crate::agent::gate::{Accepted, Code, Gate, Limits, Proposal, Refusal};
use crate::agent::lanes::{self, Lane, Model, Outcome, Progress, Spent, Task};
use crate::source::model::{Change, Replacement, Request, Stamp};
use crate::workspace::By;

/// A caller's name for a request is at most so long, in bytes.
const MAX_TICKET_BYTES: usize = 64;

/// What a caller adds to the body of an edit.
struct Extras {
    ticket: Option<String>,
    page: Option<String>,
}

impl Extras {
    fn take(body: &mut Map<String, Value>) -> Result<Self, ApiError> {
        let mut text = |key: &str, most: usize| match body.remove(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.len() <= most => Ok(Some(text)),
            Some(_) => {
                Err(ApiError::bad_request(format!("`{key}` must be a text of at most {most} bytes")).with("key", key))
            }
        };
        let ticket = text("ticket", MAX_TICKET_BYTES)?;
        let page = text("page", 2_000)?;
        if page
            .as_ref()
            .is_some_and(|page| !page.starts_with('/') || page.starts_with("//"))
        {
            return Err(ApiError::bad_request("`page` must be a path of the prototype, as /about").with("key", "page"));
        }
        Ok(Self { ticket, page })
    }
}

/// Dormant kinds are refused as by the edit itself, then what has no key; then the engine is asked once more, and a model at last.
pub(super) async fn fallback(
    State(app): State<Arc<App>>,
    Body(mut body): Body<Map<String, Value>>,
) -> Result<Response, ApiError> {
    awake(&app, body.get("kind").and_then(Value::as_str))?;
    let model = model(&app)?;
    let extras = Extras::take(&mut body)?;
    let mut asked = body.clone();
    asked.remove("sourceHash");
    let (mut request, hash) = understand(body)?;
    let engine = Arc::clone(&app);
    let tried = blocking(move || {
        let done = carry_out(&engine, &mut request, hash.as_deref());
        let hash = noted(&engine.parts.workspace, &request);
        Ok((request, hash, done))
    });
    let (request, hash, refusal) = match tried.await? {
        (.., Ok(mut answer)) => {
            answer["lane"] = Value::Null;
            return Ok(Json(answer).into_response());
        }
        (.., Err(Undone::Failed(error))) => return Err(error),
        (request, hash, Err(Undone::Refused(refusal))) => (request, hash, refusal),
    };
    let Some(lane) = lanes::lane(&request.operation, request.scope, refusal.code) else {
        return Err(with_fallback(refusal, &request));
    };
    asked.insert("src".into(), json!(request.src));
    let task = Task {
        lane,
        title: title(&request),
        asked: Value::Object(asked),
        request,
        refusal,
    };
    // When the caller goes, this is dropped: the model stops, and nothing is changed.
    let stop = CancellationToken::new();
    let _stops = stop.clone().drop_guard();
    let work = tokio::spawn(run(Arc::clone(&app), task, hash, model, extras, stop));
    match work.await {
        Ok(answer) => Ok(answer),
        Err(_) => Err(ApiError::internal("the lane ended early")),
    }
}

async fn run(
    app: Arc<App>,
    task: Task,
    hash: Option<String>,
    mut model: Model,
    extras: Extras,
    stop: CancellationToken,
) -> Response {
    let begun = async {
        let alone = app.lane.lock().await;
        let (page, ticket) = (extras.page.as_deref(), extras.ticket.as_deref());
        let looked = Looking::begin(&app, &task, hash, page, ticket, &stop).await;
        (alone, looked)
    };
    let (_alone, looked) = tokio::select! {
        begun = begun => begun,
        // Nobody waits for the answer any more, and the next lane does not wait for the browser of this one.
        () = stop.cancelled() => return refused(&Refusal::stopped(), task.lane, None),
    };
    let gate = gate(&app);
    let tell = |progress: Progress| {
        let mut event = json!(progress);
        event["ticket"] = json!(extras.ticket);
        app.tell(Event::new("lane", event));
    };
    let Outcome { done, proposal, spent } = lanes::run(&task, &gate, &mut model, looked.seen(), tell, stop).await;
    let refusal = match done {
        Ok(done) => {
            let mut answer = answer(&looked.request(), &done.accepted);
            answer["lane"] = json!(task.lane);
            answer["why"] = json!(done.why);
            answer["verified"] = json!(looked.reader());
            answer["cost"] = json!(spent);
            return Json(answer).into_response();
        }
        Err(refusal) => refusal,
    };
    match proposal {
        Some(proposal) if refusal.is_unseen => waiting(&app, &task, &gate, proposal, &refusal, spent, model.name()),
        _ => refused(&refusal, task.lane, Some(spent)),
    }
}

/// Lets proposals of models through to this prototype's files.
pub(super) fn gate(app: &Arc<App>) -> Gate {
    let teller = Arc::clone(app);
    Gate::new(
        Arc::clone(&app.parts.workspace),
        Arc::new(move |done| drop(told(&teller, done))),
    )
}

/// What an edit answers, for a step that a model proposed.
fn answer(request: &Request, accepted: &Accepted) -> Value {
    json!({
        "ok": true,
        "editId": accepted.id,
        "files": diff::files(&accepted.files),
        "src": landed(request, accepted),
        "notes": [],
    })
}

/// Where the element stands now, by the stretches that were changed.
fn landed(request: &Request, accepted: &Accepted) -> Option<Stamp> {
    let Some(file) = accepted.files.iter().find(|file| file.path == request.src.path) else {
        return Some(request.src.clone());
    };
    let text = |content: &Option<Vec<u8>>| {
        let text = String::from_utf8(content.clone()?).ok()?;
        Some(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
    };
    let (old, new) = (text(&file.before)?, text(&file.after)?);
    let same = old.chars().zip(new.chars()).take_while(|(one, other)| one == other);
    let head: usize = same.map(|(one, _)| one.len_utf8()).sum();
    let same = old[head..]
        .chars()
        .rev()
        .zip(new[head..].chars().rev())
        .take_while(|(one, other)| one == other);
    let tail: usize = same.map(|(one, _)| one.len_utf8()).sum();
    let replacement = Replacement::new(head..old.len() - tail, &new[head..new.len() - tail]);
    let change = Change {
        path: file.path.clone(),
        replacements: vec![replacement],
    };
    landing(&request.src, &request.operation, Some(&change), &old, &new)
}

/// A refusal of a lane as an answer.
fn refused(refusal: &Refusal, lane: Lane, spent: Option<Spent>) -> Response {
    let status = match refusal.code {
        Code::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        Code::Provider => StatusCode::BAD_GATEWAY,
        Code::NotVerified if refusal.is_unseen => StatusCode::CONFLICT,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let mut body = json!(refusal);
    body["ok"] = json!(false);
    body["lane"] = json!(lane);
    body["cost"] = json!(spent);
    (status, Json(body)).into_response()
}

/// A proposal that no page could confirm waits for a yes.
fn waiting(
    app: &Arc<App>,
    task: &Task,
    gate: &Gate,
    proposal: Proposal,
    refusal: &Refusal,
    spent: Spent,
    model: String,
) -> Response {
    let limits = match task.lane {
        Lane::Save => Limits::save(proposal.files.iter().map(|hunk| hunk.path.clone()).collect()),
        Lane::Repair => Limits::repair(proposal.files.iter().map(|hunk| hunk.path.clone()).collect()),
    };
    let checked = match gate.check(&proposal, &limits) {
        Ok(checked) => checked,
        Err(refusal) => return refused(&refusal, task.lane, Some(spent)),
    };
    let by = By {
        session: task.lane.id().to_owned(),
        turn: None,
        model,
    };
    let files = diff::texts(&checked.texts);
    let why = proposal.why.clone();
    let id = app.proposals.keep(Waiting {
        proposal,
        limits,
        by,
        title: task.title.clone(),
        request: task.request.clone(),
        texts: checked.texts,
        lane: task.lane,
    });
    let mut body = json!(refusal);
    body["ok"] = json!(false);
    body["lane"] = json!(task.lane);
    body["cost"] = json!(spent);
    body["proposal"] = json!({ "id": id, "files": files, "why": why });
    (StatusCode::CONFLICT, Json(body)).into_response()
}

#[derive(Deserialize)]
pub(super) struct Yes {
    proposal: String,
}

/// `POST /api/editor/llm-fallback/accept`
pub(super) async fn accept(State(app): State<Arc<App>>, Body(yes): Body<Yes>) -> Result<Response, ApiError> {
    let gone = || ApiError::not_found("There is no such proposal any more: let the model try again");
    let waiting = app.proposals.take(&yes.proposal).ok_or_else(gone)?;
    let made = blocking(move || {
        let workspace = &app.parts.workspace;
        // A yes is to the diff that was seen.
        let is_as_seen = |(path, seen, _): &(String, Arc<str>, String)| {
            crate::source::model::Project::read(&**workspace, path).is_some_and(|now| now == *seen)
        };
        if !waiting.texts.iter().all(is_as_seen) {
            return Err(gone());
        }
        let Waiting {
            proposal,
            limits,
            by,
            title,
            request,
            lane,
            ..
        } = waiting;
        match gate(&app).propose(&proposal, &limits, &title, by, |_| Ok(())) {
            Ok(accepted) => {
                let mut answer = answer(&request, &accepted);
                answer["lane"] = json!(lane);
                answer["why"] = json!(proposal.why);
                Ok(Json(answer).into_response())
            }
            Err(refusal) => Ok(refused(&refusal, lane, None)),
        }
    });
    made.await
}
