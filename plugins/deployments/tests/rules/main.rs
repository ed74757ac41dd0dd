//! The rules of deployments, each with the test that holds it: the handlers run natively, in the SDK's in-memory host.
#![allow(clippy::unwrap_used, reason = "a failed helper is a failed test")]

mod activating;
mod building;
mod covers;
mod deleting;
mod description;
mod logs;
mod notes;
mod outcome;
mod reading;
mod recovery;
mod summary;
mod uploading;

use galley_sdk::accounts::Account;
use galley_sdk::testing::{Answer, Call, TestHost};
use serde_json::{Value, json};

const DEPLOYMENTS: &str = "/api/v1/projects/p1/deployments";
const INDEX: (&str, &str) = ("index.html", "<!doctype html><h1>Hello</h1>");

/// A host with a project `p1`, an editor and a viewer.
struct Studio {
    host: TestHost,
    ed: Account,
    vic: Account,
}

fn studio() -> Studio {
    let host = TestHost::new(galley_deployments::plugin());
    host.project("p1");
    let (ed, vic) = (host.editor("ed@example.com"), host.account("vic@example.com"));
    Studio { host, ed, vic }
}

impl Studio {
    /// An upload of these files by the editor.
    fn upload(&self, files: &[(&str, &str)]) -> Call<'_> {
        self.host
            .post(DEPLOYMENTS)
            .as_token(&self.ed)
            .header("Content-Type", "application/gzip")
            .archive(files)
    }

    /// Uploads and answers the deployment's id.
    fn deployed(&self, files: &[(&str, &str)]) -> String {
        let answer = self.upload(files).send();
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()["deploymentId"].as_str().unwrap().to_owned()
    }

    fn listed(&self) -> Vec<Value> {
        let answer = self.host.get(DEPLOYMENTS).as_user(&self.vic).send();
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["deployments"].as_array().unwrap().clone()
    }

    fn live(&self) -> Option<String> {
        self.host
            .project("p1")
            .versions()
            .into_iter()
            .find(|version| version.live)
            .map(|version| version.id)
    }
}

#[track_caller]
fn refused(answer: Answer, status: u16, message: &str) {
    assert_eq!((answer.status, answer.json()), (status, json!({ "error": message })));
}
