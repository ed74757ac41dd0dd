//! `/api/v1/instance/plugins`: what the command `galley plugins` does, for admins of the instance. Each change has its entry in
//! the audit log.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::{StatusCode, header};
use serde::Deserialize;
use serde_json::{Value, json};

use super::App;
use super::body;
use super::caller::Reader;
use super::error::{ApiError, RETRY_AFTER};
use super::json::{JsonBody, Unread};
use super::request::{Asked, Params};
use crate::accounts::Actor;
use crate::identity::{self, Caller, access};
use crate::plugins::artifacts::MAX_ARTIFACT_BYTES;
use crate::plugins::operations::{
    Artifact, EventDeed, Kind, Outcome, Refused, Request as Operation, SecretText, check_announced,
};
use crate::plugins::signature::MAX_SIGNATURE_BYTES;
use crate::storage::slot_data::DataChoice;

/// The list; everything else is below it.
pub const PATH: &str = "/api/v1/instance/plugins";

/// The most bytes of where an artifact came from.
const MAX_SOURCE: usize = 2_000;

/// The routes.
pub fn router() -> Router<Arc<App>> {
    let below = |rest: &str| format!("{PATH}/{rest}");
    Router::new()
        .route(PATH, get(list).post(install))
        .route(&below("artifacts"), post(stage))
        .route(&below("{slot}"), axum::routing::delete(remove))
        .route(&below("{slot}/update"), post(update))
        .route(&below("{slot}/rollback"), post(rollback))
        .route(&below("{slot}/enable"), post(enable))
        .route(&below("{slot}/disable"), post(disable))
        .route(&below("{slot}/history"), get(history))
        .route(&below("{slot}/events"), get(events))
        .route(&below("{slot}/events/{event}"), axum::routing::delete(drop_event))
        .route(&below("{slot}/events/{event}/retry"), post(retry_event))
        .route(&below("{slot}/limits"), get(limits).patch(set_limits))
        .route(&below("{slot}/config"), get(config).patch(set_config))
}

type Answer = Result<Json<Value>, ApiError>;

fn admin(caller: &Caller) -> Result<Actor, ApiError> {
    access::instance_admin(caller)?;
    let anonymous = || ApiError::new(StatusCode::UNAUTHORIZED, "Sign in as an admin of the instance");
    caller.actor().ok_or_else(anonymous)
}

fn may_operate(caller: &Caller) -> Result<(), ApiError> {
    admin(caller).map(drop)
}

/// Runs an operation for an admin.
async fn run(app: &App, caller: &Caller, operation: Operation) -> Answer {
    let actor = admin(caller)?;
    let done = app.operations()?.run(operation, actor).await.map_err(refused)?;
    let Outcome {
        message,
        mut details,
        review,
    } = done;
    details["message"] = message.into();
    if let Some(review) = review {
        details["review"] = json!(review);
    }
    Ok(Json(details))
}

fn refused(refused: Refused) -> ApiError {
    let Refused { kind, message, review } = refused;
    let status = match kind {
        Kind::Failed => return ApiError::internal("an operation on plugins failed", &message),
        Kind::Invalid | Kind::BadFile => StatusCode::BAD_REQUEST,
        Kind::Unknown => StatusCode::NOT_FOUND,
        Kind::Conflict | Kind::NeedsApproval => StatusCode::CONFLICT,
        Kind::Denied => StatusCode::FORBIDDEN,
        Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    };
    let error = match kind {
        Kind::Unavailable => ApiError::new(status, message).with_header(header::RETRY_AFTER, RETRY_AFTER),
        _ => ApiError::new(status, message),
    };
    let error = error.with_field("kind", json!(kind));
    match review {
        Some(review) => error.with_field("review", json!(review)),
        None => error,
    }
}

/// `GET /api/v1/instance/plugins`
async fn list(State(app): State<Arc<App>>, Reader(caller): Reader) -> Answer {
    run(&app, &caller, Operation::List).await
}

#[derive(Deserialize)]
struct Staged {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    sha256: Option<String>,
}

