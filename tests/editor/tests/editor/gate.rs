//! The gate: each reason not to start, with its words and its exit code, on real repositories.

use std::fs;

use galley_editor_tests::editor::Ended;
use galley_editor_tests::{Editor, Repository};

/// Demands that the Editor does not start, with this exit code and this beginning of what it says.
#[track_caller]
fn refused(ended: &Ended, code: i32, words: &str) {
    assert_eq!(ended.code, Some(code), "{}", ended.stderr);
    assert!(
        ended.stderr.starts_with(words),
        "expected {words:?}, got {:?}",
        ended.stderr
    );
    assert_eq!(ended.stdout, "");
}

/// Demands the one line of an unsupported repository.
#[track_caller]
fn unsupported(repository: &Repository, words: &str) -> String {
    let ended = Editor::build(repository).fail();
    refused(&ended, 3, "Repo not supported by Editor: ");
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    assert!(
        ended.stderr.contains(words),
        "expected {words:?}, got {:?}",
        ended.stderr
    );
    ended.stderr
}

fn with_package(package: &str) -> Repository {
    Repository::new().file("package.json", package).commit()
}

/// A repository with two branches that change the same line, on `main`.
fn divided() -> Repository {
    let repository = Repository::react();
    repository.git(&["switch", "--quiet", "--create", "other"]);
    repository.write("src/App.tsx", "export const App = () => <h1>Theirs</h1>\n");
    repository.commit_all("Theirs");
    repository.git(&["switch", "--quiet", "main"]);
    repository.write("src/App.tsx", "export const App = () => <h1>Ours</h1>\n");
    repository.commit_all("Ours");
    repository
}

/// Demands that git stops in the middle, and that the Editor names what is in progress.
#[track_caller]
fn in_progress(repository: &Repository, git: &[&str], operation: &str) {
    let _ = repository.try_git(git);
    let ended = Editor::build(repository).fail();
    refused(
        &ended,
        1,
        &format!("This repository has in-progress git operations: {operation} ("),
    );
}

#[test]
fn a_path_that_does_not_exist_is_named_in_full() {
    let folder = Repository::bare_folder();
    let missing = folder.at("no/such/folder");
    let words = format!("Repo path not found: {}\n", missing.display());
    refused(&Editor::on(&missing).fail(), 1, &words);
}

#[test]
fn a_relative_path_counts_from_the_working_directory() {
    let repository = Repository::react();
    let ended = Editor::build(&repository).path("../nowhere/./x/..").fail();
    let parent = repository.path().parent().unwrap().join("nowhere");
    refused(&ended, 1, &format!("Repo path not found: {}\n", parent.display()));
}

#[test]
fn a_file_is_no_repository() {
    let repository = Repository::react();
    let ended = Editor::on(repository.at("package.json")).fail();
    refused(
        &ended,
        1,
        &format!("Repo path not found: {}", repository.at("package.json").display()),
    );
}

