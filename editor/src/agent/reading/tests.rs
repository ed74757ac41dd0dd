use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::*;
use crate::agent::reading::roots::MAX_RESULT;
use crate::config::ReadRoot;
use crate::workspace::git::Command;
use crate::workspace::{Retention, Workspace};

struct World {
    folder: tempfile::TempDir,
    workspace: Workspace,
    others: Vec<ReadRoot>,
}

fn git(root: &Path, args: &[&str]) {
    let identity = ["-c", "user.name=Tester", "-c", "user.email=tester@example.com"];
    let args = identity.iter().chain(args).copied();
    Command::new(root, args)
        .acting()
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

impl World {
    /// The prototype, a repository `lib` and a plain folder `notes`, each with a change that is on disk only.
    fn new() -> World {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().canonicalize().unwrap().join(path);
        for root in ["app", "lib"] {
            write(&at(root).join("src/a.ts"), "one\nold needle\n");
            write(&at(root).join(".env"), "needle=1\n");
            git(&at(root), &["init", "--quiet"]);
            git(&at(root), &["add", "--all", "--force"]);
            git(&at(root), &["commit", "--quiet", "--message", "First"]);
            write(&at(root).join("src/a.ts"), "one\nnew needle\nthree\n");
        }
        for path in [
            "notes/a.md",
            "notes/dist/a.md",
            "notes/build/a.md",
            "notes/node_modules/a.md",
            "notes/.git/a.md",
            "notes/.hidden/a.md",
        ] {
            write(&at(path), "a needle\n");
        }
        write(&at("notes/picture.bin"), "needle\0\0");
        write(&at("outside.md"), "needle outside\n");
        symlink(at("outside.md"), at("notes/out.md")).unwrap();
        symlink(at("outside.md"), at("app/src/out.ts")).unwrap();
        symlink("../.env", at("app/src/env.ts")).unwrap();
        write(&at("app/.gitignore"), "local/\n");
        write(&at("app/local/notes.md"), "needle of mine\n");
        symlink("../local/notes.md", at("app/src/notes.md")).unwrap();
        for path in [".netrc", ".aws/credentials", "src/secrets.json", "server.key"] {
            write(&at("app").join(path), "needle\n");
        }
        let root = |name: &str, is_git| ReadRoot {
            name: name.to_owned(),
            path: at(name),
            description: None,
            is_git,
        };
        let workspace = Workspace::open(&at("app"), Retention::default()).unwrap();
        World {
            workspace,
            others: vec![root("lib", true), root("notes", false)],
            folder,
        }
    }

    fn roots(&self) -> Roots<'_> {
        Roots {
            workspace: &self.workspace,
            others: &self.others,
        }
    }

    fn read(&self, root: &str, path: &str, sha: Option<&str>) -> Result<String, String> {
        self.roots().read_file(&ReadFile {
            root: Some(root.to_owned()),
            path: path.to_owned(),
            sha: sha.map(str::to_owned),
            ..ReadFile::default()
        })
    }

    fn search(&self, root: &str, query: &str) -> Result<String, String> {
        self.roots().search(&Search {
            root: Some(root.to_owned()),
            query: query.to_owned(),
            ..Search::default()
        })
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(path)
    }
}

#[test]
fn a_file_is_read_live_in_the_prototype_and_in_a_plain_folder_and_at_head_in_git() {
    let world = World::new();
    assert!(world.read("worktree", "src/a.ts", None).unwrap().contains("new needle"));
    let committed = world.read("lib", "src/a.ts", None).unwrap();
    assert!(
        committed.contains("old needle") && committed.contains("at HEAD"),
        "{committed}"
    );
    assert!(
        world
            .read("worktree", "src/a.ts", Some("HEAD"))
            .unwrap()
            .contains("old needle")
    );
    let plain = world.read("notes", "a.md", Some("HEAD")).unwrap();
    assert!(
        plain.contains("a needle") && plain.contains("the commit HEAD was ignored: notes is not in git"),
        "{plain}"
    );
    assert!(!world.read("notes", "a.md", None).unwrap().contains("ignored"));
    assert!(
        world
            .read("elsewhere", "a", None)
            .unwrap_err()
            .contains("worktree, lib, notes")
    );
}

