//! Three nodes ÷ one of them, each held to a share of a core, as if it were a small machine. Database, store and load are not held.

use std::net::SocketAddr;
use std::time::Instant;

use anyhow::{Context, Result};

use super::super::Row;
use super::super::load::{Load, median};
use super::super::streams::{MAX_PER_CLIENT, collect, open_all};
use super::held::Held;
use super::{Side, cluster, node, small_file};
use crate::prelude::*;

/// Of a core, for each node.
const SHARE: f64 = 0.15;
const NODES: usize = 3;
/// How often each side is measured.
const TURNS: usize = 5;
/// Open streams of a node.
const STREAMS: usize = 1_000;

pub(super) fn measure() -> Result<Vec<Row>> {
    let cluster = cluster();
    // It is written at this one, which nobody holds.
    let writer = Side::of(node(&cluster), &small_file());
    let nodes: Vec<Server> = (0..NODES).map(|_| node(&cluster)).collect();
    let _held = nodes
        .iter()
        .map(|node| Held::to(SHARE, node.id()))
        .collect::<Result<Vec<_>>>()?;
    let loads = |load: &Load| -> Vec<Load> {
        let path = load
            .url
            .strip_prefix(&writer.server.url())
            .unwrap_or_default()
            .to_owned();
        let at = |node: &Server| Load {
            connections: 8,
            url: node.url() + &path,
            ..load.clone()
        };
        nodes.iter().map(at).collect()
    };
    let rows = vec![
        row("a file of 10 KB", 2.7, versus(&loads(&writer.files()))?, "/s"),
        row(
            "list of 20 comments, nobody writes",
            2.3,
            versus(&loads(&writer.list()))?,
            "/s",
        ),
        row(
            "open streams, rung by one write",
            2.7,
            rung(&writer, &nodes)?,
            " rung/s",
        ),
    ];
    drop((nodes, writer));
    cluster.delete();
    Ok(rows)
}

fn row(what: &str, bound: f64, (three, one): (f64, f64), unit: &str) -> Row {
    Row {
        what: format!("{NODES} nodes ÷ 1, each held to {SHARE} of a core: {what}"),
        goal: if bound < 2.5 { "≥ 2.3" } else { "≥ 2.7" },
        result: format!("{:.2}", three / one),
        detail: format!("{three:.0}{unit} ÷ {one:.0}{unit}"),
        reached: Some(three / one >= bound),
    }
}

/// Requests a second of all together, and of the first one alone: medians, measured in turns.
fn versus(loads: &[Load]) -> Result<(f64, f64)> {
    together(loads)?;
    let (mut three, mut one) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        three.push(together(loads)?);
        one.push(together(&loads[..1])?);
    }
    Ok((median(&mut three), median(&mut one)))
}

/// Requests a second, the sum of all loads at the same time.
fn together(loads: &[Load]) -> Result<f64> {
    std::thread::scope(|scope| {
        let running: Vec<_> = loads.iter().map(|load| scope.spawn(|| load.run())).collect();
        running
            .into_iter()
            .map(|load| load.join().map_err(|_| anyhow::anyhow!("a load ended"))?)
            .sum()
    })
}

/// Streams that hear of a write in a second, with streams at all nodes and with streams at the first one.
fn rung(writer: &Side, nodes: &[Server]) -> Result<(f64, f64)> {
    let addresses: Vec<SocketAddr> = nodes.iter().map(Server::address).collect();
    let (mut three, mut one) = (Vec::new(), Vec::new());
    // Nobody waits until the streams of the turn before are closed: others come with other addresses.
    let mut clients = (0..).step_by(STREAMS * NODES / MAX_PER_CLIENT);
    let mut next = || clients.next().unwrap_or_default();
    for _ in 0..TURNS {
        three.push(rate(writer, &addresses, next())?);
        one.push(rate(writer, &addresses[..1], next())?);
    }
    Ok((median(&mut three), median(&mut one)))
}

/// Opens streams at these nodes, of clients from this number on, and writes: from the request to the last stream that heard of it.
fn rate(writer: &Side, nodes: &[SocketAddr], clients: usize) -> Result<f64> {
    let target = format!("{}/stream", comments(&writer.shop));
    let count = STREAMS * nodes.len();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut hears = open_all(nodes, count, clients, &target).await?;
        // Each says `connected` first.
        collect(&mut hears, count).await?;
        let (caller, shop) = (writer.server.user("vic"), writer.shop.clone());
        let began = Instant::now();
        let written = tokio::task::spawn_blocking(move || comment(&caller, &shop, "A ring"));
        let last = collect(&mut hears, count).await?.into_iter().max();
        written.await?;
        let last = last.context("there are streams")?;
        Ok(count as f64 / last.saturating_duration_since(began).as_secs_f64())
    })
}
