//! What an account has not read, and the summary of all projects.

use super::*;

const SEEN: &str = "/api/v1/projects/p1/comments/seen";
const SUMMARY: &str = "/api/v1/comments/summary";

impl Review {
    /// Which comments of the list are unread for an account.
    fn unread(&self, account: &Account) -> Vec<bool> {
        let list = self.host.get(COMMENTS).as_user(account).send().json();
        let list = list["comments"].as_array().unwrap();
        list.iter().map(|one| one["unread"].as_bool().unwrap()).collect()
    }

    fn seen(&self, account: &Account, body: Value) {
        let answer = self.host.put(SEEN).as_user(account).json(body).send();
        assert_eq!((answer.status, answer.text().as_str()), (204, ""));
    }

    fn counts(&self, account: &Account) -> Value {
        let answer = self.host.get(SUMMARY).as_user(account).send();
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["projects"].clone()
    }

    fn reply(&self, path: &str, account: &Account) {
        let call = self.host.post(&format!("{path}/replies")).as_user(account);
        assert_eq!(call.json(json!({ "body": "Yes" })).send().status, 201);
    }
}

#[test]
fn comments_of_others_are_unread_until_they_are_seen() {
    let review = review();
    review.written(|call| call.as_user(&review.ann));
    review.written(|call| call.as_user(&review.ben));
    review.written(|call| call);
    assert_eq!(review.unread(&review.ann), [false, true, true]);
    assert_eq!(review.unread(&review.ben), [true, false, true]);
    review.seen(&review.ann, json!({ "number": 2 }));
    assert_eq!(review.unread(&review.ann), [false, false, true]);
    assert_eq!(
        review.unread(&review.ben),
        [true, false, true],
        "each account has its own"
    );
    review.seen(&review.ann, json!({ "number": 3 }));
    review.seen(&review.ann, json!({ "number": 1 }));
    assert_eq!(review.unread(&review.ann), [false; 3], "what was seen stays seen");
}

#[test]
fn what_is_not_written_yet_cannot_be_seen() {
    let review = review();
    review.seen(&review.ann, json!({ "number": 999_999 }));
    review.written(|call| call.as_user(&review.ben));
    assert_eq!(review.unread(&review.ann), [true]);
    review.seen(&review.ann, json!({ "number": 999_999 }));
    review.written(|call| call.as_user(&review.ben));
    assert_eq!(review.unread(&review.ann), [false, true]);
}

#[test]
fn a_reply_makes_its_comment_unread_again() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    review.seen(&review.ben, json!({ "number": 1 }));
    review.host.advance(1_000);
    review.reply(&path, &review.ben);
    assert_eq!(
        (review.unread(&review.ann), review.unread(&review.ben)),
        (vec![true], vec![false])
    );
    // The list was shown before a second reply came, and the request comes after it.
    review.host.advance(1_000);
    review.reply(&path, &review.ben);
    review.seen(&review.ann, json!({ "number": 1, "at": "2026-01-01T00:00:01.000Z" }));
    assert_eq!(review.unread(&review.ann), [true]);
    review.seen(&review.ann, json!({ "number": 1 }));
    assert_eq!(review.unread(&review.ann), [false]);
    review.host.advance(1_000);
    review.reply(&path, &review.ann);
    assert_eq!(
        (review.unread(&review.ann), review.unread(&review.ben)),
        (vec![false], vec![true])
    );
}

#[test]
fn a_time_to_come_hides_nothing() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    review.seen(&review.ann, json!({ "number": 1, "at": "9999-01-01T00:00:00.000Z" }));
    review.host.advance(1_000);
    review.reply(&path, &review.ben);
    assert_eq!(review.unread(&review.ann), [true]);
}

#[test]
fn guests_have_nothing_unread() {
    let review = review();
    review.written(|call| call.as_user(&review.ann));
    assert_eq!(review.listed()[0]["unread"], false);
    let put = || review.host.put(SEEN).json(json!({ "number": 1 }));
    refused(put().send(), 401, "Sign in to keep what you have read");
    let admin = put().as_admin().send();
    refused(
        admin,
        403,
        "The admin token belongs to no account, so nothing is unread for it",
    );
    assert_eq!(put().as_read_token(&review.ann).send().status, 403);
    refused(review.host.get(SUMMARY).send(), 401, "Sign in to see your projects");
}

#[test]
fn what_was_seen_is_a_number_and_a_time() {
    let review = review();
    let put = |body: Value| review.host.put(SEEN).as_user(&review.ann).json(body).send();
    refused(put(json!({})), 400, "`number` is required");
    assert_eq!(put(json!({ "number": -1 })).status, 400);
    assert_eq!(put(json!({ "number": 1.5 })).status, 400);
    assert_eq!(put(json!({ "number": 4_294_967_295_u32 })).status, 204);
    refused(
        put(json!({ "number": 1, "at": "yesterday" })),
        400,
        "`at` must be a time like `2026-01-31T12:00:00.000Z`",
    );
}

#[test]
fn a_change_answers_whether_it_is_unread() {
    let review = review();
    let (path, record) = review.written(|call| call.as_user(&review.ann));
    assert_eq!(record["unread"], false);
    let change = || {
        review
            .host
            .patch(&path)
            .as_user(&review.ben)
            .json(json!({ "resolved": true }))
    };
    assert_eq!(change().send().json()["unread"], true);
    review.seen(&review.ben, json!({ "number": 1 }));
    assert_eq!(change().send().json()["unread"], false);
}

#[test]
fn the_summary_counts_open_and_unread_comments_of_readable_projects() {
    let review = review();
    assert_eq!(review.counts(&review.ann), json!({}));
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    review.written(|call| call.as_user(&review.ben));
    let (resolved, _) = review.written(|call| call);
    review.host.patch(&resolved).json(json!({ "resolved": true })).send();
    review.host.advance(2_000);
    review.reply(&path, &review.ben);
    review.host.post("/api/v1/projects/p2/comments").json(comment()).send();
    let p1 = json!({ "open": 2, "unread": 3, "lastAt": "2026-01-01T00:00:02.000Z" });
    let p2 = json!({ "open": 1, "unread": 1, "lastAt": "2026-01-01T00:00:02.000Z" });
    assert_eq!(review.counts(&review.ann), json!({ "p1": p1, "p2": p2 }));
    review.seen(&review.ann, json!({ "number": 3 }));
    assert_eq!(review.counts(&review.ann)["p1"]["unread"], 0);

    review.host.project("p1").access("invited");
    let counts = review.counts(&review.ann);
    assert_eq!((counts.get("p1"), counts.get("p2").is_some()), (None, true));
    review.host.project("p2").delete();
    assert_eq!(review.counts(&review.ann), json!({}));
}
