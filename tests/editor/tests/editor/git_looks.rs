//! A repository's own configuration names programs: none of them runs while one only looks. A commit is the user's, with hooks.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use galley_editor_tests::{Build, Editor, Repository, attached};
use serde_json::json;

const HOOKS: [&str; 8] = [
    "pre-commit",
    "commit-msg",
    "post-commit",
    "post-checkout",
    "post-index-change",
    "reference-transaction",
    "pre-auto-gc",
    "fsmonitor-watchman",
];

/// A repository of which everything that git can be told to run leaves its name in a folder.
struct Trap {
    repository: Repository,
    marks: tempfile::TempDir,
}

impl Trap {
    fn new() -> Trap {
        let marks = tempfile::tempdir().unwrap();
        let repository = Repository::react()
            .file(".gitattributes", "*.tsx filter=mark diff=mark\n*.css filter=long\n")
            .file("src/a.css", "a {}\n")
            .commit();
        let trap = Trap { repository, marks };
        let set = |key: &str, value: &str| trap.repository.git(&["config", key, value]);
        for (key, then) in [
            ("filter.mark.clean", "cat"),
            ("filter.mark.smudge", "cat"),
            ("diff.mark.textconv", "cat"),
            ("core.fsmonitor", "true"),
            ("diff.external", "true"),
            ("core.pager", "cat"),
            ("pager.status", "cat"),
            ("core.sshCommand", "true"),
            ("credential.helper", "true"),
            ("gpg.program", "true"),
            ("core.editor", "true"),
        ] {
            set(key, &trap.program(key, then));
        }
        set(
            "credential.helper",
            &format!("!{}", trap.program("credential.helper", "true")),
        );
        set("log.showSignature", "true");
        // A file that is named by the configuration is part of it.
        let included = format!(
            "[filter \"mark\"]\n\trequired = true\n[core]\n\thooksPath = {}\n",
            trap.hooks()
        );
        trap.repository.write(".git/included", included);
        set("include.path", "included");
        set("remote.origin.url", "ssh://nobody@127.0.0.1:9/a.git");
        // An object that is missing would be fetched from there, by whatever program its address names.
        set("remote.origin.promisor", "true");
        // As long as before: whether it differs only its content tells.
        trap.repository
            .write("src/App.tsx", "export const App = () => <h1>Hallo</h1>\n");
        trap.repository.write("src/a.css", "b {}\n");
        trap
    }

    /// A program that marks that it ran.
    fn program(&self, name: &str, then: &str) -> String {
        let path = self.marks.path().join(format!("{name}.sh"));
        let mark = self.marks.path().join(name);
        fs::write(&path, format!("#!/bin/sh\ntouch '{}'\nexec {then}\n", mark.display())).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    }

    fn hooks(&self) -> String {
        let folder = self.marks.path().join("hooks");
        fs::create_dir(&folder).unwrap();
        for hook in HOOKS {
            fs::rename(self.program(hook, "true"), folder.join(hook)).unwrap();
        }
        folder.display().to_string()
    }

    /// What ran since the last time it was asked.
    fn ran(&self) -> Vec<String> {
        let names = fs::read_dir(self.marks.path()).unwrap().flatten();
        let mut names: Vec<String> = names
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| name != "hooks" && !name.ends_with(".sh"))
            .collect();
        for name in &names {
            fs::remove_file(self.marks.path().join(name)).unwrap();
        }
        names.sort_unstable();
        names
    }
}

#[test]
fn looking_runs_nothing_that_the_repository_names() {
    let trap = Trap::new();
    let repository = &trap.repository;
    // The trap is one: git itself runs them.
    repository.try_git(&["status"]);
    repository.try_git(&["diff"]);
    let sprung = trap.ran();
    for name in ["core.fsmonitor", "filter.mark.clean", "diff.external"] {
        assert!(sprung.iter().any(|ran| ran == name), "{name} not in {sprung:?}");
    }
    repository.try_git(&["diff", "--no-ext-diff"]);
    assert!(trap.ran().iter().any(|ran| ran == "diff.mark.textconv"));
    // One that stays for several files. This one ends at once, which git does not outlive.
    let process = trap.program("filter.long.process", "true");
    repository.git(&["config", "filter.long.process", &process]);
    repository.git(&["config", "filter.long.required", "true"]);
    repository.try_git(&["status"]);
    assert!(trap.ran().iter().any(|ran| ran == "filter.long.process"));

    let (code, report) = Build::new(&repository.path()).doctor();
    assert!(code.is_some(), "{report}");
    assert_eq!(trap.ran(), Vec::<String>::new(), "the doctor");

    let editor = attached(repository);
    assert_eq!(trap.ran(), Vec::<String>::new(), "the start");
    for path in [
        "/api/editor/state",
        "/api/editor/tree",
        "/api/editor/tree?path=src/App.tsx",
        "/api/editor/inspect?src=src/App.tsx:1:25",
        "/api/editor/history",
        "/api/git/status",
        "/api/git/diff",
        "/api/git/diff?path=src/App.tsx",
        "/api/git/branches",
        "/api/git/publish",
    ] {
        editor.ask(path).expect(200);
        assert_eq!(trap.ran(), Vec::<String>::new(), "{path}");
    }
    let status = editor.ask("/api/git/status").json();
    assert_eq!(status["files"].as_array().unwrap().len(), 2, "{status}");
    let diff = editor.ask("/api/git/diff").json();
    assert!(
        diff["files"][0]["diff"]
            .as_str()
            .unwrap()
            .contains("+export const App = () => <h1>Hallo</h1>")
    );
    let edit = json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": "Edited" });
    editor.post("/api/editor/edit", &edit).expect(200);
    editor.ask("/api/editor/undo").expect(200);
    assert_eq!(trap.ran(), Vec::<String>::new(), "edits");
}

