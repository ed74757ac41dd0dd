//! The contract: it grows by addition within a major version, and components of each released version serve.

use std::fs;
use std::path::{Path, PathBuf};

use galley_tests::bundle::Bundle;
use galley_tests::contracts::{frozen, major, present};
use galley_tests::operator::Operator;
use galley_tests::paths;
use galley_tests::prelude::*;

fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Interfaces that plugins export: a function more would be missing in plugins that were built before.
const EXPORTED: [&str; 4] = ["handler", "subscriber", "lifecycle", "jobs"];

#[test]
fn wit_grows_by_addition_within_a_major_version() {
    let (now, released) = (present(&at("wit")), frozen(&at("wit/frozen")));
    for ((package, version), facts) in &released {
        let same_major = |(name, other): &&(String, String)| name == package && major(other) == major(version);
        let Some(key) = now.keys().find(same_major) else {
            continue;
        };
        let lost: Vec<_> = facts.difference(&now[key]).collect();
        assert!(
            lost.is_empty(),
            "{package}@{version} had, and wit/ no longer has: {lost:#?}"
        );
        // An interface that was not there in that version is optional for its plugins.
        let exported = |fact: &&String| {
            let mut were = EXPORTED
                .iter()
                .filter(|name| facts.contains(&format!("interface {name}")));
            were.any(|name| fact.starts_with(&format!("{name}: ")))
        };
        if package == "galley:plugin" {
            let more: Vec<_> = now[key].difference(facts).filter(exported).collect();
            assert!(
                more.is_empty(),
                "plugins of {package}@{version} do not export {more:#?}"
            );
        }
        if key.1 == *version {
            let more: Vec<_> = now[key].difference(facts).collect();
            assert!(
                more.is_empty(),
                "{package}@{version} is released, and wit/ has more: give it a new minor version: {more:#?}"
            );
        }
    }
    for (package, version) in now.keys() {
        assert!(
            released.contains_key(&(package.clone(), version.clone())),
            "wit/frozen has no {package}@{version}: copy the file of wit/deps there"
        );
    }
}

#[test]
fn a_changed_record_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| fs::write(folder.path().join("galley-x@1.0.0.wit"), text).unwrap();
    write("package galley:x@1.0.0;\ninterface x {\n  record r { a: u32 }\n  f: func(r: r);\n}\n");
    let before = frozen(folder.path());
    write("package galley:x@1.0.0;\ninterface x {\n  record r { a: u32, b: u32 }\n  f: func(r: r);\n  g: func();\n}\n");
    let after = frozen(folder.path());
    let key = ("galley:x".to_owned(), "1.0.0".to_owned());
    let lost: Vec<_> = before[&key].difference(&after[&key]).collect();
    assert_eq!(lost, ["x: r = record(a: u32)"]);
}

