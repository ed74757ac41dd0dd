//! The chat, by the program alone: sessions and turns, what they may read, change and start, and what they never do.

mod crash;
mod failures;
mod gate;
mod orders;
mod pages;
mod prefix;
mod servers;
mod settings;
mod stops;
mod subscription;
mod turns;

use galley_editor_tests::provider::{KEY, Provider, Reply};
use galley_editor_tests::{Build, Editor, Repository};
use galley_harness::http::Response;
use galley_harness::poll::eventually;
use galley_harness::sse::EventStream;
use serde_json::{Value, json};
use tempfile::TempDir;

/// An Editor whose models are the double's.
struct Desk {
    editor: Editor,
    provider: Provider,
    home: TempDir,
}

/// The same, not started yet.
fn build(repository: &Repository, provider: &Provider, home: &TempDir) -> Build {
    Editor::build(repository)
        .args(["--attach", "http://127.0.0.1:9"])
        .env("HOME", home.path())
        .env("EDITOR_REVIEW_SURFACE", "off")
        .env("ANTHROPIC_API_KEY", KEY)
        .env("ANTHROPIC_BASE_URL", format!("{}/v1", provider.address))
}

impl Desk {
    #[track_caller]
    fn start(repository: &Repository) -> Desk {
        let (provider, home) = (Provider::start(), tempfile::tempdir().unwrap());
        let editor = build(repository, &provider, &home).start();
        Desk { editor, provider, home }
    }

    /// Starts it again, as after a crash.
    #[track_caller]
    fn again(self, repository: &Repository) -> Desk {
        self.editor.kill();
        Desk {
            editor: build(repository, &self.provider, &self.home).start(),
            provider: self.provider,
            home: self.home,
        }
    }

    #[track_caller]
    fn session(&self) -> String {
        let made = self
            .editor
            .post("/api/editor/chat/sessions", &json!({}))
            .expect(200)
            .json();
        made["session"]["id"].as_str().unwrap().to_owned()
    }

    fn begin(&self, session: &str, turn: &str, text: &str) -> Response {
        let body = json!({ "turn": turn, "text": text });
        self.editor
            .post(&format!("/api/editor/chat/sessions/{session}/turns"), &body)
    }

    #[track_caller]
    fn read(&self, session: &str) -> Value {
        self.editor
            .ask(&format!("/api/editor/chat/sessions/{session}"))
            .expect(200)
            .json()
    }

    /// The newest turn.
    #[track_caller]
    fn newest(&self, session: &str) -> Value {
        let read = self.read(session);
        read["turns"].as_array().unwrap().last().cloned().unwrap_or_default()
    }

    /// Waits until the newest turn is over, and gives it.
    #[track_caller]
    fn over(&self, session: &str) -> Value {
        eventually("the turn is over", || {
            let turn = self.newest(session);
            let is_over = matches!(turn["status"].as_str(), Some("done" | "stopped" | "failed"));
            is_over.then_some(turn)
        })
    }

    /// A whole turn by a script.
    #[track_caller]
    fn turn(&self, session: &str, turn: &str, text: &str, script: impl IntoIterator<Item = Reply>) -> Value {
        self.provider.script(script);
        self.begin(session, turn, text).expect(200);
        self.over(session)
    }

    /// Waits until the user is asked, and gives the question.
    #[track_caller]
    fn question(&self, session: &str) -> Value {
        eventually("a question", || {
            let turn = self.newest(session);
            let waits = |item: &&Value| item["type"] == "approval" && item["answer"].is_null();
            turn["items"].as_array()?.iter().find(waits).cloned()
        })
    }

    fn answer(&self, session: &str, question: &Value, answer: &str) -> Response {
        let id = question["approval"].as_str().unwrap();
        let path = format!("/api/editor/chat/sessions/{session}/approvals/{id}");
        self.editor.post(&path, &json!({ "answer": answer }))
    }

    #[track_caller]
    fn events(&self, session: &str, after: Option<u64>) -> EventStream {
        let after = after.map(|after| format!("?after={after}")).unwrap_or_default();
        let path = format!("/api/editor/chat/sessions/{session}/events{after}");
        EventStream::open(&self.editor.request("POST", &path)).unwrap_or_else(|answer| panic!("{}", answer.text()))
    }
}

/// Items of a type.
fn items<'t>(turn: &'t Value, kind: &str) -> Vec<&'t Value> {
    let all = turn["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().filter(|item| item["type"] == kind).collect()
}

/// An edit of the heading of [`Repository::react`].
fn retype(text: &str) -> Reply {
    Reply::Call(
        "edit",
        json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": text }),
    )
}

/// The names of the tools a call of the model had.
fn offered(asked: &Value) -> Vec<String> {
    let tools = asked["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    tools
        .iter()
        .filter_map(|tool| tool["name"].as_str().map(str::to_owned))
        .collect()
}

/// Nothing of the key is anywhere below these folders.
#[track_caller]
fn assert_unseen(secret: &str, folders: &[&std::path::Path]) {
    let mut open: Vec<std::path::PathBuf> = folders.iter().map(|folder| folder.to_path_buf()).collect();
    while let Some(folder) = open.pop() {
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
            } else if let Ok(content) = std::fs::read(&path) {
                let found = content.windows(secret.len()).any(|window| window == secret.as_bytes());
                assert!(!found, "{} holds the secret", path.display());
            }
        }
    }
}
