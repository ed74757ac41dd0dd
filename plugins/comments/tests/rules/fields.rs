//! Numbers, anchors, deployments, and who resolved a comment.

use super::*;

#[test]
fn numbers_count_the_comments_of_a_project_and_never_come_again() {
    let review = review();
    let paths: Vec<_> = (1..=3).map(|_| review.written(|call| call).0).collect();
    let numbers = || -> Vec<Value> { review.listed().iter().map(|one| one["number"].clone()).collect() };
    assert_eq!(numbers(), [1, 2, 3]);
    assert_eq!(review.host.delete(&paths[2]).send().status, 204);
    review.written(|call| call);
    assert_eq!(numbers(), [1, 2, 4]);
    let other = review.host.post("/api/v1/projects/p2/comments").json(comment()).send();
    assert_eq!(other.json()["number"], 1);
}

#[test]
fn an_anchor_is_given_back_as_it_was_sent() {
    let review = review();
    let anchor = json!({ "v": 1, "text": "Größe \" \u{7}", "point": { "x": 0.25, "y": -1e-7 }, "attrs": {}, "n": null, "l": [[]] });
    let mut new = comment();
    new["position"]["anchor"] = anchor.clone();
    let answer = review.host.post(COMMENTS).json(new.clone()).send();
    assert_eq!((answer.status, &answer.json()["position"]["anchor"]), (201, &anchor));
    assert_eq!(review.listed()[0]["position"]["anchor"], anchor);

    new["position"]["anchor"] = Value::Null;
    let answer = review.host.post(COMMENTS).json(new).send();
    assert_eq!((answer.status, answer.json()["position"].get("anchor")), (201, None));
}

#[test]
fn an_anchor_is_an_object_of_at_most_8_kib() {
    let review = review();
    let send = |anchor: Value| {
        let mut new = comment();
        new["position"]["anchor"] = anchor;
        review.host.post(COMMENTS).json(new).send()
    };
    let long = |text: usize| json!({ "t": "x".repeat(text) });
    let around = long(0).to_string().len();
    assert_eq!(send(long(8192 - around)).status, 201);
    refused(
        send(long(8193 - around)),
        400,
        "`position.anchor` must have at most 8192 bytes as JSON",
    );
    for anchor in [json!([]), json!("{}"), json!(1)] {
        refused(send(anchor), 400, "`position.anchor` must be an object");
    }
}

#[test]
fn a_comment_knows_the_deployment_its_author_saw() {
    let review = review();
    let project = review.host.project("p1").access("public-link");
    let deployment = |new: Value| review.host.post(COMMENTS).json(new).send().json()["deploymentId"].clone();
    assert_eq!(deployment(comment()), Value::Null);
    project.version("d1", &[("index.html", "one")]);
    assert_eq!(deployment(comment()), "d1");
    let mut new = comment();
    new["deploymentId"] = json!("d0");
    assert_eq!(deployment(new.clone()), "d0", "it may have been deleted since");
    for bad in ["", "a/b", &"x".repeat(65)] {
        new["deploymentId"] = json!(bad);
        let answer = review.host.post(COMMENTS).json(new.clone()).send();
        refused(answer, 400, "`deploymentId` must be the id of a deployment");
    }
}

#[test]
fn a_comment_says_who_resolved_it_and_when() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    let change = |by: &dyn Fn(Call<'_>) -> Value, body: Value| {
        review.host.advance(1_000);
        let _ = &body;
        by(review.host.patch(&path).json(body))
    };
    let by_ben = |call: Call<'_>| call.as_user(&review.ben).send().json();
    let by_ann = |call: Call<'_>| call.as_user(&review.ann).send().json();
    let resolved = change(&by_ben, json!({ "resolved": true }));
    assert_eq!(
        resolved["resolvedBy"],
        json!({ "uid": "user:u2", "displayName": "Ben" })
    );
    assert_eq!(resolved["resolvedAt"], "2026-01-01T00:00:01.000Z");
    assert_eq!(resolved["editedAt"], Value::Null);

    let again = change(&by_ann, json!({ "resolved": true }));
    assert_eq!(again["resolvedBy"], resolved["resolvedBy"]);
    assert_eq!(again["resolvedAt"], resolved["resolvedAt"]);
    let edited = change(&by_ann, json!({ "body": "Other words" }));
    assert_eq!(edited["resolvedBy"], resolved["resolvedBy"]);
    assert_eq!(edited["editedAt"], "2026-01-01T00:00:03.000Z");
    let same = change(&by_ann, json!({ "body": "Other words" }));
    assert_eq!(same["editedAt"], edited["editedAt"], "the words are the same");

    let open = change(&by_ann, json!({ "resolved": false }));
    assert_eq!((&open["resolvedBy"], &open["resolvedAt"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_visitor_and_the_admin_bearer_resolve_with_a_name() {
    let review = review();
    let (path, _) = review.written(|call| call);
    let by = |answer: Answer| answer.json()["resolvedBy"]["displayName"].clone();
    let eve = json!({ "resolved": true, "author": { "uid": "viewer:eve", "displayName": "Eve" } });
    let answer = review.host.patch(&path).json(eve).send();
    assert_eq!(
        answer.json()["resolvedBy"],
        json!({ "uid": "viewer:eve", "displayName": "Eve" })
    );
    review.host.patch(&path).json(json!({ "resolved": false })).send();
    assert_eq!(
        by(review
            .host
            .patch(&path)
            .as_admin()
            .json(json!({ "resolved": true }))
            .send()),
        "An admin"
    );
    review.host.patch(&path).json(json!({ "resolved": false })).send();
    assert_eq!(
        by(review.host.patch(&path).json(json!({ "resolved": true })).send()),
        "Guest"
    );
    let liar = json!({ "resolved": true, "author": { "uid": "user:u1" } });
    assert_eq!(review.host.patch(&path).json(liar).send().status, 400);
}

#[test]
fn every_writer_pins_a_comment_again() {
    let review = review();
    review
        .host
        .project("p1")
        .access("public-link")
        .version("d1", &[("index.html", "one")]);
    let (path, before) = review.written(|call| call.as_user(&review.ann));
    let position = json!({ "anchorSelector": "#buy", "page": "/shop", "anchor": { "v": 1 } });
    let pin = |change: Value| review.host.patch(&path).as_user(&review.ben).json(change).send();
    review.host.advance(1_000);
    let answer = pin(json!({ "position": position, "deploymentId": "d7" }));
    let mut after = before;
    after["position"] = position;
    after["deploymentId"] = json!("d7");
    after["unread"] = json!(true);
    after["updatedAt"] = json!("2026-01-01T00:00:01.000Z");
    assert_eq!((answer.status, answer.json()), (200, after));
    assert_eq!(review.host.rung(), ["p1"]);

    let plain = json!({ "anchorSelector": "h1", "page": "/" });
    let answer = pin(json!({ "position": plain, "resolved": true })).json();
    assert_eq!((&answer["position"], &answer["resolved"]), (&plain, &json!(true)));
    assert_eq!(answer["deploymentId"], "d1", "what is live");
    refused(
        pin(json!({ "position": { "page": "/" } })),
        400,
        "`position.anchorSelector` is required",
    );
    refused(
        pin(json!({ "position": plain, "deploymentId": "a/b" })),
        400,
        "`deploymentId` must be the id of a deployment",
    );
    refused(
        pin(json!({ "position": plain, "body": "Mine" })),
        404,
        "Comment not found",
    );
    assert_eq!(pin(json!({ "deploymentId": "d1" })).status, 400);
}