/// `POST /api/v1/instance/plugins/artifacts`: the body is a component, with the hash `sha256` if that is given. Nothing of it
/// runs.
async fn stage(
    State(app): State<Arc<App>>,
    caller: Caller,
    Asked(asked): Asked<Staged>,
    request: Request,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let (parts, body) = request.into_parts();
    if let Err(error) = admin(&caller) {
        body::drain(body).await;
        return Err(error);
    }
    let wasm = body::receive_bytes(&parts.headers, body, MAX_ARTIFACT_BYTES as u64).await?;
    admin(&identity::authenticate_again(&app.core, &app.config, &parts.headers).await?)?;
    let name: String = asked.name.unwrap_or_default().chars().take(MAX_SOURCE).collect();
    let name = if name.is_empty() { "the file".to_owned() } else { name };
    check_announced(&name, asked.sha256.as_deref(), &wasm).map_err(refused)?;
    let sha256 = app.operations()?.stage(&name, wasm).await.map_err(refused)?;
    Ok((StatusCode::CREATED, Json(json!({ "sha256": sha256 }))))
}

/// `POST /api/v1/instance/plugins`: fills the slot that a staged artifact names.
async fn install(State(app): State<Arc<App>>, caller: Caller, body: Unread) -> Answer {
    let (body, caller) = body.json(&caller, may_operate).await?;
    let operation = Operation::Install {
        artifact: artifact(&body)?,
        replaces: body.text("replaces")?,
    };
    run(&app, &caller, operation).await
}

/// `POST /api/v1/instance/plugins/:slot/update`: puts another version of the same plugin there.
async fn update(State(app): State<Arc<App>>, caller: Caller, Params(slot): Params<String>, body: Unread) -> Answer {
    let (body, caller) = body.json(&caller, may_operate).await?;
    let artifact = artifact(&body)?;
    run(&app, &caller, Operation::Update { slot, artifact }).await
}

fn artifact(body: &JsonBody) -> Result<Artifact, ApiError> {
    let sha256 = body.required_text("sha256", 64)?.to_lowercase();
    let source = body.text("source")?;
    if source
        .as_ref()
        .is_some_and(|source| source.chars().count() > MAX_SOURCE)
    {
        return Err(ApiError::bad_request(format!(
            "`source` has more than {MAX_SOURCE} characters"
        )));
    }
    Ok(Artifact {
        sha256,
        source,
        signature: short(body, "signature", MAX_SIGNATURE_BYTES)?,
        publisher: short(body, "publisher", MAX_SIGNATURE_BYTES)?,
        approved: body.flag("approved")?.unwrap_or(false),
        data: data_choice(body)?,
    })
}

/// What happens to the slot's data, where there is a choice.
fn data_choice(body: &JsonBody) -> Result<Option<DataChoice>, ApiError> {
    let adopt = body.flag("adoptData")?.unwrap_or(false);
    let fresh = body.flag("freshData")?.unwrap_or(false);
    match (adopt, fresh) {
        (true, true) => Err(ApiError::bad_request(
            "Either `adoptData` or `freshData`: the plugin cannot do both",
        )),
        (true, false) => Ok(Some(DataChoice::Adopt)),
        (false, true) => Ok(Some(DataChoice::Fresh)),
        (false, false) => Ok(None),
    }
}

/// A text of at most `max` bytes.
fn short(body: &JsonBody, name: &str, max: usize) -> Result<Option<String>, ApiError> {
    let text = body.text(name)?;
    match &text {
        Some(long) if long.len() > max => Err(ApiError::bad_request(format!("`{name}` has more than {max} bytes"))),
        _ => Ok(text),
    }
}

/// `POST /api/v1/instance/plugins/:slot/rollback`
async fn rollback(State(app): State<Arc<App>>, caller: Caller, Params(slot): Params<String>, body: Unread) -> Answer {
    let (body, caller) = body.json(&caller, may_operate).await?;
    let operation = Operation::Rollback {
        slot,
        bundled: body.flag("bundled")?.unwrap_or(false),
        lose_writes: body.flag("loseWrites")?.unwrap_or(false),
    };
    run(&app, &caller, operation).await
}

#[derive(Deserialize)]
struct Purge {
    #[serde(default)]
    purge: Option<String>,
}

/// `DELETE /api/v1/instance/plugins/:slot`
async fn remove(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params(slot): Params<String>,
    Asked(query): Asked<Purge>,
) -> Answer {
    let purge = match query.purge.as_deref() {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return Err(ApiError::bad_request("`purge` must be `true` or `false`")),
    };
    run(&app, &caller, Operation::Remove { slot, purge }).await
}

