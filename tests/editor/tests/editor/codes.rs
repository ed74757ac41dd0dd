//! Every code of the API's own is provoked by a real request, and stands in API.md with its status.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use galley_editor::api::Code;
use galley_editor_tests::pages::Pages;
use galley_editor_tests::provider::{KEY, Provider, Reply};
use galley_editor_tests::{Editor, Repository, stamping};
use galley_harness::http::Response;
use galley_harness::poll::eventually;
use serde_json::{Value, json};

use crate::link::{Peer, REMOTE, TOKEN};

/// An Editor with notes and the canvas and without the code view, attached to a dev server that is not there.
struct Desk {
    repository: Repository,
    editor: Editor,
    peer: Peer,
    /// Another one, whose git does not know who commits.
    nobody: (Repository, Editor),
    home: tempfile::TempDir,
}

impl Desk {
    fn start() -> Desk {
        let repository = Repository::react();
        let home = tempfile::tempdir().unwrap();
        let editor = Editor::build(&repository)
            .args(["--attach", "http://127.0.0.1:9"])
            .env("HOME", home.path())
            .env("EDITOR_NOTES", "1")
            .env("EDITOR_CANVAS", "1")
            .start();
        let elsewhere = Repository::react();
        let nobody = Editor::build(&elsewhere).args(["--attach", "http://127.0.0.1:9"]);
        let nobody = nobody.env("GIT_AUTHOR_NAME", "").env("GIT_COMMITTER_NAME", "").start();
        Desk {
            repository,
            editor,
            nobody: (elsewhere, nobody),
            peer: Peer::start(),
            home,
        }
    }

    #[track_caller]
    fn link(&self, wanted: &Value) -> Response {
        let mut body = wanted.clone();
        if body["baseUrl"].is_null() {
            body["baseUrl"] = json!(self.peer.address);
        }
        self.editor.post("/api/project/link", &body)
    }

    /// Asks as the dev server does.
    fn stamp(&self, token: &str) -> Response {
        stamping::request(&self.editor, token, [("src/Gone.tsx", "<p/>")]).send()
    }

    /// One real case for each code: a new code without a case does not compile.
    fn provoke(&self, code: Code) -> Response {
        let Desk { repository, editor, .. } = self;
        match code {
            Code::BadRequest => editor.post("/api/editor/edit", &json!({ "src": 5 })),
            Code::SwitchedOff => editor.ask("/api/editor/file?path=src/App.tsx"),
            Code::Token => self.stamp("guessed"),
            Code::NoAccess => self.link(&json!({ "repoUrl": REMOTE })),
            Code::NotFound => editor.ask("/api/editor/nothing"),
            Code::Method => editor.request("DELETE", "/api/editor/edit").send(),
            Code::NothingToUndo => editor.ask("/api/editor/undo"),
            Code::NothingToRedo => editor.ask("/api/editor/redo"),
            Code::UndoOverlap => {
                let retype = |text: &str| {
                    let edit = json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": text });
                    editor.post("/api/editor/edit", &edit).expect(200).json()
                };
                let first = retype("One");
                retype("Two");
                editor.post("/api/editor/undo", &json!({ "editId": first["editId"] }))
            }
            Code::NoBackup => {
                repository.write("src/New.tsx", "export {};\n");
                editor
                    .post("/api/git/discard", &json!({ "path": "src/New.tsx" }))
                    .expect(200);
                fs::remove_dir_all(repository.at(".tool/backups")).unwrap();
                editor.ask("/api/editor/undo")
            }
            Code::NotWritable => {
                let file = repository.at("src/App.tsx");
                fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
                let edit = json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": "Read only" });
                let answer = editor.post("/api/editor/edit", &edit);
                fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
                answer
            }
            Code::Git => editor.post("/api/git/branch", &json!({ "name": "missing" })),
            Code::NoIdentity => {
                let (elsewhere, editor) = &self.nobody;
                elsewhere.write("src/Mine.tsx", "export {};\n");
                let commit = json!({ "message": "Mine", "paths": ["src/Mine.tsx"] });
                editor.post("/api/git/commit", &commit)
            }
            Code::NotStartedHere => editor.ask("/api/host/restart"),
            Code::NotLinked => editor.ask("/api/project/comments"),
            Code::Conflict => self.link(&json!({ "repoUrl": "git@host.org:torn.git", "token": TOKEN })),
            Code::SettingFile => {
                repository.write("tool.config.json", "{");
                let answer = editor.put("/api/settings", &json!({ "key": "lanes.detach", "value": true }));
                fs::remove_file(repository.at("tool.config.json")).unwrap();
                answer
            }
            Code::TooLarge => {
                let body = json!({ "text": "x".repeat(2 << 20) });
                editor.put("/api/editor/notes/long", &body)
            }
            Code::Setting => editor.put("/api/settings", &json!({ "key": "editor.colour", "value": true })),
            Code::Unstamped => self.stamp(&stamping::token(repository)),
            Code::Internal => {
                let note = json!({ "text": "x" });
                editor.put("/api/editor/notes/first", &note).expect(200);
                fs::remove_dir_all(repository.at(".tool/notes")).unwrap();
                repository.write(".tool/notes", "in the way");
                editor.put("/api/editor/notes/second", &note)
            }
            Code::ReviewServer => self.link(&json!({ "baseUrl": "http://127.0.0.1:9", "slug": "shop" })),
            Code::MissingKey => editor.post("/api/editor/llm-fallback", &json!({ "kind": "text" })),
            Code::TurnRunning => {
                let (provider, repository) = (Provider::start(), Repository::react());
                provider.script([Reply::Stall]);
                let editor = asking(&repository, &provider);
                let turns = turns_of(&editor);
                editor
                    .post(&turns, &json!({ "turn": "turn-0001", "text": "Go" }))
                    .expect(200);
                editor.post(&turns, &json!({ "turn": "turn-0002", "text": "Go" }))
            }
            Code::CostCeiling => {
                let settings = r#"{ "version": 2, "chat": { "costCeilingUsd": 0.0001 } }"#;
                let (provider, repository) = (
                    Provider::start(),
                    Repository::react().file(".tool/config.json", settings),
                );
                let editor = asking(&repository, &provider);
                let turns = turns_of(&editor);
                let mut number = 0;
                eventually("a turn past the ceiling", || {
                    number += 1;
                    let answer = editor.post(&turns, &json!({ "turn": format!("turn-{number:04}"), "text": "Go" }));
                    (answer.status == 403).then_some(answer)
                })
            }
            Code::KeyRefused => {
                let nobody =
                    json!({ "provider": "compatible", "key": "sk-12345678", "baseUrl": "http://127.0.0.1:9/v1" });
                editor.put("/api/models", &nobody)
            }
            Code::Credentials => {
                let home = self.home.path().join(".config/tool");
                fs::create_dir_all(&home).unwrap();
                fs::write(home.join("llm-credentials.json"), "{").unwrap();
                let answer = editor.put("/api/models", &json!({ "provider": "anthropic", "model": "x" }));
                fs::remove_file(home.join("llm-credentials.json")).unwrap();
                answer
            }
            Code::PlanFile => {
                fs::create_dir_all(repository.at(".tool/plans")).unwrap();
                repository.write(".tool/plans/Broken.json", "{");
                editor.ask("/api/editor/plans/Broken/run")
            }
            Code::PlanExists => {
                plan(editor, "One", "/");
                plan(editor, "Two", "/");
                editor.post("/api/editor/plans/One/rename", &json!({ "name": "Two" }))
            }
            Code::PlanRunning => {
                let (pages, repository) = (Pages::start(""), Repository::react());
                let build = Editor::build(&repository).args(["--attach", &pages.address]);
                let editor = build.env("EDITOR_CANVAS", "1").start();
                plan(&editor, "Held", "/held");
                let run = || editor.ask("/api/editor/plans/Held/run");
                // Until the page server was found.
                eventually("a run", || (run().status != 422).then_some(()));
                run()
            }
            Code::NoBrowser => {
                let repository = Repository::react();
                let build = Editor::build(&repository).args(["--attach", "http://127.0.0.1:9"]);
                let build = build.env("EDITOR_CANVAS", "1").env("EDITOR_REVIEW_SURFACE", "off");
                build.start().ask("/api/editor/canvas/picture?page=/&width=390")
            }
            Code::NoPicture => editor.ask("/api/editor/canvas/picture?page=/&width=390"),
        }
    }
}

