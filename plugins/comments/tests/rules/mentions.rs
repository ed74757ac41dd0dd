//! Mentions.

use super::*;

impl Review {
    fn mentioning(&self, ids: Value) -> Answer {
        let mut body = comment();
        body["mentions"] = ids;
        self.host.post(COMMENTS).json(body).send()
    }
}

#[test]
fn participants_can_be_mentioned_in_the_order_given() {
    let review = review();
    review.written(|call| call.as_user(&review.ann));
    review.written(|call| call.as_user(&review.ben));
    let answer = review.mentioning(json!(["user:u2", "user:u1"]));
    assert_eq!(answer.json()["mentions"], json!(["user:u2", "user:u1"]));
    assert_eq!(review.listed()[2]["mentions"], json!(["user:u2", "user:u1"]));
}

#[test]
fn ids_that_are_no_participants_are_dropped_silently() {
    let review = review();
    review.written(|call| call.as_user(&review.ann));
    let answer = review.mentioning(json!(["user:u2", "ann@example.com", "user:u1", "", "1"]));
    assert_eq!((answer.status, &answer.json()["mentions"]), (201, &json!(["user:u1"])));
}

#[test]
fn participants_of_another_project_are_dropped() {
    let review = review();
    let answer = review
        .host
        .post("/api/v1/projects/p2/comments")
        .as_user(&review.ann)
        .json(comment())
        .send();
    assert_eq!(answer.status, 201);
    assert_eq!(review.mentioning(json!(["user:u1"])).json()["mentions"], json!([]));
}

#[test]
fn each_is_mentioned_once() {
    let review = review();
    review.written(|call| call.as_user(&review.ann));
    let answer = review.mentioning(json!(["user:u1", "user:u1"]));
    assert_eq!(answer.json()["mentions"], json!(["user:u1"]));
}

#[test]
fn at_most_100_participants_can_be_mentioned() {
    let review = review();
    let invite = |at: usize| {
        let body = json!({ "email": format!("p{at}@example.com") });
        review.host.post(PARTICIPANTS).as_admin().json(body).send().json()["id"].clone()
    };
    let mut ids: Vec<_> = (0..100).map(invite).collect();
    ids.extend((0..200).map(|at| json!(format!("unknown{at}"))));
    let answer = review.mentioning(json!(ids));
    assert_eq!(
        (answer.status, answer.json()["mentions"].as_array().unwrap().len()),
        (201, 100)
    );
    ids.push(invite(100));
    refused(
        review.mentioning(json!(ids)),
        400,
        "`mentions` must name at most 100 participants",
    );
}

#[test]
fn replies_mention_too() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    let body = json!({ "body": "Yes", "mentions": ["user:u1", "user:none"] });
    let answer = review.host.post(&format!("{path}/replies")).json(body).send();
    assert_eq!(answer.json()["mentions"], json!(["user:u1"]));
}