/// `POST /api/v1/instance/plugins/:slot/enable`
async fn enable(State(app): State<Arc<App>>, caller: Caller, Params(slot): Params<String>) -> Answer {
    run(&app, &caller, Operation::Enable { slot }).await
}

/// `POST /api/v1/instance/plugins/:slot/disable`
async fn disable(State(app): State<Arc<App>>, caller: Caller, Params(slot): Params<String>) -> Answer {
    run(&app, &caller, Operation::Disable { slot }).await
}

/// `GET /api/v1/instance/plugins/:slot/history`
async fn history(State(app): State<Arc<App>>, Reader(caller): Reader, Params(slot): Params<String>) -> Answer {
    run(&app, &caller, Operation::History { slot }).await
}

/// `GET /api/v1/instance/plugins/:slot/events`: those that were set aside.
async fn events(State(app): State<Arc<App>>, Reader(caller): Reader, Params(slot): Params<String>) -> Answer {
    run(&app, &caller, Operation::Events { slot, deed: None }).await
}

/// The number of an event in a path.
fn number(event: &str) -> Result<i64, ApiError> {
    let number = event.parse();
    number.map_err(|_| ApiError::not_found("There is no event with this number"))
}

/// `POST /api/v1/instance/plugins/:slot/events/:event/retry`
async fn retry_event(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params((slot, event)): Params<(String, String)>,
) -> Answer {
    admin(&caller)?;
    let deed = Some(EventDeed::Retry { id: number(&event)? });
    run(&app, &caller, Operation::Events { slot, deed }).await
}

/// `DELETE /api/v1/instance/plugins/:slot/events/:event`
async fn drop_event(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params((slot, event)): Params<(String, String)>,
) -> Answer {
    admin(&caller)?;
    let deed = Some(EventDeed::Drop { id: number(&event)? });
    run(&app, &caller, Operation::Events { slot, deed }).await
}

/// `GET /api/v1/instance/plugins/:slot/limits`
async fn limits(State(app): State<Arc<App>>, Reader(caller): Reader, Params(slot): Params<String>) -> Answer {
    let changes = Vec::new();
    run(&app, &caller, Operation::Limits { slot, changes }).await
}

/// `PATCH /api/v1/instance/plugins/:slot/limits`: `{ "memory": "128MiB" }`
async fn set_limits(State(app): State<Arc<App>>, caller: Caller, Params(slot): Params<String>, body: Unread) -> Answer {
    let (body, caller) = body.json(&caller, may_operate).await?;
    let changes = changes(&body)?;
    run(&app, &caller, Operation::Limits { slot, changes }).await
}

/// `GET /api/v1/instance/plugins/:slot/config`
async fn config(State(app): State<Arc<App>>, Reader(caller): Reader, Params(slot): Params<String>) -> Answer {
    let operation = Operation::Config {
        slot,
        changes: Vec::new(),
        secrets: BTreeMap::new(),
    };
    run(&app, &caller, operation).await
}

/// `PATCH /api/v1/instance/plugins/:slot/config`: `{ "settings": { "key": "value" }, "secrets": { "key": "value" } }`; an empty
/// value takes the key out.
async fn set_config(State(app): State<Arc<App>>, caller: Caller, Params(slot): Params<String>, body: Unread) -> Answer {
    let (body, caller) = body.json(&caller, may_operate).await?;
    let mut secrets = BTreeMap::new();
    if let Some(given) = body.object("secrets")? {
        for name in given.names() {
            let value = given.exact_text(name)?.unwrap_or_default();
            secrets.insert(name.to_owned(), SecretText(value));
        }
    }
    let operation = Operation::Config {
        slot,
        changes: match body.object("settings")? {
            Some(settings) => changes(&settings)?,
            None => Vec::new(),
        },
        secrets,
    };
    run(&app, &caller, operation).await
}

/// `key=value` of every field.
fn changes(body: &JsonBody) -> Result<Vec<String>, ApiError> {
    let change = |name: &str| Ok(format!("{name}={}", body.exact_text(name)?.unwrap_or_default()));
    body.names().map(change).collect()
}
