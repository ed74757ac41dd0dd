//! A server with many plugins: its boot, its memory, and most of them busy at once.

use std::process::Command;

use anyhow::{Context, Result};

use super::Row;
use super::boot::{BOOTS, boots};
use super::load::{Figures, Load};
use crate::operator::Operator;
use crate::prelude::*;
use crate::server::resident;
use crate::shelf::Shelf;

/// All plugins, those included that come with the program. `GALLEY_PLUGIN_COUNT` says otherwise.
const PLUGINS: usize = 50;
/// Those that are busy at once, at most.
const BUSY: usize = 40;
/// Connections to each of them.
const CONNECTIONS: u32 = 8;
/// Seconds they are busy.
const SECONDS: u32 = 6;

/// What makes `wrk` write instead of read.
const WRITING: &str =
    r#"wrk.method = "POST"; wrk.body = '{"text":"busy"}'; wrk.headers["Content-Type"] = "application/json""#;

pub(super) fn measure() -> Result<Vec<Row>> {
    let wanted = std::env::var("GALLEY_PLUGIN_COUNT").ok();
    let plugins = wanted.map_or(Ok(PLUGINS), |count| count.parse())?;
    let mut operator = Operator::start();
    let bundled = operator.server.galley(&["plugins", "list", "--json"]).expect(0).json()["plugins"]
        .as_array()
        .map_or(0, Vec::len);
    let slots: Vec<String> = (bundled..plugins).map(|number| format!("shelf-{number}")).collect();
    for slot in &slots {
        add(&operator, slot)?;
    }
    operator.server.stop();
    let (time, size) = boots(&operator.server)?;
    operator.server.again();
    let busy = &slots[..slots.len().min(BUSY)];
    let figures = at_once(&operator, busy)?;
    let failed: u64 = figures.iter().map(|figures| figures.failed).sum();
    let rate: f64 = figures.iter().map(|figures| figures.rate).sum();
    let slowest = figures.iter().map(|figures| figures.p99).fold(0.0, f64::max);
    let after = resident(operator.server.id()) / 1_000_000;
    Ok(vec![
        Row {
            what: format!("{plugins} plugins: boot to first healthy answer, warm cache; resident memory then"),
            goal: "≤ 400 ms, ≤ 80 MB",
            result: format!("{time:.0} ms, {size:.0} MB"),
            detail: format!("median of {BOOTS}"),
            reached: Some(time <= 400.0 && size <= 80.0),
        },
        Row {
            what: format!(
                "{} of them busy at once, {CONNECTIONS} connections each, half of them writing",
                busy.len()
            ),
            goal: "no failed request",
            result: format!("{failed} failed"),
            detail: format!("{rate:.0} requests/s together, p99 of the slowest {slowest:.0} ms; {after} MB then"),
            reached: Some(failed == 0),
        },
    ])
}

/// One more plugin with a table, and 20 rows in it.
fn add(operator: &Operator, slot: &str) -> Result<()> {
    let shelf = Shelf::new("1", &["CREATE TABLE item (text TEXT NOT NULL)"])
        .with("slot", slot.into())
        .with("list", "SELECT text FROM item ORDER BY rowid DESC LIMIT 20".into());
    let file = operator.plugins().with_file_name("shelf.wasm");
    std::fs::write(&file, shelf.component())?;
    let install = ["plugins", "install", &file.to_string_lossy(), "--yes"];
    operator.server.galley(&install).expect(0);
    for number in 0..20 {
        let text = json!({ "text": format!("Text {number}") });
        operator
            .anonymous()
            .post(&format!("/api/v1/x/{slot}"), text)
            .expect(204);
    }
    Ok(())
}

/// What each of them serves while all are asked.
fn at_once(operator: &Operator, slots: &[String]) -> Result<Vec<Figures>> {
    let script = operator.plugins().with_file_name("writing.lua");
    std::fs::write(&script, WRITING)?;
    let started = slots.iter().enumerate().map(|(number, slot)| {
        let load = Load {
            connections: CONNECTIONS,
            seconds: SECONDS,
            ..Load::of(format!("{}/api/v1/x/{slot}", operator.server.url()))
        };
        let mut wrk: Command = load.command();
        if number % 2 == 0 {
            wrk.arg("--script").arg(&script);
        }
        wrk.stdout(std::process::Stdio::piped()).spawn()
    });
    let started = started.collect::<std::io::Result<Vec<_>>>();
    let started = started.context("wrk is needed: `cargo xtask setup` installs it")?;
    started
        .into_iter()
        .map(|wrk| Figures::of(&String::from_utf8_lossy(&wrk.wait_with_output()?.stdout)))
        .collect()
}
