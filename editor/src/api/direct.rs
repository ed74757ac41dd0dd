//! The API without a network, for the command line: the same requests, and the same answers.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use http::{Method, header};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use serde_json::{Map, Value, json};

use super::app::App;
use super::routes;

/// An answer is in memory anyway; this is far more than any is.
const MAX_ANSWER_BYTES: usize = 256 << 20;

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

/// Asks the API of a run that has neither a port nor a dev server.
#[derive(Clone)]
pub struct Direct {
    app: Arc<App>,
    router: Router,
}

impl Direct {
    /// For the requests of one command.
    #[must_use]
    pub fn new(app: Arc<App>) -> Self {
        let router = routes::router(Arc::clone(&app));
        Self { app, router }
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
            Asks::Reads => (Method::POST, with_query(path, &request), Body::empty()),
            Asks::Does => (Method::POST, (*path).to_owned(), json_body(request)),
            Asks::Puts => (Method::PUT, (*path).to_owned(), json_body(request)),
        };
        self.send(method, &address, body).await
    }

    async fn send(&self, method: Method, address: &str, body: Body) -> Value {
        let request = Request::builder()
            .method(method)
            .uri(address)
            .header(header::ORIGIN, &self.app.origin)
            .header(header::HOST, &self.app.host_header)
            .body(body);
        let Ok(request) = request else {
            return refused("request", "The keys of the request cannot be written as an address");
        };
        let answer = TowerToHyperService::new(self.router.clone()).call(request).await;
        let Ok(answer) = answer;
        let status = answer.status().as_u16();
        let bytes = axum::body::to_bytes(answer.into_body(), MAX_ANSWER_BYTES).await;
        let mut answer: Value = bytes
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_else(|| json!({ "ok": false, "code": "internal", "reason": "The answer cannot be read" }));
        answer["status"] = json!(status);
        answer
    }
}

/// An answer to what is no request.
#[must_use]
pub fn refused(key: &str, reason: &str) -> Value {
    json!({ "ok": false, "code": "bad-request", "reason": reason, "key": key, "status": 400 })
}

fn json_body(request: Map<String, Value>) -> Body {
    Body::from(Value::Object(request).to_string())
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
