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
            let processes = server.ids();
            scope.spawn(move || kill_after(&processes, life(round) / 8));
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

#[test]
fn an_image_is_there_whole_or_not_at_all() {
    let mut server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    let mut content = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0".to_vec();
    content.resize(1 << 20, 7);
    let mut acknowledged = Vec::new();
    for round in 0..kills().min(10) {
        let ed = server.user("ed");
        std::thread::scope(|scope| {
            let processes = server.ids();
            scope.spawn(move || kill_after(&processes, life(round)));
            while let Ok(made) = ed
                .request("POST", &comments(&shop))
                .json(&remark("With images"))
                .try_send()
            {
                let path = format!("{}/{}/images", comments(&shop), id(&made.expect(201).json()));
                for last in 0..4 {
                    // The same bytes twice are one image.
                    *content.last_mut().unwrap() = last;
                    let Ok(answer) = ed.request("POST", &path).body(content.clone()).try_send() else {
                        return;
                    };
                    acknowledged.push(format!("{path}/{}", id(&answer.expect(201).json())));
                }
            }
        });
        server.kill();
        server.again();
        let ed = server.user("ed");
        let list = ed.get(&comments(&shop)).expect(200).json();
        let mut shown = Vec::new();
        for one in list["comments"].as_array().unwrap() {
            let images = one["images"].as_array().unwrap().iter();
            shown.extend(images.map(|image| format!("{}/{}/images/{}", comments(&shop), id(one), id(image))));
        }
        assert!(
            acknowledged.iter().all(|image| shown.contains(image)),
            "acknowledged and lost"
        );
        for image in shown.iter().rev().take(20) {
            assert_eq!(ed.get(image).expect(200).body.len(), content.len(), "{image}");
        }
        let blobs = server.stored("blobs");
        assert!(blobs.iter().all(|file| file.ends_with(".blob")), "{blobs:?}");
    }
    assert!(!acknowledged.is_empty(), "no image was stored: the test tests nothing");
}
