//! Undo, redo and the history, also across restarts.

use std::fs;

use galley_editor_tests::{Editor, Repository, attached};
use serde_json::{Value, json};

const SOURCE: &str = "export const App = () => <h1>Hello</h1>\n";

#[track_caller]
fn retype(editor: &Editor, text: &str) -> Value {
    let edit = json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": text });
    editor.post("/api/editor/edit", &edit).expect(200).json()
}

fn step(editor: &Editor, which: &str) -> galley_harness::http::Response {
    editor.request("POST", &format!("/api/editor/{which}")).send()
}

#[test]
fn steps_are_taken_back_and_done_again_byte_for_byte() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let one = retype(&editor, "One");
    let two = retype(&editor, "Two");
    let undone = step(&editor, "undo").expect(200).json();
    assert_eq!(undone["editId"], two["editId"]);
    assert!(
        undone["files"][0]["diff"]
            .as_str()
            .unwrap()
            .contains("+export const App = () => <h1>One</h1>")
    );
    assert_eq!(repository.read("src/App.tsx"), SOURCE.replace("Hello", "One"));
    step(&editor, "undo").expect(200);
    assert_eq!(repository.read("src/App.tsx"), SOURCE);
    let nothing = step(&editor, "undo").expect(409).json();
    assert_eq!(nothing["code"], json!("nothing-to-undo"));
    step(&editor, "redo").expect(200);
    step(&editor, "redo").expect(200);
    assert_eq!(repository.read("src/App.tsx"), SOURCE.replace("Hello", "Two"));
    assert_eq!(
        step(&editor, "redo").expect(409).json()["code"],
        json!("nothing-to-redo")
    );
    let history = editor.ask("/api/editor/history").expect(200).json();
    let ids: Vec<&Value> = history["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["editId"])
        .collect();
    assert_eq!(ids, [&two["editId"], &one["editId"]], "newest first");
    assert_eq!(
        (&history["canUndo"], &history["canRedo"]),
        (&json!(true), &json!(false))
    );
}

#[test]
fn the_history_survives_a_restart() {
    let repository = Repository::react();
    let editor = attached(&repository);
    retype(&editor, "One");
    retype(&editor, "Two");
    step(&editor, "undo").expect(200);
    let before = editor.ask("/api/editor/history").json();
    editor.kill();
    let editor = attached(&repository);
    assert_eq!(editor.ask("/api/editor/history").json(), before);
    step(&editor, "redo").expect(200);
    assert_eq!(repository.read("src/App.tsx"), SOURCE.replace("Hello", "Two"));
    step(&editor, "undo").expect(200);
    step(&editor, "undo").expect(200);
    assert_eq!(repository.read("src/App.tsx"), SOURCE);
}

#[test]
fn a_new_edit_ends_redoing() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let one = retype(&editor, "One");
    step(&editor, "undo").expect(200);
    retype(&editor, "Two");
    step(&editor, "redo").expect(409);
    let history = editor.ask("/api/editor/history").json();
    assert_eq!(history["entries"][1]["editId"], one["editId"]);
    assert_eq!(history["entries"][1]["undone"], json!(true));
}

#[test]
fn what_somebody_else_changed_is_not_overwritten_by_an_undo() {
    let repository = Repository::react();
    let editor = attached(&repository);
    retype(&editor, "One");
    let theirs = "export const App = () => <h1>Theirs</h1>\n";
    repository.write("src/App.tsx", theirs);
    let refused = step(&editor, "undo").expect(409).json();
    assert_eq!(
        (&refused["code"], &refused["path"]),
        (&json!("source-changed"), &json!("src/App.tsx"))
    );
    assert!(refused["reason"].as_str().unwrap().contains("src/App.tsx"));
    assert_eq!(repository.read("src/App.tsx"), theirs);
    repository.write("src/App.tsx", SOURCE.replace("Hello", "One"));
    step(&editor, "undo").expect(200);
}

