//! Changing the approvals: by several commands at once, while the server is busy, and with plugins that do not fit.

use std::process::Stdio;

use galley_tests::cli;
use galley_tests::operator::Operator;
use galley_tests::prelude::*;

/// An operator with two slots that want one route: an old component was approved while the comments were disabled, and an
/// editor enabled them again.
fn colliding(operator: &Operator) {
    operator.add_clash();
    operator.server.galley(&["plugins", "disable", "comments"]).expect(0);
    operator.approve("clash");
    operator.change_lock(|lock| {
        let start = lock.find("slot = \"comments\"").expect("the comments have an entry");
        let (before, entry) = lock.split_at(start);
        format!("{before}{}", entry.replacen("enabled = false", "enabled = true", 1))
    });
}

fn says(operator: &Operator, words: &[&str]) {
    eventually("the log says so", || {
        let log = operator.server.log();
        let found = log.lines().any(|line| words.iter().all(|word| line.contains(word)));
        found.then_some(())
    });
}

#[test]
fn an_approval_is_printed_as_json() {
    let operator = Operator::start();
    operator.add_guest("empty");
    let approve = ["plugins", "approve", "empty.wasm", "--json"];
    let done = operator.server.galley(&approve).expect(0).json();
    assert_eq!((&done["slot"], &done["file"]), (&json!("empty"), &json!("empty.wasm")));
    assert_eq!(done["sha256"].as_str().map(str::len), Some(64), "{done}");
}

#[test]
fn a_route_of_another_slot_is_refused_before_anything_changes() {
    let operator = Operator::start();
    operator.add_guest("clash");
    let refused = operator.server.galley(&["plugins", "approve", "clash.wasm"]).expect(3);
    for word in ["clash", "comments", "GET", "/api/v1/projects/"] {
        assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
    }
    let list = operator.server.galley(&["plugins", "list", "--json"]).expect(0).json();
    assert_eq!(list["notApproved"], json!(["clash.wasm"]), "{list}");

    operator.server.galley(&["plugins", "disable", "comments"]).expect(0);
    operator.add_clash();
    operator.approve("clash");
    let refused = operator.server.galley(&["plugins", "enable", "comments"]).expect(3);
    assert!(refused.stderr.contains("`contract`"), "{}", refused.stderr);
}

#[test]
fn a_collision_stops_one_slot_and_not_the_boot() {
    let mut operator = Operator::start();
    let shop = project(&operator.server.user("ed"), "shop");
    operator.server.stop();
    colliding(&operator);
    operator.server.again();
    says(&operator, &["ERROR", "`contract`", "comments", "GET /api/v1/projects/"]);
    comment(&operator.server.user("ed"), &shop, "What came with the program serves");
    let ended = operator.server.galley(&["plugins", "verify"]).expect(1);
    let line = ended
        .stdout
        .lines()
        .find(|line| line.starts_with("contract"))
        .expect("a line");
    assert!(line.contains("comments"), "{line}");
    degraded(&operator.server, &["contract"]);

    // Later changes are followed.
    operator.server.galley(&["plugins", "disable", "comments"]).expect(0);
    let list = comments(&shop);
    let ed = operator.server.user("ed");
    eventually("the other one serves", || {
        let answer = ed.get(&list);
        (answer.status == 200 && answer.json().is_array()).then_some(())
    });
}

#[test]
fn who_serves_keeps_its_routes_in_a_collision() {
    let operator = Operator::start();
    let ed = operator.server.user("ed");
    let list = comments(&project(&ed, "shop"));
    operator.add_clash();
    operator.server.galley(&["plugins", "disable", "comments"]).expect(0);
    operator.approve("clash");
    // The comments answer an object there, until the server has followed both changes.
    let is_its_own = |answer: Response| (answer.status == 200 && answer.json().is_array()).then_some(());
    eventually("it serves", || is_its_own(ed.get(&list)));
    colliding(&operator);
    says(
        &operator,
        &["ERROR", "the plugin `comments` does not serve", "`contract`"],
    );
    assert!(ed.get(&list).expect(200).json().is_array());
    operator.server.galley(&["plugins", "disable", "deployments"]).expect(0);
    eventually("other changes are followed", || {
        (ed.get("/api/v1/projects/x/deployments").status == 404).then_some(())
    });
}

#[test]
fn a_plugin_that_does_not_serve_leaves_the_one_before_in_its_place() {
    let mut operator = Operator::start();
    let ed = operator.server.user("ed");
    let shop = project(&ed, "shop");
    comment(&ed, &shop, "Before");
    let bytes = std::fs::read(operator.plugins().join("comments.wasm")).unwrap();
    std::fs::write(operator.plugins().join("mine.wasm"), &bytes).unwrap();
    operator
        .server
        .galley(&["plugins", "approve", "mine.wasm", "--replace"])
        .expect(0);
    says(&operator, &["5 slots are enabled"]);
    operator.change_lock(|lock| lock.replace("\"mine.wasm\"", "\"missing.wasm\""));
    says(&operator, &["ERROR", "comments", "goes on", "missing.wasm"]);
    degraded(&operator.server, &["comments"]);
    comment(&ed, &shop, "Meanwhile");

    std::fs::write(operator.plugins().join("missing.wasm"), &bytes).unwrap();
    let before = operator.server.log().len();
    operator.server.signal("HUP");
    eventually("it is looked at again", || {
        operator.server.log()[before..]
            .contains("slots are enabled")
            .then_some(())
    });
    assert!(
        !operator.server.log()[before..].contains("ERROR"),
        "{}",
        operator.server.log()
    );
    comment(&ed, &shop, "After");
    assert_eq!(bodies(&ed, &shop), ["Before", "Meanwhile", "After"]);
}

