//! Several comments are resolved at once, or none.

use super::*;

const RESOLVE: &str = "/api/v1/projects/p1/comments/resolve";

impl Review {
    fn ids(&self, count: usize) -> Vec<String> {
        let write = |_| {
            self.written(|call| call.as_user(&self.ann)).1["id"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        (0..count).map(write).collect()
    }

    fn resolve(&self, ids: Value, resolved: bool) -> Answer {
        let body = json!({ "ids": ids, "resolved": resolved });
        self.host.post(RESOLVE).as_user(&self.ben).json(body).send()
    }

    fn states(&self) -> Vec<bool> {
        self.listed()
            .iter()
            .map(|one| one["resolved"].as_bool().unwrap())
            .collect()
    }
}

#[test]
fn several_comments_are_resolved_and_opened_again() {
    let review = review();
    let ids = review.ids(3);
    review.host.published();
    let answer = review.resolve(json!([ids[0], ids[2], ids[0]]), true);
    assert_eq!(answer.status, 200, "{}", answer.text());
    let mut changed: Vec<String> = serde_json::from_value(answer.json()["changed"].clone()).unwrap();
    changed.sort();
    assert_eq!(changed, [ids[0].clone(), ids[2].clone()]);
    assert_eq!(review.states(), [true, false, true]);
    assert_eq!(
        review.listed()[0]["resolvedBy"],
        json!({ "uid": "user:u2", "displayName": "Ben" })
    );
    assert_eq!(review.host.rung(), ["p1"]);
    assert_eq!(review.host.published_to("comments/resolved").len(), 2);

    let answer = review.resolve(json!(ids), true);
    assert_eq!(answer.json(), json!({ "changed": [ids[1]] }));
    assert_eq!(review.resolve(json!(ids), true).json(), json!({ "changed": [] }));
    assert_eq!(
        review.resolve(json!(ids), false).json()["changed"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    assert_eq!(review.states(), [false; 3]);
    assert_eq!(review.listed()[0]["resolvedBy"], Value::Null);
}

#[test]
fn one_that_is_not_there_stops_all() {
    let review = review();
    let ids = review.ids(2);
    refused(
        review.resolve(json!([ids[0], "none", ids[1]]), true),
        404,
        "Comment not found",
    );
    let other = review
        .host
        .post("/api/v1/projects/p2/comments")
        .json(comment())
        .send()
        .json();
    refused(
        review.resolve(json!([ids[0], other["id"]]), true),
        404,
        "Comment not found",
    );
    assert_eq!(review.states(), [false; 2]);
    assert!(review.host.published_to("comments/resolved").is_empty());
}

#[test]
fn at_most_a_hundred_at_once() {
    let review = review();
    let ids = review.ids(101);
    let refusal = "`ids` must name 1 to 100 comments";
    refused(review.resolve(json!([]), true), 400, refusal);
    refused(review.resolve(json!(ids), true), 400, refusal);
    assert_eq!(review.resolve(json!(ids[..100]), true).status, 200);
    for bad in [
        json!({ "ids": ids }),
        json!({ "ids": "x", "resolved": true }),
        json!({ "ids": [1], "resolved": true }),
    ] {
        assert_eq!(review.host.post(RESOLVE).json(bad).send().status, 400);
    }
}
