//! Update, rollback, history and remove: what fills a slot, and the way back.

use std::fs;

use galley_tests::operator::Operator;
use galley_tests::paths;
use galley_tests::prelude::*;

fn hash(operator: &Operator, slot: &str) -> String {
    text(&operator.slot(slot), "sha256")
}

#[test]
fn there_is_a_way_back_to_the_two_before_and_to_the_bundled_one() {
    let operator = Operator::start();
    let ed = operator.server.user("ed");
    let shop = project(&ed, "shop");
    comment(&ed, &shop, "Before");
    let bundled = hash(&operator, "comments");
    let mut hashes = vec![bundled.clone()];
    for build in 1..=3 {
        let file = operator.another("comments", build);
        let done = operator
            .server
            .galley(&["plugins", "update", "comments", &file.to_string_lossy()])
            .expect(0);
        assert!(done.stdout.contains("is updated and serves"), "{}", done.stdout);
        hashes.push(hash(&operator, "comments"));
        comment(&ed, &shop, &format!("With {build}"));
        // Its artifact is kept, the file is not needed any more.
        fs::remove_file(file).unwrap();
    }
    let history = operator
        .server
        .galley(&["plugins", "history", "comments", "--json"])
        .expect(0)
        .json();
    assert_eq!(text(&history["present"], "sha256"), hashes[3]);
    let before: Vec<String> = history["before"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| text(one, "sha256"))
        .collect();
    assert_eq!(before, [hashes[2].clone(), hashes[1].clone()]);

    for expected in [2, 1] {
        operator.server.galley(&["plugins", "rollback", "comments"]).expect(0);
        assert_eq!(hash(&operator, "comments"), hashes[expected]);
        comment(&ed, &shop, &format!("Back at {expected}"));
    }
    let refused = operator.server.galley(&["plugins", "rollback", "comments"]).expect(3);
    assert!(
        refused.stderr.contains("nothing filled `comments` before"),
        "{}",
        refused.stderr
    );
    operator
        .server
        .galley(&["plugins", "rollback", "comments", "--bundled"])
        .expect(0);
    let row = operator.slot("comments");
    assert_eq!(
        (&row["sha256"], &row["bundled"]),
        (&json!(bundled), &json!(true)),
        "{row}"
    );
    assert_eq!(bodies(&ed, &shop).len(), 6);
    let refused = operator
        .server
        .galley(&["plugins", "rollback", "comments", "--bundled"])
        .expect(3);
    assert!(refused.stderr.contains("already"), "{}", refused.stderr);
}

#[test]
fn a_way_back_survives_a_new_release_of_the_program() {
    let mut operator = Operator::start();
    let bundled = hash(&operator, "comments");
    let file = operator.another("comments", 1);
    operator
        .server
        .galley(&["plugins", "update", "comments", &file.to_string_lossy()])
        .expect(0);
    operator.server.stop();
    // The new release comes with another build.
    fs::copy(
        operator.another("comments", 2),
        operator.plugins().join("comments.wasm"),
    )
    .unwrap();
    let folder = operator.plugins().to_string_lossy().into_owned();
    operator.server.galley(&["plugins", "seal", &folder]).expect(0);
    operator.server.again();
    operator.server.galley(&["plugins", "rollback", "comments"]).expect(0);
    assert_eq!(hash(&operator, "comments"), bundled);
    assert_eq!(
        operator.slot("comments")["bundled"],
        json!(false),
        "it is not the program's any more"
    );
}

#[test]
fn an_update_is_another_version_of_the_same_plugin() {
    let operator = Operator::start();
    let deployments = operator.another("deployments", 1);
    let refused = operator
        .server
        .galley(&["plugins", "update", "comments", &deployments.to_string_lossy()])
        .expect(3);
    assert!(
        refused.stderr.contains("`deployments`") && refused.stderr.contains("`comments`"),
        "{}",
        refused.stderr
    );
    let refused = operator.server.galley(&["plugins", "update", "comments"]).expect(3);
    assert!(refused.stderr.contains("came with the program"), "{}", refused.stderr);
}

#[test]
fn a_removed_slot_is_gone_and_its_data_only_when_asked() {
    let operator = Operator::start();
    let hostile = paths::guest("hostile").to_string_lossy().into_owned();
    let install = || {
        operator
            .server
            .galley(&["plugins", "install", &hostile, "--yes"])
            .expect(0)
    };
    let data = operator.server.data_dir().join("slots/hostile.db");
    install();
    assert!(data.exists());
    operator.server.galley(&["plugins", "remove", "hostile"]).expect(0);
    assert_eq!(operator.slot("hostile"), Value::Null);
    assert!(data.exists(), "its data stays");
    install();
    operator
        .server
        .galley(&["plugins", "remove", "hostile", "--purge"])
        .expect(0);
    assert!(!data.exists());
    let refused = operator.server.galley(&["plugins", "remove", "comments"]).expect(3);
    assert!(
        refused.stderr.contains("--bundled") && refused.stderr.contains("disable"),
        "{}",
        refused.stderr
    );
}

#[test]
fn limits_and_settings_are_shown_and_changed() {
    let operator = Operator::start();
    let shown = operator
        .server
        .galley(&["plugins", "limits", "comments"])
        .expect(0)
        .stdout;
    assert!(shown.contains("deadline=5s"), "{shown}");
    let done = operator
        .server
        .galley(&["plugins", "limits", "comments", "deadline=4s", "memory=32MiB", "--json"])
        .expect(0)
        .json();
    assert_eq!(done["limits"]["deadline"], "4s");
    let refused = operator
        .server
        .galley(&["plugins", "limits", "comments", "memory=1GiB"])
        .expect(1);
    assert!(refused.stderr.contains("256MiB"), "{}", refused.stderr);
    operator.add_guest("errands");
    operator.approve("errands");
    let config = |changes: &[&str]| {
        operator
            .server
            .galley(&[&["plugins", "config", "errands"], changes].concat())
    };
    config(&["greeting=Hello = you", "days=3"]).expect(0);
    let shown = config(&["days="]).expect(0).stdout;
    assert!(shown.contains("errands: greeting=Hello = you"), "{shown}");
    assert!(shown.contains("errands: days=7, unless it is set"), "{shown}");
    config(&["no"]).expect(1);
    let lock = fs::read_to_string(operator.server.data_dir().join("plugins.lock")).unwrap();
    assert!(
        lock.contains("deadline-ms = 4000") && lock.contains("greeting"),
        "{lock}"
    );
    healthy(&operator.server);
}
