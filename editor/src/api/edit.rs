//! `POST /api/editor/edit`: from what was asked to the written file. What a model asks for passes the gate on its way.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Map, Value, json};

use super::app::{App, blocking};
use super::body::{self, Json as Body};
use super::diff;
use super::error::ApiError;
use super::event::Event;
use super::inspect::checked;
use super::landing::landing;
use crate::agent::chat::Unmade;
use crate::agent::gate::{self, Leave, Text};
use crate::agent::lanes::lane;
use crate::source::model::{Code, Inserted, Operation, Plan, Project, Refusal, Request, Stamp};
use crate::source::{engine, model};
use crate::workspace::{Committed, EntryKind, Workspace, WorkspaceError, Writer};

/// Does an edit, or says why not.
pub(super) async fn edit(
    State(app): State<Arc<App>>,
    Body(body): Body<Map<String, Value>>,
) -> Result<Json<Value>, ApiError> {
    awake(&app, body.get("kind").and_then(Value::as_str))?;
    let (mut request, hash) = understand(body)?;
    let done = blocking(move || {
        carry_out(&app, &mut request, hash.as_deref()).map_err(|undone| match undone {
            Undone::Refused(refusal) => with_fallback(refusal, &request),
            Undone::Failed(error) => error,
        })
    });
    done.await.map(Json)
}

/// Why an edit was not done.
pub(super) enum Undone {
    /// It is not certain.
    Refused(Refusal),
    /// Something else is in the way.
    Failed(ApiError),
}

