//! What lists of projects say of their deployments.

use super::*;

impl Studio {
    fn summary(&self) -> Value {
        let answer = self.host.get("/api/v1/deployments/summary").as_user(&self.vic).send();
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["projects"].clone()
    }
}

#[test]
fn the_live_deployment_is_named_with_number_time_and_person() {
    let studio = studio();
    assert_eq!(studio.summary(), json!({}));
    let first = studio.deployed(&[("index.html", "<title>One</title>"), ("favicon.svg", "<svg/>")]);
    studio.deployed(&[("index.html", "<title>Two</title>")]);
    let activate = studio.host.post(&format!("/api/v1/deployments/{first}/activate"));
    assert_eq!(activate.as_token(&studio.ed).send().status, 200);
    let live = json!({
        "deploymentId": first, "number": 1, "at": "2026-01-01T00:00:00.000Z", "by": "u1", "byName": "Ed",
        "cover": { "title": "One", "colour": null, "icon": "data:image/svg+xml;base64,PHN2Zy8+" },
    });
    let last = json!({ "number": 2, "at": "2026-01-01T00:00:00.000Z", "status": "ready" });
    assert_eq!(
        studio.summary(),
        json!({ "p1": { "live": live, "building": null, "last": last } })
    );
    crate::recovery::insert(&studio, "being-built", "building", "build");
    let seen = studio.summary()["p1"].clone();
    assert_eq!((&seen["live"], &seen["building"]), (&live, &json!("being-built")));
    assert_eq!(
        (&seen["last"]["number"], &seen["last"]["status"]),
        (&json!(3), &json!("building"))
    );
}

#[test]
fn only_readable_projects_are_in_it() {
    let studio = studio();
    studio.deployed(&[INDEX]);
    studio.host.project("p1").access("invited");
    assert_eq!(studio.summary(), json!({}));
    studio.host.project("p1").access("all-members");
    assert!(studio.summary()["p1"].is_object());
    let guest = studio.host.get("/api/v1/deployments/summary").send();
    assert_eq!((guest.status, guest.json()), (200, json!({ "projects": {} })));
    studio.host.project("p1").delete();
    assert_eq!(studio.summary(), json!({}));
}
