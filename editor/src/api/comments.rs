//! `/api/project/comments…` and `/api/project/participants`: the comments of the linked project and whom they can mention,
//! with the stored token.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::app::{App, blocking};
use super::body::{Json as Body, Maybe};
use super::error::ApiError;
use super::event::Event;
use super::linked::{Link, is_id};
use super::peer::{self, Ask};

#[derive(Deserialize)]
pub(super) struct Resolved {
    #[serde(default = "yes")]
    resolved: bool,
}

fn yes() -> bool {
    true
}

type Object = Map<String, Value>;

/// Without a body: all comments. With one: a new comment.
pub(super) async fn comments(
    State(app): State<Arc<App>>,
    Maybe(comment): Maybe<Object>,
) -> Result<Json<Value>, ApiError> {
    match comment {
        None => forward(&app, Method::GET, "comments", None).await,
        Some(comment) => forward(&app, Method::POST, "comments", Some(Value::Object(comment))).await,
    }
}

/// Whom a comment can mention.
pub(super) async fn participants(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    forward(&app, Method::GET, "participants", None).await
}

/// A reply to a comment.
pub(super) async fn reply(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(reply): Body<Object>,
) -> Result<Json<Value>, ApiError> {
    let path = format!("comments/{}/replies", checked(&id)?);
    forward(&app, Method::POST, &path, Some(Value::Object(reply))).await
}

/// Resolves a comment, or opens it again.
pub(super) async fn resolve(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Maybe(body): Maybe<Resolved>,
) -> Result<Json<Value>, ApiError> {
    let resolved = body.is_none_or(|body| body.resolved);
    let path = format!("comments/{}", checked(&id)?);
    forward(&app, Method::PATCH, &path, Some(json!({ "resolved": resolved }))).await
}

fn checked(id: &str) -> Result<&str, ApiError> {
    let refuse = || ApiError::bad_request(format!("“{id}” is no comment's id"));
    Some(id).filter(|id| is_id(id)).ok_or_else(refuse)
}

async fn forward(app: &Arc<App>, method: Method, path: &str, body: Option<Value>) -> Result<Json<Value>, ApiError> {
    let asking = Arc::clone(app);
    let (link, token) = blocking(move || {
        let link = Link::require(&asking)?;
        let token = link.token(&asking)?;
        Ok((link, token))
    })
    .await?;
    let writes = method != Method::GET;
    let ask = Ask {
        method,
        base: &link.base_url,
        path: format!("/projects/{}/{path}", link.id),
        token: token.as_deref(),
        body,
    };
    let mut answer = peer::ask(app, ask).await?;
    if writes {
        app.tell(Event::new("comments", json!({})));
    }
    if !answer.is_object() {
        answer = json!({ "answer": answer });
    }
    answer["ok"] = json!(true);
    Ok(Json(answer))
}
