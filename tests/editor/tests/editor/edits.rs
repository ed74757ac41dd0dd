//! From a request to the written file: what is kept, what is refused, what everybody is told.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use galley_editor_tests::{Editor, Repository, attached};
use serde_json::{Value, json};

const CODE_VIEW: &str = r#"{ "version": 2, "editor": { "codeView": true } }"#;

fn with_code_view(repository: &Repository) -> Editor {
    repository.write(".tool/config.json", CODE_VIEW);
    attached(repository)
}

fn hash(editor: &Editor, path: &str) -> Value {
    let read = editor.ask(&format!("/api/editor/file?path={path}")).expect(200).json();
    read["hash"].clone()
}

#[track_caller]
fn save(editor: &Editor, path: &str, text: &str) -> Value {
    let body = json!({ "path": path, "text": text, "hash": hash(editor, path) });
    editor.put("/api/editor/file", &body).expect(200).json()
}

#[test]
fn an_edit_changes_its_characters_and_nothing_else() {
    let source = "\u{feff}// 😀\r\nexport const App = () => (\r\n\t<main>\r\n\t\t<h1  title = 'x'>Hello</h1 >\r\n\t</main>\r\n)\r\n";
    let repository = Repository::react().file("src/App.tsx", source).commit();
    fs::set_permissions(repository.at("src/App.tsx"), fs::Permissions::from_mode(0o755)).unwrap();
    let editor = attached(&repository);
    let events = editor.events();
    let edit = json!({ "src": "src/App.tsx:4:2", "kind": "text", "text": "Servus, hi" });
    let answer = editor.post("/api/editor/edit", &edit).expect(200).json();
    let wanted = source.replace("Hello", "Servus, hi");
    assert_eq!(repository.read("src/App.tsx"), wanted);
    let mode = fs::metadata(repository.at("src/App.tsx")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    assert_eq!(answer["src"], json!("src/App.tsx:4:2"));
    assert_eq!(answer["files"][0]["path"], json!("src/App.tsx"));
    let diff = answer["files"][0]["diff"].as_str().unwrap();
    assert!(
        diff.contains("@@ ") && diff.contains("\n+\t\t<h1  title = 'x'>Servus, hi</h1 >"),
        "{diff}"
    );
    let edited = loop {
        let event = events.next();
        assert_ne!(event.event, "files", "one's own edit is no change by others");
        if event.event == "edited" {
            break event.json();
        }
    };
    assert_eq!(edited["editId"], answer["editId"]);
}

#[test]
fn an_edit_that_changes_nothing_is_no_step_of_the_history() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let edit = json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": "Hello" });
    let answer = editor.post("/api/editor/edit", &edit).expect(200).json();
    assert_eq!((&answer["editId"], &answer["files"]), (&Value::Null, &json!([])));
    assert_eq!(editor.ask("/api/editor/history").json()["entries"], json!([]));
}

#[test]
fn an_element_that_moved_since_it_was_seen_is_found_again() {
    let repository = Repository::react()
        .file(
            "src/App.tsx",
            "export const App = () => <main>\n  <h1>Hello</h1>\n  <p>Text</p>\n</main>\n",
        )
        .commit();
    let editor = attached(&repository);
    let seen = editor.ask("/api/editor/tree?path=src/App.tsx").expect(200).json();
    let moved = "// new\n\nexport const App = () => <main>\n  <h1>Hello</h1>\n  <p>Text</p>\n</main>\n";
    repository.write("src/App.tsx", moved);
    let edit = json!({ "src": "src/App.tsx:3:2", "sourceHash": seen["hash"], "kind": "text", "text": "New" });
    let answer = editor.post("/api/editor/edit", &edit).expect(200).json();
    assert_eq!(repository.read("src/App.tsx"), moved.replace("Text", "New"));
    assert_eq!(answer["src"], json!("src/App.tsx:5:2"));
    for (present, hash) in [
        (
            "export const App = () => <main>\n  <p>Text</p>\n  <p>Text</p>\n</main>\n",
            seen["hash"].clone(),
        ),
        (moved, json!("0".repeat(64))),
    ] {
        repository.write("src/App.tsx", present);
        let edit = json!({ "src": "src/App.tsx:3:2", "sourceHash": hash, "kind": "text", "text": "New" });
        let answer = editor.post("/api/editor/edit", &edit).expect(409).json();
        assert_eq!(answer["code"], json!("source-changed"), "{answer}");
        assert_eq!(repository.read("src/App.tsx"), present);
    }
}

