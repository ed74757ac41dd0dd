//! A node of a cluster ÷ a server alone, and how soon a write at one node rings at another. PostgreSQL, the store, the node and the
//! load share this machine.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::Row;
use super::load::{Load, quantile, versus};
use crate::client::Client;
use crate::cluster::Cluster;
use crate::nodes;
use crate::prelude::*;

/// Comments of the list.
const LISTED: usize = 20;
/// The pause of whoever writes ten times a second.
const TENTH: Duration = Duration::from_millis(100);
/// Connections that write at once.
const WRITERS: u32 = 100;
/// Writes that ring.
const RINGS: usize = 300;
/// How long a stream may be silent.
const STREAM_TIMEOUT: Duration = Duration::from_secs(30);

/// A server with a project that has a file and a list of comments.
struct Side {
    server: Server,
    shop: String,
    /// The first comment of the list.
    first: String,
}

impl Side {
    fn of(server: Server, file: &[u8]) -> Self {
        let shop = project_with(&server.user("ed"), "shop", "public-link");
        upload(
            &server.user("ed"),
            &shop,
            &Bundle::page("x").file("small.bin", file.to_vec()),
        );
        let made: Vec<Value> = (0..LISTED)
            .map(|number| {
                let text =
                    format!("Comment {number}: the spacing above the price is off by a few pixels on small screens.");
                comment(&server.user("vic"), &shop, &text)
            })
            .collect();
        let first = id(&made[0]);
        Self { server, shop, first }
    }

    fn files(&self) -> Load {
        Load {
            connections: 16,
            ..Load::of(format!("{}/p/shop/small.bin", self.server.url()))
        }
    }

    fn list(&self) -> Load {
        Load::of(self.server.url() + &comments(&self.shop))
    }

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
    let file: Vec<u8> = (0..10 << 10_u32)
        .map(|at: u32| (at.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let cluster = nodes::cluster(false);
    let node = |cluster: &Cluster| {
        let build = Server::build().fresh().one_node().public_links(true);
        let variables = cluster.variables().into_iter();
        variables
            .fold(build, |build, (name, value)| build.env(name, value))
            .start()
    };
    let alone = Side::of(Server::build().one_node().public_links(true).start(), &file);
    let one = Side::of(node(&cluster), &file);
    let other = node(&cluster);
    let mut rows = Vec::new();
    let mut compare = |what: &str, goal, bound, (node, alone): (f64, f64)| {
        rows.push(Row {
            what: format!("a node of a cluster ÷ a server alone: {what}"),
            goal,
            result: format!("{:.2}", node / alone),
            detail: format!("{node:.0}/s ÷ {alone:.0}/s"),
            reached: Some(node / alone >= bound),
        });
    };
    compare(
        "a file of 10 KB, warm",
        "≥ 0.75",
        0.75,
        versus(&one.files(), &alone.files())?,
    );
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
    rows.push(bells(&one, &other)?);
    drop((one, other));
    cluster.delete();
    Ok(rows)
}

/// From the request of a write to the bell at streams of the same node and of another one.
fn bells(one: &Side, other: &Server) -> Result<Row> {
    let shop = project_with(&one.server.user("ed"), "bells", "public-link");
    let path = format!("{}/stream", comments(&shop));
    let writer = one.server.user("vic");
    let listen = |client: Client| {
        let stream = client.stream(&path);
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            while let Ok(Some(event)) = stream.next_within(STREAM_TIMEOUT) {
                if event.data.contains("changed") && tell.send(Instant::now()).is_err() {
                    return;
                }
            }
        });
        told
    };
    let (here, there) = (listen(one.server.anonymous()), listen(other.anonymous()));
    let (mut near, mut far) = (Vec::new(), Vec::new());
    for ring in 0..RINGS {
        let began = Instant::now();
        comment(&writer, &shop, &format!("Ring {ring}"));
        for (heard, times) in [(&here, &mut near), (&there, &mut far)] {
            let at = heard
                .recv_timeout(Duration::from_secs(10))
                .context("a stream was not rung")?;
            times.push((at - began).as_secs_f64() * 1e3);
        }
    }
    let (near, far) = (quantile(&mut near, 0.99), quantile(&mut far, 0.99));
    Ok(Row {
        what: "a write's bell at another node ÷ at the same, p99".into(),
        goal: "≤ 2",
        result: format!("{:.2}", far / near),
        detail: format!("{far:.1} ÷ {near:.1} ms over {RINGS} writes, the write included"),
        reached: Some(far / near <= 2.0),
    })
}
