//! A node of a cluster ÷ a server alone.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::super::Row;
use super::super::load::{Load, in_turns, versus};
use super::{Side, cluster, node, small_file};
use crate::prelude::*;

/// The pause of whoever writes ten times a second.
const TENTH: Duration = Duration::from_millis(100);
/// Connections that write at once.
const WRITERS: u32 = 100;

impl Side {
    /// Changes a comment of the list again and again until the answer is dropped.
    fn changing(&self, pause: Duration) -> Changing {
        let (caller, path) = (
            self.server.user("vic"),
            format!("{}/{}", comments(&self.shop), self.first),
        );
        let goes_on = Arc::new(AtomicBool::new(true));
        let is_wanted = goes_on.clone();
        let thread = std::thread::spawn(move || {
            let mut number = 0;
            while is_wanted.load(Ordering::Relaxed) {
                let began = Instant::now();
                caller
                    .patch(&path, json!({ "body": format!("Changed {number}") }))
                    .expect(200);
                number += 1;
                std::thread::sleep(pause.saturating_sub(began.elapsed()));
            }
        });
        Changing {
            goes_on,
            thread: Some(thread),
        }
    }

    /// Many who write comments at once, by a script of `wrk`.
    fn writers(&self, folder: &std::path::Path, name: &str) -> Result<Load> {
        let script = folder.join(name);
        let url = self.server.url();
        let text = format!(
            "wrk.method = 'POST'\nwrk.headers['content-type'] = 'application/json'\nwrk.headers['origin'] = '{url}'\n\
             wrk.headers['cookie'] = '{}'\nwrk.body = '{}'\n",
            self.server.user("vic").secret(),
            remark("A remark of one of a hundred.")
        );
        fs::write(&script, text)?;
        Ok(Load {
            connections: WRITERS,
            script: Some(script),
            ..Load::of(url + &comments(&self.shop))
        })
    }
}

/// Dropped, it ends.
struct Changing {
    goes_on: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Changing {
    fn drop(&mut self) {
        self.goes_on.store(false, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(
            ended.is_none_or(|ended| ended.is_ok()) || std::thread::panicking(),
            "a change was refused"
        );
    }
}

pub(super) fn measure() -> Result<Vec<Row>> {
    let cluster = cluster();
    let alone = Side::of(Server::build().one_node().public_links(true).start(), &small_file());
    let one = Side::of(node(&cluster), &small_file());
    let (mut rows, mut costs) = (Vec::new(), Vec::new());
    let mut compare = |what: &str, goal, bound, (node, alone): (f64, f64)| {
        rows.push(Row {
            what: format!("a node of a cluster ÷ a server alone: {what}"),
            goal,
            result: format!("{:.2}", node / alone),
            detail: format!("{node:.0}/s ÷ {alone:.0}/s"),
            reached: Some(node / alone >= bound),
        });
    };
    for connections in [16, 64] {
        let files = |side: &Side| Load {
            connections,
            ..side.files()
        };
        let what = format!("a file of 10 KB, warm, {connections} connections");
        compare(&what, "≥ 0.75", 0.75, versus(&files(&one), &files(&alone))?);
        costs.push(by_processor(&what, files, &one, &alone)?);
    }
    compare(
        "list of 20 comments, nobody writes",
        "≥ 0.5",
        0.5,
        versus(&one.list(), &alone.list())?,
    );
    {
        let _both = (one.changing(TENTH), alone.changing(TENTH));
        let lists = versus(&one.list(), &alone.list())?;
        compare("the same, written ten times a second", "≥ 0.4", 0.4, lists);
    }
    {
        let _both = (one.changing(Duration::ZERO), alone.changing(Duration::ZERO));
        let lists = versus(&one.list(), &alone.list())?;
        compare("the same, written without a pause", "≥ 0.1", 0.1, lists);
    }
    let folder = tempfile::tempdir()?;
    let writers = (
        one.writers(folder.path(), "node.lua")?,
        alone.writers(folder.path(), "alone.lua")?,
    );
    compare("comments by 100 writers", "≥ 0.2", 0.2, versus(&writers.0, &writers.1)?);
    drop(one);
    cluster.delete();
    rows.extend(costs);
    Ok(rows)
}

/// What a request costs either server itself. What the database does for a node is another machine's where a cluster is of use, and
/// takes the node's two cores here.
fn by_processor(what: &str, load: impl Fn(&Side) -> Load, node: &Side, alone: &Side) -> Result<Row> {
    let (nodes, alones) = (load(node), load(alone));
    let [node, alone] = in_turns([(&nodes, node.server.id()), (&alones, alone.server.id())])?.map(|side| side.cost);
    Ok(Row {
        what: format!("processor time of a server alone ÷ a node's own: {what}"),
        goal: "≥ 0.75",
        result: format!("{:.2}", alone / node),
        detail: format!("{alone:.1} µs ÷ {node:.1} µs a request"),
        reached: Some(alone / node >= 0.75),
    })
}