#[test]
fn a_step_of_several_files_is_undone_whole_or_not_at_all() {
    let repository = Repository::react()
        .file("src/b.css", "b {}\n")
        .file("run.sh", "#!/bin/sh\n")
        .commit();
    repository.write("src/App.tsx", "changed");
    repository.write("src/b.css", "changed");
    repository.write("src/new.bin", b"\xff\x00\xfe");
    fs::remove_file(repository.at("run.sh")).unwrap();
    let editor = attached(&repository);
    editor.post("/api/git/discard", &json!({ "all": true })).expect(200);
    assert_eq!(repository.git(&["status", "--porcelain"]), "");
    repository.write("src/b.css", "theirs");
    let refused = step(&editor, "undo").expect(409).json();
    assert_eq!(refused["path"], json!("src/b.css"));
    assert_eq!(repository.read("src/App.tsx"), SOURCE);
    repository.write("src/b.css", "b {}\n");
    step(&editor, "undo").expect(200);
    assert_eq!(repository.read("src/App.tsx"), "changed");
    assert_eq!(repository.read("src/b.css"), "changed");
    assert_eq!(fs::read(repository.at("src/new.bin")).unwrap(), b"\xff\x00\xfe");
    assert!(!repository.at("run.sh").exists());
    step(&editor, "redo").expect(200);
    assert_eq!(repository.git(&["status", "--porcelain"]), "");
}

#[test]
fn old_backups_go_at_the_start_and_after_a_commit() {
    let repository = Repository::react().file(
        ".tool/config.json",
        r#"{ "version": 2, "retention": { "backups": { "keepNewest": 3 } } }"#,
    );
    let count = || fs::read_dir(repository.at(".tool/backups")).unwrap().count();
    let editor = attached(&repository);
    for number in 0..6 {
        retype(&editor, &format!("Text {number}"));
    }
    assert_eq!(count(), 6);
    editor
        .post("/api/git/commit", &json!({ "message": "Texts" }))
        .expect(200);
    assert_eq!(count(), 3);
    let history = editor.ask("/api/editor/history").json();
    assert_eq!(history["entries"].as_array().unwrap().len(), 3);
    for number in 0..2 {
        retype(&editor, &format!("More {number}"));
    }
    editor.kill();
    let editor = attached(&repository);
    assert_eq!(count(), 3);
    for _ in 0..3 {
        step(&editor, "undo").expect(200);
    }
    step(&editor, "undo").expect(409);
    assert_eq!(repository.read("src/App.tsx"), SOURCE.replace("Hello", "Text 4"));
}

#[test]
fn a_backup_is_a_copy_people_can_find() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let id = retype(&editor, "One")["editId"].as_str().unwrap().to_owned();
    let folder = format!(".tool/backups/{id}");
    assert_eq!(repository.read(&format!("{folder}/before/src/App.tsx")), SOURCE);
    let manifest: Value = serde_json::from_str(&repository.read(&format!("{folder}/manifest.json"))).unwrap();
    assert_eq!(manifest["files"][0]["path"], json!("src/App.tsx"));
}

#[test]
fn a_formatter_on_save_does_not_end_undoing() {
    let repository = Repository::react()
        .file("src/B.tsx", "export const B = () => <p>Some words</p>\n")
        .commit();
    let editor = attached(&repository);
    let edit = json!({ "src": "src/B.tsx:1:23", "kind": "text", "text": "Other words" });
    editor.post("/api/editor/edit", &edit).expect(200);
    retype(&editor, "One");
    let formatted = |text: &str| format!("{}; // formatted\n", text.trim_end());
    repository.write("src/App.tsx", formatted(&repository.read("src/App.tsx")));
    let undone = step(&editor, "undo").expect(200).json();
    assert_eq!(undone["files"][0]["path"], json!("src/App.tsx"));
    assert_eq!(repository.read("src/App.tsx"), formatted(SOURCE));
    step(&editor, "undo").expect(200);
    assert_eq!(
        repository.read("src/B.tsx"),
        "export const B = () => <p>Some words</p>\n"
    );
    step(&editor, "redo").expect(200);
    step(&editor, "redo").expect(200);
    assert_eq!(
        repository.read("src/App.tsx"),
        formatted(&SOURCE.replace("Hello", "One"))
    );
}

