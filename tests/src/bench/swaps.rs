//! Swaps of a slot's plugin while its requests keep the server busy.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};

use super::Row;
use super::load::{Figures, Load};
use crate::operator::Operator;
use crate::prelude::*;
use crate::process::Process;
use crate::shelf::Shelf;

/// How often the plugin is swapped; `GALLEY_SWAPS` says otherwise.
const SWAPS: usize = 100;
/// Connections that read all the time.
const READERS: u32 = 16;
/// Threads that write all the time.
const WRITERS: usize = 4;
/// How long the load is measured without a swap, before and after.
const ALONE: Duration = Duration::from_secs(8);
/// How long `wrk` would go on. It is ended before.
const MAX_SECONDS: u32 = 3_600;

const ITEMS: &str = "CREATE TABLE item (text TEXT NOT NULL)";

pub(super) fn measure() -> Result<Vec<Row>> {
    let wanted = std::env::var("GALLEY_SWAPS").ok();
    let swaps = wanted.map_or(Ok(SWAPS), |swaps| swaps.parse())?;
    let operator = Operator::start();
    let files = versions().map(|version| version.file(&operator));
    for file in &files {
        install(&operator, file);
    }
    let written = Mutex::new(Vec::new());
    let mut refused = 0;
    let mut under = |during: &dyn Fn()| -> Result<Figures> {
        let (figures, writes) = under_load(&operator, &written, during)?;
        refused += figures.failed + writes;
        Ok(figures)
    };
    let before = under(&|| std::thread::sleep(ALONE))?;
    let during = under(&|| {
        for swap in 0..swaps {
            install(&operator, &files[swap % files.len()]);
        }
    })?;
    let after = under(&|| std::thread::sleep(ALONE))?;
    let alone = before.p99.midpoint(after.p99);
    let missing = missing(operator, written.into_inner().unwrap_or_default())?;
    let ratio = during.p99 / alone;
    Ok(vec![Row {
        what: format!(
            "failed requests and lost writes in {swaps} swaps under load, half with migrations; p99 during ÷ without"
        ),
        goal: "0; ≤ 2",
        result: format!("{refused} and {missing}; {ratio:.1}"),
        detail: format!(
            "{:.1} ÷ {alone:.1} ms ({:.1} before, {:.1} after); {:.0} ÷ {:.0} and {:.0} requests/s of {READERS} readers beside \
             {WRITERS} writers",
            during.p99, before.p99, after.p99, during.rate, before.rate, after.rate
        ),
        reached: Some(refused == 0 && missing == 0 && ratio <= 2.0),
    }])
}

/// From each to the next, and from the last to the first: every other swap changes the data.
fn versions() -> [Shelf; 4] {
    let rename = |from: &str, to: &str| format!("ALTER TABLE item RENAME COLUMN {from} TO {to}");
    let text = |version| {
        let list = "SELECT text FROM item ORDER BY rowid DESC LIMIT 20";
        Shelf::new(version, &[ITEMS]).with("list", list.into())
    };
    let words = |version| {
        Shelf::new(version, &[ITEMS, &rename("text", "words")])
            .down(&rename("words", "text"))
            .with("insert", "INSERT INTO item (words) VALUES (?1)".into())
            .with("list", "SELECT words FROM item ORDER BY rowid DESC LIMIT 20".into())
    };
    [text("1"), text("2"), words("3"), words("4")]
}

fn install(operator: &Operator, file: &str) {
    let mut command = vec!["plugins", "install", file, "--yes"];
    if operator.slot("shelf") != Value::Null {
        command.extend(["--replaces", "shelf"]);
    }
    operator.server.galley(&command).expect(0);
}

/// What readers get meanwhile, and how many writes were refused.
fn under_load(operator: &Operator, written: &Mutex<Vec<String>>, during: &dyn Fn()) -> Result<(Figures, u64)> {
    let (ends, refused) = (AtomicBool::new(false), AtomicU64::new(0));
    let load = Load {
        connections: READERS,
        seconds: MAX_SECONDS,
        ..Load::of(operator.server.url() + "/api/v1/x/shelf")
    };
    let mut wrk = Process::start(&mut load.command());
    std::thread::scope(|scope| {
        for _ in 0..WRITERS {
            scope.spawn(|| {
                while !ends.load(Ordering::Relaxed) {
                    match write(operator) {
                        Some(text) => written.lock().unwrap_or_else(|broken| broken.into_inner()).push(text),
                        None => drop(refused.fetch_add(1, Ordering::Relaxed)),
                    }
                }
            });
        }
        // Ends the others also when a swap fails.
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(during));
        ends.store(true, Ordering::Relaxed);
        if let Err(panic) = ended {
            std::panic::resume_unwind(panic);
        }
    });
    wrk.signal("INT");
    wrk.wait(Duration::from_secs(20)).context("wrk does not end")?;
    Ok((Figures::of(&wrk.stdout())?, refused.into_inner()))
}

/// Writes a text that nobody else writes; `None` when it was refused.
fn write(operator: &Operator) -> Option<String> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let text = format!("text {}", NEXT.fetch_add(1, Ordering::Relaxed));
    let client = operator.anonymous();
    let request = client.request("POST", "/api/v1/x/shelf").json(&json!({ "text": text }));
    request
        .try_send()
        .is_ok_and(|answer| answer.status == 204)
        .then_some(text)
}

/// How many acknowledged texts are not in the slot's file.
fn missing(mut operator: Operator, written: Vec<String>) -> Result<usize> {
    operator.server.stop();
    let file = operator.server.data_dir().join("slots/shelf.db");
    let database = rusqlite::Connection::open(file)?;
    let mut all = database.prepare("SELECT * FROM item")?;
    let there = all.query_map([], |row| row.get(0))?;
    let there: std::collections::HashSet<String> = there.collect::<rusqlite::Result<_>>()?;
    Ok(written.iter().filter(|text| !there.contains(*text)).count())
}