/// Every part of the contract, by a component that uses each of them once.
///
/// Version 1.1 brought settings, requests that overlap, and jobs; 1.2 parts of the pages.
fn serves(wasm: &Path, version: &str) {
    let (is_0_1, is_1_1) = (version == "0.1", !["0.1", "1.0"].contains(&version));
    let is_1_2 = is_1_1 && version != "1.1";
    let operator = Operator::start();
    fs::copy(wasm, operator.plugins().join("contract.wasm")).unwrap();
    operator.approve("contract");
    let server = &operator.server;
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    // The routes of a slot had no place of their own in version 0.1.
    let below = if is_0_1 { "contract" } else { "x/contract" };
    let base = format!("/api/v1/projects/{shop}/{below}");
    let facts_at = |rest: &str| match is_0_1 {
        true => format!("/api/v1/contract/{rest}"),
        false => format!("/api/v1/x/contract/{rest}"),
    };
    eventually("the plugin's routes answer", || {
        (ed.get(&base).status == 200).then_some(())
    });

    let facts = ed
        .request("GET", &facts_at("a%20b/c?q=1%202"))
        .header("x-test", "yes")
        .send()
        .expect(200)
        .json();
    let expected = json!({
        "hasId": true, "method": "GET", "path": facts_at("a%20b/c"), "query": "q=1%202", "params": ["a b", "c"],
        "header": "yes", "cookie": null,
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&facts[key], value, "{key} of {facts}");
    }
    assert_eq!(facts["caller"]["canWrite"], true, "{facts}");
    let nobody = operator.anonymous().get(&facts_at("a/b")).expect(200).json();
    assert_eq!(nobody["caller"]["anonymous"], true, "{nobody}");

    let noted = ed.post(&base, json!({ "text": "Hello" })).expect(201).json();
    assert_eq!(noted["forged"], "denied", "{noted}");
    let event = eventually("the event comes back", || {
        let notes = ed.get(&base).expect(200).json();
        let event = notes.as_array().unwrap().iter().find(|note| note["kind"] == "event")?;
        Some(serde_json::from_str::<Value>(event["text"].as_str().unwrap()).unwrap())
    });
    assert_eq!(event["data"]["text"], "Hello", "{event}");
    match is_0_1 {
        true => assert_eq!(event["topic"], "contract-noted", "{event}"),
        false => assert_eq!(
            (&event["topic"], &event["source"]),
            (&json!("contract/contract-noted"), &json!("contract")),
            "{event}"
        ),
    }
    let notes = ed.get(&base).expect(200).json();
    assert_eq!(notes[0]["kind"], "started", "{notes}");

    let published = |version: &str| {
        let bundle = Bundle::page("<h1>Hello</h1>").build();
        let request = ed.request("POST", &format!("{base}/versions/{version}"));
        request
            .header("content-type", "application/gzip")
            .body(bundle)
            .send()
            .expect(200)
            .json()
    };
    assert_eq!(
        published("one"),
        json!({ "files": 1, "found": 1, "read": 4, "entries": 1, "stat": true, "sha256": 64, "sized": true })
    );
    published("two");
    let live = ed.post(&format!("{base}/live/one"), json!({})).expect(200).json();
    assert_eq!(live, json!({ "live": "one", "versions": ["one", "two"] }));
    ed.delete(&format!("{base}/versions/two")).expect(204);

    let small = ed.post(&format!("{base}/small"), json!({})).expect(200).json();
    assert_eq!(
        (&small["blob"], &small["project"], &small["id"]),
        (&json!(4), &json!("shop"), &json!(26)),
        "{small}"
    );
    if is_1_1 {
        assert_eq!(
            (&small["depth"], &small["outside"]),
            (&json!(3), &json!(["denied", "denied"])),
            "{small}"
        );
        eventually("its job ran", || {
            let notes = ed.get(&base).expect(200).json();
            let ran = notes.as_array().unwrap().iter().any(|note| note["kind"] == "job");
            ran.then_some(())
        });
    }
    let ui = ed.get("/api/v1/ui").expect(200).json();
    let slots = ui["slots"].as_array().unwrap().iter();
    let parts = slots
        .filter(|slot| slot["slot"] == "contract")
        .flat_map(|slot| slot["ui"].as_array().unwrap());
    let parts: Vec<&Value> = parts.collect();
    assert_eq!(parts.len(), usize::from(is_1_2), "{ui}");
    for part in parts {
        let page = server.anonymous().get(&text(part, "entry")).expect(200);
        assert!(page.text().contains("<title>Contract"), "{}", page.text());
    }
    let log = ed.stream(&format!("{base}/log")).next();
    assert!(log.data.contains("one line"), "{log:?}");

    let other = project(&ed, "other");
    ed.delete(&format!("/api/v1/projects/{other}")).expect(204);
    eventually("the event of the host arrives", || {
        let notes = ed.get(&base).expect(200).json();
        let deleted = notes
            .as_array()
            .unwrap()
            .iter()
            .any(|note| note["kind"] == "deleted" && note["text"] == other);
        deleted.then_some(())
    });
}

#[test]
fn a_component_of_version_0_1_serves() {
    serves(&at("tests/contracts/0.1.0.wasm"), "0.1");
}

#[test]
fn a_component_of_version_1_0_serves() {
    serves(&at("tests/contracts/1.0.0.wasm"), "1.0");
}

#[test]
fn a_component_of_version_1_1_serves() {
    serves(&at("tests/contracts/1.1.0.wasm"), "1.1");
}

#[test]
fn a_component_of_version_1_2_serves() {
    serves(&at("tests/contracts/1.2.0.wasm"), "1.2");
}

#[test]
fn a_component_of_this_version_serves() {
    serves(&paths::guest("contract"), "now");
}

#[test]
fn another_version_is_named_with_the_servers_own_and_what_to_do() {
    let operator = Operator::start();
    let folder = tempfile::tempdir().unwrap();
    let wasm = fs::read(paths::guest("contract")).unwrap();
    // Names of the same length, so that the file stays what it is otherwise.
    for (from, to, remedy) in [
        ("galley:sql/sql@1.0.0", "galley:sql/sql@1.9.0", "update the server"),
        ("galley:sql/sql@1.0.0", "galley:sql/sql@2.0.0", "update the server"),
        ("galley:sql/sql@1.0.0", "galley:sql/sql@0.0.9", "rebuild it"),
        ("galley:sql/sql@1.0.0", "galley:sql/abc@1.0.0", "no such interface"),
        (
            "galley:plugin/handler@1.2.0",
            "galley:plugin/handler@1.7.0",
            "update the server",
        ),
        (
            "galley:plugin/handler@1.2.0",
            "galley:plugin/handler@0.0.1",
            "rebuild it",
        ),
    ] {
        let mut patched = wasm.clone();
        for at in 0..patched.len() - from.len() {
            if patched[at..].starts_with(from.as_bytes()) {
                patched[at..at + to.len()].copy_from_slice(to.as_bytes());
            }
        }
        let file = folder.path().join("patched.wasm");
        fs::write(&file, &patched).unwrap();
        let refused = operator
            .server
            .galley(&["plugins", "install", &file.to_string_lossy(), "--yes"])
            .expect(2);
        for part in [to, remedy, if remedy.contains("such") { "" } else { from }] {
            assert!(refused.stderr.contains(part), "{part} in\n{}", refused.stderr);
        }
    }
}
