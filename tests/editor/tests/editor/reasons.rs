//! What stands in the way is said as it is: what is switched off, what never was there, what may not be written, what is gone.

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;

use galley_editor_tests::{Editor, Repository, attached, stamping};
use galley_harness::poll::eventually;
use serde_json::{Value, json};

#[track_caller]
fn edit(editor: &Editor, status: u16, body: &Value) -> Value {
    editor.post("/api/editor/edit", body).expect(status).json()
}

#[test]
fn a_kind_that_is_switched_off_names_its_key_before_anything_else_is_looked_at() {
    let editor = attached(&Repository::react());
    for (kind, key) in [("swap", "lanes.swap"), ("detach", "lanes.detach")] {
        for body in [
            json!({ "kind": kind, "src": "src/App.tsx:1:25" }),
            json!({ "kind": kind }),
            json!({ "kind": kind, "src": 5, "component": [] }),
            json!({ "kind": kind, "src": "src/Missing.vue:9:9" }),
        ] {
            for route in ["/api/editor/edit", "/api/editor/llm-fallback"] {
                let answer = editor.post(route, &body).expect(403).json();
                assert_eq!(answer["code"], json!("lane-dormant"), "{route} {body}");
                assert_eq!(answer["lane"], json!(key));
                assert!(answer["reason"].as_str().unwrap().contains(key), "{answer}");
            }
        }
    }
}

#[test]
fn only_a_file_with_another_hash_was_changed_meanwhile() {
    let repository = Repository::react();
    repository.write("src/B.vue", "<template>\n  <p>Text</p>\n</template>\n");
    repository.commit_all("Vue");
    let editor = attached(&repository);
    for path in ["src/App.tsx", "src/B.vue"] {
        let tree = editor.ask(&format!("/api/editor/tree?path={path}")).expect(200).json();
        let src = format!("{path}:1:0");
        for body in [
            json!({ "src": src, "kind": "delete" }),
            json!({ "src": src, "kind": "delete", "sourceHash": tree["hash"] }),
            json!({ "src": src, "kind": "text", "text": "x", "sourceHash": tree["hash"] }),
        ] {
            let answer = edit(&editor, 422, &body);
            assert_eq!(answer["code"], json!("no-element"), "{answer}");
            assert!(!answer["reason"].as_str().unwrap().contains("meanwhile"), "{answer}");
        }
        let answer = editor.ask(&format!("/api/editor/inspect?src={src}")).expect(422).json();
        assert_eq!(answer["code"], json!("no-element"));
        // A place that held nothing in the text that was seen holds nothing in any other.
        repository.write(path, format!("\n{}", repository.read(path)));
        let answer = edit(
            &editor,
            422,
            &json!({ "src": src, "kind": "delete", "sourceHash": tree["hash"] }),
        );
        assert_eq!(answer["code"], json!("no-element"), "{answer}");
    }
    let answer = edit(
        &editor,
        409,
        &json!({ "src": "src/App.tsx:2:25", "kind": "delete", "sourceHash": "0".repeat(64) }),
    );
    assert_eq!(answer["code"], json!("source-changed"));
    let answer = edit(&editor, 422, &json!({ "src": "src/Missing.tsx:1:0", "kind": "delete" }));
    assert_eq!(answer["code"], json!("no-element"));
}

#[test]
fn a_file_that_may_not_be_written_stays_and_is_named() {
    let repository = Repository::react()
        .file("src/b/B.tsx", "export const B = () => <p>B</p>\n")
        .commit();
    let editor = attached(&repository);
    let set = |path: &str, mode| fs::set_permissions(repository.at(path), Permissions::from_mode(mode)).unwrap();
    let source = repository.read("src/App.tsx");
    set("src/App.tsx", 0o444);
    set("src/b", 0o555);
    for (src, path) in [("src/App.tsx:1:25", "src/App.tsx"), ("src/b/B.tsx:1:23", "src/b/B.tsx")] {
        let answer = edit(&editor, 422, &json!({ "src": src, "kind": "text", "text": "New" }));
        assert_eq!(
            (&answer["code"], &answer["path"]),
            (&json!("not-writable"), &json!(path))
        );
        let reason = answer["reason"].as_str().unwrap();
        assert!(reason.starts_with(path) && reason.contains("chmod u+w"), "{reason}");
        assert!(!reason.contains(repository.path().to_str().unwrap()), "{reason}");
        // The inspector says so before anybody tries.
        let found = editor.ask(&format!("/api/editor/inspect?src={src}")).expect(200).json();
        assert!(found["readOnly"].as_str().unwrap().starts_with(path), "{found}");
    }
    assert_eq!(repository.read("src/App.tsx"), source);
    assert_eq!(editor.ask("/api/editor/history").json()["entries"], json!([]));
    set("src/b", 0o755);
    set("src/App.tsx", 0o644);
    let found = editor
        .ask("/api/editor/inspect?src=src/App.tsx:1:25")
        .expect(200)
        .json();
    assert_eq!(found["readOnly"], Value::Null);
    edit(
        &editor,
        200,
        &json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": "New" }),
    );
    set("src/App.tsx", 0o400);
    let answer = editor.ask("/api/editor/undo").expect(422).json();
    assert_eq!(answer["code"], json!("not-writable"), "an undo asks too");
}

#[test]
fn a_file_too_large_to_be_stamped_names_the_limit() {
    let repository = Repository::react();
    let long = format!("export const A = () => <p>x</p>\n// {}\n", "x".repeat(5 << 20));
    let dense = format!("export const a = [<p/>, {}]\n", "a,".repeat(900_000));
    repository.write("src/Long.tsx", &long);
    repository.write("src/Dense.tsx", &dense);
    let editor = attached(&repository);
    let token = stamping::token(&repository);
    for (path, code, limit) in [
        ("src/Long.tsx", long, "at most 4 MB"),
        ("src/Dense.tsx", dense, "at most about 838000 words"),
    ] {
        let answer = stamping::request(&editor, &token, [(path, code.as_str())])
            .send()
            .expect(200);
        let answers = stamping::answers(&answer.body);
        assert!(answers[0].reason.contains(limit), "{}", answers[0].reason);
    }
}

#[test]
fn an_attached_dev_server_that_goes_is_shown_and_so_is_its_return() {
    let repository = Repository::react();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let editor = Editor::start(&repository, &["--attach", &format!("http://{address}")]);
    let host = || editor.ask("/api/editor/state").expect(200).json()["host"].clone();
    assert_eq!(host()["status"], json!("attached"));
    let events = editor.events();
    let told = |wanted: &str| loop {
        let event = events.next();
        if event.event == "host" && event.json()["status"] == json!(wanted) {
            return event.json()["words"].as_str().unwrap().to_owned();
        }
    };
    drop(listener);
    let words = told("failed");
    assert!(
        words.contains(&address.to_string()) && words.contains("Start it again"),
        "{words}"
    );
    assert_eq!(host()["status"], json!("failed"));
    let _again = eventually("the port", || TcpListener::bind(address).ok());
    told("attached");
    assert_eq!(host()["status"], json!("attached"));
}
