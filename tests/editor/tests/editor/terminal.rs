//! What the program says in a terminal, and how it ends.

use std::net::{TcpListener, TcpStream};

use galley_editor_tests::{Editor, Repository};
use serde_json::json;

#[test]
fn the_address_is_the_only_line_on_standard_output() {
    let editor = Editor::start(&Repository::react(), &[]);
    assert_eq!(
        editor.stdout(),
        format!("Editor listening on http://127.0.0.1:{}\n", editor.address.port())
    );
    assert!(TcpStream::connect(editor.address).is_ok());
}

#[test]
fn each_signal_ends_it_with_0_and_closes_its_port() {
    let repository = Repository::react();
    for signal in ["INT", "TERM", "HUP"] {
        let editor = Editor::start(&repository, &[]);
        let address = editor.address;
        let ended = editor.end(signal);
        assert_eq!(ended.code, Some(0), "{signal}: {}", ended.stderr);
        assert!(TcpStream::connect(address).is_err(), "{signal}");
    }
}

#[test]
fn an_open_stream_does_not_keep_it() {
    let editor = Editor::start(&Repository::react(), &[]);
    let events = editor.events();
    assert_eq!(editor.end("TERM").code, Some(0));
    drop(events);
}

#[test]
fn a_taken_port_that_was_asked_for_is_an_error() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let repository = Repository::react();
    let ended = Editor::build(&repository).args(["--port", &port]).fail();
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.stderr.contains(&format!("Port {port} is taken")),
        "{}",
        ended.stderr
    );
    // A free one is used.
    drop(taken);
    let editor = Editor::start(&repository, &["--port", &port]);
    assert_eq!(editor.address.port().to_string(), port);
}

#[test]
fn a_second_editor_on_the_same_repository_is_refused() {
    let repository = Repository::react();
    let first = Editor::start(&repository, &[]);
    let ended = Editor::build(&repository).fail();
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("Another Editor"), "{}", ended.stderr);
    // One that was killed leaves nothing in the way.
    first.kill();
    Editor::start(&repository, &[]);
}

#[test]
fn git_shows_nothing_of_the_editor() {
    let repository = Repository::react();
    let editor = Editor::start(&repository, &[]);
    assert_eq!(repository.git(&["status", "--porcelain"]), "");
    editor.end("TERM");
    assert_eq!(repository.git(&["status", "--porcelain"]), "");
}

#[test]
fn wrong_arguments_end_it_with_2() {
    let repository = Repository::react();
    for arguments in [
        &["--nonsense"][..],
        &["--port", "70000"],
        &["--attach", "localhost:5173"],
        &["--attach", "http://127.0.0.1:1", "--host-port", "5000"],
        &["--json"],
    ] {
        let ended = Editor::build(&repository).args(arguments).run();
        assert_eq!(ended.code, Some(2), "{arguments:?}");
        assert_eq!(ended.stdout, "");
        assert!(ended.stderr.starts_with("error: "), "{}", ended.stderr);
    }
}

#[test]
fn the_help_tells_of_every_argument_and_exit_code() {
    let ended = Editor::build(&Repository::react()).args(["--help"]).run();
    assert_eq!(ended.code, Some(0));
    let arguments = [
        "<PATH>",
        "--port",
        "--host-port",
        "--attach",
        "--ui",
        "--bridge",
        "--no-open",
        "--doctor",
        "--json",
    ];
    let others = [
        "Editor listening on",
        "Exit codes:",
        "  3  the repository is not supported",
        ".tool/config.json",
    ];
    for words in arguments.iter().chain(&others) {
        assert!(ended.stdout.contains(words), "{words} in {}", ended.stdout);
    }
}

#[test]
fn the_doctor_says_what_it_found_and_would_do_and_writes_nothing() {
    let repository = Repository::new()
        .file(
            "package.json",
            r#"{ "name": "shop", "dependencies": { "vue": "^3.5" }, "devDependencies": { "vite": "7" } }"#,
        )
        .file(
            "vite.config.ts",
            "import vue from '@vitejs/plugin-vue'\nexport default { plugins: [vue()] }\n",
        )
        .commit();
    repository.write("new.txt", "");
    let (code, report) = Editor::build(&repository).env("EDITOR_NOTES", "1").doctor();
    assert_eq!((code, &report["ok"]), (Some(0), &json!(true)), "{report}");
    let found = &report["found"];
    assert_eq!(
        (&found["name"], &found["framework"], &found["isInstalled"]),
        (&json!("shop"), &json!("vue"), &json!(false))
    );
    assert_eq!(
        (&found["git"]["branch"], &found["git"]["changed"]),
        (&json!("main"), &json!(1))
    );
    assert_eq!(
        (&found["host"]["kind"], &found["host"]["starts"]),
        (&json!("vite"), &json!(true))
    );
    assert_eq!(found["environment"], json!({ "EDITOR_NOTES": "1" }));
    assert_eq!(found["features"]["notes"], true);
    let missing = json!([{ "module": "@vitejs/plugin-vue", "config": "vite.config.ts" }]);
    assert_eq!(found["missingModules"], missing);
    let keys: Vec<_> = found["settings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|setting| &setting["key"])
        .collect();
    for key in [
        "version",
        "chat.costCeilingUsd",
        "readRoots",
        "hosts.astro",
        "design_tool.enabled",
        "mcpServers",
    ] {
        assert!(keys.contains(&&json!(key)), "{key}");
    }
    assert_eq!(repository.git(&["status", "--porcelain"]), "?? new.txt");
    assert!(!repository.at(".tool").exists());
}

#[test]
fn the_doctor_speaks_to_people_too() {
    let repository = Repository::react().file(".tool/config.json", r#"{ "version": 2, "editor": { "notes": 1 } }"#);
    let ended = Editor::build(&repository).args(["--doctor"]).fail();
    assert_eq!(ended.code, Some(0));
    for words in [
        "Framework   React",
        "`editor.notes` must be true or false",
        "hosts.astro",
        "Nothing is in the way.",
    ] {
        assert!(ended.stdout.contains(words), "{words} in {}", ended.stdout);
    }
}

#[test]
fn the_doctor_ends_as_the_start_would() {
    let vue_2 = Repository::new()
        .file("package.json", r#"{ "dependencies": { "vue": "2" } }"#)
        .commit();
    let (code, report) = Editor::build(&vue_2).doctor();
    assert_eq!(
        (code, &report["ok"], &report["exitCode"]),
        (Some(3), &json!(false), &json!(3))
    );
    let words = report["obstacles"][0]["words"].as_str().unwrap();
    assert!(words.starts_with("Repo not supported by Editor: "), "{words}");

    let broken = Repository::react().file("tool.config.json", "{,}");
    let (code, report) = Editor::build(&broken).args(["--bridge", "nothing.js"]).doctor();
    assert_eq!(code, Some(1));
    // Everything that is in the way is told at once.
    assert_eq!(report["obstacles"].as_array().map(Vec::len), Some(2), "{report}");
    assert_eq!(report["found"]["framework"], "react");
}
