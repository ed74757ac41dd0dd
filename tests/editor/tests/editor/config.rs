//! The three configuration files: who owns which key, and what a mistake in each does.

use galley_editor_tests::vendor::Vendor;
use galley_editor_tests::{Build, Editor, Repository};
use galley_harness::poll::eventually;
use serde_json::{Value, json};

const TOOL: &str = ".tool/config.json";
const ROOT: &str = "tool.config.json";

fn with(file: &str, content: &Value) -> Repository {
    Repository::react().file(file, content.to_string())
}

/// Warnings on standard error, one a line.
fn warnings(editor: &Editor) -> Vec<String> {
    let stderr = editor.stderr();
    let lines = stderr.lines().filter_map(|line| line.strip_prefix("Warning: "));
    lines.map(str::to_owned).collect()
}

fn features(editor: &Editor) -> Value {
    editor.ask("/api/editor/state").expect(200).json()["features"].clone()
}

/// A setting as the running Editor lists it.
#[track_caller]
fn setting(editor: &Editor, key: &str) -> Value {
    let listed = editor.ask("/api/settings").expect(200).json();
    let settings = listed["settings"].as_array().unwrap();
    let found = settings.iter().find(|setting| setting["key"] == key);
    found.unwrap_or_else(|| panic!("{key} is not listed")).clone()
}

/// Demands that the file stops the start, naming it and these words.
#[track_caller]
fn stops(repository: &Repository, words: &str) {
    let ended = Editor::build(repository).fail();
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(
        ended.stderr.contains(ROOT) && ended.stderr.contains(words),
        "{}",
        ended.stderr
    );
}

/// Demands that the Editor starts with exactly one warning, which holds these words.
#[track_caller]
fn warns(repository: &Repository, words: &str) -> Editor {
    let editor = Editor::start(repository, &[]);
    let warnings = warnings(&editor);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains(words), "{warnings:?}");
    let state = editor.ask("/api/editor/state").expect(200).json();
    let shown = state["warnings"].as_array().unwrap();
    assert!(
        shown.iter().any(|warning| warning["words"] == warnings[0].as_str()),
        "{state}"
    );
    editor
}

#[test]
fn without_a_file_there_is_one_line_and_no_warning() {
    let editor = Editor::start(&Repository::react(), &[]);
    let line = "No .tool/config.json: this repository has no project association.";
    assert_eq!(
        editor.stderr().lines().filter(|there| *there == line).count(),
        1,
        "{}",
        editor.stderr()
    );
    assert_eq!(warnings(&editor), [""; 0]);
}

#[test]
fn with_a_file_the_line_is_not_said() {
    let editor = Editor::start(&with(TOOL, &json!({ "version": 2 })), &[]);
    assert!(
        !editor.stderr().contains("no project association"),
        "{}",
        editor.stderr()
    );
}

#[test]
fn one_mistake_drops_the_whole_file_and_is_named_in_full() {
    let file = json!({
        "version": 2, "project": { "id": "p1", "name": "Shop", "slug": "shop" },
        "editor": { "notes": true }, "retention": { "backups": { "keepNewest": 0 } }
    });
    let repository = with(TOOL, &file);
    let editor = warns(
        &repository,
        "`retention.backups.keepNewest` must be a whole number above 0, but is 0",
    );
    assert_eq!(features(&editor)["notes"], false);
    assert_eq!(setting(&editor, "editor.notes")["value"], false);
    assert_eq!(setting(&editor, "project")["value"], Value::Null);
    let failing = setting(&editor, "retention.backups.keepNewest");
    let problem = failing["problem"].as_str().unwrap_or_default();
    assert!(problem.contains("above 0"), "{failing}");
}

#[test]
fn a_file_that_is_no_json_drops_too() {
    let repository = Repository::react().file(TOOL, "{ \"version\": 2, // two\n }");
    warns(&repository, ".tool/config.json: the file is not valid JSON");
    warns(
        &with(TOOL, &json!({ "version": 3 })),
        "`version` must be 1 or 2, but is 3",
    );
}

