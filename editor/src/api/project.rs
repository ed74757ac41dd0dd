//! `/api/project`: linking the prototype to a project of a review server.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};

use super::app::{App, blocking};
use super::body::Json as Body;
use super::code::Code;
use super::error::ApiError;
use super::linked::{Link, is_id};
use super::peer::{self, Ask};
use super::settings::refused;
use crate::config::settings;
use crate::home::tokens;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Wanted {
    base_url: String,
    slug: Option<String>,
    repo_url: Option<String>,
    token: Option<String>,
}

#[derive(Deserialize, Default)]
pub(super) struct Parting {
    /// Whether the server's token goes too; other prototypes may use it.
    #[serde(default)]
    forget: bool,
}

/// `/api/project`
pub(super) async fn show(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    blocking(move || Ok(Json(shown(&app)))).await
}

fn shown(app: &App) -> Value {
    let Some(link) = Link::read(app) else {
        return json!({ "ok": true, "linked": null, "signedIn": false });
    };
    let signed_in = link.token(app).is_ok_and(|token| token.is_some());
    let name = link.name.as_ref().or(link.slug.as_ref()).unwrap_or(&link.id);
    json!({
        "ok": true,
        "linked": {
            "id": link.id,
            "slug": link.slug,
            "name": name,
            "viewerUrl": link.viewer_url,
            "baseUrl": link.base_url,
        },
        "signedIn": signed_in,
    })
}

/// Asks the review server which project this is, and writes its answer into `.tool/config.json`.
pub(super) async fn link(State(app): State<Arc<App>>, Body(wanted): Body<Wanted>) -> Result<Json<Value>, ApiError> {
    let base = peer::base_url(&wanted.base_url)?;
    let given = wanted.token.as_deref().map(str::trim).filter(|token| !token.is_empty());
    if given.is_some_and(|token| !tokens::is_token(token)) {
        return Err(
            ApiError::bad_request("`token` must begin with tok_: make one in the review server").with("key", "token"),
        );
    }
    let token = match given {
        Some(token) => Some(token.to_owned()),
        None => tokens::all(&app.parts.home)?.remove(&base),
    };
    let server = Server {
        app: &app,
        base: &base,
        token: token.as_deref(),
    };
    let project = server.resolve(&wanted).await?;
    let identity = Identity::read(&project)?;
    let (app, given) = (Arc::clone(&app), given.map(str::to_owned));
    blocking(move || {
        let writer = app.parts.workspace.writer();
        if given.is_some() {
            tokens::keep(&app.parts.home, &base, given.as_deref())?;
        }
        identity.write(&app, &base)?;
        drop(writer);
        app.linked.notify_waiters();
        Ok(Json(shown(&app)))
    })
    .await
}

/// Forgets which project this is.
pub(super) async fn unlink(
    State(app): State<Arc<App>>,
    body: super::body::Maybe<Parting>,
) -> Result<Json<Value>, ApiError> {
    let Parting { forget } = body.0.unwrap_or_default();
    blocking(move || {
        let _one_at_a_time = app.parts.workspace.writer();
        if let Some(link) = Link::read(&app).filter(|_| forget) {
            tokens::keep(&app.parts.home, &link.base_url, None)?;
        }
        // Version 1 of the file needs a slug.
        let keys = ["project", "projectId", "projectSlug", "platformBaseUrl"].map(|key| (key, None));
        let version = [("version", Some(json!(2)))];
        write(&app, &[version.as_slice(), keys.as_slice()].concat())?;
        app.linked.notify_waiters();
        Ok(Json(json!({ "ok": true })))
    })
    .await
}

/// A review server, asked on somebody's behalf.
struct Server<'a> {
    app: &'a App,
    base: &'a str,
    token: Option<&'a str>,
}

