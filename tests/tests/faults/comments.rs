//! Comments and replies.

use std::collections::BTreeMap;
use std::sync::Mutex;

use galley_tests::prelude::*;

use crate::{kills, life};

#[test]
fn no_acknowledged_comment_is_lost() {
    let mut server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    let path = comments(&shop);
    let acknowledged = Mutex::new(Vec::new());
    for round in 0..kills() {
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let (server, acknowledged, path) = (&server, &acknowledged, &path);
                scope.spawn(move || {
                    let ed = server.user("ed");
                    for number in 0.. {
                        let body = format!("round {round}, writer {writer}, number {number}");
                        match ed.request("POST", path).json(&remark(&body)).try_send() {
                            Ok(answer) if answer.status == 201 => acknowledged.lock().unwrap().push(body),
                            Ok(answer) => panic!("{}{}", answer.head, answer.text()),
                            Err(_) => break,
                        }
                    }
                });
            }
            let process = server.id();
            scope.spawn(move || {
                std::thread::sleep(life(round));
                kill(process);
            });
            // The writers end by themselves when the server does.
        });
        server.kill();
        server.again();

        let mut found: BTreeMap<String, u32> = BTreeMap::new();
        for body in bodies(&server.user("ed"), &shop) {
            *found.entry(body).or_default() += 1;
        }
        for body in acknowledged.lock().unwrap().iter() {
            assert_eq!(found.get(body), Some(&1), "round {round}: `{body}` was acknowledged");
        }
        assert!(found.values().all(|count| *count == 1), "a comment is there twice");
    }
    let total = acknowledged.lock().unwrap().len();
    assert!(
        total > kills() as usize,
        "only {total} comments in {} rounds: the test tests nothing",
        kills()
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
            scope.spawn(move || {
                std::thread::sleep(life(round) / 8);
                kill(process);
            });
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

/// Sends SIGKILL.
pub(crate) fn kill(process: u32) {
    let _ = std::process::Command::new("sh")
        .args(["-c", "kill -s KILL \"$0\"", &process.to_string()])
        .status();
}
