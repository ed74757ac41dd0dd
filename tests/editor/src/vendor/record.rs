//! What the vendor's real program says to the Editor: recorded against our provider's double, so that the program that plays it in
//! tests can be held to it.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use galley_harness::poll::within;
use serde_json::{Value, json};

use super::slim::Slim;
use crate::provider::{KEY, Provider, Reply};
use crate::{Editor, Repository, paths};

/// How long a turn may take.
const TURN_TIMEOUT: Duration = Duration::from_secs(120);
const PROGRAM: &str = "tests/editor/oracles/vendor_recorder.mjs";

/// One turn: what its model answers, and whether it is stopped after its first words.
struct Scene {
    name: &'static str,
    script: Vec<Reply>,
    is_stopped: bool,
}

fn scenes() -> Vec<Scene> {
    let scene = |name, script| Scene {
        name,
        script,
        is_stopped: false,
    };
    let failed = |kind: &str, words: &str| json!({ "type": "error", "error": { "type": kind, "message": words } });
    let change = json!({ "src": "src/App.tsx:1:25", "kind": "text", "text": "Servus" });
    vec![
        scene("text", vec![Reply::Text("Good day")]),
        scene(
            "tool",
            vec![
                Reply::Call("mcp__editor__edit", change),
                Reply::Text("The heading says Servus."),
            ],
        ),
        scene(
            "foreign-tool",
            vec![
                Reply::Call("Bash", json!({ "command": "cat .env" })),
                Reply::Text("I cannot."),
            ],
        ),
        scene(
            "authentication",
            vec![Reply::Status(401, vec![], failed("authentication_error", "invalid x-api-key")); 4],
        ),
        scene(
            "rate-limited",
            vec![
                Reply::Status(
                    429,
                    vec![("retry-after", "42")],
                    failed("rate_limit_error", "slow down")
                );
                4
            ],
        ),
        Scene {
            is_stopped: true,
            ..scene("stopped", vec![Reply::Stall])
        },
    ]
}

/// Lets the program do each kind of turn. Gives for each `{ scene, status, failure, lines: [{ from, line }] }`.
///
/// # Errors
/// When a turn does not end.
///
/// # Panics
/// When the Editor does not start.
pub fn record(program: &Path) -> Result<Vec<Value>, String> {
    scenes().into_iter().map(|scene| one(program, scene)).collect()
}

fn one(program: &Path, scene: Scene) -> Result<Value, String> {
    let repository = Repository::react();
    let (provider, home) = (
        Provider::start(),
        tempfile::tempdir().map_err(|error| error.to_string())?,
    );
    let (recorder, log) = (home.path().join("recorder.mjs"), home.path().join("recorded.jsonl"));
    let written = || -> std::io::Result<()> {
        std::fs::copy(paths::checkout().join(PROGRAM), &recorder)?;
        std::fs::set_permissions(&recorder, PermissionsExt::from_mode(0o755))?;
        let told = json!({ "program": program, "address": provider.address, "key": KEY, "log": log });
        std::fs::write(home.path().join("recorder.json"), told.to_string())
    };
    written().map_err(|error| error.to_string())?;
    let name = scene.name;
    provider.script(scene.script);
    let editor = Editor::build(&repository)
        .args(["--attach", "http://127.0.0.1:9"])
        .env("HOME", home.path())
        .env("EDITOR_REVIEW_SURFACE", "off")
        .env("EDITOR_USE_SUBSCRIPTION", "yes")
        .env("EDITOR_VENDOR_CLI", &recorder)
        .start();
    let made = editor.post("/api/editor/chat/sessions", &json!({})).expect(200).json();
    let session = format!(
        "/api/editor/chat/sessions/{}",
        made["session"]["id"].as_str().unwrap_or_default()
    );
    let asked = json!({ "turn": "turn-0001", "text": "Change the heading" });
    editor.post(&format!("{session}/turns"), &asked).expect(200);
    let mut is_stopping = false;
    let turn = within(TURN_TIMEOUT, || {
        let turn = editor.ask(&session).expect(200).json()["turns"][0].clone();
        let says = turn["items"]
            .as_array()
            .is_some_and(|items| items.iter().any(|item| item["type"] == "text"));
        if scene.is_stopped && says && !is_stopping {
            is_stopping = true;
            editor.post(&format!("{session}/stop"), &json!({}));
        }
        matches!(turn["status"].as_str(), Some("done" | "failed" | "stopped")).then_some(turn)
    });
    let text = std::fs::read_to_string(&log).unwrap_or_default();
    let turn = turn.ok_or_else(|| format!("{name}: the turn does not end; it said\n{text}"))?;
    let mut slim = Slim::default();
    let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok());
    let lines: Vec<Value> = lines.map(|line| slim.slim(&line)).collect();
    let (status, failure) = (&turn["status"], &turn["failure"]);
    Ok(json!({ "scene": name, "status": status, "failure": failure, "lines": lines }))
}