#[test]
fn a_commit_is_the_users_own_with_hooks_and_filters() {
    let trap = Trap::new();
    let editor = attached(&trap.repository);
    trap.ran();
    let commit = json!({ "message": "Mine", "paths": ["src/App.tsx"] });
    editor.post("/api/git/commit", &commit).expect(200);
    let ran = trap.ran();
    for name in ["pre-commit", "commit-msg", "post-commit", "filter.mark.clean"] {
        assert!(ran.iter().any(|found| found == name), "{name} not in {ran:?}");
    }
}

#[test]
fn a_commit_takes_name_and_address_where_git_knows_nobody() {
    let repository = Repository::react();
    let build = Editor::build(&repository).args(["--attach", "http://127.0.0.1:9"]);
    let editor = build.env("GIT_AUTHOR_NAME", "").env("GIT_COMMITTER_NAME", "").start();
    for text in ["One", "Two"] {
        let edit = json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": text });
        editor.post("/api/editor/edit", &edit).expect(200);
    }
    let status = editor.ask("/api/git/status").expect(200).json();
    assert_eq!(status["identity"], json!(false));
    assert_eq!(
        status["steps"],
        json!([{ "title": "Text “Two”", "files": ["src/App.tsx"] }])
    );
    let refused = editor
        .post("/api/git/commit", &json!({ "message": "Texts" }))
        .expect(409)
        .json();
    assert_eq!(refused["code"], json!("no-identity"));
    let words = refused["reason"].as_str().unwrap();
    assert!(words.contains("name") && !words.contains("***"), "{words}");
    for (author, key) in [
        (json!({ "name": "Ada", "email": "ada" }), "author.email"),
        (json!({ "name": "Ada <x>", "email": "ada@example.com" }), "author.name"),
        (json!({ "name": " . ", "email": "ada@example.com" }), "author.name"),
        (json!({ "name": "Ada\nx", "email": "ada@example.com" }), "author.name"),
        (json!({ "name": "Ada" }), "author"),
    ] {
        let commit = json!({ "message": "Texts", "author": author });
        let refused = editor.post("/api/git/commit", &commit).expect(400).json();
        assert_eq!(refused["key"], json!(key), "{refused}");
    }
    let author = json!({ "name": "Ada Lovelace", "email": "ada@example.com" });
    let commit = json!({ "message": "Texts", "author": author });
    editor.post("/api/git/commit", &commit).expect(200);
    assert_eq!(
        repository.git(&["log", "-1", "--format=%an <%ae> %cn <%ce>"]),
        "Ada Lovelace <ada@example.com> Ada Lovelace <ada@example.com>"
    );
    let config = repository.try_git(&["config", "--local", "user.name"]);
    assert!(!config.status.success(), "it is for this one commit");
    let status = editor.ask("/api/git/status").expect(200).json();
    assert_eq!(status["steps"], json!([]));
}

#[test]
fn the_status_of_a_repository_takes_two_processes() {
    let repository = Repository::react().file("app/package.json", "{}\n").commit();
    for (key, value) in [("user.name", "Anna"), ("user.email", "anna@example.com")] {
        repository.git(&["config", key, value]);
    }
    repository.write("src/App.tsx", "export const App = () => <h1>Hallo</h1>\n");
    // A git that counts, and then is git.
    let programs = tempfile::tempdir().unwrap();
    let counted = programs.path().join("counted");
    let git = programs.path().join("git");
    let paths = std::env::var("PATH").unwrap();
    let script = format!(
        "#!/bin/sh\necho \"$*\" >> '{}'\nPATH='{paths}'\nexec git \"$@\"\n",
        counted.display()
    );
    fs::write(&git, script).unwrap();
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).unwrap();
    let editor = Build::new(&repository.path())
        .args(["--attach", "http://127.0.0.1:9"])
        .env("PATH", format!("{}:{paths}", programs.path().display()))
        .start();
    editor.ask("/api/git/status").expect(200);
    let read = || fs::read_to_string(&counted).unwrap();
    let before = read().lines().count();
    let status = editor.ask("/api/git/status").expect(200).json();
    let all = read();
    let asked: Vec<&str> = all.lines().skip(before).collect();
    assert_eq!(asked.len(), 2, "{asked:#?}");
    assert_eq!(status["identity"], json!(true));
    assert_eq!(status["files"][0]["path"], json!("src/App.tsx"));
}
