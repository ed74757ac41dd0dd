//! The list and the bell.

use super::*;

#[test]
fn the_list_is_empty_at_first() {
    assert_eq!(review().host.get(COMMENTS).send().json(), json!({ "comments": [] }));
}

#[test]
fn the_list_is_oldest_first_also_within_a_millisecond() {
    let review = review();
    let ids: Vec<_> = (0..30).map(|_| review.written(|call| call).1["id"].clone()).collect();
    assert_eq!(
        review
            .listed()
            .iter()
            .map(|comment| comment["id"].clone())
            .collect::<Vec<_>>(),
        ids
    );
}

#[test]
fn a_record_has_exactly_the_specified_members() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    review.host.advance(1_000);
    review
        .host
        .post(&format!("{path}/replies"))
        .as_user(&review.ben)
        .json(json!({ "body": "Yes" }))
        .send();
    assert_eq!(
        review.listed(),
        [json!({
            "id": "id000000000000000001",
            "projectId": "p1",
            "number": 1,
            "body": "Too much space here",
            "position": { "anchorSelector": "#hero > h1", "page": "/about" },
            "deploymentId": null,
            "author": { "uid": "user:u1", "displayName": "Ann" },
            "mentions": [],
            "images": [],
            "resolved": false,
            "resolvedBy": null,
            "resolvedAt": null,
            "unread": false,
            "replies": [{
                "id": "id000000000000000002",
                "body": "Yes",
                "author": { "uid": "user:u2", "displayName": "Ben" },
                "mentions": [],
                "editedAt": null,
                "createdAt": "2026-01-01T00:00:01.000Z",
                "updatedAt": "2026-01-01T00:00:01.000Z",
            }],
            "editedAt": null,
            "createdAt": "2026-01-01T00:00:00.000Z",
            "updatedAt": "2026-01-01T00:00:00.000Z",
        })]
    );
}

