//! The local API's manners: what answers what, in which form, and the interface's files.

use std::fs;

use galley_editor_tests::{Editor, Repository, attached};
use galley_harness::http::Response;
use serde_json::{Value, json};

#[track_caller]
fn refused(answer: Response, status: u16, part: &str) -> Value {
    let answer = answer.expect(status);
    let body = answer.json();
    assert_eq!(body["ok"], json!(false), "{body}");
    let reason = body["reason"].as_str().unwrap_or_default();
    assert!(reason.contains(part), "{}: {body}", answer.request);
    body
}

#[test]
fn reading_routes_answer_get_and_post_alike() {
    let repository = Repository::react();
    let editor = attached(&repository);
    for path in [
        "/api/editor/state",
        "/api/editor/tree",
        "/api/editor/tree?path=src/App.tsx",
        "/api/editor/history",
        "/api/editor/assets",
        "/api/editor/classes",
        "/api/editor/components",
        "/api/git/status",
        "/api/git/branches",
        "/api/git/diff",
        "/api/git/publish",
        "/api/project",
        "/api/settings",
    ] {
        let got = editor.request("GET", path).send().expect(200).json();
        assert_eq!(got, editor.ask(path).expect(200).json(), "{path}");
        assert_eq!(got["ok"], json!(true), "{path}");
    }
}

#[test]
fn the_state_names_the_branch_of_its_own_work_tree_as_it_is_now() {
    let repository = Repository::react();
    let folder = Repository::bare_folder();
    let second = folder.at("second");
    repository.git(&[
        "worktree",
        "add",
        "--quiet",
        "-b",
        "fix/title",
        second.to_str().unwrap(),
    ]);
    let editor = Editor::on(&second).args(["--attach", "http://127.0.0.1:9"]).start();
    let branch = || editor.ask("/api/editor/state").expect(200).json()["branch"].clone();
    let git = |words: &[&str]| repository.git(&[&["-C", second.to_str().unwrap()], words].concat());
    assert_eq!(branch(), json!("fix/title"));
    git(&["switch", "--quiet", "--orphan", "empty"]);
    assert_eq!(branch(), json!("empty"));
    git(&["switch", "--quiet", "--detach", "main"]);
    assert_eq!(branch(), Value::Null);
}

#[test]
fn the_state_says_what_the_interface_needs() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let state = editor.ask("/api/editor/state").expect(200).json();
    assert_eq!(state["root"], json!(repository.path()));
    assert_eq!(state["framework"], json!("react"));
    assert_eq!(state["branch"], json!("main"));
    // Nobody listens there, which is found out in a moment.
    assert!(
        ["attached", "failed"]
            .map(Value::from)
            .contains(&state["host"]["status"])
    );
    assert!(
        state["previewUrl"]
            .as_str()
            .is_some_and(|url| url.starts_with("http://127.0.0.1:"))
    );
    assert_ne!(state["previewUrl"], json!(editor.origin()));
    assert!(state["nonce"].as_str().is_some_and(|nonce| nonce.len() >= 32));
    assert_eq!(state["features"]["reloadBackstop"], json!(true));
    assert_eq!(state["features"]["codeView"], json!(false));
}

#[test]
fn a_dev_server_that_somebody_else_started_is_not_restarted() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let body = refused(editor.ask("/api/host/restart"), 409, "where it was started");
    assert_eq!(body["code"], json!("not-started-here"));
    assert_eq!(editor.request("GET", "/api/host/restart").send().status, 405);
}

