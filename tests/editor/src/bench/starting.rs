//! From the command to a page with its first module: Vite by itself, and Vite started by the Editor.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use galley_harness::http::Request;
use galley_harness::poll::within_by;
use galley_harness::process::Process;
use galley_harness::table::Row;

use super::{milliseconds, percentile};
use crate::Editor;
use crate::apps::VITE_REACT_8;

const TURNS: usize = 100;
/// Between two questions. Each takes time away from who starts, and the Editor's answers take more than a port that is closed.
const PAUSE: Duration = Duration::from_millis(4);
const START_TIMEOUT: Duration = Duration::from_secs(60);

pub fn measure() -> Vec<Row> {
    let app = VITE_REACT_8.make();
    let folder = app.path();
    let (mut alone, mut ours) = (Vec::new(), Vec::new());
    by_itself(&folder);
    for turn in 0..TURNS {
        // Whoever comes second finds the machine warmer: they change places.
        if turn % 2 == 0 {
            alone.push(by_itself(&folder));
            ours.push(through_the_editor(&folder));
        } else {
            ours.push(through_the_editor(&folder));
            alone.push(by_itself(&folder));
        }
    }
    // Of each turn by itself: what slows the machine down for a while slows both.
    let ratio = |(ours, alone): (&Duration, &Duration)| ours.as_secs_f64() / alone.as_secs_f64();
    let mut ratios: Vec<f64> = ours.iter().zip(&alone).map(ratio).collect();
    ratios.sort_by(f64::total_cmp);
    let (alone, ours) = (percentile(&mut alone, 0.5), percentile(&mut ours, 0.5));
    let [low, middle, high] = [1, 2, 3].map(|quarter| 100.0 * (ratios[TURNS * quarter / 4] - 1.0));
    vec![Row {
        what: "Editor: from the command to the first module, ÷ Vite by itself".into(),
        goal: "≤ 3 % slower",
        result: format!("{middle:+.1} %"),
        detail: format!(
            "the median of {TURNS} turns of both, half of them between {low:+.1} and {high:+.1} %; {} through the Editor, {} by itself",
            milliseconds(ours),
            milliseconds(alone)
        ),
        reached: Some(middle <= 3.0),
    }]
}

fn by_itself(app: &Path) -> Duration {
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("a free port")
        .port();
    let started = Instant::now();
    let mut vite = Command::new("node");
    vite.arg("node_modules/vite/bin/vite.js").current_dir(app);
    vite.args(["--host", "127.0.0.1", "--strictPort", "--port", &port.to_string()]);
    let _vite = Process::start(&mut vite);
    serves(([127, 0, 0, 1], port).into());
    started.elapsed()
}

fn through_the_editor(app: &Path) -> Duration {
    let started = Instant::now();
    let editor = Editor::on(app).start();
    serves(prototype(&editor));
    started.elapsed()
}

/// The prototype's own origin.
fn prototype(editor: &Editor) -> SocketAddr {
    let found = within_by(PAUSE, START_TIMEOUT, || {
        let url = editor.ask("/api/editor/state").json()["previewUrl"]
            .as_str()?
            .to_owned();
        url.strip_prefix("http://")?.trim_end_matches('/').parse().ok()
    });
    found.expect("the Editor says where the prototype is")
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
