//! `galley plugins install`: the permission review, what is refused and stays as it was, and what is kept.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use galley_tests::operator::Operator;
use galley_tests::paths;
use galley_tests::prelude::*;

fn guest(name: &str) -> String {
    paths::guest(name).to_string_lossy().into_owned()
}

/// Files of the data folder that were stored for plugins.
fn artifacts(operator: &Operator) -> Vec<String> {
    galley_tests::disk::files(&operator.server.data_dir().join("artifacts"))
}

#[test]
fn it_serves_when_the_command_ends_and_its_sentences_are_shown_first() {
    let operator = Operator::start();
    let refused = operator
        .server
        .galley(&["plugins", "install", &guest("hostile")])
        .expect(4);
    assert!(
        refused.stdout.contains("+ may keep data in a database of its own"),
        "{}",
        refused.stdout
    );
    assert!(refused.stderr.contains("--yes"), "{}", refused.stderr);
    assert_eq!(operator.slot("hostile"), Value::Null, "nothing changed");

    let done = operator
        .server
        .galley(&["plugins", "install", &guest("empty"), "--yes"])
        .expect(0);
    operator.anonymous().get("/api/v1/x/empty").expect(200);
    let wasm = fs::read(paths::guest("empty")).unwrap();
    for words in [
        "publisher  none".to_owned(),
        format!("size       {} bytes", wasm.len()),
        "sha256     ".to_owned(),
        "contract   galley:plugin/handler@".to_owned(),
        "+ answers 1 route, to anybody".to_owned(),
        "empty 0.1.0 is installed and serves".to_owned(),
    ] {
        assert!(done.stdout.contains(&words), "`{words}` in\n{}", done.stdout);
    }
    let row = operator.slot("empty");
    assert_eq!(
        (&row["state"], &row["bundled"]),
        (&json!("serving"), &json!(false)),
        "{row}"
    );
    healthy(&operator.server);
}

#[test]
fn an_installed_plugin_is_kept_in_the_data_folder_and_in_backups() {
    let mut operator = Operator::start();
    operator
        .server
        .galley(&["plugins", "install", &guest("empty"), "--yes"])
        .expect(0);
    let kept = artifacts(&operator);
    assert_eq!(kept.len(), 1, "{kept:?}");
    let file = operator.server.data_dir().join("artifacts").join(&kept[0]);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);

    let folder = tempfile::tempdir().unwrap();
    let backup = folder.path().join("backup");
    operator.server.galley(&["backup", &backup.to_string_lossy()]).expect(0);
    operator.server.stop();
    let data = operator.server.data_dir().to_owned();
    for entry in fs::read_dir(&data).unwrap().flatten() {
        let path = entry.path();
        let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
    }
    operator
        .server
        .galley(&["restore", &backup.to_string_lossy()])
        .expect(0);
    operator.server.again();
    operator.anonymous().get("/api/v1/x/empty").expect(200);
}

#[test]
fn what_is_no_plugin_is_named_and_nothing_is_stored() {
    let operator = Operator::start();
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(paths::guest("empty")).unwrap();
    let cut = whole.len() / 3;
    let cases: [(&str, &[u8], String); 4] = [
        ("empty.wasm", b"", "not WebAssembly".into()),
        ("text.wasm", b"<html></html>", "not WebAssembly".into()),
        (
            "module.wasm",
            b"\0asm\x01\0\0\0",
            "a WebAssembly module, not a component".into(),
        ),
        ("half.wasm", &whole[..cut], format!("cut short at byte {cut}")),
    ];
    for (name, bytes, words) in cases {
        let file = folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        let ended = operator
            .server
            .galley(&["plugins", "install", &file.to_string_lossy(), "--yes"])
            .expect(2);
        assert!(
            ended.stderr.contains(name) && ended.stderr.contains(&words),
            "{}",
            ended.stderr
        );
    }
    assert_eq!(artifacts(&operator), [""; 0]);
    let missing = operator
        .server
        .galley(&["plugins", "install", "/nowhere/x.wasm"])
        .expect(1);
    assert!(missing.stderr.contains("/nowhere/x.wasm"), "{}", missing.stderr);
}

#[test]
fn a_hash_unlike_the_announced_one_is_refused_with_both() {
    let operator = Operator::start();
    let announced = "0".repeat(64);
    let arguments = ["plugins", "install", &guest("empty"), "--yes", "--sha256", &announced];
    let refused = operator.server.galley(&arguments).expect(2);
    let done = operator
        .server
        .galley(&["plugins", "install", &guest("empty"), "--yes", "--json"])
        .expect(0)
        .json();
    let hash = text(&done["review"], "sha256");
    assert!(
        refused.stderr.contains(&announced) && refused.stderr.contains(&hash),
        "{}",
        refused.stderr
    );
    let upper = hash.to_uppercase();
    let arguments = ["plugins", "install", &guest("empty"), "--yes", "--sha256", &upper];
    operator.server.galley(&arguments).expect(0);
}

#[test]
fn a_route_of_another_slot_is_refused_and_the_other_serves() {
    let operator = Operator::start();
    let ed = operator.server.user("ed");
    let shop = project(&ed, "shop");
    comment(&ed, &shop, "Before");
    let refused = operator
        .server
        .galley(&["plugins", "install", &guest("clash"), "--yes"])
        .expect(3);
    for word in ["clash", "comments", "GET", "/api/v1/projects/"] {
        assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
    }
    assert_eq!(operator.slot("clash"), Value::Null);
    assert_eq!(bodies(&ed, &shop), ["Before"]);
    healthy(&operator.server);
}

