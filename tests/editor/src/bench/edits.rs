//! An edit from the request to the written file, and a module from the dev server and back.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use galley_harness::poll::within;
use galley_harness::table::Row;
use serde_json::{Value, json};

use super::{milliseconds, percentile};
use crate::Editor;
use crate::apps::VITE_REACT_8;

const EDITS: u32 = 200;
/// How long the dev server may take to start, and then to come to rest.
const START_TIMEOUT: Duration = Duration::from_secs(60);
const REST: Duration = Duration::from_secs(2);

pub fn measure() -> Vec<Row> {
    let app = VITE_REACT_8.make();
    let editor = Editor::on(app.path()).start();
    // Who edits sees the page: a dev server that starts takes both cores.
    let is_running = || (editor.ask("/api/editor/state").json()["host"]["status"] == "running").then_some(());
    within(START_TIMEOUT, is_running).expect("the dev server starts");
    std::thread::sleep(REST);
    let tree = editor.ask("/api/editor/tree?path=src/App.tsx").json();
    let heading = find(&tree["nodes"], "h1").expect("the template has a heading");
    let (mut times, mut plain) = (Vec::new(), Vec::new());
    for round in 0..EDITS {
        let edit = json!({ "src": heading, "kind": "text", "text": format!("Round {round}") });
        let started = Instant::now();
        editor.post("/api/editor/edit", &edit).expect(200);
        times.push(started.elapsed());
        let text = app.read("src/App.tsx");
        assert!(text.contains(&format!("Round {round}")), "it is in the file");
        let started = Instant::now();
        replace(&app.path().join(".tool"), &text);
        plain.push(started.elapsed());
    }
    let (half, most) = (percentile(&mut times, 0.5), percentile(&mut times, 0.95));
    let (plain_half, plain_most) = (percentile(&mut plain, 0.5), percentile(&mut plain, 0.95));
    vec![Row {
        what: "Editor: an edit, from request to file written".into(),
        goal: "p50 ≤ 5 ms, p95 ≤ 8 ms",
        result: format!("p50 {}, p95 {}", milliseconds(half), milliseconds(most)),
        detail: format!(
            "{EDITS} texts, with backup, journal and fsync; a file of the same text written, synced and renamed there: p50 {}, p95 {}",
            milliseconds(plain_half),
            milliseconds(plain_most)
        ),
        reached: Some(half <= Duration::from_millis(5) && most <= Duration::from_millis(8)),
    }]
}

/// The least that replacing a file durably costs.
fn replace(folder: &Path, text: &str) {
    let (new, old) = (folder.join("bench-new"), folder.join("bench-old"));
    let mut file = File::create(&new).expect("own folders can be written");
    file.write_all(text.as_bytes()).expect("own files can be written");
    file.sync_all().expect("own files can be synced");
    fs::rename(&new, &old).expect("own files can be renamed");
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
