//! Deliveries.

use galley_sdk::testing::Answer;

use super::*;

const SHA: &str = "0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c";

fn push(branch: &str) -> Value {
    json!({
        "ref": format!("refs/heads/{branch}"), "after": SHA, "deleted": false,
        "repository": { "full_name": "acme/SITE" }, "head_commit": { "message": "Move the button" },
    })
}

impl Fixture {
    fn deliver(&self, id: &str, body: &Value) -> Answer {
        let call = self
            .host
            .post("/api/v1/webhooks/codehost")
            .header("x-github-event", "push");
        call.header("x-github-delivery", id).bytes(body.to_string()).send()
    }

    fn connected(&self) -> &Fixture {
        let mut body = wanted("site");
        body["autoDeploy"] = true.into();
        assert_eq!(self.connect(body).status, 200);
        self
    }
}

#[test]
fn a_delivery_is_noted_with_what_it_asks_for() {
    let f = fixture();
    let answer = f.connected().deliver("d1", &push("trunk"));
    assert_eq!((answer.status, answer.json()), (202, json!({ "queued": 1 })));
    let published = f.host.published();
    assert_eq!(published.len(), 1);
    assert_eq!(published[0].topic, "build-requested");
    let data: Value = serde_json::from_str(&published[0].data).unwrap();
    let expected = json!({ "projectId": "p1", "commitSha": SHA, "branch": "trunk", "deliveryId": "d1" });
    assert_eq!(data, expected);
}

#[test]
fn it_is_remembered_for_a_day() {
    let f = fixture();
    f.connected().deliver("d1", &push("trunk"));
    f.host.published();
    f.host.advance(86_400_000 - 1);
    assert_eq!(f.deliver("d1", &push("trunk")).json(), json!({ "queued": 1 }));
    assert!(
        f.host.published().is_empty(),
        "answered as before, and nothing asked for"
    );
    f.host.advance(1);
    assert_eq!(f.deliver("d1", &push("trunk")).json(), json!({ "queued": 1 }));
    assert_eq!(f.host.published().len(), 1, "a day later it is another one");
    f.host.advance(86_400_000);
    f.deliver("d2", &push("trunk"));
    let left = f
        .host
        .run(|| galley_sdk::sql::all::<(String,)>("SELECT id FROM deliveries", galley_sdk::params![]))
        .unwrap();
    assert_eq!(left, [("d2".to_owned(),)], "old ones are forgotten");
}

#[test]
fn a_delivery_that_matched_nothing_is_remembered_too() {
    let f = fixture();
    assert_eq!(f.deliver("d1", &push("trunk")).json(), json!({ "queued": 0 }));
    f.connected();
    assert_eq!(f.deliver("d1", &push("trunk")).json(), json!({ "queued": 0 }));
    assert!(f.host.published().is_empty());
}

#[test]
fn a_project_that_is_gone_is_not_built() {
    let f = fixture();
    f.connected();
    f.host.project("p1").delete();
    assert_eq!(f.deliver("d1", &push("trunk")).json(), json!({ "queued": 0 }));
}
