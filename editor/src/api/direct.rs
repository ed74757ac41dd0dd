//! The API for the command line: the same requests, and the same answers, without a network or from the Editor that runs.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use http::{Method, header};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use serde_json::{Map, Value, json};

use super::app::App;
use super::{client, routes};

/// An answer is in memory anyway; this is far more than any is.
const MAX_ANSWER_BYTES: usize = 256 << 20;

/// An Editor on the same machine that does not answer within this time is none.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// What can be asked by a name, and how it is asked over HTTP. What speaks to a dev server, a page or a review server is not
/// among it.
const NAMES: [(&str, Asks, &str); 18] = [
    ("edit", Asks::Does, "/api/editor/edit"),
    ("inspect", Asks::Reads, "/api/editor/inspect"),
    ("tree", Asks::Reads, "/api/editor/tree"),
    ("undo", Asks::Does, "/api/editor/undo"),
    ("redo", Asks::Does, "/api/editor/redo"),
    ("history", Asks::Reads, "/api/editor/history"),
    ("classes", Asks::Reads, "/api/editor/classes"),
    ("components", Asks::Reads, "/api/editor/components"),
    ("file", Asks::Reads, "/api/editor/file"),
    ("save", Asks::Puts, "/api/editor/file"),
    ("status", Asks::Reads, "/api/git/status"),
    ("diff", Asks::Reads, "/api/git/diff"),
    ("branches", Asks::Reads, "/api/git/branches"),
    ("branch", Asks::Does, "/api/git/branch"),
    ("commit", Asks::Does, "/api/git/commit"),
    ("discard", Asks::Does, "/api/git/discard"),
    ("publish", Asks::Does, "/api/git/publish"),
    ("settings", Asks::Reads, "/api/settings"),
];

/// How a request's keys travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    /// In the address.
    Reads,
    /// In a body.
    Does,
    /// In a body, to replace something.
    Puts,
}

/// Asks the API: of a run that has neither a port nor a dev server, or of the Editor that has the prototype open.
#[derive(Clone)]
pub struct Direct {
    to: To,
}

#[derive(Clone)]
enum To {
    Own(Arc<App>, Router),
    Running(reqwest::Client, String),
}

impl Direct {
    /// For the requests of one command.
    #[must_use]
    pub fn new(app: Arc<App>) -> Self {
        let router = routes::router(Arc::clone(&app));
        let to = To::Own(app, router);
        Self { to }
    }

    /// The Editor that runs at a port, when it is one and has the prototype at `root` open.
    pub async fn running(port: u16, root: &Path) -> Option<Self> {
        let client = client::local(CONNECT_TIMEOUT).ok()?;
        let to = To::Running(client, format!("http://127.0.0.1:{port}"));
        let running = Self { to };
        let asked = running.send(Method::POST, "/api/editor/state", None);
        let state = tokio::time::timeout(CONNECT_TIMEOUT, asked).await.ok()?;
        (state["root"].as_str() == Some(&root.display().to_string())).then_some(running)
    }

    /// The names of what can be asked.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, ..)| *name)
    }

    /// Answers a request: its `request` is a name (`edit` when there is none), the other keys are those of the API. The answer is the
    /// API's, with `status` added, which over HTTP is not part of the body.
    pub async fn ask(&self, mut request: Map<String, Value>) -> Value {
        let name = match request.remove("request") {
            None => "edit".to_owned(),
            Some(Value::String(name)) => name,
            Some(_) => return refused("request", "`request` must be a text: the name of what is asked for"),
        };
        let Some((_, asks, path)) = NAMES.iter().find(|(known, ..)| *known == name) else {
            let names: Vec<&str> = Self::names().collect();
            let reason = format!("`request`: “{name}” is none of {}", names.join(", "));
            return refused("request", &reason);
        };
        let (method, address, body) = match asks {
            Asks::Reads => (Method::POST, with_query(path, &request), None),
            Asks::Does => (Method::POST, (*path).to_owned(), Some(request)),
            Asks::Puts => (Method::PUT, (*path).to_owned(), Some(request)),
        };
        self.send(method, &address, body).await
    }

    async fn send(&self, method: Method, address: &str, body: Option<Map<String, Value>>) -> Value {
        let body = body.map(|body| Value::Object(body).to_string());
        let answer = match &self.to {
            To::Own(app, router) => own(app, router, method, address, body.unwrap_or_default()).await,
            To::Running(client, origin) => over_http(client, origin, method, address, body).await,
        };
        let (status, bytes) = match answer {
            Ok(answer) => answer,
            Err(refusal) => return refusal,
        };
        let mut answer: Value = bytes
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_else(|| failed("The answer cannot be read"));
        answer["status"] = json!(status);
        answer
    }
}

/// A status, and what was answered.
type Answer = Result<(u16, Option<Vec<u8>>), Value>;

async fn own(app: &App, router: &Router, method: Method, address: &str, body: String) -> Answer {
    let request = Request::builder()
        .method(method)
        .uri(address)
        .header(header::ORIGIN, &app.origin)
        .header(header::HOST, &app.host_header)
        .body(Body::from(body));
    let Ok(request) = request else {
        return Err(no_address());
    };
    let answer = TowerToHyperService::new(router.clone()).call(request).await;
    let Ok(answer) = answer;
    let status = answer.status().as_u16();
    let bytes = axum::body::to_bytes(answer.into_body(), MAX_ANSWER_BYTES).await;
    Ok((status, bytes.ok().map(|bytes| bytes.to_vec())))
}

async fn over_http(
    client: &reqwest::Client,
    origin: &str,
    method: Method,
    address: &str,
    body: Option<String>,
) -> Answer {
    let request = client.request(method, format!("{origin}{address}"));
    let request = request.header(header::ORIGIN, origin);
    let request = match body {
        Some(body) => request.body(body),
        None => request,
    };
    let answer = match request.send().await {
        Ok(answer) => answer,
        Err(error) if error.is_builder() => return Err(no_address()),
        Err(error) => {
            let reason = format!("The Editor that has the prototype open does not answer any more: {error}");
            let mut answer = failed(&reason);
            answer["status"] = json!(500);
            return Err(answer);
        }
    };
    let status = answer.status().as_u16();
    let bytes = answer.bytes().await;
    Ok((status, bytes.ok().map(|bytes| bytes.to_vec())))
}

fn failed(reason: &str) -> Value {
    json!({ "ok": false, "code": "internal", "reason": reason })
}

fn no_address() -> Value {
    refused("request", "The keys of the request cannot be written as an address")
}

/// An answer to what is no request.
#[must_use]
pub fn refused(key: &str, reason: &str) -> Value {
    json!({ "ok": false, "code": "bad-request", "reason": reason, "key": key, "status": 400 })
}

fn with_query(path: &str, request: &Map<String, Value>) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    for (key, value) in request {
        match value {
            Value::Null => {}
            Value::String(text) => drop(query.append_pair(key, text)),
            other => drop(query.append_pair(key, &other.to_string())),
        }
    }
    let query = query.finish();
    if query.is_empty() {
        path.to_owned()
    } else {
        format!("{path}?{query}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_a_reading_request_go_into_its_address() {
        let request = json!({ "src": "src/a b.tsx:1:2", "item": 3, "within": null });
        let request = request.as_object().unwrap();
        let found = with_query("/x", request);
        let mut pairs: Vec<&str> = found.trim_start_matches("/x?").split('&').collect();
        pairs.sort_unstable();
        assert_eq!(pairs, ["item=3", "src=src%2Fa+b.tsx%3A1%3A2"]);
        assert_eq!(with_query("/x", &Map::new()), "/x");
    }
}
