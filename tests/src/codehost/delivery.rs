//! What the code host tells about events: signed JSON, sent to the server.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use super::WEBHOOK_SECRET;
use crate::http::{Request, Response};
use crate::server::Server;

/// Where deliveries go.
pub const PATH: &str = "/api/v1/webhooks/codehost";

/// One delivery, not sent yet.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// The kind of event.
    pub event: String,
    /// The delivery's id; the same when it is delivered again.
    pub id: String,
    /// The body as it is signed.
    pub body: Vec<u8>,
}

impl Delivery {
    /// A delivery of any event.
    pub fn new(event: &str, id: &str, body: &Value) -> Delivery {
        Delivery {
            event: event.into(),
            id: id.into(),
            body: body.to_string().into_bytes(),
        }
    }

    /// A push to a branch, in the shape of GitHub's.
    pub fn push(id: &str, full_name: &str, branch: &str, commit: &str) -> Delivery {
        Delivery::new("push", id, &push(full_name, &format!("refs/heads/{branch}"), commit))
    }

    /// A push to a branch of the repository with this id, whatever it is called.
    pub fn push_of(id: &str, repository: u64, full_name: &str, branch: &str, commit: &str) -> Delivery {
        let mut body = push(full_name, &format!("refs/heads/{branch}"), commit);
        body["repository"]["id"] = repository.into();
        Delivery::new("push", id, &body)
    }

    /// The signature that belongs to the body.
    pub fn signature(&self) -> String {
        signature(WEBHOOK_SECRET, &self.body)
    }

    /// The request, signed, for tests that change it.
    pub fn request(&self, server: &Server) -> Request {
        server
            .anonymous()
            .request("POST", PATH)
            .header("content-type", "application/json")
            .header("user-agent", "GitHub-Hookshot/044aadd")
            .header("x-github-event", self.event.as_str())
            .header("x-github-delivery", self.id.as_str())
            .header("x-hub-signature-256", self.signature())
            .body(self.body.clone())
    }

    /// Sends it.
    #[track_caller]
    pub fn send(&self, server: &Server) -> Response {
        self.request(server).send()
    }
}

/// The id of a repository of [`World::default`](super::World), and for every other name an id that is nobody else's.
fn repository_id(full_name: &str) -> u64 {
    let world = super::World::default();
    let known = full_name
        .split_once('/')
        .and_then(|(owner, name)| world.repository(owner, name));
    let sum = |text: &str| {
        text.bytes()
            .fold(0_u64, |sum, byte| (sum * 31 + u64::from(byte)) % 1_000_000)
    };
    known.map_or_else(
        || 9_000_000 + sum(&full_name.to_lowercase()),
        |(_, repository)| repository.id,
    )
}

/// The body of a push.
pub fn push(full_name: &str, reference: &str, commit: &str) -> Value {
    let (owner, name) = full_name.split_once('/').expect("owner/name");
    let head = json!({
        "id": commit, "tree_id": "f".repeat(40), "distinct": true, "message": "Move the button",
        "timestamp": "2026-11-21T10:00:00+01:00", "url": format!("https://host.example/{full_name}/commit/{commit}"),
        "author": { "name": "Ana", "email": "ana@example.com" }, "added": [], "removed": [], "modified": ["index.html"],
    });
    json!({
        "ref": reference, "before": "1".repeat(40), "after": commit,
        "repository": {
            "id": repository_id(full_name), "name": name, "full_name": full_name, "private": true,
            "owner": { "name": owner, "login": owner }, "default_branch": "main",
        },
        "pusher": { "name": "octo-ed", "email": "ed@example.com" }, "sender": { "login": "octo-ed", "id": 1002 },
        "installation": { "id": 101 }, "created": false, "deleted": false, "forced": false, "base_ref": null,
        "compare": format!("https://host.example/{full_name}/compare/a...b"), "commits": [head], "head_commit": head,
    })
}

/// `sha256=` and the HMAC of a body.
pub fn signature(secret: &str, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any length will do");
    mac.update(body);
    format!(
        "sha256={}",
        data_encoding::HEXLOWER.encode(&mac.finalize().into_bytes())
    )
}