#[test]
fn a_text_that_is_not_what_the_page_showed_is_left_alone() {
    let source = "const plans = [{ name: 'Free' }, { name: 'Team' }]\nexport const App = () => <ul>{plans.map((plan) => <li key={plan.name}>{plan.name}</li>)}</ul>\n";
    let repository = Repository::react().file("src/App.tsx", source).commit();
    let editor = attached(&repository);
    let seen = editor.ask("/api/editor/tree?path=src/App.tsx").expect(200).json();
    let edit = |item: usize| {
        let src = "src/App.tsx:2:50";
        let text = json!({ "src": src, "sourceHash": seen["hash"], "kind": "text", "text": "Crew", "item": item, "before": "Team" });
        editor.post("/api/editor/edit", &text)
    };
    let refused = edit(0).expect(409).json();
    assert_eq!(refused["code"], json!("source-changed"), "{refused}");
    assert_eq!(repository.read("src/App.tsx"), source);
    edit(1).expect(200);
    assert_eq!(repository.read("src/App.tsx"), source.replace("'Team'", "'Crew'"));
}

#[test]
fn edits_at_the_same_time_come_one_after_the_other() {
    let repository = Repository::react();
    let texts: Vec<String> = (0..8)
        .map(|number| format!("export const C{number} = () => <i>0</i>\n"))
        .collect();
    for (number, text) in texts.iter().enumerate() {
        repository.write(&format!("src/C{number}.tsx"), text);
    }
    repository.commit_all("Cards");
    let editor = attached(&repository);
    std::thread::scope(|scope| {
        for number in 0..8 {
            let editor = &editor;
            scope.spawn(move || {
                for round in 1..=10 {
                    let src = format!("src/C{number}.tsx:1:24");
                    let edit = json!({ "src": src, "kind": "text", "text": round.to_string() });
                    editor.post("/api/editor/edit", &edit).expect(200);
                }
            });
        }
    });
    for (number, text) in texts.iter().enumerate() {
        assert_eq!(
            repository.read(&format!("src/C{number}.tsx")),
            text.replace('0', "10").replace("C10", "C0")
        );
    }
    let entries = editor.ask("/api/editor/history").json()["entries"]
        .as_array()
        .unwrap()
        .len();
    assert_eq!(entries, 80);
}

#[test]
fn a_file_saved_in_the_code_view_keeps_its_mark_and_must_be_what_was_read() {
    let repository = Repository::react().file("src/a.css", "\u{feff}a {}\r\n").commit();
    let editor = with_code_view(&repository);
    let read = editor.ask("/api/editor/file?path=src/a.css").expect(200).json();
    assert_eq!(read["text"], json!("a {}\r\n"));
    let saved = save(&editor, "src/a.css", "b {}\r\n");
    assert_eq!(repository.read("src/a.css"), "\u{feff}b {}\r\n");
    assert_eq!(saved["hash"], hash(&editor, "src/a.css"));
    let stale = json!({ "path": "src/a.css", "text": "c {}", "hash": read["hash"] });
    let refused = editor.put("/api/editor/file", &stale).expect(409).json();
    assert_eq!(
        (&refused["code"], &refused["path"]),
        (&json!("source-changed"), &json!("src/a.css"))
    );
    assert_eq!(repository.read("src/a.css"), "\u{feff}b {}\r\n");
}

