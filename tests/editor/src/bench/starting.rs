//! From the command to a page with its first module: Vite by itself, and Vite started by the Editor.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use galley_harness::http::Request;
use galley_harness::poll::within_by;
use galley_harness::ports::free_port;
use galley_harness::table::Row;

use super::{milliseconds, percentile};
use crate::Editor;
use crate::apps::{App, VITE_REACT_8};

const TURNS: usize = 100;
/// Between two questions. Each takes time away from who starts, and the Editor's answers take more than a port that is closed.
const PAUSE: Duration = Duration::from_millis(4);
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// Whether Vite prepared the dependencies of the prototype at an earlier start.
#[derive(Debug, Clone, Copy)]
enum Dependencies {
    Prepared,
    /// As right after an installation: they are prepared while the first page is made.
    Missing,
}

/// Where Vite keeps them, by itself and through the Editor.
const CACHES: [&str; 2] = ["node_modules/.vite", "node_modules/.vite/galley"];

pub fn measure() -> Vec<Row> {
    let app = VITE_REACT_8.make();
    prepare(&app);
    [
        (
            Dependencies::Prepared,
            "Editor: from the command to the first module, ÷ Vite by itself, dependencies prepared",
        ),
        (
            Dependencies::Missing,
            "the same at the first start after an installation",
        ),
    ]
    .map(|(dependencies, what)| compare(&app, dependencies, what))
    .into()
}

/// Starts both until each has its dependencies prepared.
fn prepare(app: &App) {
    let [theirs, ours] = CACHES.map(|cache| app.path().join(cache).join("deps/_metadata.json"));
    let port = free_port();
    let vite = app.vite(port);
    serves(([127, 0, 0, 1], port).into());
    ready(&theirs);
    drop(vite);
    let editor = Editor::on(app.path()).start();
    serves(editor.prototype());
    ready(&ours);
}

fn ready(metadata: &Path) {
    let found = within_by(PAUSE, START_TIMEOUT, || metadata.is_file().then_some(()));
    assert!(found.is_some(), "{} was not written", metadata.display());
}

fn compare(app: &App, dependencies: Dependencies, what: &str) -> Row {
    let (mut alone, mut ours) = (Vec::new(), Vec::new());
    let turn_of = |start: fn(&App) -> Duration| {
        if matches!(dependencies, Dependencies::Missing) {
            let _ = std::fs::remove_dir_all(app.path().join(CACHES[0]));
        }
        start(app)
    };
    for turn in 0..TURNS {
        // Whoever comes second finds the machine warmer: they change places.
        if turn % 2 == 0 {
            alone.push(turn_of(by_itself));
            ours.push(turn_of(through_the_editor));
        } else {
            ours.push(turn_of(through_the_editor));
            alone.push(turn_of(by_itself));
        }
    }
    // Of each turn by itself: what slows the machine down for a while slows both.
    let ratio = |(ours, alone): (&Duration, &Duration)| ours.as_secs_f64() / alone.as_secs_f64();
    let mut ratios: Vec<f64> = ours.iter().zip(&alone).map(ratio).collect();
    ratios.sort_by(f64::total_cmp);
    let (alone, ours) = (percentile(&mut alone, 0.5), percentile(&mut ours, 0.5));
    let [low, middle, high] = [1, 2, 3].map(|quarter| 100.0 * (ratios[TURNS * quarter / 4] - 1.0));
    Row {
        what: what.into(),
        goal: "≤ 3 % slower",
        result: format!("{middle:+.1} %"),
        detail: format!(
            "the median of {TURNS} turns of both, half of them between {low:+.1} and {high:+.1} %; {} through the Editor, {} by itself",
            milliseconds(ours),
            milliseconds(alone)
        ),
        reached: Some(middle <= 3.0),
    }
}

fn by_itself(app: &App) -> Duration {
    let port = free_port();
    let started = Instant::now();
    let _vite = app.vite(port);
    serves(([127, 0, 0, 1], port).into());
    started.elapsed()
}

fn through_the_editor(app: &App) -> Duration {
    let editor = Editor::on(app.path());
    let started = Instant::now();
    let editor = editor.start();
    serves(editor.prototype());
    started.elapsed()
}

/// Waits for the page and its first module.
fn serves(address: SocketAddr) {
    for path in ["/", "/src/main.tsx"] {
        let served = within_by(PAUSE, START_TIMEOUT, || {
            let answer = Request::new(address, "GET", path)
                .header("accept", "text/html")
                .try_send()
                .ok()?;
            (answer.status == 200).then_some(())
        });
        assert!(served.is_some(), "{path} was not served");
    }
}