#[test]
fn links_and_dots_stay_inside_and_secrets_are_not_read() {
    let world = World::new();
    let unread = [
        ("worktree", "../outside.md"),
        ("worktree", "/etc/passwd"),
        ("worktree", "src/out.ts"),
        ("worktree", "src/env.ts"),
        ("worktree", ".env"),
        ("worktree", ".ENV.local"),
        ("worktree", ".git/config"),
        ("worktree", ".tool/journal.jsonl"),
        ("worktree", "local/notes.md"),
        ("worktree", "src/notes.md"),
        ("worktree", ".netrc"),
        ("worktree", ".aws/credentials"),
        ("worktree", "src/secrets.json"),
        ("worktree", "server.key"),
        ("lib", ".env"),
        ("lib", "../outside.md"),
        ("notes", "out.md"),
        ("notes", "id_rsa"),
        ("notes", "key.pem"),
        ("notes", ".npmrc"),
    ];
    for (root, path) in unread {
        assert!(world.read(root, path, None).is_err(), "{root}: {path}");
    }
    for root in ["worktree", "lib", "notes"] {
        let found = world.search(root, "needle").unwrap();
        assert!(!found.contains(".env") && !found.contains("outside"), "{found}");
        assert!(!found.contains("mine") && !found.contains("secrets"), "{found}");
    }
}

#[test]
fn a_search_looks_where_the_table_says() {
    let world = World::new();
    assert!(
        world
            .search("worktree", "needle")
            .unwrap()
            .contains("src/a.ts:2: new needle")
    );
    let head = world.search("lib", "needle").unwrap();
    assert!(
        head.contains("src/a.ts:2: old needle") && head.contains("HEAD"),
        "{head}"
    );
    let plain = world.search("notes", "needle").unwrap();
    assert_eq!(plain.lines().skip(1).collect::<Vec<_>>(), ["a.md:1: a needle"]);
    assert!(world.search("lib", "nowhere").unwrap().contains("0 lines"));
    assert!(world.search("worktree", "").is_err() && world.search("worktree", "a\nb").is_err());
}

#[test]
fn commits_and_differences_need_git_and_the_refusal_names_the_root() {
    let world = World::new();
    let commits = |root: &str| {
        let root = Some(root.to_owned());
        world.roots().list_commits(&ListCommits {
            root,
            ..ListCommits::default()
        })
    };
    for root in ["worktree", "lib"] {
        assert!(commits(root).unwrap().contains("Tester: First"));
    }
    assert!(commits("notes").unwrap_err().contains("in the root notes"));
    let diff = |root: &str, from: &str| {
        let ask = DiffFile {
            root: Some(root.to_owned()),
            path: "src/a.ts".to_owned(),
            from: from.to_owned(),
            to: None,
        };
        world.roots().diff_file(&ask)
    };
    assert!(diff("worktree", "HEAD").unwrap().contains("+new needle"));
    assert!(diff("lib", "HEAD").unwrap().contains("no difference"));
    assert!(diff("notes", "HEAD").unwrap_err().contains("in the root notes"));
    for name in ["--output=x", "HEAD; rm", "nothing", ""] {
        assert!(diff("worktree", name).is_err(), "{name}");
    }
    assert!(!world.at("app/x").exists());
}

#[test]
fn a_large_file_is_cut_and_says_so() {
    let world = World::new();
    write(&world.at("notes/long.md"), &"a line\n".repeat(10_000));
    let text = world.read("notes", "long.md", None).unwrap();
    assert!(text.len() <= MAX_RESULT && text.ends_with("ask for a part]"));
    let ask = ReadFile {
        root: Some("notes".to_owned()),
        path: "long.md".to_owned(),
        from: Some(9_999),
        ..ReadFile::default()
    };
    let end = world.roots().read_file(&ask).unwrap();
    assert!(
        end.contains("lines 9999 to 10000 of 10000") && end.ends_with("a line\na line\n"),
        "{end}"
    );
}