#[test]
fn nothing_outside_the_prototype_is_read_or_written() {
    let repository = Repository::react();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.txt"), "secret").unwrap();
    symlink(outside.path().join("secret.txt"), repository.at("src/link.txt")).unwrap();
    symlink(outside.path(), repository.at("src/folder")).unwrap();
    let editor = with_code_view(&repository);
    for path in [
        "../x",
        "/etc/passwd",
        "src/link.txt",
        "src/folder/secret.txt",
        "src/folder/new.txt",
        ".git/config",
        ".tool/config.json",
        "node_modules/a.js",
    ] {
        let answer = editor.ask(&format!("/api/editor/file?path={path}"));
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
        let body = json!({ "path": path, "text": "x", "hash": "x" });
        let answer = editor.put("/api/editor/file", &body);
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
    }
    assert_eq!(fs::read_to_string(outside.path().join("secret.txt")).unwrap(), "secret");
}

#[test]
fn a_link_inside_the_prototype_stays_a_link() {
    let repository = Repository::react();
    symlink("App.tsx", repository.at("src/Same.tsx")).unwrap();
    let editor = with_code_view(&repository);
    save(&editor, "src/Same.tsx", "export const App = () => <p/>\n");
    assert_eq!(repository.read("src/App.tsx"), "export const App = () => <p/>\n");
    assert!(repository.at("src/Same.tsx").is_symlink());
}

#[test]
fn a_folder_that_cannot_be_written_leaves_everything_as_it_was() {
    let repository = Repository::react();
    let editor = with_code_view(&repository);
    let before = hash(&editor, "src/App.tsx");
    let folder = repository.at("src");
    fs::remove_file(folder.join("App.tsx")).unwrap();
    fs::create_dir(folder.join("App.tsx")).unwrap();
    let body = json!({ "path": "src/App.tsx", "text": "x", "hash": before });
    let answer = editor.put("/api/editor/file", &body).expect(404).json();
    assert_eq!(answer["ok"], json!(false));
    assert!(folder.join("App.tsx").is_dir());
    let staging = fs::read_dir(repository.at(".tool/staging")).unwrap().count();
    assert_eq!(staging, 0);
}

#[test]
fn git_sees_nothing_of_the_editor_not_even_in_a_worktree() {
    let repository = Repository::react();
    let tree = tempfile::tempdir().unwrap();
    let path = tree.path().join("linked");
    repository.git(&["worktree", "add", "--quiet", path.to_str().unwrap()]);
    for root in [repository.path(), path] {
        let editor = Editor::on(&root).args(["--attach", "http://127.0.0.1:9"]).start();
        let edit = json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": "Hi" });
        editor.post("/api/editor/edit", &edit).expect(200);
        assert!(root.join(".tool/backups").is_dir());
        let status = editor.ask("/api/git/status").expect(200).json();
        let files = json!([{ "path": "src/App.tsx", "state": "modified", "staged": false }]);
        assert_eq!(status["files"], files, "{}", root.display());
        assert!(!root.join(".gitignore").exists());
    }
}

#[test]
fn only_one_editor_has_a_prototype_open() {
    let repository = Repository::react();
    let _editor = attached(&repository);
    let second = Editor::build(&repository)
        .args(["--attach", "http://127.0.0.1:9"])
        .fail();
    assert_eq!(second.code, Some(1));
    assert!(second.stderr.contains("Another Editor"), "{}", second.stderr);
}

/// The heading of create-vite with its stylesheet, and the Editor on it.
fn heading(css: &str) -> (Repository, Editor) {
    let repository = Repository::react()
        .file(
            "src/App.tsx",
            "import './index.css'\nexport const App = () => <h1>Hello</h1>\n",
        )
        .file("src/index.css", css)
        .commit();
    let editor = attached(&repository);
    (repository, editor)
}

const HEADING: &str = "h1 {\n  font-size: 56px;\n  @media (max-width: 1024px) {\n    font-size: 36px;\n  }\n}\n";

