//! The rules of the administration, each with the test that holds it: the handlers run natively, in the SDK's in-memory
//! host.
#![allow(clippy::unwrap_used, reason = "a failed helper is a failed test")]

mod audit;
mod authority;
mod description;
mod domain_rules;
mod invites;
mod mail;
mod members;
mod settings;

use galley_sdk::accounts::Account;
use galley_sdk::testing::{Answer, TestHost};
use serde_json::{Value, json};

const MEMBERS: &str = "/api/v1/instance/members";
const INVITES: &str = "/api/v1/instance/invites";
const RULES: &str = "/api/v1/instance/domain-rules";
const SETTINGS: &str = "/api/v1/instance/settings";
const EMAIL: &str = "/api/v1/instance/email";
const AUDIT: &str = "/api/v1/instance/audit";

/// A host with an admin, an editor and a viewer.
struct Office {
    host: TestHost,
    root: Account,
    ed: Account,
    vic: Account,
}

fn office() -> Office {
    let host = TestHost::new(galley_admin::plugin());
    let root = host.admin("root@example.com");
    let (ed, vic) = (host.editor("ed@example.com"), host.account("vic@example.com"));
    Office { host, root, ed, vic }
}

impl Office {
    fn get(&self, path: &str) -> Answer {
        self.host.get(path).as_user(&self.root).send()
    }

    fn post(&self, path: &str, body: Value) -> Answer {
        self.host.post(path).as_user(&self.root).json(body).send()
    }

    fn put(&self, path: &str, body: Value) -> Answer {
        self.host.put(path).as_user(&self.root).json(body).send()
    }

    fn patch(&self, path: &str, body: Value) -> Answer {
        self.host.patch(path).as_user(&self.root).json(body).send()
    }

    fn delete(&self, path: &str) -> Answer {
        self.host.delete(path).as_user(&self.root).send()
    }
}

fn member(account: &Account) -> String {
    format!("{MEMBERS}/{}", account.id)
}

#[track_caller]
fn refused(answer: Answer, status: u16, message: &str) {
    assert_eq!((answer.status, answer.json()), (status, json!({ "error": message })));
}