#[test]
fn replies_stand_under_their_comments_in_order() {
    let review = review();
    let paths: Vec<_> = (0..4).map(|_| review.written(|call| call).0).collect();
    for (at, text) in [(2, "c"), (0, "a1"), (2, "c2"), (0, "a2")] {
        let answer = review
            .host
            .post(&format!("{}/replies", paths[at]))
            .json(json!({ "body": text }))
            .send();
        assert_eq!(answer.status, 201);
    }
    let bodies = |comment: &Value| {
        let replies = comment["replies"].as_array().unwrap();
        replies
            .iter()
            .map(|reply| reply["body"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let found: Vec<_> = review.listed().iter().map(bodies).collect();
    assert_eq!(found, [vec!["a1", "a2"], vec![], vec!["c", "c2"], vec![]]);
}

/// Writes comments straight into the database: `count` of them, each with a body of `length` characters.
fn many(review: &Review, count: u32, length: usize) {
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
               INSERT INTO comments (id, project_id, number, body, anchor_selector, page, author_uid, author_name, mentions,
               created_at, updated_at)
               SELECT 'c' || i, 'p1', i, ?2, 'h1', '/', 'viewer:a', 'A', '[]', '', '' FROM n";
    let body = "x".repeat(length);
    let last = "INSERT INTO numbers (project_id, last) VALUES ('p1', ?1)";
    let written = review.host.run(|| {
        galley_sdk::sql::execute(last, galley_sdk::prelude::params![count])?;
        galley_sdk::sql::execute(sql, galley_sdk::prelude::params![count, &body])
    });
    assert_eq!(written.unwrap(), u64::from(count));
}

/// Reads the list page by page: how many comments each page had.
fn pages(review: &Review) -> Vec<usize> {
    let (mut sizes, mut path, mut seen) = (Vec::new(), COMMENTS.to_owned(), std::collections::BTreeSet::new());
    loop {
        let page = review.host.get(&path).send().json();
        let comments = page["comments"].as_array().unwrap();
        sizes.push(comments.len());
        for comment in comments {
            assert!(seen.insert(comment["id"].as_str().unwrap().to_owned()), "shown twice");
        }
        match page.get("next") {
            Some(next) => path = format!("{COMMENTS}?after={}", next.as_str().unwrap()),
            None => return sizes,
        }
    }
}

#[test]
fn a_list_too_long_for_one_answer_comes_in_pages() {
    let review = review();
    many(&review, 10_000, 5);
    assert_eq!(pages(&review), [10_000]);
    review.written(|call| call);
    assert_eq!(pages(&review), [10_000, 1]);
}

#[test]
fn long_texts_make_shorter_pages() {
    let review = review();
    many(&review, 1_000, 9_000);
    let pages = pages(&review);
    assert_eq!(pages.iter().sum::<usize>(), 1_000);
    assert!(pages.len() > 2, "{pages:?}");
}

#[test]
fn a_page_is_filled_with_what_fits() {
    let review = review();
    many(&review, 2_500, 2_000);
    // 3 MiB of rows of about 2,140 bytes.
    let pages = pages(&review);
    assert!(pages.len() == 2 && pages[0] > 1_420, "{pages:?}");
}

#[test]
fn replies_count_and_nothing_is_left_out() {
    let review = review();
    many(&review, 40, 100);
    // The third comment alone is heavier than an answer; those around it are light.
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
               INSERT INTO replies (id, project_id, comment_seq, body, author_uid, author_name, mentions, created_at)
               SELECT seq || '-' || i, 'p1', seq, ?3, 'viewer:a', 'A', '[]', '' FROM n CROSS JOIN comments WHERE seq = ?1";
    let body = "x".repeat(9_000);
    let count = "UPDATE comments SET replies = ?2 WHERE seq = ?1";
    for (comment, replies) in [(3, 400), (10, 200), (11, 200)] {
        review.host.run(|| {
            galley_sdk::sql::execute(sql, galley_sdk::prelude::params![comment, replies, &body]).unwrap();
            galley_sdk::sql::execute(count, galley_sdk::prelude::params![comment, replies]).unwrap();
        });
    }
    assert_eq!(pages(&review), [2, 1, 7, 30]);
}

#[test]
fn a_page_begins_behind_a_comment_of_the_project() {
    let answer = review().host.get(&format!("{COMMENTS}?after=none")).send();
    let said = "`after` must be the `next` of a list, or the id of a comment of this project";
    refused(answer, 400, said);
}

#[test]
fn a_list_goes_on_behind_a_comment_that_was_deleted_meanwhile() {
    let review = review();
    many(&review, 10_001, 5);
    let first = review.host.get(COMMENTS).send().json();
    let last = first["comments"][9_999]["id"].as_str().unwrap();
    let gone = review.host.delete(&format!("{COMMENTS}/{last}")).as_admin().send();
    assert_eq!(gone.status, 204);
    let next = first["next"].as_str().unwrap();
    let rest = review.host.get(&format!("{COMMENTS}?after={next}")).send().json();
    assert_eq!(rest["comments"].as_array().unwrap().len(), 1, "{rest}");
}

#[test]
fn projects_do_not_see_each_others_comments() {
    let review = review();
    review.written(|call| call);
    assert_eq!(
        review.host.get("/api/v1/projects/p2/comments").send().json(),
        json!({ "comments": [] })
    );
}

#[test]
fn a_project_that_may_not_be_read_is_a_404() {
    let review = review();
    review.host.project("p1").access("invited");
    let hidden = review.host.get(COMMENTS).as_user(&review.ann).send();
    let missing = review
        .host
        .get("/api/v1/projects/none/comments")
        .as_user(&review.ann)
        .send();
    assert_eq!((hidden.status, hidden.body), (404, missing.body));
}

#[test]
fn any_text_survives() {
    let review = review();
    let text = "quotes \" and \\ and \u{7} and\nlines\tand \u{1F600} \u{2028} \u{0} end";
    let answer = review.host.post(COMMENTS).json(with("/body", text)).send();
    assert_eq!(answer.status, 201);
    assert_eq!(review.listed()[0]["body"], text);
}

#[test]
fn the_stream_says_hello_rings_and_pings() {
    let review = review();
    let answer = review.host.get("/api/v1/projects/p1/comments/stream").send();
    let bell = answer.bell().unwrap();
    assert_eq!(bell.topic, "p1");
    assert_eq!(
        (bell.hello.as_str(), bell.ring.as_str()),
        (r#"{"type":"connected"}"#, r#"{"type":"changed"}"#)
    );
    assert_eq!(bell.ping_ms, 25_000);
}

#[test]
fn one_client_may_hold_twenty_streams() {
    let manifest: Value = serde_json::from_slice(&galley_comments::plugin().describe()).unwrap();
    let routes = manifest["routes"].as_array().unwrap();
    let stream = routes
        .iter()
        .find(|route| route["path"].as_str().unwrap().ends_with("/stream"))
        .unwrap();
    assert_eq!(
        stream["stream"],
        json!({ "maxPerClient": 20, "retryAfter": 5, "message": "Too many open connections from this client" })
    );
}

#[test]
fn the_bell_rings_after_every_change() {
    let review = review();
    assert_eq!(review.host.post(COMMENTS).json(comment()).send().status, 201);
    assert_eq!(review.host.rung(), ["p1"]);
    let (path, _) = review.written(|call| call);
    review
        .host
        .post(&format!("{path}/replies"))
        .json(json!({ "body": "Yes" }))
        .send();
    assert_eq!(review.host.rung(), ["p1"]);
    review.host.patch(&path).json(json!({ "resolved": true })).send();
    assert_eq!(review.host.rung(), ["p1"]);
    review.host.delete(&path).send();
    assert_eq!(review.host.rung(), ["p1"]);
}

#[test]
fn the_bell_does_not_ring_for_a_refusal() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    review.host.post(COMMENTS).json(json!({})).send();
    review.host.patch(&path).json(json!({ "body": "mine now" })).send();
    review
        .host
        .patch(&format!("{path}x"))
        .json(json!({ "resolved": true }))
        .send();
    review.host.delete(&path).send();
    review
        .host
        .post(&format!("{path}x/replies"))
        .json(json!({ "body": "Yes" }))
        .send();
    assert!(review.host.rung().is_empty());
}

#[test]
fn everything_goes_with_the_project() {
    let review = review();
    let (path, _) = review.written(|call| call.as_user(&review.ann));
    review
        .host
        .post(&format!("{path}/replies"))
        .as_user(&review.ben)
        .json(json!({ "body": "Yes" }))
        .send();
    for _ in 0..2 {
        review
            .host
            .deliver("project-deleted", json!({ "projectId": "p1" }))
            .unwrap();
        assert!(review.listed().is_empty());
        assert!(review.directory().is_empty());
    }
}

#[test]
fn the_comments_of_other_projects_stay() {
    let review = review();
    review.written(|call| call);
    review
        .host
        .deliver("project-deleted", json!({ "projectId": "p2" }))
        .unwrap();
    assert_eq!(review.listed().len(), 1);
}
