//! An edit from the request to the written file, and a module from the dev server and back.

use std::path::Path;
use std::time::{Duration, Instant};

use galley_harness::http::Request;
use galley_harness::table::Row;
use serde_json::{Value, json};

use super::{milliseconds, percentile};
use crate::apps::{App, VITE_REACT_8};
use crate::{Editor, oracle, paths};

const EDITS: u32 = 200;
const MODULES: u32 = 400;

pub fn measure() -> Vec<Row> {
    let app = VITE_REACT_8.make();
    let editor = Editor::on(app.path()).start();
    let tree = editor.ask("/api/editor/tree?path=src/App.tsx").json();
    let heading = find(&tree["nodes"], "h1").expect("the template has a heading");
    let mut times = Vec::new();
    for round in 0..EDITS {
        let edit = json!({ "src": heading, "kind": "text", "text": format!("Round {round}") });
        let started = Instant::now();
        editor.post("/api/editor/edit", &edit).expect(200);
        times.push(started.elapsed());
        assert!(
            app.read("src/App.tsx").contains(&format!("Round {round}")),
            "it is in the file"
        );
    }
    let (half, most) = (percentile(&mut times, 0.5), percentile(&mut times, 0.95));
    let mut rows = vec![Row {
        what: "Editor: an edit, from request to file written".into(),
        goal: "p50 ≤ 5 ms",
        result: format!("p50 {}", milliseconds(half)),
        detail: format!(
            "p95 {}, {EDITS} texts, with backup, journal and fsync",
            milliseconds(most)
        ),
        reached: Some(half <= Duration::from_millis(5)),
    }];
    rows.push(stamp_requests(&app, &editor));
    rows
}

/// What the shim waits for: one request for each module.
fn stamp_requests(app: &App, editor: &Editor) -> Row {
    let (what, goal) = ("Editor: a module to the stamp endpoint and back", "p95 ≤ 5 ms");
    let Some(token) = token(editor.id()) else {
        return Row::skipped(what, goal, "the dev server's environment cannot be read on this system");
    };
    let files = oracle::files(&paths::checkout().join("editor/ui/src"), &[".tsx"]);
    // Only what stands in the prototype is stamped.
    std::fs::create_dir(app.path().join("src/bench")).expect("own folders can be made");
    let modules: Vec<Value> = files
        .iter()
        .enumerate()
        .map(|(number, file)| {
            let path = format!("src/bench/{number}.tsx");
            let code = std::fs::read_to_string(file).expect("own files can be read");
            app.write(&path, &code);
            json!({ "path": path, "code": code })
        })
        .collect();
    let mut times = Vec::new();
    for (_, module) in (0..MODULES).zip(modules.iter().cycle()) {
        let request = Request::new(editor.address, "POST", "/__stamp").header("x-galley-token", &token);
        let started = Instant::now();
        let answer = request.json(module).send();
        times.push(started.elapsed());
        answer.expect(200);
    }
    let (half, most) = (percentile(&mut times, 0.5), percentile(&mut times, 0.95));
    Row {
        what: what.into(),
        goal,
        result: format!("p95 {}", milliseconds(most)),
        detail: format!(
            "p50 {}, {} modules of the interface, a connection for each",
            milliseconds(half),
            modules.len()
        ),
        reached: Some(most <= Duration::from_millis(5)),
    }
}

/// The run's secret, from the file beside the program that runs the dev server.
fn token(editor: u32) -> Option<String> {
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let status = std::fs::read_to_string(entry.path().join("status")).unwrap_or_default();
        if !status.lines().any(|line| line == format!("PPid:\t{editor}")) {
            continue;
        }
        let command = std::fs::read(entry.path().join("cmdline")).ok()?;
        let found = command.split(|byte| *byte == 0).find_map(|argument| {
            let program = Path::new(std::str::from_utf8(argument).ok()?);
            let settings = std::fs::read(program.parent()?.join("settings.json")).ok()?;
            let settings: Value = serde_json::from_slice(&settings).ok()?;
            Some(settings["token"].as_str()?.to_owned())
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The stamp of the first element with this tag.
fn find(nodes: &Value, tag: &str) -> Option<Value> {
    nodes.as_array()?.iter().find_map(|node| {
        if node["tag"] == tag {
            Some(node["src"].clone())
        } else {
            find(&node["children"], tag)
        }
    })
}