#[test]
fn a_folder_outside_of_git_is_refused_with_gits_own_text() {
    let folder = Repository::bare_folder().file("package.json", r#"{ "dependencies": { "react": "19" } }"#);
    let ended = Editor::build(&folder).fail();
    refused(&ended, 1, "Could not read .git directory: fatal: not a git repository");
    assert!(ended.stderr.contains("`git init`"), "{}", ended.stderr);
}

#[test]
fn a_repository_needs_a_commit() {
    let repository = Repository::new().file("package.json", r#"{ "dependencies": { "react": "19" } }"#);
    let ended = Editor::build(&repository).fail();
    refused(
        &ended,
        1,
        "Could not read .git directory: fatal: your current branch 'main' does not have any commits yet",
    );
}

#[test]
fn a_machine_without_git_is_told_so() {
    let repository = Repository::react();
    let ended = Editor::build(&repository).env("PATH", repository.path()).fail();
    refused(
        &ended,
        1,
        "Could not read .git directory: the program `git` could not be started",
    );
}

#[test]
fn variables_of_a_git_hook_do_not_lead_elsewhere() {
    let (repository, other) = (Repository::react(), divided());
    let _ = other.try_git(&["merge", "other"]);
    let editor = Editor::build(&repository).env("GIT_DIR", other.at(".git")).start();
    assert_eq!(editor.end("TERM").code, Some(0));
}

#[test]
fn a_merge_has_to_be_finished_first() {
    in_progress(&divided(), &["merge", "other"], "merge");
}

#[test]
fn a_rebase_has_to_be_finished_first() {
    in_progress(&divided(), &["rebase", "other"], "rebase");
    in_progress(&divided(), &["rebase", "--apply", "other"], "rebase");
    // Stopped by hand, without a conflict.
    in_progress(&divided(), &["rebase", "--exec", "false", "HEAD~1"], "rebase");
}

#[test]
fn a_cherry_pick_has_to_be_finished_first() {
    in_progress(&divided(), &["cherry-pick", "other"], "cherry-pick");
}

#[test]
fn a_longer_cherry_pick_is_seen_between_two_commits() {
    let repository = divided();
    repository.git(&["switch", "--quiet", "other"]);
    repository.write("b.txt", "b");
    repository.commit_all("More");
    repository.git(&["switch", "--quiet", "main"]);
    let _ = repository.try_git(&["cherry-pick", "main..other"]);
    // The conflict is committed by hand: git has no mark of a single pick now, only its list.
    repository.git(&["commit", "--quiet", "--all", "--message", "By hand"]);
    assert!(!repository.at(".git/CHERRY_PICK_HEAD").exists());
    in_progress(&repository, &["status"], "cherry-pick");
}

#[test]
fn a_revert_has_to_be_finished_first() {
    let repository = Repository::react();
    repository.write("src/App.tsx", "export const App = () => <h1>Two</h1>\n");
    repository.commit_all("Two");
    repository.write("src/App.tsx", "export const App = () => <h1>Three</h1>\n");
    repository.commit_all("Three");
    in_progress(&repository, &["revert", "--no-edit", "HEAD~1"], "revert");
}

#[test]
fn a_bisection_has_to_be_finished_first() {
    let repository = divided();
    in_progress(&repository, &["bisect", "start"], "bisect");
    repository.git(&["bisect", "bad", "HEAD"]);
    in_progress(&repository, &["bisect", "good", "HEAD~1"], "bisect");
    repository.git(&["bisect", "reset"]);
    Editor::start(&repository, &[]);
}

#[test]
fn applying_mails_has_to_be_finished_first() {
    let repository = divided();
    let patch = repository.git(&["format-patch", "-1", "--stdout", "other"]);
    let mail = Repository::bare_folder().file("patch", patch + "\n");
    in_progress(&repository, &["am", mail.at("patch").to_str().unwrap()], "am");
}

#[test]
fn two_things_at_once_are_both_named() {
    let repository = divided();
    repository.git(&["bisect", "start"]);
    in_progress(&repository, &["merge", "other"], "merge, bisect");
}

#[test]
fn each_work_tree_has_operations_of_its_own() {
    let repository = divided();
    let folder = Repository::bare_folder();
    let second = folder.at("second");
    repository.git(&["worktree", "add", "--quiet", "--detach", second.to_str().unwrap()]);
    // In a linked work tree, .git is a file.
    assert!(second.join(".git").is_file());
    let _ = repository.try_git(&["-C", second.to_str().unwrap(), "merge", "other"]);
    refused(
        &Editor::on(&second).fail(),
        1,
        "This repository has in-progress git operations: merge (",
    );
    Editor::start(&repository, &[]);
}

#[test]
fn a_detached_head_and_a_dirty_tree_are_fine() {
    let repository = Repository::react();
    repository.git(&["checkout", "--quiet", "--detach"]);
    repository.write("src/App.tsx", "export const App = () => <h1>Changed</h1>\n");
    repository.write("src/New.tsx", "");
    let editor = Editor::start(&repository, &[]);
    assert!(editor.ask("/api/editor/state").expect(200).json()["branch"].is_null());
}

#[test]
fn vue_2_is_not_supported() {
    let repository = with_package(r#"{ "dependencies": { "vue": "^2.7.16" } }"#);
    unsupported(
        &repository,
        "Vue is at major 2; only version 3 supported (package.json asks for vue ^2.7.16)",
    );
}

#[test]
fn neither_framework_is_not_supported() {
    let repository = with_package(r#"{ "dependencies": { "svelte": "^5.0.0" } }"#);
    let file = repository.at("package.json");
    let words = format!(
        "{} has neither of the two supported framework dependencies, react or vue\n",
        file.display()
    );
    unsupported(&repository, &words);
}

#[test]
fn the_root_of_a_monorepo_points_at_its_apps() {
    let repository = Repository::new()
        .file("package.json", r#"{ "workspaces": ["apps/*"] }"#)
        .file("apps/web/package.json", r#"{ "dependencies": { "react": "^19.0.0" } }"#)
        .commit();
    let words = unsupported(
        &repository,
        "in a monorepo point at the app's package, not at the workspace root: apps/web",
    );
    assert!(words.contains(repository.at("apps/web").to_str().unwrap()), "{words}");
    let editor = Editor::on(repository.at("apps/web")).start();
    let state = editor.ask("/api/editor/state").expect(200).json();
    assert_eq!(state["root"], repository.at("apps/web").to_str().unwrap());
}

#[test]
fn a_folder_without_a_package_is_not_supported() {
    let repository = Repository::new().file("README.md", "").commit();
    unsupported(
        &repository,
        &format!("No package.json at {} (", repository.path().display()),
    );
    // That comes first: outside of git it is the better hint.
    let folder = Repository::bare_folder();
    unsupported(&folder, &format!("No package.json at {} (", folder.path().display()));
}

#[test]
fn a_broken_package_is_not_supported() {
    for package in [
        "{ \"dependencies\": { \"react\": \"19\", } }",
        "",
        "[]",
        "{ \"a\": \"\u{0}\" }",
        "{ // no\n}",
    ] {
        let repository = with_package(package);
        let words = format!("Failed to parse {}: ", repository.at("package.json").display());
        unsupported(&repository, &words);
    }
    let repository = Repository::new().file("package.json/x", "").commit();
    unsupported(&repository, "package.json: it is not a file");
}

#[test]
fn each_section_of_dependencies_counts() {
    for section in ["dependencies", "devDependencies", "peerDependencies"] {
        let repository = with_package(&format!(r#"{{ "{section}": {{ "vue": ">=3" }} }}"#));
        let editor = Editor::start(&repository, &[]);
        assert_eq!(editor.ask("/api/editor/state").expect(200).json()["framework"], "vue");
    }
}

#[test]
fn a_missing_bundler_is_no_refusal() {
    let editor = Editor::start(&Repository::react(), &[]);
    let host = &editor.ask("/api/editor/state").expect(200).json()["host"];
    assert_eq!(host["status"], "failed");
    assert!(host["words"].as_str().unwrap().contains("--attach"), "{host}");
    assert!(
        editor.stderr().contains("--attach http://127.0.0.1:"),
        "{}",
        editor.stderr()
    );
}

#[test]
fn a_missing_interface_says_how_to_build_it() {
    let repository = Repository::react();
    let folder = repository.at("nothing");
    let ended = Editor::build(&repository).args(["--ui", "nothing"]).fail();
    refused(
        &ended,
        1,
        &format!("Editor UI bundle not found at {} (", folder.display()),
    );
    assert!(
        ended.stderr.contains("build:ui") && ended.stderr.contains("--ui"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_missing_bridge_says_where_to_get_it() {
    let repository = Repository::react();
    let ended = Editor::build(&repository).args(["--bridge", "nothing.js"]).fail();
    refused(
        &ended,
        1,
        &format!("Bridge bundle not found at {} (", repository.at("nothing.js").display()),
    );
    for way in ["dist/bridge-bundle.js", "from git", "build:bridge", "--bridge"] {
        assert!(ended.stderr.contains(way), "{}", ended.stderr);
    }
}

#[test]
fn dependencies_that_are_not_installed_end_it_with_what_to_run() {
    let repository = Repository::new()
        .file(
            "package.json",
            r#"{ "dependencies": { "react": "19" }, "devDependencies": { "vite": "7" } }"#,
        )
        .file(
            "vite.config.ts",
            "import { defineConfig } from 'vite'\nexport default defineConfig({})\n",
        )
        .file("pnpm-lock.yaml", "")
        .commit();
    let ended = Editor::build(&repository).fail();
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("\nCannot find module 'vite' from "),
        "{}",
        ended.stderr
    );
    assert!(
        ended.stderr.contains("vite.config.ts") && ended.stderr.contains("`pnpm install`"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_plugin_that_is_not_installed_ends_it_too() {
    let vite = r#"export const defineConfig = (config) => config; export const version = "7.0.0";
        export const createServer = () => import(process.cwd() + "/vite.config.mjs");"#;
    let repository = Repository::new()
        .file(
            "package.json",
            r#"{ "dependencies": { "react": "19" }, "devDependencies": { "vite": "7" } }"#,
        )
        .file(
            "vite.config.mjs",
            "import plugin from 'vite-plugin-nowhere'\nexport default { plugins: [plugin()] }\n",
        )
        .file(".gitignore", "node_modules\n")
        .commit()
        .file(
            "node_modules/vite/package.json",
            r#"{ "name": "vite", "version": "7.0.0", "type": "module", "exports": "./i.js" }"#,
        )
        .file("node_modules/vite/i.js", vite);
    let ended = Editor::build(&repository).fail();
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let said = ended
        .stderr
        .matches("Cannot find module 'vite-plugin-nowhere' from ")
        .count();
    assert_eq!(said, 1, "{}", ended.stderr);
}

#[test]
fn a_symbolic_link_leads_to_the_repository() {
    let repository = Repository::react();
    let folder = Repository::bare_folder();
    std::os::unix::fs::symlink(repository.path(), folder.at("link")).unwrap();
    let editor = Editor::on(folder.at("link")).start();
    let state = editor.ask("/api/editor/state").expect(200).json();
    assert_eq!(state["root"], repository.path().to_str().unwrap());
    assert!(fs::read_link(folder.at("link")).is_ok());
}
