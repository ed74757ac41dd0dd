//! The API's half of the refusals that `bad_input.rs`, `signing.rs` and `data_operations.rs` show by the command: the same words, a
//! kind for programs, and nothing changes.

use std::fs;
use std::path::Path;

use galley_tests::operator::Operator;
use galley_tests::paths;
use galley_tests::prelude::*;
use galley_tests::publisher::Publisher;
use galley_tests::shelf::{Shelf, put, texts};

use super::bad_input::{ITEMS, Misfit, PLUGINS, dump, kept, misfits};

/// Stages a file.
#[track_caller]
fn stage(admin: &Client, wasm: Vec<u8>) -> String {
    let staged = admin.request("POST", &format!("{PLUGINS}/artifacts?name=x.wasm"));
    text(&staged.body(wasm).send().expect(201).json(), "sha256")
}

/// Demands a refusal of this kind that says all of `words`.
#[track_caller]
fn refused(answer: Response, status: u16, kind: &str, words: &[&str]) -> Value {
    let said = answer.expect(status).json();
    assert_eq!(said["kind"], kind, "{said}");
    let error = text(&said, "error");
    for word in words {
        assert!(error.contains(word), "`{word}` in {error}");
    }
    said
}

#[test]
fn a_hash_unlike_the_announced_one_is_refused_with_both() {
    let operator = Operator::start();
    let before = kept(&operator);
    let admin = operator.server.admin();
    let wasm = fs::read(paths::guest("empty")).unwrap();
    let named = |sha256: &str| {
        let target = format!("{PLUGINS}/artifacts?name=empty.wasm&sha256={sha256}");
        admin.request("POST", &target).body(wasm.clone()).send()
    };
    let announced = "0".repeat(64);
    let said = refused(named(&announced), 400, "bad-file", &["empty.wasm", &announced]);
    assert_eq!(kept(&operator), before, "nothing is stored");
    let hash = stage(&admin, wasm.clone());
    assert!(text(&said, "error").contains(&hash), "{said}");
    named(&hash.to_uppercase()).expect(201);
}

#[test]
fn a_permission_that_is_not_approved_is_named() {
    let operator = Operator::start();
    let lock = kept(&operator).1;
    let admin = operator.server.admin();
    let sha256 = stage(&admin, fs::read(paths::guest("hostile")).unwrap());
    let answer = admin.post(PLUGINS, json!({ "sha256": sha256 }));
    let said = refused(
        answer,
        409,
        "needs-approval",
        &["may read the audit log, when an admin asks"],
    );
    assert_eq!(text(&said["review"], "sha256"), sha256);
    assert_eq!(kept(&operator).1, lock);
    operator.anonymous().get("/api/v1/x/hostile/nothing").expect(404);
}

/// An operator whose shelf is of version 1 and holds one text.
fn with_shelf() -> (Operator, Client) {
    let operator = Operator::start();
    let admin = operator.server.admin();
    let sha256 = stage(&admin, Shelf::new("1", &[ITEMS]).component());
    let body = json!({ "sha256": sha256, "approved": true });
    admin.post(PLUGINS, body).expect(200);
    put(&operator, "first");
    (operator, admin)
}

#[test]
fn data_that_do_not_fit_are_refused_and_stay_as_they_are() {
    let (operator, admin) = with_shelf();
    let before = dump(&operator);
    for Misfit { shelf, is_other, words } in misfits() {
        let sha256 = stage(&admin, shelf.component());
        let answer = match is_other {
            true => {
                let body = json!({ "sha256": sha256, "replaces": "shelf", "approved": true });
                admin.post(PLUGINS, body)
            }
            false => admin.post(&format!("{PLUGINS}/shelf/update"), json!({ "sha256": sha256 })),
        };
        let said = refused(answer, 409, "conflict", words);
        assert_eq!(dump(&operator), before, "{said}");
        assert_eq!(text(&operator.slot("shelf"), "version"), "1");
    }
    put(&operator, "second");
    assert_eq!(texts(&operator), ["first", "second"]);
}

#[test]
fn a_rollback_that_loses_writes_says_how_many() {
    let (operator, admin) = with_shelf();
    let renamed = Shelf::new("2", &[ITEMS, "ALTER TABLE item RENAME COLUMN text TO words"])
        .with("insert", "INSERT INTO item (words) VALUES (?1)".into())
        .with("list", "SELECT words FROM item ORDER BY words".into());
    let sha256 = stage(&admin, renamed.component());
    let of = |rest: &str| format!("{PLUGINS}/shelf/{rest}");
    admin.post(&of("update"), json!({ "sha256": sha256 })).expect(200);
    put(&operator, "second");
    let answer = admin.post(&of("rollback"), json!({}));
    refused(answer, 409, "needs-approval", &["1 write", "--lose-writes"]);
    assert_eq!(texts(&operator), ["first", "second"]);
    let body = json!({ "loseWrites": true });
    admin.post(&of("rollback"), body).expect(200);
    assert_eq!(texts(&operator), ["first"]);
}

#[test]
fn signatures_are_held_to_the_publisher() {
    let operator = Operator::start();
    operator.add_guest("empty");
    let admin = operator.server.admin();
    let (ann, bob) = (Publisher::new(), Publisher::new());
    let files = [1, 2].map(|build| operator.another("empty", build));
    let hashes = [0, 1].map(|file| stage(&admin, fs::read(&files[file]).unwrap()));
    let signature = |file: &Path| fs::read_to_string(file.with_extension("wasm.minisig")).unwrap();
    let install = |signature: Option<String>| {
        let body = json!({
            "sha256": hashes[0], "approved": true, "publisher": ann.key(), "signature": signature,
        });
        admin.post(PLUGINS, body)
    };
    refused(install(None), 400, "bad-file", &["not signed", &ann.id()]);
    let hello = Some("hello".to_owned());
    refused(install(hello), 400, "bad-file", &["not one of minisign"]);
    ann.sign(&files[1], "0.1.0", &hashes[1]);
    let of_another = Some(signature(&files[1]));
    refused(install(of_another), 400, "bad-file", &["is bad", &ann.id()]);
    assert_eq!(operator.slot("empty"), Value::Null);
    ann.sign(&files[0], "0.1.0", &hashes[0]);
    install(Some(signature(&files[0]))).expect(200);

    let update = |signature: Option<String>, publisher: Option<String>| {
        let body = json!({ "sha256": hashes[1], "signature": signature, "publisher": publisher });
        admin.post(&format!("{PLUGINS}/empty/update"), body)
    };
    refused(update(None, None), 400, "bad-file", &["not signed", &ann.id()]);
    bob.sign(&files[1], "0.1.0", &hashes[1]);
    let by_bob = signature(&files[1]);
    let both = [&*ann.id(), &*bob.id()];
    refused(update(Some(by_bob.clone()), None), 400, "bad-file", &both);
    refused(update(Some(by_bob), Some(bob.key())), 400, "bad-file", &both);
    assert_eq!(operator.slot("empty")["sha256"], json!(hashes[0]), "nothing changed");
    ann.sign(&files[1], "0.1.0", &hashes[1]);
    update(Some(signature(&files[1])), None).expect(200);
    assert_eq!(operator.slot("empty")["sha256"], json!(hashes[1]));
}
