//! What a cluster that the page made has to do: have what was imported, serve at all nodes, and go on when a server, a machine or a
//! leader is gone.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use galley_harness::http::Response;
use galley_harness::sse::EventStream;
use serde_json::json;

use crate::ask::{self, until_it_serves};
use crate::cluster::Cluster;
use crate::database::{all_follow, leader};
use crate::instance::{Instance, Seen, is_same};
use crate::machine::Machines;
use crate::page::Page;

/// The port of a server, as the page sets it.
pub const PORT: u16 = 4310;
/// The port of a balancer, likewise.
pub const BALANCER_PORT: u16 = 80;

/// How long others may answer nothing when a server is killed, or restarted behind a balancer.
pub const MAX_NODE_GAP: Duration = Duration::from_secs(1);
/// The same when the machine of the database's leader is.
pub const MAX_LEADER_GAP: Duration = Duration::from_secs(30);
/// The same when the leader hands over.
pub const MAX_SWITCHOVER_GAP: Duration = Duration::from_secs(6);

/// How long a stream is silent before it counts as quiet.
const QUIET: Duration = Duration::from_millis(500);
/// How long until something can be uploaded when a machine is gone, and until everything is read again that no node has kept.
pub const STORE_TIMEOUT: Duration = Duration::from_secs(180);
/// How long a bell may take.
const BELL_TIMEOUT: Duration = Duration::from_secs(20);

/// What was imported is at each server: records, and the bytes of each version.
pub fn took_over(cluster: &Cluster, instance: &Instance, seen: &Seen, scripts: &[String]) -> Result<()> {
    for &node in &cluster.nodes {
        is_same(seen, &instance.seen(node)?, &node.to_string())?;
    }
    for &node in &cluster.nodes {
        ensure!(instance.scripts(node)? == scripts, "{node} has other versions");
    }
    println!("the session, the versions and the comments of the server alone are at each server of the cluster");
    Ok(())
}

/// What one server acknowledges is there at each at once, and rings the streams there.
pub fn rings(cluster: &Cluster, nodes: &[SocketAddr]) -> Result<()> {
    let mut slowest = Duration::ZERO;
    for &writer in nodes {
        let streams: Result<Vec<EventStream>, Box<Response>> = nodes
            .iter()
            .map(|&node| EventStream::open(&cluster.request(node, "GET", &format!("{}/stream", cluster.comments()))))
            .collect();
        let streams = streams.map_err(|answer| anyhow!("no stream: {}", answer.status))?;
        // Whoever has just begun to listen is rung once too often.
        for stream in &streams {
            while stream.next_within(QUIET).is_ok_and(|event| event.is_some()) {}
        }
        let body = format!("written at {writer} for {} streams", nodes.len());
        let comment = json!({ "body": body, "position": { "anchorSelector": "main", "page": "/" } });
        ask::json(201, &cluster.request(writer, "POST", cluster.comments()).json(&comment))?;
        let written = Instant::now();
        for (&node, stream) in nodes.iter().zip(&streams) {
            let event = stream.next_within(BELL_TIMEOUT).ok().flatten();
            let event = event.with_context(|| format!("{writer} does not ring the stream at {node}"))?;
            ensure!(event.data.contains("changed"), "{node}: {event:?}");
            slowest = slowest.max(written.elapsed());
        }
        for &node in nodes {
            ensure!(
                cluster.shows(node, &body)?,
                "{node} does not show what was written at {writer}"
            );
        }
    }
    println!(
        "a comment at each of {} servers is at each other one at once, and rings its streams within {} ms",
        nodes.len(),
        slowest.as_millis()
    );
    Ok(())
}

/// Kills a server: the others answer on, and so do the balancers.
pub fn without_a_server(cluster: &mut Cluster, machines: &Machines, balancer: &str) -> Result<()> {
    let (&killed, others) = cluster.nodes.split_last().context("there are servers")?;
    let machine = machines.nodes.last().context("there are machines")?;
    let kill = || machine.run("systemctl kill --signal=KILL galley");
    let start = || {
        machine.run("systemctl start galley")?;
        until_it_serves(killed)
    };
    let (others, fronts) = (others.to_vec(), cluster.fronts.clone());
    cluster.during("a server was killed", &others, MAX_NODE_GAP, kill)?;
    start()?;
    cluster.during(
        &format!("a server behind {balancer} was killed"),
        &fronts,
        MAX_NODE_GAP,
        kill,
    )?;
    start()
}

/// Cuts the power of the machine with the leader, or of one that follows. Uploads go on as well, if later.
pub fn without_a_machine(
    cluster: &mut Cluster,
    machines: &mut Machines,
    instance: &Instance,
    leads: bool,
) -> Result<()> {
    let leader = leader(&machines.nodes)?;
    let at = if leads {
        leader
    } else {
        (leader + 1) % machines.nodes.len()
    };
    let (what, bound) = match leads {
        true => ("the leader's machine lost its power", MAX_LEADER_GAP),
        false => ("another machine lost its power", MAX_NODE_GAP),
    };
    let mut others = cluster.nodes.clone();
    let node = others.remove(at);
    cluster.during(what, &others, bound, || {
        machines.nodes[at].cut()?;
        let since = Instant::now();
        ask::tried(STORE_TIMEOUT, || {
            instance.upload(others[0], &format!("let without = {at};"))
        })?;
        println!(
            "{what}: a version is uploaded after {:.1} s",
            since.elapsed().as_secs_f32()
        );
        Ok(())
    })?;
    machines.nodes[at].start()?;
    until_it_serves(node)?;
    all_follow(&machines.nodes)
}

/// Lets another database lead.
pub fn with_another_leader(cluster: &mut Cluster, machines: &Machines, page: &mut Page) -> Result<()> {
    let nodes = cluster.nodes.clone();
    let before = leader(&machines.nodes)?;
    cluster.during("another leader was chosen", &nodes, MAX_SWITCHOVER_GAP, || {
        page.section("hand-over", machines)
    })?;
    ensure!(leader(&machines.nodes)? != before, "the leader is the same");
    all_follow(&machines.nodes)
}