#[test]
fn commands_at_once_lose_nothing() {
    let operator = Operator::start();
    let slots = ["admin", "comments", "deployments"];
    for round in 0..4 {
        let command = if round % 2 == 0 { "disable" } else { "enable" };
        let started: Vec<_> = slots
            .iter()
            .map(|slot| {
                let mut galley = operator.server.command();
                galley.args(["plugins", command, slot]).stdout(Stdio::null());
                galley.spawn().expect("it starts")
            })
            .collect();
        for mut process in started {
            assert!(process.wait().expect("it ends").success());
        }
        let list = operator.server.galley(&["plugins", "list", "--json"]).expect(0).json();
        for slot in slots {
            let entries = list["plugins"].as_array().expect("a list");
            let entry = entries.iter().find(|entry| entry["slot"] == slot).expect("the slot");
            assert_eq!(entry["enabled"], json!(round % 2 == 1), "round {round}: {entry}");
        }
    }
}

#[test]
fn a_change_during_a_reload_is_followed() {
    let operator = Operator::start();
    let ed = operator.server.user("ed");
    let list = comments(&project(&ed, "shop"));
    operator.add_guest("empty");
    operator.approve("empty");
    // Without what the command compiled, the server compiles it: that takes a while.
    let compiled = operator.server.data_dir().join("plugins");
    for file in std::fs::read_dir(compiled).unwrap().flatten() {
        let _ = std::fs::remove_file(file.path());
    }
    operator.change_lock(|lock| lock.replace("deadline-ms = 5000", "deadline-ms = 4999"));
    says(&operator, &["plugins.lock changed"]);
    operator.server.galley(&["plugins", "disable", "comments"]).expect(0);
    eventually("it is followed", || (ed.get(&list).status == 404).then_some(()));
}

#[test]
fn a_signal_during_a_reload_ends_the_server() {
    let mut operator = Operator::start();
    let compiled = operator.server.data_dir().join("plugins");
    for file in std::fs::read_dir(compiled).unwrap().flatten() {
        let _ = std::fs::remove_file(file.path());
    }
    operator.change_lock(|lock| lock.replace("deadline-ms = 5000", "deadline-ms = 4999"));
    says(&operator, &["plugins.lock changed"]);
    operator.server.stop();
}

#[test]
fn a_hangup_looks_at_the_plugins_again() {
    let mut operator = Operator::start();
    operator.server.stop();
    let file = operator.plugins().join("comments.wasm");
    let whole = std::fs::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    operator.server.again();
    let ed = operator.server.user("ed");
    let list = comments(&project(&ed, "shop"));
    ed.get(&list).expect(503);
    std::fs::write(&file, whole).unwrap();
    operator.server.signal("HUP");
    eventually("it serves again", || (ed.get(&list).status == 200).then_some(()));
}

#[test]
fn a_folder_that_is_no_data_folder_is_refused() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    for command in [
        &["list"][..],
        &["disable", "comments"],
        &["approve", "comments.wasm"],
        &["verify"],
    ] {
        let mut galley = server.command();
        galley
            .arg("plugins")
            .args(command)
            .env("SERVICE_DATA_DIR", folder.path());
        let ended = galley_tests::cli::run(&mut galley).expect(1);
        assert!(ended.stderr.contains("SERVICE_DATA_DIR"), "{}", ended.stderr);
        assert!(
            ended.stderr.contains(&*folder.path().to_string_lossy()),
            "{}",
            ended.stderr
        );
    }
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        0,
        "nothing was made there"
    );
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let server = Server::start();
    for arguments in [&["plugins", "list"][..], &["plugins", "inspect"], &["check-config"]] {
        let mut galley = server.command();
        galley.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = galley.spawn().expect("it starts");
        drop(process.stdout.take());
        let ended = process.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.success() && said.is_empty(), "{arguments:?}: {said}");
    }
}

#[test]
fn files_that_are_no_plugins_say_what_they_are() {
    let operator = Operator::start();
    let whole = std::fs::read(operator.plugins().join("comments.wasm")).unwrap();
    let cut = whole.len() / 3;
    let cases: [(&str, &[u8], &str); 4] = [
        ("empty.wasm", b"", "not WebAssembly"),
        ("text.wasm", b"<html></html>", "not WebAssembly"),
        (
            "module.wasm",
            b"\0asm\x01\0\0\0",
            "a WebAssembly module, not a component",
        ),
        ("half.wasm", &whole[..cut], &format!("cut short at byte {cut}")),
    ];
    for (name, bytes, words) in cases {
        std::fs::write(operator.plugins().join(name), bytes).unwrap();
        let ended = operator.server.galley(&["plugins", "approve", name]).expect(2);
        assert!(
            ended.stderr.contains(name) && ended.stderr.contains(words),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn a_backup_holds_the_approved_files_of_the_plugins_folder() {
    let operator = Operator::start();
    operator.add_guest("empty");
    operator.approve("empty");
    eventually("it serves", || {
        (operator.anonymous().get("/api/v1/x/empty").status == 200).then_some(())
    });
    let folder = tempfile::tempdir().unwrap();
    let (copy, data) = (folder.path().join("copy"), folder.path().join("data"));
    operator.server.galley(&["backup", &copy.to_string_lossy()]).expect(0);
    // Another machine: its plugins folder has what comes with the program.
    let elsewhere = Server::start();
    let mut restore = elsewhere.command();
    restore.arg("restore").arg(&copy).env("SERVICE_DATA_DIR", &data);
    cli::run(&mut restore).expect(0);
    let restored = Server::build().on(data).start();
    restored.anonymous().get("/api/v1/x/empty").expect(200);
    healthy(&restored);
}
