//! An edit from the request to the written file, and a module from the dev server and back.

use std::time::{Duration, Instant};

use galley_harness::table::Row;
use serde_json::{Value, json};

use super::{milliseconds, percentile};
use crate::Editor;
use crate::apps::VITE_REACT_8;

const EDITS: u32 = 200;

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
    vec![Row {
        what: "Editor: an edit, from request to file written".into(),
        goal: "p50 ≤ 5 ms",
        result: format!("p50 {}", milliseconds(half)),
        detail: format!(
            "p95 {}, {EDITS} texts, with backup, journal and fsync",
            milliseconds(most)
        ),
        reached: Some(half <= Duration::from_millis(5)),
    }]
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