impl Server<'_> {
    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Result<Value, ApiError> {
        let ask = Ask {
            method,
            base: self.base,
            path: path.to_owned(),
            token: self.token,
            body,
        };
        peer::ask(self.app, ask).await
    }

    /// The project this prototype belongs to, by its name or its repository.
    async fn resolve(&self, wanted: &Wanted) -> Result<Value, ApiError> {
        let text = |value: &Option<String>| {
            value
                .as_deref()
                .map(str::trim)
                .filter(|text| !text.is_empty())
                .map(str::to_owned)
        };
        let question = match (text(&wanted.slug), text(&wanted.repo_url)) {
            (Some(slug), None) => json!({ "embeddedId": self.by_slug(&slug).await? }),
            (None, Some(remote)) => json!({ "remoteUrl": remote, "name": self.app.parts.prototype.name() }),
            _ => {
                return Err(ApiError::bad_request(
                    "Either `slug` or `repoUrl` says which project it is",
                ));
            }
        };
        let decision = self.ask(Method::POST, "/projects/resolve", Some(question)).await?;
        let word = |key: &str| decision.get(key).and_then(Value::as_str).unwrap_or_default();
        match word("decision") {
            "adopt" => self.whole(decision["project"].clone()).await,
            "mint" => {
                let reason = format!(
                    "The review server at {} has no project for this repository: make one there, for instance “{}”, then link it",
                    self.base,
                    word("suggestedSlug")
                );
                Err(ApiError::not_found(reason).with("suggestedSlug", word("suggestedSlug")))
            }
            "conflict" => Err(ApiError::new(Code::Conflict, word("reason")).with("conflictWith", word("conflictWith"))),
            _ => Err(ApiError::new(
                Code::ReviewServer,
                format!(
                    "The review server at {} gave an answer that is not understood",
                    self.base
                ),
            )),
        }
    }

    /// There is no looking up by name: the list of what the caller may read has it.
    async fn by_slug(&self, slug: &str) -> Result<String, ApiError> {
        let listed = self.ask(Method::GET, "/projects", None).await?;
        let projects = listed["projects"].as_array().cloned().unwrap_or_default();
        let found = projects.iter().find(|project| project["slug"] == slug);
        let id = found.and_then(|project| project["id"].as_str()).map(str::to_owned);
        id.ok_or_else(|| {
            let how = match self.token {
                Some(_) => "that the token may read",
                None => "that everyone may read: give a token of somebody who may",
            };
            ApiError::not_found(format!(
                "The review server at {} has no project “{slug}” {how}",
                self.base
            ))
        })
    }

    /// Whom a project is not open to learns its id alone.
    async fn whole(&self, project: Value) -> Result<Value, ApiError> {
        if project["slug"].is_string() {
            return Ok(project);
        }
        let id = project["id"]
            .as_str()
            .filter(|id| is_id(id))
            .unwrap_or_default()
            .to_owned();
        match self.ask(Method::GET, &format!("/projects/{id}"), None).await {
            Ok(project) if project["slug"].is_string() => Ok(project),
            _ => Err(ApiError::new(
                Code::NoAccess,
                "The project is there, but not open to you: give a token of somebody who may read it",
            )),
        }
    }
}

/// What is written about the project.
struct Identity {
    id: String,
    slug: String,
    name: String,
    viewer_url: Option<String>,
}

impl Identity {
    fn read(project: &Value) -> Result<Self, ApiError> {
        let text = |key: &str| project[key].as_str().map(str::to_owned);
        let read = || {
            let slug = text("slug")?;
            Some(Self {
                id: text("id").filter(|id| is_id(id))?,
                name: text("name")
                    .filter(|name| !name.trim().is_empty())
                    .unwrap_or_else(|| slug.clone()),
                slug,
                viewer_url: text("viewerUrl"),
            })
        };
        let reason = "The review server described the project in a way that is not understood";
        read().ok_or_else(|| ApiError::new(Code::ReviewServer, reason))
    }

    fn write(self, app: &App, base: &str) -> Result<(), ApiError> {
        let mut project = json!({ "id": self.id, "name": self.name, "slug": self.slug });
        if let Some(viewer) = self.viewer_url {
            project["viewerUrl"] = json!(viewer);
        }
        let keys = [
            ("project", Some(project)),
            ("projectSlug", Some(json!(self.slug))),
            ("projectId", Some(json!(self.id))),
            ("platformBaseUrl", Some(json!(base))),
        ];
        write(app, &keys)
    }
}

fn write(app: &App, keys: &[(&str, Option<Value>)]) -> Result<(), ApiError> {
    settings::save(&app.parts.prototype, keys).map_err(|error| refused(&error))
}