#[test]
fn a_start_that_fails_is_said_and_changes_nothing() {
    let operator = Operator::start();
    let refused = operator
        .server
        .galley(&["plugins", "install", &guest("broken"), "--yes"])
        .expect(3);
    assert!(refused.stderr.contains("broken on purpose"), "{}", refused.stderr);
    assert_eq!(operator.slot("broken"), Value::Null);
    operator.anonymous().get("/api/v1/x/broken").expect(404);
    healthy(&operator.server);
}

#[test]
fn a_filled_slot_is_replaced_only_when_its_name_is_given() {
    let operator = Operator::start();
    let mine = operator.another("comments", 1);
    let mine = mine.to_string_lossy();
    let refused = operator
        .server
        .galley(&["plugins", "install", &mine, "--yes"])
        .expect(3);
    assert!(refused.stderr.contains("--replaces comments"), "{}", refused.stderr);
    let other = ["plugins", "install", &mine, "--yes", "--replaces", "deployments"];
    operator.server.galley(&other).expect(3);
    let nothing = ["plugins", "install", &guest("empty"), "--yes", "--replaces", "empty"];
    operator.server.galley(&nothing).expect(3);
    let arguments = ["plugins", "install", &mine, "--replaces", "comments", "--json"];
    let done = operator.server.galley(&arguments).expect(0).json();
    assert_eq!(text(&done, "state"), "serving");
    let lines = done["review"]["lines"].as_array().unwrap();
    assert!(lines.iter().all(|line| line["change"] == "same"), "{lines:?}");
    assert_eq!(operator.slot("comments")["source"], json!(mine));
}

#[test]
fn an_artifact_comes_from_an_address_too() {
    let operator = Operator::start();
    let wasm = fs::read(paths::guest("empty")).unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/empty.wasm", listener.local_addr().unwrap());
    let served = std::thread::spawn(move || {
        use std::io::{Read, Write};
        // The plugin, its signature, and the plugin once more.
        for answer in [Some(&wasm), None, None] {
            let (mut socket, _) = listener.accept().unwrap();
            let _ = socket.read(&mut [0; 4096]).unwrap();
            let head = match answer {
                Some(wasm) => format!(
                    "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    wasm.len()
                ),
                None => "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned(),
            };
            socket.write_all(head.as_bytes()).unwrap();
            socket.write_all(answer.map_or(&[], Vec::as_slice)).unwrap();
        }
    });
    operator
        .server
        .galley(&["plugins", "install", &address, "--yes"])
        .expect(0);
    assert_eq!(operator.slot("empty")["source"], json!(address));
    // Without a source it comes from there again; this time the address has nothing.
    let ended = operator.server.galley(&["plugins", "update", "empty"]).expect(1);
    assert!(
        ended.stderr.contains(&address) && ended.stderr.contains("404"),
        "{}",
        ended.stderr
    );
    served.join().unwrap();
    let unknown = operator
        .server
        .galley(&["plugins", "install", "ftp://x/y.wasm"])
        .expect(1);
    assert!(unknown.stderr.contains("ftp://"), "{}", unknown.stderr);
}

#[test]
fn an_address_with_a_password_is_refused_and_kept_nowhere() {
    const PASSWORD: &str = "a-password-in-an-address-4f7b";
    let mut operator = Operator::start();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://ann:{PASSWORD}@{}/empty.wasm", listener.local_addr().unwrap());
    let mut said = String::new();
    let file = guest("empty");
    for arguments in [
        &["install", &address, "--yes"][..],
        &["install", &address, "--yes", "--json"],
        &["install", &file, "--yes", "--signature", &address],
        &["install", &address.replace("http:", "ftp:"), "--yes"],
        &["update", "comments", &address, "--yes"],
    ] {
        let mut command = operator.server.command();
        let refused = galley_tests::cli::run(command.arg("plugins").args(arguments)).expect(1);
        assert!(refused.stderr.contains("download the file"), "{}", refused.stderr);
        said.push_str(&refused.stdout);
        said.push_str(&refused.stderr);
    }
    let asked = listener.accept().map(drop).unwrap_err();
    assert_eq!(asked.kind(), std::io::ErrorKind::WouldBlock, "nothing was fetched");

    let admin = operator.server.user("ada");
    let wasm = fs::read(paths::guest("empty")).unwrap();
    let named = |name: &str| {
        let target = format!("/api/v1/instance/plugins/artifacts?name={name}");
        let request = admin
            .request("POST", &target)
            .header("content-type", "application/wasm");
        request.body(wasm.clone()).send()
    };
    let refused = named(&address).expect(400);
    said.push_str(&refused.text());
    let sha256 = text(&named("empty.wasm").expect(201).json(), "sha256");
    let body = json!({ "sha256": sha256, "source": address, "approved": true });
    for path in ["", "/comments/update"] {
        let refused = admin
            .post(&format!("/api/v1/instance/plugins{path}"), body.clone())
            .expect(400);
        assert!(refused.error().contains("download the file"), "{}", refused.error());
        said.push_str(&refused.text());
    }
    assert_eq!(operator.slot("empty"), Value::Null);
    said.push_str(&admin.get("/api/v1/instance/audit").expect(200).text());
    operator.server.stop();
    said.push_str(&operator.server.log());
    assert!(!said.contains(PASSWORD), "{said}");
    for (file, bytes) in operator.server.contents() {
        let found = bytes.windows(PASSWORD.len()).any(|part| part == PASSWORD.as_bytes());
        assert!(!found, "{file} holds the password");
    }
}