#[test]
fn an_undo_that_is_not_certain_shows_what_changed_and_can_be_skipped() {
    let repository = Repository::react()
        .file("src/B.tsx", "export const B = () => <p>Some words</p>\n")
        .commit();
    let editor = attached(&repository);
    let edit = json!({ "src": "src/B.tsx:1:23", "kind": "text", "text": "Other words" });
    editor.post("/api/editor/edit", &edit).expect(200);
    let blocked = retype(&editor, "One");
    repository.write("src/App.tsx", SOURCE.replace("Hello", "Theirs"));
    let refused = step(&editor, "undo").expect(409).json();
    assert_eq!(refused["code"], json!("source-changed"));
    assert_eq!(refused["editId"], blocked["editId"]);
    assert_eq!(refused["choices"][0]["option"], json!("skip"));
    let changed = refused["changed"][0]["diff"].as_str().unwrap();
    assert!(changed.contains("-export const App = () => <h1>One</h1>"), "{changed}");
    assert!(
        changed.contains("+export const App = () => <h1>Theirs</h1>"),
        "{changed}"
    );
    let skip = json!({ "editId": blocked["editId"], "skip": true });
    let skipped = editor.post("/api/editor/undo", &skip).expect(200).json();
    assert_eq!((&skipped["skipped"], &skipped["files"]), (&json!(true), &json!([])));
    let history = editor.ask("/api/editor/history").json();
    assert_eq!(history["entries"][0]["skipped"], json!(true));
    assert_eq!(history["entries"][0]["undone"], json!(false));
    step(&editor, "undo").expect(200);
    assert_eq!(
        repository.read("src/B.tsx"),
        "export const B = () => <p>Some words</p>\n"
    );
    assert_eq!(repository.read("src/App.tsx"), SOURCE.replace("Hello", "Theirs"));
    // A skipped step stays skipped, and its file is still one of those the Editor changed.
    editor.kill();
    let editor = attached(&repository);
    assert_eq!(
        step(&editor, "undo").expect(409).json()["code"],
        json!("nothing-to-undo")
    );
    let made = editor
        .post("/api/git/commit", &json!({ "message": "Kept" }))
        .expect(200)
        .json();
    assert_eq!(made["files"], json!(["src/App.tsx"]));
}

#[test]
fn one_step_out_of_the_history_is_undone_where_nothing_later_is_about_it() {
    let source = "export const App = () => <main>\n  <h1>Hello</h1>\n  <p>Text</p>\n</main>\n";
    let repository = Repository::react().file("src/App.tsx", source).commit();
    let editor = attached(&repository);
    let edit = |src: &str, text: &str| {
        let edit = json!({ "src": src, "kind": "text", "text": text });
        editor.post("/api/editor/edit", &edit).expect(200).json()["editId"].clone()
    };
    let heading = edit("src/App.tsx:2:2", "A longer heading");
    let text = edit("src/App.tsx:3:2", "Words");
    let again = edit("src/App.tsx:3:2", "More words");
    let undone = editor
        .post("/api/editor/undo", &json!({ "editId": heading }))
        .expect(200)
        .json();
    assert_eq!(undone["editId"], heading);
    assert_eq!(repository.read("src/App.tsx"), source.replace("Text", "More words"));
    let refused = editor
        .post("/api/editor/undo", &json!({ "editId": text }))
        .expect(409)
        .json();
    assert_eq!(
        (&refused["code"], &refused["laterId"]),
        (&json!("undo-overlap"), &again)
    );
    editor
        .post("/api/editor/undo", &json!({ "editId": heading }))
        .expect(404);
    step(&editor, "undo").expect(200);
    step(&editor, "undo").expect(200);
    assert_eq!(repository.read("src/App.tsx"), source);
}
