//! The repository through the Editor: never more than was asked for, and git's own words.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use galley_editor_tests::{Editor, Repository, attached};
use galley_harness::http::Response;
use serde_json::{Value, json};

const ODD: &str = "src/a \"b\" ü\n$(x)*.tsx";

#[track_caller]
fn git(editor: &Editor, action: &str, body: &Value) -> Response {
    editor.post(&format!("/api/git/{action}"), body)
}

#[track_caller]
fn refused(answer: Response, part: &str) -> String {
    let body = answer.expect(409).json();
    assert_eq!(body["code"], json!("git"));
    let reason = body["reason"].as_str().unwrap_or_default().to_owned();
    assert!(reason.contains(part), "{reason}");
    reason
}

fn hook(repository: &Repository, name: &str, script: &str) {
    let path = format!(".git/hooks/{name}");
    repository.write(&path, format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(repository.at(&path), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn the_status_names_every_state_and_every_name() {
    let repository = Repository::react()
        .file("src/gone.tsx", "x")
        .file("src/staged.tsx", "x")
        .file("src/both.tsx", "x")
        .commit();
    fs::remove_file(repository.at("src/gone.tsx")).unwrap();
    for path in ["src/staged.tsx", "src/both.tsx"] {
        repository.write(path, "y");
        repository.git(&["add", path]);
    }
    repository.write("src/both.tsx", "z");
    repository.write(ODD, "new");
    let editor = attached(&repository);
    let status = editor.ask("/api/git/status").expect(200).json();
    assert_eq!(status["branch"], json!("main"));
    assert_eq!(status["head"], json!(repository.git(&["rev-parse", "HEAD"])));
    assert_eq!(
        status["files"],
        json!([
            { "path": "src/both.tsx", "state": "modified", "staged": true },
            { "path": "src/gone.tsx", "state": "deleted", "staged": false },
            { "path": "src/staged.tsx", "state": "modified", "staged": true },
            { "path": ODD, "state": "untracked", "staged": false },
        ])
    );
}

#[test]
fn a_commit_holds_the_named_files_and_what_was_staged_stays_staged() {
    let repository = Repository::react()
        .file("src/a.tsx", "a\n")
        .file("src/gone.tsx", "x\n")
        .file("src/theirs.tsx", "1\n2\n3\n")
        .commit();
    repository.write("src/theirs.tsx", "one\n2\n3\n");
    repository.write("src/new-theirs.tsx", "new\n");
    repository.git(&["add", "src/theirs.tsx", "src/new-theirs.tsx"]);
    repository.write("src/theirs.tsx", "one\n2\nthree\n");
    let staged = repository.git(&["diff", "--cached"]);
    let loose = repository.git(&["diff", "--", "src/theirs.tsx"]);
    repository.write("src/a.tsx", "b\n");
    repository.write(ODD, "odd\n");
    fs::remove_file(repository.at("src/gone.tsx")).unwrap();
    let editor = attached(&repository);
    let paths = json!(["src/a.tsx", ODD, "src/gone.tsx", "src/App.tsx"]);
    let body = json!({ "message": "One\n\nTwo", "paths": paths });
    let made = git(&editor, "commit", &body).expect(200).json();
    assert_eq!(made["subject"], json!("One"));
    assert_eq!(made["commit"], json!(repository.git(&["rev-parse", "HEAD"])));
    let held = repository.git(&["show", "-z", "--name-status", "--format=%B", "HEAD"]);
    assert!(held.starts_with("One\n\nTwo"), "{held}");
    let names: Vec<&str> = held
        .split('\0')
        .skip(1)
        .filter(|part| !part.is_empty())
        .map(str::trim)
        .collect();
    assert_eq!(names, ["A", ODD, "M", "src/a.tsx", "D", "src/gone.tsx"]);
    assert_eq!(repository.git(&["diff", "--cached"]), staged);
    assert_eq!(repository.git(&["diff", "--", "src/theirs.tsx"]), loose);
    let status = repository.git(&["status", "--porcelain"]);
    assert_eq!(status, "A  src/new-theirs.tsx\nMM src/theirs.tsx");
}

#[test]
fn a_file_that_is_staged_in_part_is_not_committed() {
    let repository = Repository::react().file("src/a.tsx", "1\n2\n").commit();
    repository.write("src/a.tsx", "one\n2\n");
    repository.git(&["add", "src/a.tsx"]);
    repository.write("src/a.tsx", "one\ntwo\n");
    let editor = attached(&repository);
    let body = json!({ "message": "One", "paths": ["src/a.tsx"] });
    refused(git(&editor, "commit", &body), "git restore --staged src/a.tsx");
    assert_eq!(repository.git(&["status", "--porcelain"]), "MM src/a.tsx");
    repository.git(&["add", "src/a.tsx"]);
    git(&editor, "commit", &body).expect(200);
    assert_eq!(repository.git(&["status", "--porcelain"]), "");
}

#[test]
fn without_names_what_the_editor_changed_is_committed() {
    let repository = Repository::react().file("src/other.tsx", "x\n").commit();
    repository.write("src/other.tsx", "y\n");
    let editor = attached(&repository);
    let body = json!({ "message": "Hi" });
    refused(git(&editor, "commit", &body), "nothing to commit");
    let edit = json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": "Hi" });
    editor.post("/api/editor/edit", &edit).expect(200);
    let made = git(&editor, "commit", &body).expect(200).json();
    assert_eq!(made["files"], json!(["src/App.tsx"]));
    assert_eq!(repository.git(&["status", "--porcelain"]), " M src/other.tsx");
}

#[test]
fn the_status_has_the_steps_that_a_commit_would_hold() {
    let repository = Repository::react()
        .file("src/b.tsx", "export const B = () => <b>Hello</b>\n")
        .commit();
    let editor = attached(&repository);
    let edit = |src: &str, text: &str| {
        let edit = json!({ "src": src, "kind": "text", "text": text });
        editor.post("/api/editor/edit", &edit).expect(200);
    };
    let (a, b) = ("src/App.tsx:1:25", "src/b.tsx:1:23");
    let steps = || {
        let status = editor.ask("/api/git/status").expect(200).json();
        let steps = status["steps"].as_array().unwrap().iter();
        steps
            .map(|step| format!("{} {}", step["title"].as_str().unwrap(), step["files"]))
            .collect::<Vec<String>>()
    };
    git(&editor, "branch", &json!({ "name": "other", "create": true })).expect(200);
    edit(a, "Other");
    git(&editor, "commit", &json!({ "message": "Other" })).expect(200);
    git(&editor, "branch", &json!({ "name": "main" })).expect(200);
    edit(a, "Third");
    git(&editor, "discard", &json!({ "all": true })).expect(200);
    edit(a, "Only this");
    edit(b, "And that");
    let (this, that) = ("Text “Only this” [\"src/App.tsx\"]", "Text “And that” [\"src/b.tsx\"]");
    assert_eq!(steps(), [this, that]);
    git(&editor, "commit", &json!({ "message": "That", "paths": ["src/b.tsx"] })).expect(200);
    assert_eq!(steps(), [this]);
}

#[test]
fn hooks_run_and_their_words_are_shown() {
    let repository = Repository::react();
    repository.write("src/App.tsx", "new\n");
    hook(&repository, "pre-commit", "echo 'No commits on Saturdays' >&2; exit 1");
    let editor = attached(&repository);
    let body = json!({ "message": "One", "paths": ["src/App.tsx"] });
    let head = repository.git(&["rev-parse", "HEAD"]);
    assert_eq!(
        refused(git(&editor, "commit", &body), "No commits"),
        "No commits on Saturdays"
    );
    assert_eq!(repository.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(repository.git(&["diff", "--cached", "--name-only"]), "");
    // Formatters run as hooks change the file and add it: what they made is what is committed.
    hook(
        &repository,
        "pre-commit",
        "echo formatted > src/App.tsx && git add src/App.tsx",
    );
    git(&editor, "commit", &body).expect(200);
    assert_eq!(repository.git(&["show", "HEAD:src/App.tsx"]), "formatted");
    assert_eq!(repository.git(&["status", "--porcelain"]), "");
    let left = fs::read_dir(repository.at(".git")).unwrap().flatten();
    let left: Vec<String> = left.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    assert!(!left.iter().any(|name| name.contains("galley")), "{left:?}");
}

#[test]
fn the_first_commit_of_a_branch_and_a_detached_head_are_fine() {
    let repository = Repository::react();
    let editor = attached(&repository);
    repository.git(&["checkout", "--quiet", "--orphan", "fresh"]);
    repository.git(&["rm", "--quiet", "--cached", "-r", "."]);
    let status = editor.ask("/api/git/status").expect(200).json();
    assert_eq!((&status["branch"], &status["head"]), (&json!("fresh"), &Value::Null));
    let diff = editor.ask("/api/git/diff").expect(200).json();
    assert_eq!(diff["files"][1]["path"], json!("src/App.tsx"));
    let plan = editor.ask("/api/git/publish").expect(200).json();
    assert!(
        plan["blocked"].as_str().unwrap().contains("Nothing was committed"),
        "{plan}"
    );
    let body = json!({ "message": "First", "paths": ["package.json", "src/App.tsx"] });
    git(&editor, "commit", &body).expect(200);
    assert_eq!(repository.git(&["rev-list", "--count", "HEAD"]), "1");
    repository.git(&["checkout", "--quiet", "--detach"]);
    assert_eq!(editor.ask("/api/git/status").json()["branch"], Value::Null);
    assert_eq!(
        editor.ask("/api/git/branches").expect(200).json()["current"],
        Value::Null
    );
    repository.write("src/App.tsx", "new\n");
    let body = json!({ "message": "Second", "paths": ["src/App.tsx"] });
    git(&editor, "commit", &body).expect(200);
    let plan = editor.ask("/api/git/publish").expect(200).json();
    assert!(plan["blocked"].as_str().unwrap().contains("detached"), "{plan}");
}

#[test]
fn branches_are_made_and_changed_and_git_says_what_stands_in_the_way() {
    let repository = Repository::react();
    let editor = attached(&repository);
    repository.write("src/App.tsx", "dirty\n");
    git(&editor, "branch", &json!({ "name": "feature/x", "create": true })).expect(200);
    assert_eq!(
        repository.read("src/App.tsx"),
        "dirty\n",
        "what is not committed comes along"
    );
    git(
        &editor,
        "commit",
        &json!({ "message": "Dirty", "paths": ["src/App.tsx"] }),
    )
    .expect(200);
    let branches = editor.ask("/api/git/branches").expect(200).json();
    assert_eq!(branches["current"], json!("feature/x"));
    let subject = branches["branches"]
        .as_array()
        .unwrap()
        .iter()
        .find(|branch| branch["current"] == true);
    assert_eq!(subject.unwrap()["subject"], json!("Dirty"));
    repository.write("src/App.tsx", "dirtier\n");
    refused(
        git(&editor, "branch", &json!({ "name": "main" })),
        "would be overwritten",
    );
    refused(
        git(&editor, "branch", &json!({ "name": "feature/x", "create": true })),
        "already exists",
    );
    for name in ["-f", "@{-1}", "a..b", "", "a b"] {
        refused(
            git(&editor, "branch", &json!({ "name": name, "create": true })),
            "cannot be the name",
        );
    }
    assert_eq!(repository.git(&["branch", "--show-current"]), "feature/x");
}

#[test]
fn differences_are_against_the_last_commit_new_files_included() {
    let repository = Repository::react().file("src/b.tsx", "b\n").commit();
    repository.write("src/App.tsx", "diff --git a/x b/x\nnew\n");
    repository.write("src/b.tsx", "c\n");
    repository.git(&["add", "src/b.tsx"]);
    repository.write(ODD, "odd\n");
    repository.write("image.png", b"\x89PNG\xff\x00");
    let editor = attached(&repository);
    let files = editor.ask("/api/git/diff").expect(200).json()["files"].clone();
    let paths: Vec<&str> = files
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|file| file["path"].as_str())
        .collect();
    assert_eq!(paths, ["image.png", "src/App.tsx", ODD, "src/b.tsx"]);
    let diff = |number: usize| files[number]["diff"].as_str().unwrap().to_owned();
    assert!(diff(0).starts_with("Binary files"), "{}", diff(0));
    assert!(diff(1).contains("+diff --git a/x b/x\n+new\n"), "{}", diff(1));
    assert!(diff(2).contains("+odd"), "{}", diff(2));
    assert!(diff(3).contains("-b\n+c\n"), "{}", diff(3));
    let one = editor.ask("/api/git/diff?path=src/b.tsx").expect(200).json();
    assert_eq!(one["files"], json!([files[3]]));
}

#[test]
fn publishing_says_what_goes_where_and_never_by_force() {
    let remote = Repository::bare_folder();
    remote.git(&["init", "--quiet", "--bare", "--initial-branch=main"]);
    let repository = Repository::react();
    let editor = attached(&repository);
    let plan = || editor.ask("/api/git/publish").expect(200).json();
    assert!(
        plan()["blocked"].as_str().unwrap().contains("git remote add"),
        "{}",
        plan()
    );
    refused(git(&editor, "publish", &json!({})), "no remote");
    let address = remote.path();
    repository.git(&["remote", "add", "origin", address.to_str().unwrap()]);
    let first = plan();
    assert_eq!(first["remote"], json!("origin"));
    assert_eq!(first["url"], json!(address));
    assert_eq!((&first["branch"], &first["newBranch"]), (&json!("main"), &json!(true)));
    assert_eq!(first["commits"].as_array().unwrap().len(), 1);
    git(&editor, "publish", &json!({})).expect(200);
    assert_eq!(
        remote.git(&["rev-parse", "main"]),
        repository.git(&["rev-parse", "HEAD"])
    );
    let status = editor.ask("/api/git/status").json();
    assert_eq!(
        (&status["upstream"], &status["ahead"]),
        (&json!("origin/main"), &json!(0))
    );
    assert!(plan()["blocked"].as_str().unwrap().contains("everything already"));
    // Somebody else published meanwhile, and it is not known here: git says no.
    let other = Repository::bare_folder();
    other.git(&["clone", "--quiet", address.to_str().unwrap(), "."]);
    other.commit_all("Theirs");
    other.git(&["push", "--quiet"]);
    repository.commit_all("Mine");
    assert_eq!(plan()["commits"][0]["subject"], json!("Mine"));
    refused(git(&editor, "publish", &json!({})), "rejected");
    repository.git(&["fetch", "--quiet"]);
    assert!(plan()["blocked"].as_str().unwrap().contains("git pull"), "{}", plan());
}

#[test]
fn discarding_keeps_what_is_staged_and_undo_brings_the_rest_back() {
    let repository = Repository::react().file("src/a.tsx", "1\n2\n").commit();
    repository.write("src/a.tsx", "one\n2\n");
    repository.git(&["add", "src/a.tsx"]);
    repository.write("src/a.tsx", "one\ntwo\n");
    repository.write("src/App.tsx", "changed\n");
    repository.write(ODD, "odd");
    let editor = attached(&repository);
    let done = git(&editor, "discard", &json!({ "path": "src/a.tsx" }))
        .expect(200)
        .json();
    assert_eq!(done["files"][0]["path"], json!("src/a.tsx"));
    assert_eq!(repository.read("src/a.tsx"), "one\n2\n");
    refused(git(&editor, "discard", &json!({ "path": "src/a.tsx" })), "staged");
    refused(
        git(&editor, "discard", &json!({ "path": "src/none.tsx" })),
        "no changes",
    );
    let done = git(&editor, "discard", &json!({ "all": true })).expect(200).json();
    assert_eq!(done["files"].as_array().unwrap().len(), 2);
    assert!(!repository.at(ODD).exists());
    assert_eq!(repository.git(&["status", "--porcelain"]), "M  src/a.tsx");
    editor.request("POST", "/api/editor/undo").send().expect(200);
    assert_eq!(repository.read("src/App.tsx"), "changed\n");
    assert_eq!(repository.read(ODD), "odd");
    editor.request("POST", "/api/editor/undo").send().expect(200);
    assert_eq!(repository.read("src/a.tsx"), "one\ntwo\n");
}

#[test]
fn discarding_everything_leaves_the_editors_own_settings() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let clean = repository.read("src/App.tsx");
    repository.write("src/App.tsx", "export default () => null;\n");
    repository.write(".tool/config.json", r#"{ "version": 2 }"#);
    git(&editor, "discard", &json!({ "all": true })).expect(200);
    assert_eq!(repository.read("src/App.tsx"), clean);
    assert_eq!(repository.read(".tool/config.json"), r#"{ "version": 2 }"#);
}

#[test]
fn discarding_gives_back_the_line_ends_of_the_working_tree() {
    let repository = Repository::react()
        .file(".gitattributes", "*.txt text eol=crlf\n")
        .commit();
    repository.write("src/a.txt", "1\r\n2\r\n");
    repository.commit_all("Text");
    repository.write("src/a.txt", "changed\r\n");
    let editor = attached(&repository);
    git(&editor, "discard", &json!({ "all": true })).expect(200);
    assert_eq!(repository.read("src/a.txt"), "1\r\n2\r\n");
}

#[test]
fn a_prototype_in_a_folder_of_the_repository_is_all_there_is() {
    let repository = Repository::new()
        .file("apps/web/package.json", r#"{ "dependencies": { "react": "^19.0.0" } }"#)
        .file("apps/web/src/App.tsx", "one\n")
        .file("apps/api/main.ts", "one\n")
        .commit();
    let root = repository.at("apps/web");
    let editor = Editor::on(&root).args(["--attach", "http://127.0.0.1:9"]).start();
    for path in ["apps/web/src/App.tsx", "apps/api/main.ts", "apps/web/src/New.tsx"] {
        repository.write(path, "two\n");
    }
    let status = editor.ask("/api/git/status").expect(200).json();
    let paths: Vec<&Value> = status["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| &file["path"])
        .collect();
    assert_eq!(paths, [&json!("src/App.tsx"), &json!("src/New.tsx")]);
    let diff = editor.ask("/api/git/diff").expect(200).json();
    assert_eq!(diff["files"][0]["path"], json!("src/App.tsx"));
    let body = json!({ "message": "Two", "paths": ["src/App.tsx", "src/New.tsx"] });
    git(&editor, "commit", &body).expect(200);
    assert_eq!(repository.git(&["status", "--porcelain"]), " M apps/api/main.ts");
    repository.write("apps/web/src/App.tsx", "three\n");
    git(&editor, "discard", &json!({ "all": true })).expect(200);
    assert_eq!(repository.read("apps/web/src/App.tsx"), "two\n");
    assert_eq!(repository.read("apps/api/main.ts"), "two\n");
}

#[test]
fn nothing_is_committed_in_the_middle_of_a_merge() {
    let repository = Repository::react();
    let editor = attached(&repository);
    repository.git(&["checkout", "--quiet", "-b", "other"]);
    repository.write("src/App.tsx", "theirs\n");
    repository.commit_all("Theirs");
    repository.git(&["checkout", "--quiet", "main"]);
    repository.write("src/App.tsx", "mine\n");
    repository.commit_all("Mine");
    assert!(!repository.try_git(&["merge", "other"]).status.success());
    let status = editor.ask("/api/git/status").expect(200).json();
    assert_eq!(status["files"][0]["state"], json!("conflicted"));
    editor.ask("/api/git/diff").expect(200);
    let body = json!({ "message": "One", "paths": ["src/App.tsx"] });
    refused(git(&editor, "commit", &body), "A merge is in progress");
    refused(git(&editor, "discard", &json!({ "path": "src/App.tsx" })), "conflicts");
}
