//! The rules of comments, each with the test that holds it: the handlers run natively, in the SDK's in-memory host.
#![allow(clippy::unwrap_used, reason = "a failed helper is a failed test")]

mod authorship;
mod changing;
mod description;
mod edited_replies;
mod events;
mod fields;
mod images;
mod mentions;
mod migrating;
mod notifications;
mod participants;
mod reading;
mod replies;
mod resolving;
mod sent_twice;
mod unread;
mod writing;

use galley_sdk::accounts::Account;
use galley_sdk::testing::{Answer, Call, TestHost};
use serde_json::{Value, json};

const COMMENTS: &str = "/api/v1/projects/p1/comments";
const PARTICIPANTS: &str = "/api/v1/projects/p1/participants";

/// A host with a public project `p1` and people around it.
struct Review {
    host: TestHost,
    ann: Account,
    ben: Account,
    root: Account,
}

fn review() -> Review {
    let host = TestHost::new(galley_comments::plugin());
    host.project("p1").access("public-link");
    host.project("p2").access("public-link");
    let (ann, ben) = (host.account("ann@example.com"), host.account("ben@example.com"));
    let root = host.admin("root@example.com");
    Review { host, ann, ben, root }
}

/// A valid comment.
fn comment() -> Value {
    json!({ "body": "Too much space here", "position": { "anchorSelector": "#hero > h1", "page": "/about" } })
}

/// The valid comment with one member changed.
fn with(path: &str, value: impl Into<Value>) -> Value {
    let mut body = comment();
    *body.pointer_mut(path).unwrap_or(&mut Value::Null) = value.into();
    body
}

impl Review {
    /// Posts a comment and answers its path and record.
    fn written(&self, sender: impl FnOnce(Call<'_>) -> Call<'_>) -> (String, Value) {
        let answer = sender(self.host.post(COMMENTS)).json(comment()).send();
        assert_eq!(answer.status, 201, "{}", answer.text());
        self.host.rung();
        let record = answer.json();
        (format!("{COMMENTS}/{}", record["id"].as_str().unwrap()), record)
    }

    fn listed(&self) -> Vec<Value> {
        let answer = self.host.get(COMMENTS).send();
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["comments"].as_array().unwrap().clone()
    }

    /// The directory, as the admin bearer sees it.
    fn directory(&self) -> Vec<Value> {
        let answer = self.host.get(PARTICIPANTS).as_admin().send();
        answer.json()["participants"].as_array().unwrap().clone()
    }
}

#[track_caller]
fn refused(answer: Answer, status: u16, message: &str) {
    assert_eq!((answer.status, answer.json()), (status, json!({ "error": message })));
}
