//! The control socket: who may use it, what a killed server leaves, and the same commands without a server.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use galley_tests::operator::Operator;
use galley_tests::paths;
use galley_tests::prelude::*;

#[test]
fn an_outcome_is_known_when_the_command_ends() {
    let operator = Operator::start();
    let ed = operator.server.user("ed");
    let list = comments(&project(&ed, "shop"));
    for _ in 0..5 {
        let done = operator
            .server
            .galley(&["plugins", "disable", "comments", "--json"])
            .expect(0)
            .json();
        assert_eq!(text(&done, "state"), "disabled");
        ed.get(&list).expect(404);
        assert_eq!(text(&operator.slot("comments"), "state"), "disabled");
        operator.server.galley(&["plugins", "enable", "comments"]).expect(0);
        ed.get(&list).expect(200);
    }
    operator.server.galley(&["plugins", "enable", "comments"]).expect(0);
    // The file follows: nothing is loaded again.
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    assert!(
        !operator.server.log().contains("plugins.lock changed"),
        "{}",
        operator.server.log()
    );
    let audit = operator.server.admin().get("/api/v1/instance/audit").expect(200).json();
    let entries = audit["entries"].as_array().expect("entries");
    assert!(
        entries
            .iter()
            .any(|entry| entry["action"] == "plugin-disabled" && entry["subject"] == "comments"),
        "{audit}"
    );
}

#[test]
fn only_the_servers_user_can_open_the_socket() {
    let mut server = Server::start();
    let socket = server.data_dir().join("control.sock");
    assert_eq!(fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o600);
    server.stop();
    assert!(!socket.exists(), "a server that ends takes it away");
}

#[test]
fn a_socket_of_a_killed_server_is_no_error() {
    let mut operator = Operator::start();
    operator.server.kill();
    let socket = operator.server.data_dir().join("control.sock");
    assert!(socket.exists());
    operator.server.galley(&["plugins", "disable", "comments"]).expect(0);
    assert_eq!(text(&operator.slot("comments"), "state"), "disabled");
    operator.server.again();
    assert_eq!(text(&operator.slot("comments"), "state"), "disabled");
    operator.server.galley(&["plugins", "enable", "comments"]).expect(0);
    healthy(&operator.server);
}

#[test]
fn without_a_server_the_same_is_checked_and_done() {
    let mut operator = Operator::start();
    operator.server.stop();
    let guest = |name: &str| paths::guest(name).to_string_lossy().into_owned();
    operator
        .server
        .galley(&["plugins", "install", &guest("hostile")])
        .expect(4);
    let refused = operator
        .server
        .galley(&["plugins", "install", &guest("clash"), "--yes"])
        .expect(3);
    assert!(refused.stderr.contains("comments"), "{}", refused.stderr);
    let refused = operator
        .server
        .galley(&["plugins", "install", &guest("broken"), "--yes"])
        .expect(3);
    assert!(refused.stderr.contains("broken on purpose"), "{}", refused.stderr);
    operator
        .server
        .galley(&["plugins", "install", &guest("empty"), "--yes"])
        .expect(0);
    let file = operator.another("comments", 1);
    operator
        .server
        .galley(&["plugins", "update", "comments", &file.to_string_lossy()])
        .expect(0);
    operator.server.again();
    operator.anonymous().get("/api/v1/x/empty").expect(200);
    assert_eq!(operator.slot("comments")["bundled"], json!(false));
    healthy(&operator.server);
}

#[test]
fn a_folder_with_a_long_path_has_a_socket_too() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("a".repeat(60)).join("b".repeat(60));
    fs::create_dir_all(&deep).unwrap();
    let mut operator = Operator::start();
    operator.server.stop();
    let data = deep.join("data");
    galley_tests::disk::copy(operator.server.data_dir(), &data);
    let mut process = operator.server.command();
    process.arg("serve").env("SERVICE_DATA_DIR", &data);
    let process = galley_tests::process::Process::start(&mut process);
    eventually("it serves", || process.stdout().contains("listening").then_some(()));
    let mut list = operator.server.command();
    list.args(["plugins", "list"]).env("SERVICE_DATA_DIR", &data);
    let ended = galley_tests::cli::run(&mut list).expect(0);
    assert!(ended.stdout.contains("serving"), "{}", ended.stdout);
}
