//! The page's chapter about living with a cluster: its commands run while people write.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};

use crate::ask::{self, until_it_serves};
use crate::checks::{self, MAX_LEADER_GAP, MAX_NODE_GAP, MAX_SWITCHOVER_GAP, PORT, STORE_TIMEOUT};
use crate::cluster::Cluster;
use crate::database::{all_follow, leader};
use crate::instance::{Instance, is_same};
use crate::machine::Machines;
use crate::page::Page;

/// The chapter's section about each.
const ADD: &str = "add-a-node";
const REMOVE: &str = "remove-a-node";
const UPGRADE: &str = "upgrade";
const TAKE_OUT: &str = "take-a-machine-out";
const REPLACE: &str = "replace-a-machine";
const OTHER_BALANCER: &str = "nginx-instead-of-haproxy";
const BACK_UP: &str = "back-up";
const ONE_AGAIN: &str = "one-machine-again";

/// A fourth server serves like the others, and goes without a trace.
pub fn a_node_more(cluster: &mut Cluster, machines: &Machines, page: &mut Page) -> Result<()> {
    let fourth = SocketAddr::from((machines.named("d")?.address, PORT));
    let fronts = cluster.fronts.clone();
    cluster.during("a node was added", &fronts, MAX_NODE_GAP, || {
        page.section(ADD, machines)
    })?;
    until_it_serves(fourth)?;
    let all: Vec<SocketAddr> = cluster.nodes.iter().copied().chain([fourth]).collect();
    checks::rings(cluster, &all)?;
    cluster.has_all(fourth, |target| cluster.request(fourth, "GET", target))?;
    cluster.during("a node was removed", &fronts, MAX_NODE_GAP, || {
        page.section(REMOVE, machines)
    })
}

/// Each server is replaced by a new one while the others serve.
pub fn an_upgrade(cluster: &mut Cluster, machines: &Machines, page: &mut Page) -> Result<()> {
    let fronts = cluster.fronts.clone();
    cluster.during("a rolling upgrade", &fronts, MAX_NODE_GAP, || {
        page.section(UPGRADE, machines)
    })
}

/// A machine is away for a while.
pub fn without_a_machine(cluster: &mut Cluster, machines: &Machines, page: &mut Page) -> Result<()> {
    let gone = machines.nodes.iter().position(|machine| machine.name == "b");
    let gone = gone.context("the page takes `b` out")?;
    let mut fronts = cluster.fronts.clone();
    fronts.remove(gone);
    cluster.during(
        "a machine was taken out, and came back",
        &fronts,
        MAX_SWITCHOVER_GAP,
        || page.section(TAKE_OUT, machines),
    )?;
    until_it_serves(cluster.nodes[gone])?;
    all_follow(&machines.nodes)
}

/// A machine is lost for good, and another one takes its place. It holds everything then: the versions are read there, with one of
/// the others gone.
pub fn another_machine(
    cluster: &mut Cluster,
    machines: &mut Machines,
    page: &mut Page,
    instance: &Instance,
) -> Result<()> {
    let scripts = instance.scripts(cluster.nodes[0])?;
    let lost = machines.nodes.iter().position(|machine| machine.name == "c");
    let lost = lost.context("the page replaces `c`")?;
    // Whichever of them leads by now.
    let at_most = match leader(&machines.nodes)? == lost {
        true => MAX_LEADER_GAP,
        false => MAX_SWITCHOVER_GAP,
    };
    machines.nodes[lost].cut()?;
    machines.nodes[lost].forget()?;
    machines.nodes[lost].start()?;
    let node = cluster.nodes[lost];
    let others: Vec<SocketAddr> = cluster.nodes.iter().copied().filter(|other| *other != node).collect();
    let fronts: Vec<SocketAddr> = others
        .iter()
        .map(|other| SocketAddr::from((other.ip(), checks::BALANCER_PORT)))
        .collect();
    cluster.during("a machine was replaced", &fronts, at_most, || {
        page.section(REPLACE, machines)
    })?;
    until_it_serves(node)?;
    all_follow(&machines.nodes)?;
    machines.nodes[0].cut()?;
    ensure!(
        ask::tried(STORE_TIMEOUT, || instance.scripts(node))? == scripts,
        "{node} lacks versions"
    );
    machines.nodes[0].start()?;
    until_it_serves(cluster.nodes[0])?;
    all_follow(&machines.nodes)
}

/// The other balancer.
pub fn another_balancer(cluster: &mut Cluster, machines: &Machines, page: &mut Page) -> Result<()> {
    page.section(OTHER_BALANCER, machines)?;
    checks::without_a_server(cluster, machines, "nginx")
}

/// A backup of the cluster starts as one server, and has everything.
pub fn one_machine_again(cluster: &Cluster, machines: &Machines, page: &mut Page, instance: &Instance) -> Result<()> {
    let node = cluster.nodes[0];
    let scripts = instance.scripts(node)?;
    let seen = instance.seen(node)?;
    page.section(BACK_UP, machines)?;
    page.section(ONE_AGAIN, machines)?;
    let alone = SocketAddr::from((machines.named("old")?.address, PORT));
    until_it_serves(alone)?;
    is_same(&seen, &instance.seen(alone)?, "the server alone")?;
    let comments = cluster.has_all(alone, |target| instance.request(alone, "GET", target))?;
    ensure!(
        instance.scripts(alone)? == scripts,
        "the server alone has other versions"
    );
    println!(
        "one server again has the session, {} versions, and all {comments} comments that were acknowledged",
        scripts.len()
    );
    Ok(())
}
