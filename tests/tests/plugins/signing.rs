//! Signatures of plugins, made with the program that authors use.

use std::path::{Path, PathBuf};

use galley_tests::cli::Ended;
use galley_tests::operator::Operator;
use galley_tests::prelude::*;
use galley_tests::publisher::Publisher;

/// An operator with copies of the guest `empty`, and their hashes.
fn operator() -> (Operator, Vec<(PathBuf, String)>) {
    let operator = Operator::start();
    operator.add_guest("empty");
    let files = (1..=3).map(|build| operator.another("empty", build));
    let files = files.map(|file| {
        let refused = operator
            .server
            .galley(&["plugins", "install", &file.to_string_lossy(), "--json"])
            .expect(4)
            .json();
        let hash = text(&refused["review"], "sha256");
        (file, hash)
    });
    let files = files.collect();
    (operator, files)
}

fn put(operator: &Operator, command: &[&str], file: &Path, more: &[&str]) -> Ended {
    let file = file.to_string_lossy();
    let arguments = [&["plugins"], command, &[&*file, "--yes"], more].concat();
    operator.server.galley(&arguments)
}

#[test]
fn updates_are_held_to_the_publisher_of_the_first_install() {
    let (operator, files) = operator();
    let (ann, bob) = (Publisher::new(), Publisher::new());
    let (first, hash) = &files[0];
    let unsigned = put(&operator, &["install"], first, &["--publisher", &ann.key()]).expect(2);
    assert!(unsigned.stderr.contains(&ann.id()), "{}", unsigned.stderr);
    ann.sign(first, "0.1.0", hash);
    let done = put(&operator, &["install"], first, &["--publisher", &ann.key()]).expect(0);
    assert!(
        done.stdout.contains(&format!("publisher  {}", ann.id())),
        "{}",
        done.stdout
    );

    let (next, hash) = &files[1];
    let unsigned = put(&operator, &["update", "empty"], next, &[]).expect(2);
    assert!(
        unsigned.stderr.contains("not signed") && unsigned.stderr.contains(&ann.id()),
        "{}",
        unsigned.stderr
    );
    bob.sign(next, "0.1.0", hash);
    let other = put(&operator, &["update", "empty"], next, &[]).expect(2);
    assert!(
        other.stderr.contains(&ann.id()) && other.stderr.contains(&bob.id()),
        "{}",
        other.stderr
    );
    let other = put(&operator, &["update", "empty"], next, &["--publisher", &bob.key()]).expect(2);
    assert!(other.stderr.contains(&bob.id()), "{}", other.stderr);
    assert_eq!(operator.slot("empty")["sha256"], json!(files[0].1), "nothing changed");
    ann.sign(next, "0.1.0", hash);
    put(&operator, &["update", "empty"], next, &[]).expect(0);
    assert_eq!(operator.slot("empty")["sha256"], json!(hash));
}

#[test]
fn a_signature_is_of_one_file_one_plugin_and_one_version() {
    let (operator, files) = operator();
    let ann = Publisher::new();
    let key = ann.key();
    let (file, hash) = &files[0];
    let install = |file: &Path| put(&operator, &["install"], file, &["--publisher", &key]);
    for comment in [("0.0.9", hash.as_str()), ("0.1.0", files[1].1.as_str())] {
        ann.sign(file, comment.0, comment.1);
        let refused = install(file).expect(2);
        assert!(refused.stderr.contains("galley empty 0.1.0"), "{}", refused.stderr);
    }
    ann.sign(file, "0.1.0", hash);
    let signature = file.with_extension("wasm.minisig");
    let other = files[1].0.with_extension("wasm.minisig");
    std::fs::copy(&signature, &other).unwrap();
    let refused = install(&files[1].0).expect(2);
    assert!(
        refused.stderr.contains("is bad") && refused.stderr.contains(&ann.id()),
        "{}",
        refused.stderr
    );
    std::fs::write(&other, "hello").unwrap();
    install(&files[1].0).expect(2);
    put(&operator, &["install"], file, &["--publisher", "RWQ"]).expect(2);
    assert_eq!(operator.slot("empty"), Value::Null);
    // A signature can lie elsewhere.
    let place = operator.plugins().join("elsewhere.minisig");
    std::fs::rename(&signature, &place).unwrap();
    let place = place.to_string_lossy();
    put(
        &operator,
        &["install"],
        file,
        &["--publisher", &key, "--signature", &place],
    )
    .expect(0);
}
