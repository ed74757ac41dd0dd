//! Plugins that cannot be loaded: the server boots, says so in one line, and their routes answer 503 naming the slot.

use std::fs;

use galley_tests::operator::Operator;
use galley_tests::prelude::*;

/// Breaks the file of the comments plugin, restarts, and demands what the document promises.
fn broken(how: impl FnOnce(&std::path::Path)) {
    let mut operator = Operator::start();
    let shop = project(&operator.server.user("ed"), "shop");
    comment(&operator.server.user("ed"), &shop, "Before");
    operator.server.stop();
    let file = operator.plugins().join("comments.wasm");
    let whole = fs::read(&file).unwrap();
    how(&file);
    operator.server.again();

    let log = operator.server.logs(&["ERROR"]);
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("ERROR")).collect();
    assert_eq!(lines.len(), 1, "one line says so:\n{log}");
    assert!(lines[0].contains("comments"), "{}", lines[0]);

    let ed = operator.server.user("ed");
    let answers = [
        ed.get(&comments(&shop)),
        ed.post(&comments(&shop), remark("Lost")),
        ed.get(&format!("{}/stream", comments(&shop))),
        ed.get(&format!("/api/v1/projects/{shop}/participants")),
        operator.server.anonymous().get(&comments(&shop)),
    ];
    for answer in answers {
        let error = answer.expect(503).error();
        assert!(error.contains("comments"), "{error}");
        assert!(!error.contains('/'), "the message tells of the server's disk: {error}");
    }
    upload(&ed, &shop, &Bundle::sample("Still here"));
    ed.get("/p/shop/").expect(200);
    degraded(&operator.server, &["comments"]);

    operator.server.stop();
    fs::write(&file, whole).unwrap();
    operator.server.again();
    healthy(&operator.server);
    assert_eq!(bodies(&operator.server.user("ed"), &shop), ["Before"]);
}

#[test]
fn a_missing_file() {
    broken(|file| fs::remove_file(file).unwrap());
}

#[test]
fn a_truncated_file() {
    broken(|file| {
        let bytes = fs::read(file).unwrap();
        fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
    });
}

#[test]
fn an_empty_file() {
    broken(|file| fs::write(file, b"").unwrap());
}

#[test]
fn a_file_that_changed_by_one_bit() {
    broken(|file| {
        let mut bytes = fs::read(file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(file, bytes).unwrap();
    });
}

#[test]
fn another_plugin_under_its_name() {
    broken(|file| {
        fs::copy(file.with_file_name("deployments.wasm"), file).unwrap();
    });
}

#[test]
fn a_plugin_whose_start_fails() {
    let operator = Operator::start();
    operator.add_guest("broken");
    operator.approve("broken");
    let ask = || operator.anonymous().get("/api/v1/x/broken");
    let refusal = eventually("its routes are there", || {
        Some(ask()).filter(|answer| answer.status != 404)
    });
    let error = refusal.expect(503).error();
    assert!(error.contains("broken"), "{error}");
    operator.server.logs(&["broken on purpose"]);
    degraded(&operator.server, &["broken"]);
}

#[test]
fn what_is_no_plugin_cannot_be_approved() {
    let operator = Operator::start();
    let wasm = fs::read(operator.plugins().join("comments.wasm")).unwrap();
    let cases: [(&str, &[u8]); 4] = [
        ("empty.wasm", b""),
        ("text.wasm", b"not wasm"),
        ("module.wasm", b"\0asm\x01\0\0\0"),
        ("half.wasm", &wasm[..wasm.len() / 3]),
    ];
    for (name, bytes) in cases {
        fs::write(operator.plugins().join(name), bytes).unwrap();
        let ended = operator.server.galley(&["plugins", "approve", name]).expect(2);
        assert!(
            ended.stderr.starts_with("galley: ") && ended.stderr.contains(name),
            "{}",
            ended.stderr
        );
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    }
    let outside = operator
        .server
        .galley(&["plugins", "approve", "../comments.wasm"])
        .expect(1);
    assert!(outside.stderr.starts_with("galley: "), "{}", outside.stderr);
}

#[test]
fn a_broken_lock_is_named() {
    let mut operator = Operator::start();
    operator.server.stop();
    operator.change_lock(|_| "version = 1\nplugin = 3\n".into());
    let ended = galley_tests::cli::run(operator.server.command().arg("serve")).expect(1);
    let line = ended.stderr.lines().last().unwrap_or_default();
    assert!(
        line.starts_with("galley: ") && line.contains("plugins.lock"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_slot_that_is_twice_in_the_lock_is_named() {
    let mut operator = Operator::start();
    operator.server.stop();
    operator.change_lock(|lock| {
        let first = lock.find("[[plugin]]").expect("the lock has plugins");
        format!("{lock}\n{}", &lock[first..])
    });
    for arguments in [&["serve"][..], &["plugins", "verify"]] {
        let ended = galley_tests::cli::run(operator.server.command().args(arguments)).expect(1);
        let line = ended.stderr.lines().last().unwrap_or_default();
        assert!(
            line.starts_with("galley: ")
                && line.contains("plugins.lock")
                && line.contains("the slot `admin` is there twice"),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn compiled_plugins_are_kept_and_a_damaged_copy_does_no_harm() {
    let mut server = Server::start();
    let data = server.data_dir().to_owned();
    server.stop();
    let cached: Vec<String> = galley_tests::disk::files(&data)
        .into_iter()
        .filter(|file| file.starts_with("plugins/"))
        .collect();
    assert!(!cached.is_empty(), "nothing compiled is kept");
    for file in &cached {
        let path = data.join(file);
        let mut bytes = fs::read(&path).unwrap();
        bytes.truncate(bytes.len() / 2);
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o600);
        fs::set_permissions(&path, permissions).unwrap();
        fs::write(&path, bytes).unwrap();
    }
    server.again();
    let shop = project(&server.user("ed"), "shop");
    comment(&server.user("ed"), &shop, "Hello");
    upload(&server.user("ed"), &shop, &Bundle::sample("Shop"));
}
