//! Deliveries.

use galley_sdk::testing::Answer;

use super::*;

const SHA: &str = "0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c";

fn push(branch: &str) -> Value {
    json!({
        "ref": format!("refs/heads/{branch}"), "after": SHA, "deleted": false,
        "repository": { "id": 70, "full_name": "Acme/Site" }, "head_commit": { "message": "Move the button" },
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
    assert_eq!((answer.status, answer.json()), (200, json!({ "queued": 1 })));
    let published = f.host.published();
    assert_eq!(published.len(), 1);
    assert_eq!(published[0].topic, "repo/build-requested");
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

#[test]
fn the_log_of_deliveries_keeps_thirty_days_and_goes_with_the_project() {
    let f = fixture();
    f.connected().deliver("d1", &push("trunk"));
    f.deliver("d2", &push("other"));
    let listed = || {
        let answer = f.host.get("/api/v1/projects/p1/deliveries").as_user(&f.ann).send();
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["deliveries"].as_array().unwrap().clone()
    };
    let told = json!({ "projectId": "p1", "deliveryId": "d1", "deploymentId": "b1" });
    f.host.deliver("deployments/push-handled", told).unwrap();
    let told = json!({ "projectId": "p1", "deliveryId": "d1", "ignored": "Not any more" });
    f.host.deliver("deployments/push-handled", told).unwrap();
    let all = listed();
    assert_eq!(
        (all.len(), &all[0]["id"], &all[1]["id"]),
        (2, &json!("d2"), &json!("d1"))
    );
    assert_eq!(
        (&all[1]["outcome"], &all[1]["reason"], &all[1]["deploymentIds"]),
        (&json!("ignored"), &json!("Not any more"), &json!(["b1"]))
    );
    f.host.advance(30 * 86_400_000);
    assert!(listed().is_empty());
    f.deliver("d3", &push("trunk"));
    assert_eq!(listed().len(), 1);
    f.host.deliver("project-deleted", json!({ "projectId": "p1" })).unwrap();
    assert!(listed().is_empty());
}

#[test]
fn a_push_of_another_repository_with_the_connected_name_is_a_strangers() {
    let f = fixture();
    f.connected();
    let mut stranger = push("trunk");
    stranger["repository"]["id"] = 99.into();
    assert_eq!(f.deliver("d1", &stranger).json(), json!({ "queued": 0 }));
    let mut renamed = push("trunk");
    renamed["repository"]["full_name"] = "Acme/Front".into();
    assert_eq!(f.deliver("d2", &renamed).json(), json!({ "queued": 1 }));
    assert_eq!(f.host.attachment("p1").unwrap()["name"], "Front");
}