#[test]
fn a_style_is_set_where_it_decides_at_the_width_that_is_shown() {
    let (repository, editor) = heading(HEADING);
    let inspect = |width: &str| {
        let path = format!("/api/editor/inspect?src=src/App.tsx:2:25{width}");
        editor.ask(&path).expect(200).json()
    };
    let narrow = inspect("&width=876");
    let [first, second] = narrow["styles"].as_array().unwrap().as_slice() else {
        panic!("{narrow}")
    };
    assert_eq!((&first["value"], &first["wins"]), (&json!("36px"), &json!(true)));
    assert_eq!((&second["value"], &second["wins"]), (&json!("56px"), &json!(false)));
    let condition = json!({ "text": "@media (max-width: 1024px)", "words": "on pages up to 1024 pixels wide", "holds": true, "ask": true });
    assert_eq!(first["conditions"], json!([condition]));
    assert_eq!(inspect("&width=1440")["styles"][0]["wins"], json!(false));
    assert_eq!(inspect("")["styles"][1]["wins"], Value::Null);

    let edit = |more: Value| {
        let mut body = json!({ "src": "src/App.tsx:2:25", "kind": "style", "property": "font-size", "value": "80px" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        editor.post("/api/editor/edit", &body)
    };
    let asked = edit(json!({ "width": 876 })).expect(409).json();
    assert_eq!(
        asked["choices"][0]["label"],
        json!("Only on pages up to 1024 pixels wide")
    );
    assert_eq!(asked["choices"][1]["label"], json!("At all widths"));
    let losing = edit(json!({ "width": 876, "at": second["at"] })).expect(200).json();
    let note = losing["notes"][0].as_str().unwrap();
    assert!(
        note.starts_with("The page does not change: h1 at src/index.css:4 "),
        "{note}"
    );
    edit(json!({ "width": 876, "when": "now" })).expect(200);
    assert_eq!(
        repository.read("src/index.css"),
        HEADING.replace("56px", "80px").replace("36px", "80px")
    );
    editor.request("POST", "/api/editor/undo").send().expect(200);
    editor.request("POST", "/api/editor/undo").send().expect(200);
    assert_eq!(repository.read("src/index.css"), HEADING);
    let note = edit(json!({})).expect(200).json()["notes"][0].clone();
    assert!(
        note.as_str()
            .unwrap()
            .starts_with("The page may not change: h1 at src/index.css:4 "),
        "{note}"
    );
}

#[test]
fn the_page_answers_for_conditions_that_no_width_decides() {
    let css = "h1 { color: red; @media (prefers-color-scheme: dark) { color: white } }\n";
    let (repository, editor) = heading(css);
    let dark = json!({ "@media (prefers-color-scheme: dark)": true });
    let edit = json!({ "src": "src/App.tsx:2:25", "kind": "style", "property": "color", "value": "blue", "width": 876, "holds": dark, "when": "now" });
    editor.post("/api/editor/edit", &edit).expect(200);
    assert_eq!(repository.read("src/index.css"), css.replace("white", "blue"));
}

#[test]
fn a_viewport_that_is_none_is_a_bad_request_that_names_the_key() {
    let (_repository, editor) = heading(HEADING);
    let edit = |key: &str, value: Value| {
        let mut body = json!({ "src": "src/App.tsx:2:25", "kind": "style", "property": "color", "value": "red" });
        body[key] = value;
        let answer = editor.post("/api/editor/edit", &body).expect(400).json();
        assert_eq!(answer["key"], json!(key), "{answer}");
    };
    edit("width", json!("wide"));
    edit("width", json!(0));
    edit("holds", json!({ "@media print": "no" }));
    edit("holds", json!(true));
    edit("when", json!("sometimes"));
    let many: serde_json::Map<String, Value> = (0..300).map(|number| (number.to_string(), json!(true))).collect();
    edit("holds", json!(many));
    for (query, key) in [
        ("width=NaN", "width"),
        ("width=-1", "width"),
        ("holds=%5B%5D", "holds"),
        ("holds=x", "holds"),
    ] {
        let path = format!("/api/editor/inspect?src=src/App.tsx:2:25&{query}");
        let answer = editor.ask(&path).expect(400).json();
        assert_eq!(answer["key"], json!(key), "{query}: {answer}");
    }
}