#[test]
fn a_malformed_identity_drops_alone() {
    let file = json!({ "version": 2, "project": { "id": "p1" }, "editor": { "notes": true } });
    let editor = warns(&with(TOOL, &file), "`project.name`");
    assert_eq!(features(&editor)["notes"], true);
}

#[test]
fn a_syntax_error_in_the_other_file_stops_the_start() {
    stops(
        &Repository::react().file(ROOT, "{ \"lanes\": { \"swap\": true, } }"),
        "not valid JSON",
    );
    stops(&Repository::react().file(ROOT, "[]"), "must hold an object");
}

#[test]
fn a_mistake_in_the_read_roots_stops_the_start() {
    let repository = |roots: Value| with(ROOT, &json!({ "readRoots": roots }));
    stops(
        &repository(json!({ "Docs": { "path": ".." } })),
        "`readRoots.Docs` has a bad name",
    );
    stops(
        &repository(json!({ "worktree": { "path": ".." } })),
        "`readRoots.worktree` has a reserved name",
    );
    stops(&repository(json!({ "docs": {} })), "`readRoots.docs.path` is missing");
    stops(
        &repository(json!({ "docs": { "path": "." } })),
        "`readRoots.docs.path` is the prototype's own folder",
    );
    stops(
        &repository(json!({ "docs": { "path": "package.json" } })),
        "must be a folder",
    );
}

#[test]
fn read_roots_that_are_missing_or_double_are_warnings() {
    warns(
        &with(ROOT, &json!({ "readRoots": { "docs": { "path": "../nowhere" } } })),
        "`readRoots.docs` is skipped",
    );
    let twice = json!({ "readRoots": { "one": { "path": "src" }, "two": { "path": "src/../src" } } });
    warns(&with(ROOT, &twice), "are the same folder");
}

#[test]
fn read_roots_tell_whether_git_has_them() {
    let plain = Repository::bare_folder();
    let other = Repository::react();
    let roots = json!({ "readRoots": {
        "inside": { "path": "src" }, "other": { "path": other.path() }, "plain": { "path": plain.path(), "description": "Papers" }
    } });
    let (code, report) = Editor::build(&with(ROOT, &roots)).doctor();
    assert_eq!(code, Some(0), "{report}");
    let roots = report["found"]["readRoots"].as_array().unwrap();
    let kinds: Vec<_> = roots
        .iter()
        .map(|root| (root["name"].as_str().unwrap(), &root["isGit"]))
        .collect();
    assert_eq!(
        kinds,
        [
            ("inside", &json!(true)),
            ("other", &json!(true)),
            ("plain", &json!(false))
        ]
    );
}

#[test]
fn other_blocks_of_the_file_are_ignored_with_a_warning() {
    for (block, words) in [
        (
            json!({ "designSystems": [{ "kind": "zip" }] }),
            "`designSystems[0].kind`",
        ),
        (
            json!({ "lanes": { "wrap": true } }),
            "`lanes.wrap` is no lane; names are detach, swap",
        ),
        (
            json!({ "lanes": { "swap": "yes", "detach": true } }),
            "`lanes.swap` must be true or false",
        ),
        (
            json!({ "hosts": { "webpack": true } }),
            "`hosts.webpack` is no dev server; names are vite, nuxt, react-router, next, astro",
        ),
        (json!({ "hosts": { "vite": 1 } }), "`hosts.vite` must be true or false"),
        (json!({ "hosts": { "attach": true } }), "`hosts.attach`"),
    ] {
        let editor = warns(&with(ROOT, &block), words);
        assert_eq!(features(&editor)["detach"], false);
    }
}