/// An Editor whose models are the double's.
fn asking(repository: &Repository, provider: &Provider) -> Editor {
    Editor::build(repository)
        .args(["--attach", "http://127.0.0.1:9"])
        .env("ANTHROPIC_API_KEY", KEY)
        .env("ANTHROPIC_BASE_URL", format!("{}/v1", provider.address))
        .start()
}

/// Makes a plan of one picture.
#[track_caller]
fn plan(editor: &Editor, name: &str, page: &str) {
    let shots = json!([{ "page": page, "width": 390 }]);
    editor
        .put(&format!("/api/editor/plans/{name}"), &json!({ "shots": shots }))
        .expect(200);
}

/// Where turns of a new chat are begun.
fn turns_of(editor: &Editor) -> String {
    let made = editor.post("/api/editor/chat/sessions", &json!({})).expect(200).json();
    let id = made["session"]["id"].as_str().unwrap();
    format!("/api/editor/chat/sessions/{id}/turns")
}

#[test]
fn every_code_of_the_api_is_provoked_and_answered_with_its_status() {
    let desk = Desk::start();
    for code in Code::ALL {
        let answer = desk.provoke(*code);
        let status = answer.status;
        let body = match code {
            // A part among others: the answer as a whole is no JSON.
            Code::Unstamped => serde_json::from_slice(&answer.body).expect("the part is a line of JSON"),
            _ => answer.json(),
        };
        assert_eq!(body["code"], json!(code), "{body}");
        assert_eq!(body["ok"], json!(false), "{body}");
        assert_eq!(status, code.status().as_u16(), "{body}");
        let reason = body["reason"].as_str().unwrap_or_default();
        assert!(reason.len() > 10 && !reason.ends_with(':'), "{code}: {reason}");
    }
}

#[test]
fn api_md_lists_exactly_the_codes_of_the_api_with_their_statuses() {
    let text = include_str!("../../../../editor/API.md");
    let section = text.split("\n## Other errors\n").nth(1).expect("the heading");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| {
        let (word, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
        let status = rest.get(..3)?;
        Some((word.to_owned(), status.to_owned()))
    });
    let mut listed: Vec<(String, String)> = rows.collect();
    let known = Code::ALL
        .iter()
        .map(|code| (code.to_string(), code.status().as_str().to_owned()));
    let mut known: Vec<(String, String)> = known.collect();
    listed.sort_unstable();
    known.sort_unstable();
    assert_eq!(listed, known);
}
