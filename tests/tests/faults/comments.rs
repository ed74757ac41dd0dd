//! Comments and replies.

use galley_tests::kills::{kill_after, life, while_commenting};
use galley_tests::prelude::*;

use crate::kills;

#[test]
fn no_acknowledged_comment_is_lost() {
    let outcome = while_commenting(kills());
    assert!(outcome.lost.is_empty(), "acknowledged and lost: {:?}", outcome.lost);
    assert!(outcome.doubled.is_empty(), "there twice: {:?}", outcome.doubled);
    let enough = kills() as usize;
    assert!(
        outcome.acknowledged > enough,
        "only {} comments were written: the test tests nothing",
        outcome.acknowledged
    );
}

#[test]
fn replies_and_their_count_never_disagree() {
    let mut server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    let written = id(&comment(&server.user("ed"), &shop, "First"));
    let path = format!("{}/{written}/replies", comments(&shop));
    let mut acknowledged = 0;
    for round in 0..kills().min(10) {
        std::thread::scope(|scope| {
            let process = server.id();
            scope.spawn(move || kill_after(process, life(round) / 8));
            let ed = server.user("ed");
            while ed
                .request("POST", &path)
                .json(&json!({ "body": "x" }))
                .try_send()
                .is_ok_and(|a| a.status == 201)
            {
                acknowledged += 1;
            }
        });
        server.kill();
        server.again();
        let list = server.user("ed").get(&comments(&shop)).expect(200).json();
        let replies = list["comments"][0]["replies"].as_array().unwrap().len();
        // Each round may have written one that nobody could acknowledge any more.
        assert!(
            (acknowledged..=acknowledged + round as usize + 1).contains(&replies),
            "{acknowledged}, {replies}"
        );
    }
    let ed = server.user("ed");
    let list = ed.get(&comments(&shop)).expect(200).json();
    let there = list["comments"][0]["replies"].as_array().unwrap().len();
    for _ in there..500 {
        ed.post(&path, json!({ "body": "x" })).expect(201);
    }
    ed.post(&path, json!({ "body": "x" })).expect(400);
}