impl From<Refusal> for Undone {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<WorkspaceError> for Undone {
    fn from(error: WorkspaceError) -> Self {
        Self::Failed(error.into())
    }
}

/// Says with a refusal whether a model can try.
pub(super) fn with_fallback(refusal: Refusal, request: &Request) -> ApiError {
    let lane = lane(&request.operation, request.scope, refusal.code);
    let error = ApiError::from(refusal);
    match lane {
        Some(lane) => error.with("fallback", lane.id()),
        None => error,
    }
}

/// The same for a model, as far as the gate lets it; the answer has the step's title, too.
pub(super) fn on_behalf_of(app: &App, body: Map<String, Value>, leave: Leave) -> Result<Value, Unmade> {
    awake(app, body.get("kind").and_then(Value::as_str))?;
    let (mut request, hash) = understand(body)?;
    let title = title(&request);
    let workspace = &*app.parts.workspace;
    let mut answer = make(app, &mut request, hash.as_deref(), |writer, title, plan, texts| {
        gate::write(workspace, writer, title, plan, texts, leave).map_err(|refusal| Unmade::Blocked {
            refusal: Box::new(refusal),
            texts: texts.to_vec(),
            diff: diff::texts(texts),
        })
    })?;
    answer["title"] = json!(title);
    Ok(answer)
}

impl From<ApiError> for Unmade {
    fn from(error: ApiError) -> Self {
        Self::Refused(error.into_body())
    }
}

impl From<Refusal> for Unmade {
    fn from(refusal: Refusal) -> Self {
        ApiError::from(refusal).into()
    }
}

impl From<WorkspaceError> for Unmade {
    fn from(error: WorkspaceError) -> Self {
        ApiError::from(error).into()
    }
}

/// Refuses a kind of edit that is switched off, naming its key, before anything else of the request is looked at.
pub(super) fn awake(app: &App, kind: Option<&str>) -> Result<(), Refusal> {
    let lanes = app.lanes();
    match kind {
        Some("detach") if !lanes.detach => Err(Refusal::dormant("lanes.detach")),
        Some("swap") if !lanes.swap => Err(Refusal::dormant("lanes.swap")),
        _ => Ok(()),
    }
}

/// The keys of all kinds with their types: the request is an internally tagged enum, and errors in those name no key.
pub(super) fn understand(mut body: Map<String, Value>) -> Result<(Request, Option<String>), ApiError> {
    for (key, value) in &body {
        let (fits, wanted) = match key.as_str() {
            "src" | "sourceHash" | "kind" | "text" | "name" | "property" | "place" | "markup" | "path" | "to"
            | "component" => (value.is_string(), "a text"),
            "value" | "branch" | "scope" | "usage" | "from" | "at" | "before" | "variant" | "when" => {
                (value.is_string() || value.is_null(), "a text or null")
            }
            "run" | "item" => (value.is_u64() || value.is_null(), "a number from 0"),
            "add" | "remove" => {
                let texts = value.as_array().is_some_and(|list| list.iter().all(Value::is_string));
                (texts, "a list of texts")
            }
            "width" => (value.is_number() || value.is_null(), "a number of CSS pixels"),
            "holds" => {
                let answers = value.as_object().is_some_and(|map| map.values().all(Value::is_boolean));
                (answers, "an object of true and false")
            }
            "props" | "use" => (value.is_object(), "an object"),
            _ => continue,
        };
        if !fits {
            return Err(ApiError::bad_request(format!("`{key}` must be {wanted}")).with("key", key.as_str()));
        }
    }
    if body.get("kind").and_then(Value::as_str) == Some("insert")
        && body.contains_key("markup") == body.contains_key("use")
    {
        let reason = "an insert brings either `markup` or `use`, the use of a component";
        return Err(ApiError::bad_request(reason).with("key", "markup"));
    }
    let hash = match body.remove("sourceHash") {
        Some(Value::String(hash)) => Some(hash),
        _ => None,
    };
    let request: Request = body::fit(Value::Object(body))?;
    checked(request.viewport.clone())?;
    Ok((request, hash))
}

/// Does an edit of the user's. The request's stamps are those of the present text afterwards, whatever came of it.
pub(super) fn carry_out(app: &App, request: &mut Request, hash: Option<&str>) -> Result<Value, Undone> {
    make(app, request, hash, |mut writer, title, _, texts| {
        Ok(writer.replace(EntryKind::Edit, title, texts)?)
    })
}

/// Plans an edit, and has it written by `write`, which is given the title of the step.
fn make<E: From<Refusal> + From<WorkspaceError>>(
    app: &App,
    request: &mut Request,
    hash: Option<&str>,
    write: impl FnOnce(Writer<'_>, &str, &Plan, &[Text]) -> Result<Committed, E>,
) -> Result<Value, E> {
    let workspace = &*app.parts.workspace;
    // From here on no other edit comes between.
    let writer = workspace.writer();
    let is_as_seen = locate(workspace, request, hash)?;
    let plan = engine::plan(workspace, request, app.lanes());
    // What the page showed may be older than the text that was seen.
    let plan = plan.map_err(|refusal| {
        if is_as_seen && request.before.is_none() {
            honest(refusal)
        } else {
            refusal
        }
    })?;
    let mut texts = Vec::new();
    for change in &plan.changes {
        let misfit = || WorkspaceError::Misfit(change.path.clone());
        let old = workspace.read(&change.path).ok_or_else(misfit)?;
        let new = change.apply(&old).ok_or_else(misfit)?;
        if *old != *new {
            texts.push((change.path.clone(), old, new));
        }
    }
    if texts.is_empty() {
        return Ok(json!({ "ok": true, "editId": null, "files": [], "notes": [], "src": request.src }));
    }
    let done = write(writer, &title(request), &plan, &texts)?;
    let own = texts.iter().find(|(path, ..)| *path == request.src.path);
    let src = match own {
        Some((path, old, new)) => {
            let change = plan.changes.iter().find(|change| change.path == *path);
            landing(&request.src, &request.operation, change, old, new)
        }
        None => Some(request.src.clone()),
    };
    let mut answer = told(app, &done);
    answer["src"] = json!(src);
    answer["notes"] = json!(plan.notes);
    Ok(answer)
}

/// Makes the stamps those of the present text. One that was seen in an older text is found again by its element's look. Tells
/// whether the present text is known to be the one that was seen.
pub(super) fn locate(workspace: &Workspace, request: &mut Request, hash: Option<&str>) -> Result<bool, Refusal> {
    let Some(hash) = hash else { return Ok(false) };
    let path = &request.src.path;
    let Some(now) = workspace.read(path) else {
        return Err(Refusal::changed(format!("{path} is gone, or is no text any more")));
    };
    if model::hash(&now) == hash {
        return Ok(true);
    }
    let lost = || {
        Refusal::changed(format!(
            "{path} changed since you looked at it, and the element is not certain to be found again: select it once more"
        ))
    };
    let seen = workspace.remembered(hash).ok_or_else(lost)?;
    let outline = |text: &Arc<str>| engine::outline_of(workspace, path, text).unwrap_or_default();
    let (before, after) = (outline(&seen), outline(&now));
    let find = |at| match before.locate(at) {
        Some(_) => engine::relocate((&before, &seen), at, (&after, &now)).ok_or_else(lost),
        None => Err(Refusal::no_element(&Stamp { path: path.clone(), at })),
    };
    let at = find(request.src.at)?;
    if let Operation::Move { to, .. } = &mut request.operation {
        to.at = find(to.at)?;
    }
    request.src.at = at;
    Ok(false)
}

/// For a file that is what the caller saw: then nothing was changed, and the request names a place that never was.
fn honest(refusal: Refusal) -> Refusal {
    if refusal.code == Code::SourceChanged {
        return Refusal::uncertain(Code::NoElement, refusal.reason);
    }
    refusal
}

/// Tells everybody of a step, and answers who asked for it.
pub(super) fn told(app: &App, done: &Committed) -> Value {
    let files = diff::files(&done.files);
    app.tell(Event::new("edited", json!({ "editId": done.id, "files": files })));
    json!({ "ok": true, "editId": done.id, "files": files })
}

/// What the history calls it.
pub(super) fn title(request: &Request) -> String {
    let path = &request.src.path;
    let what = match &request.operation {
        Operation::Text { text, .. } => format!("Text “{}”", short(text)),
        Operation::Attribute { name, value: Some(_) } => format!("Set {name}"),
        Operation::Attribute { name, value: None } => format!("Remove {name}"),
        Operation::Picture { path, .. } => format!("Picture {path}"),
        Operation::Style { property, value } => match value {
            Some(value) => format!("Style {property}: {}", short(value)),
            None => format!("Remove style {property}"),
        },
        Operation::Class { add, remove } => {
            let added = add.iter().map(|class| format!("+{class}"));
            let removed = remove.iter().map(|class| format!("−{class}"));
            let names: Vec<String> = added.chain(removed).collect();
            format!("Classes {}", short(&names.join(" ")))
        }
        Operation::Insert { what, .. } => match what {
            Inserted::Markup(markup) => format!("Insert {}", short(markup)),
            Inserted::Use(component) => format!("Insert a component of {}", component.path),
        },
        Operation::Move { .. } => "Move".to_owned(),
        Operation::Duplicate => "Duplicate".to_owned(),
        Operation::Delete => "Delete".to_owned(),
        Operation::Detach => "Detach component".to_owned(),
        Operation::Swap { component, .. } => format!("Swap to {component}"),
    };
    format!("{what} in {path}")
}

fn short(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 40 {
        return line;
    }
    let mut cut: String = line.chars().take(39).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: Value) -> Result<(Request, Option<String>), ApiError> {
        understand(body.as_object().cloned().unwrap_or_default())
    }

    #[test]
    fn a_wrong_type_is_named_by_its_key() {
        let src = "src/App.tsx:1:0";
        for (body, key) in [
            (json!({ "src": 5, "kind": "delete" }), "src"),
            (json!({ "src": src, "kind": "text", "text": 5 }), "text"),
            (json!({ "src": src, "kind": "class", "add": ["a", 1] }), "add"),
            (json!({ "src": src, "kind": "delete", "item": -1 }), "item"),
            (json!({ "src": src, "kind": "delete", "sourceHash": [] }), "sourceHash"),
        ] {
            let error = format!("{:?}", read(body).unwrap_err());
            assert!(error.contains(&format!("`{key}`")), "{error}");
        }
    }

    #[test]
    fn a_kind_that_is_unknown_or_incomplete_is_refused() {
        for body in [
            json!({}),
            json!({ "src": "a:1:1" }),
            json!({ "src": "a:1:1", "kind": "paint" }),
            json!({ "src": "a", "kind": "delete" }),
            json!({ "src": "a:1:1", "kind": "attribute", "name": "x" }),
        ] {
            assert!(read(body.clone()).is_err(), "{body}");
        }
        let (request, hash) = read(json!({ "src": "a:1:1", "kind": "delete", "sourceHash": "x" })).unwrap();
        assert_eq!((request.operation, hash.as_deref()), (Operation::Delete, Some("x")));
    }
}