#[test]
fn what_does_not_fit_is_answered_in_json_that_names_it() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let post = |path: &str, body: &str| editor.request("POST", path).body(body).send();
    refused(editor.ask("/api/editor/nothing"), 404, "/api/editor/nothing");
    let answer = editor.request("DELETE", "/api/editor/edit").send();
    assert_eq!(answer.header("allow"), Some("POST"));
    refused(answer, 405, "DELETE");
    refused(post("/api/editor/edit", "{"), 400, "not valid JSON");
    refused(post("/api/editor/edit", ""), 400, "not valid JSON");
    refused(post("/api/editor/edit", "[]"), 400, "");
    refused(post("/api/editor/edit", "{} {}"), 400, "not valid JSON");
    refused(post("/api/editor/edit", "{}"), 400, "src");
    refused(post("/api/editor/edit", &"[".repeat(100_000)), 400, "");
    let body = refused(
        post("/api/git/commit", r#"{ "message": "x", "paths": ["a", 1] }"#),
        400,
        "paths[1]",
    );
    assert_eq!(body["key"], json!("paths[1]"));
    refused(post("/api/git/commit", r#"{ "message": " " }"#), 400, "message");
    refused(
        post("/api/git/commit", r#"{ "message": "x", "paths": ["../x"] }"#),
        400,
        "../x",
    );
    refused(post("/api/git/discard", "{}"), 400, "path");
    refused(editor.ask("/api/editor/inspect"), 400, "src");
    refused(editor.ask("/api/editor/inspect?src=/etc/passwd:1:0"), 400, "src");
    refused(
        editor.ask("/api/editor/inspect?src=src/App.tsx:1:0&item=x"),
        400,
        "item",
    );
    refused(editor.ask("/api/editor/tree?path=src/None.tsx"), 404, "src/None.tsx");
    refused(editor.ask("/api/editor/tree?path=.git/config"), 404, ".git/config");
    let large = format!(r#"{{ "src": "{}" }}"#, "x".repeat(9 << 20));
    refused(post("/api/editor/edit", &large), 413, "8 MiB");
}

#[test]
fn the_interface_is_read_from_disk_for_each_request() {
    let repository = Repository::react();
    let ui = tempfile::tempdir().unwrap();
    fs::write(ui.path().join("index.html"), "one").unwrap();
    fs::write(ui.path().join("app.js"), "1").unwrap();
    let arguments = ["--attach", "http://127.0.0.1:9", "--ui", ui.path().to_str().unwrap()];
    let editor = Editor::start(&repository, &arguments);
    let get = |path: &str| editor.request("GET", path).without("origin").send();
    let page = get("/").expect(200);
    assert_eq!(page.text(), "one");
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert_eq!(page.header("x-frame-options"), Some("DENY"));
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = page.header("content-security-policy").unwrap_or_default();
    for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"] {
        assert!(policy.contains(part), "{policy}");
    }
    fs::write(ui.path().join("index.html"), "two").unwrap();
    assert_eq!(
        get("/settings/keys").expect(200).text(),
        "two",
        "its own addresses get the page"
    );
    assert!(
        get("/app.js")
            .expect(200)
            .header("content-type")
            .unwrap()
            .contains("javascript")
    );
    assert_eq!(editor.request("HEAD", "/").send().expect(200).text(), "");
    refused(get("/missing.js"), 404, "no such file");
    refused(get("/..%2f..%2fetc/passwd"), 404, "");
    refused(editor.request("POST", "/").send(), 405, "POST");
    fs::remove_file(ui.path().join("index.html")).unwrap();
    refused(get("/"), 404, "npm run build:ui");
}

#[test]
fn what_is_switched_off_is_refused_naming_its_switch() {
    let repository = Repository::react();
    let editor = attached(&repository);
    refused(editor.ask("/api/editor/file?path=src/App.tsx"), 403, "editor.codeView");
    refused(
        editor.put("/api/editor/file", &json!({ "path": "a", "text": "", "hash": "" })),
        403,
        "editor.codeView",
    );
    refused(editor.ask("/api/editor/notes/"), 403, "editor.notes");
    refused(editor.ask("/api/editor/notes/todo"), 403, "editor.notes");
    refused(editor.ask("/api/editor/canvas"), 403, "editor.canvas");
    refused(
        editor.post("/api/editor/llm-fallback", &json!({ "kind": "detach" })),
        403,
        "lanes.detach",
    );
    refused(
        editor.post("/api/editor/llm-fallback", &json!({ "kind": "swap" })),
        403,
        "lanes.swap",
    );
    let detach = json!({ "src": "src/App.tsx:1:25", "kind": "detach" });
    let body = refused(editor.post("/api/editor/edit", &detach), 403, "lanes.detach");
    assert_eq!(body["lane"], json!("lanes.detach"));
    let body = refused(
        editor.post("/api/editor/llm-fallback", &json!({ "kind": "text" })),
        503,
        "Missing ",
    );
    let reason = body["reason"].as_str().unwrap();
    assert!(
        reason.ends_with("_API_KEY. Set it to use Editor's AI features, or add a key from the settings gear."),
        "{reason}"
    );
}

#[test]
fn notes_are_kept_beside_the_prototype_and_names_lead_nowhere_else() {
    let repository = Repository::react().file(".tool/config.json", r#"{ "version": 2, "editor": { "notes": true } }"#);
    let editor = attached(&repository);
    assert_eq!(editor.ask("/api/editor/notes/").expect(200).json()["notes"], json!([]));
    let saved = editor
        .put("/api/editor/notes/To%20do", &json!({ "text": "# Später\n" }))
        .expect(200)
        .json();
    assert_eq!(repository.read(".tool/notes/To do.md"), "# Später\n");
    let read = editor.ask("/api/editor/notes/To%20do").expect(200).json();
    assert_eq!((&read["text"], &read["hash"]), (&json!("# Später\n"), &saved["hash"]));
    refused(
        editor.put("/api/editor/notes/To%20do", &json!({ "text": "x" })),
        409,
        "changed meanwhile",
    );
    let again = json!({ "text": "x", "hash": saved["hash"] });
    editor.put("/api/editor/notes/To%20do", &again).expect(200);
    assert_eq!(
        editor.ask("/api/editor/notes/").expect(200).json()["notes"],
        json!(["To do"])
    );
    refused(editor.ask("/api/editor/notes/none"), 404, "none");
    for name in ["..%2Fconfig", "%2e%2e%2fx", "a%00", ".hidden", "a%5Cb"] {
        refused(editor.ask(&format!("/api/editor/notes/{name}")), 400, "name of a note");
    }
    assert_eq!(repository.git(&["status", "--porcelain"]), "?? .tool/");
}

#[test]
fn settings_are_listed_and_written_into_the_file_that_owns_them() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let listed = editor.ask("/api/settings").expect(200).json();
    let keys = listed["settings"].as_array().unwrap();
    let find = |key: &str| {
        keys.iter()
            .find(|setting| setting["key"] == key)
            .cloned()
            .unwrap_or_default()
    };
    assert_eq!(find("editor.notes")["default"], json!(false));
    editor
        .put("/api/settings", &json!({ "key": "editor.notes", "value": true }))
        .expect(200);
    let written: Value = serde_json::from_str(&repository.read(".tool/config.json")).unwrap();
    assert_eq!(written["editor"]["notes"], json!(true));
    let body = refused(
        editor.put("/api/settings", &json!({ "key": "editor.notes", "value": "yes" })),
        422,
        "editor.notes",
    );
    assert_eq!(body["key"], json!("editor.notes"));
    refused(
        editor.put("/api/settings", &json!({ "key": "nonsense", "value": 1 })),
        422,
        "nonsense",
    );
    refused(
        editor.put("/api/settings", &json!({ "key": "projectId", "value": "x" })),
        422,
        "projectId",
    );
}

#[test]
fn events_begin_with_the_state_and_tell_of_changes_by_others() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let events = editor.events();
    let first = events.next();
    assert_eq!(first.event, "state");
    assert_eq!(first.json()["ok"], json!(true));
    let heard = |wanted: &str| {
        loop {
            let event = events.next();
            if event.event == wanted {
                return event.json();
            }
        }
    };
    repository.write("src/App.tsx", "export const App = () => <h1>Bye</h1>\n");
    assert_eq!(heard("files"), json!({ "paths": ["src/App.tsx"] }));
    repository.write("src/new/folder/Card.tsx", "export const Card = () => <p/>\n");
    assert_eq!(heard("files"), json!({ "paths": ["src/new/folder/Card.tsx"] }));
    repository.write("src/new/folder/Card.tsx", "export const Card = () => <b/>\n");
    assert_eq!(
        heard("files"),
        json!({ "paths": ["src/new/folder/Card.tsx"] }),
        "new folders are watched too"
    );
    repository.git(&["add", "--all"]);
    assert_eq!(heard("git"), json!({}));
}

#[test]
fn what_the_editor_wrote_is_a_change_by_others_when_they_bring_it_back() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let edit = json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": "Edited" });
    editor.post("/api/editor/edit", &edit).expect(200);
    let edited = repository.read("src/App.tsx");
    let events = editor.events();
    for content in ["export const App = () => <h1>\n", &edited] {
        repository.write("src/App.tsx", content);
        let told = loop {
            let event = events.next();
            if event.event == "files" {
                break event.json();
            }
        };
        assert_eq!(told, json!({ "paths": ["src/App.tsx"] }));
    }
}