#[test]
fn a_host_that_is_off_falls_back_to_attaching() {
    let repository = Repository::new()
        .file(
            "package.json",
            r#"{ "dependencies": { "react": "19" }, "devDependencies": { "vite": "7" } }"#,
        )
        .file(ROOT, r#"{ "hosts": { "vite": false } }"#)
        .commit();
    let editor = Editor::start(&repository, &[]);
    eventually("it says why", || editor.stderr().contains("hosts.vite").then_some(()));
}

#[test]
fn a_key_in_the_wrong_file_has_no_effect_and_no_warning() {
    let repository = Repository::react()
        .file(TOOL, r#"{ "version": 2, "lanes": { "swap": true }, "hosts": 5 }"#)
        .file(
            ROOT,
            r#"{ "editor": { "notes": true }, "version": "x", "mcpServers": 1 }"#,
        );
    let editor = Editor::start(&repository, &[]);
    assert_eq!(warnings(&editor), [""; 0]);
    let features = features(&editor);
    assert_eq!((&features["swap"], &features["notes"]), (&json!(false), &json!(false)));
}

#[test]
fn switches_are_off_but_tabs_and_reloading() {
    let off = json!({
        "codeView": false, "notes": false, "canvas": false, "vscodeLink": false, "detach": false, "swap": false,
        "detachedSessions": true, "reloadBackstop": true
    });
    assert_eq!(features(&Editor::start(&Repository::react(), &[])), off);
}

#[test]
fn each_switch_has_its_key() {
    let tool = json!({ "version": 2, "chat": { "detachedSessions": false }, "editor": {
        "canvas": true, "codeView": true, "notes": true, "vscodeLink": true, "reloadBackstop": false } });
    let repository = with(TOOL, &tool).file(ROOT, r#"{ "lanes": { "detach": true, "swap": true } }"#);
    let on = json!({
        "codeView": true, "notes": true, "canvas": true, "vscodeLink": true, "detach": true, "swap": true,
        "detachedSessions": false, "reloadBackstop": false
    });
    assert_eq!(features(&Editor::start(&repository, &[])), on);
}

#[test]
fn variables_switch_on_when_they_are_exactly_1() {
    let repository = with(TOOL, &json!({ "version": 2, "editor": { "vscodeLink": true } }));
    let editor = Editor::build(&repository)
        .env("EDITOR_CANVAS", "1")
        .env("EDITOR_NOTES", "true")
        .env("EDITOR_CODE_VIEW", "1")
        .env("EDITOR_VSCODE_LINK", "0")
        .start();
    let features = features(&editor);
    // Either is enough, and a variable does not switch off.
    for (switch, on) in [
        ("canvas", true),
        ("notes", false),
        ("codeView", true),
        ("vscodeLink", true),
    ] {
        assert_eq!(features[switch], on, "{switch}");
    }
    assert_eq!(setting(&editor, "editor.canvas")["byEnvironment"], true);
    assert_eq!(setting(&editor, "editor.notes")["byEnvironment"], false);
}

#[test]
fn a_monorepo_has_some_blocks_at_its_top_and_some_at_the_app() {
    let blocks = r#"{ "lanes": { "swap": true }, "webSearch": { "enabled": true } }"#;
    let app = |path: &str| {
        let repository = Repository::new()
            .file("apps/web/package.json", r#"{ "dependencies": { "react": "19" } }"#)
            .file(path, blocks)
            .commit();
        let editor = Editor::on(repository.at("apps/web")).start();
        let values = ["lanes.swap", "webSearch.enabled"].map(|key| setting(&editor, key)["value"] == true);
        (values, repository, editor)
    };
    assert_eq!(app("tool.config.json").0, [false, true]);
    assert_eq!(app("apps/web/tool.config.json").0, [true, false]);
}

#[test]
fn the_legacy_file_is_read_for_its_three_blocks_alone() {
    let blocks = r#"{ "lanes": { "swap": true }, "webSearch": { "enabled": true } }"#;
    let repository = Repository::react().file("tool-composer.config.json", blocks);
    let editor = Editor::start(&repository, &[]);
    assert_eq!(setting(&editor, "webSearch.enabled")["value"], true);
    assert_eq!(setting(&editor, "lanes.swap")["value"], false);
    // As soon as the other one exists, it alone counts.
    repository.write(ROOT, "{}");
    assert_eq!(setting(&editor, "webSearch.enabled")["value"], false);
}

#[test]
fn blocks_of_the_chat_do_not_disturb_the_start() {
    let repository = Repository::react()
        .file(ROOT, r#"{ "webFetch": { "allowedHosts": ["*"] }, "design_tool": { "enabled": 1 } }"#)
        .file(
            ".mcp.json",
            r#"{ "mcpServers": { "editor": { "command": "x" }, "docs": { "command": "docs-mcp", "args": ["${GALLEY_UNSET}"] },
                "good": { "command": "good-mcp", "env": { "A": "${HOME}" } } } }"#,
        );
    let editor = Editor::start(&repository, &[]);
    assert_eq!(warnings(&editor), [""; 0]);
    let problem = setting(&editor, "webFetch.allowedHosts")["problem"].clone();
    assert!(problem.as_str().unwrap().contains("bare hostname"), "{problem}");
    drop(editor);

    let (code, report) = Editor::build(&repository).doctor();
    assert_eq!(code, Some(0));
    let words = report["found"]["warnings"].to_string();
    for expected in [
        "webFetch.allowedHosts[0]",
        "design_tool.enabled",
        "mcpServers.editor",
        "is reserved",
        "GALLEY_UNSET",
    ] {
        assert!(words.contains(expected), "{expected} in {words}");
    }
    assert_eq!(
        report["found"]["servers"],
        json!([{ "id": "good", "command": "good-mcp" }])
    );
}

#[test]
fn the_doctor_says_whether_the_vendors_program_is_asked() {
    let (repository, home) = (Repository::react(), tempfile::tempdir().unwrap());
    let vendor = Vendor::at(home.path());
    let asked = |build: Build| {
        let (code, report) = build.doctor();
        assert_eq!(code, Some(0), "{report}");
        let models = &report["found"]["models"];
        (models["subscription"].clone(), models["vendorProgram"].clone())
    };
    let program = json!(home.path().join("vendor"));
    let build = || vendor.asked_by(Editor::build(&repository));
    assert_eq!(asked(build()), (json!(true), program.clone()));
    assert_eq!(asked(build().env("EDITOR_PROVIDER", "openai")), (json!(false), program));
    vendor.goes();
    assert_eq!(asked(build()), (json!(true), json!(null)));
}

#[test]
fn a_setting_is_written_into_the_file_that_owns_it() {
    let text = "{\n    \"version\": 2,\n    \"chat\": { \"detachedSessions\": true },\n    \"mine\": [1,2]\n}\n";
    let repository = Repository::react().file(TOOL, text);
    let editor = Editor::start(&repository, &[]);
    editor
        .put(
            "/api/settings",
            &json!({ "key": "chat.detachedSessions", "value": false }),
        )
        .expect(200);
    assert_eq!(repository.read(TOOL), text.replace("true", "false"));
    let listed = setting(&editor, "chat.detachedSessions");
    assert_eq!(
        (&listed["value"], &listed["pending"], &listed["restart"]),
        (&json!(false), &json!(true), &json!(true))
    );
    // Until the restart the Editor goes by what it read.
    assert_eq!(features(&editor)["detachedSessions"], true);

    editor
        .put("/api/settings", &json!({ "key": "lanes.swap", "value": true }))
        .expect(200);
    assert_eq!(
        serde_json::from_str::<Value>(&repository.read(ROOT)).unwrap(),
        json!({ "lanes": { "swap": true } })
    );
    editor
        .put(
            "/api/settings",
            &json!({ "key": "chat.detachedSessions", "value": null }),
        )
        .expect(200);
    assert_eq!(setting(&editor, "chat.detachedSessions")["isSet"], false);
}

#[test]
fn settings_that_cannot_be_written_leave_the_files_alone() {
    let repository = Repository::react().file(TOOL, "{ \"version\": 2, }");
    let editor = Editor::start(&repository, &[]);
    for (key, value, status) in [
        ("editor.notes", json!(true), 409),
        ("lanes.swap", json!("yes"), 422),
        ("lanes.wrap", json!(true), 422),
        ("project", json!({}), 422),
        ("readRoots", json!({ "worktree": { "path": ".." } }), 422),
    ] {
        let answer = editor
            .put("/api/settings", &json!({ "key": key, "value": value }))
            .expect(status)
            .json();
        assert_eq!(answer["ok"], false);
        assert!(
            answer["reason"].as_str().is_some_and(|reason| !reason.is_empty()),
            "{answer}"
        );
    }
    assert_eq!(repository.read(TOOL), "{ \"version\": 2, }");
    assert!(!repository.at(ROOT).exists());
}
