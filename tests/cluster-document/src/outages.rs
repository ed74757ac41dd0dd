//! The failures that the page describes. Each is caused, and what people and operators see then is looked up in the page.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use galley_harness::http::{Request, Response};
use serde_json::{Value, json};

use crate::ask::{self, until_it_serves};
use crate::cluster::Cluster;
use crate::database::{all_follow, leader};
use crate::instance::Instance;
use crate::machine::{Machine, Machines};
use crate::page::Page;

/// How long until a server notices, and until it says that all is well again.
const NOTICE_TIMEOUT: Duration = Duration::from_secs(60);

/// How long an outage may last that ends when something is mended: what is looked at takes its time.
const MAX_OUTAGE: Duration = Duration::from_secs(240);

/// Causes all of them.
pub fn all(cluster: &mut Cluster, machines: &mut Machines, page: &Page, instance: &Instance) -> Result<()> {
    with_one_machine(cluster, machines, page)?;
    without_etcd(cluster, machines, page)?;
    without_standbys(cluster, machines, page)?;
    without_a_store(cluster, machines, page, instance)
}

/// Two of three machines are gone: the last one acknowledges nothing.
fn with_one_machine(cluster: &mut Cluster, machines: &mut Machines, page: &Page) -> Result<()> {
    let left = leader(&machines.nodes)?;
    let node = cluster.nodes[left];
    let what = "two of three machines lost their power";
    let comments = cluster.request(node, "POST", cluster.comments());
    cluster.during(what, &[node], MAX_OUTAGE, || {
        for machine in &mut machines.nodes {
            if machine.address != node.ip() {
                machine.cut()?;
            }
        }
        has_no_database(&comments, page, what)?;
        machines
            .nodes
            .iter_mut()
            .filter(|machine| machine.address != node.ip())
            .try_for_each(Machine::start)
    })?;
    is_whole(cluster, machines)
}

/// etcd ends on two of three machines: the leader steps down.
fn without_etcd(cluster: &mut Cluster, machines: &Machines, page: &Page) -> Result<()> {
    let nodes = cluster.nodes.clone();
    let what = "etcd ended on two of three machines";
    let comments = cluster.request(nodes[0], "POST", cluster.comments());
    cluster.during(what, &nodes, MAX_OUTAGE, || {
        each(machines, &[1, 2], "systemctl stop etcd")?;
        has_no_database(&comments, page, what)?;
        each(machines, &[1, 2], "systemctl start etcd")
    })?;
    is_whole(cluster, machines)
}

/// The leader is alone, and etcd is there: what is written waits, and what is read is answered.
fn without_standbys(cluster: &mut Cluster, machines: &Machines, page: &Page) -> Result<()> {
    let nodes = cluster.nodes.clone();
    let leads = leader(&machines.nodes)?;
    let standbys: Vec<usize> = (0..nodes.len()).filter(|&at| at != leads).collect();
    let what = "no standby followed";
    let server = nodes[leads];
    let comments = cluster.request(server, "POST", cluster.comments());
    let list = cluster.request(server, "GET", cluster.comments());
    cluster.during(what, &nodes, MAX_OUTAGE, || {
        each(machines, &standbys, "systemctl stop patroni")?;
        let refused = refused(&comments, what, |answer| answer.header("retry-after") == Some("2"))?;
        page.says(&message(&refused)?)?;
        ask::answer(200, &list)?;
        ask::tried(NOTICE_TIMEOUT, || is_missing(200, server, "commits"))?;
        each(machines, &standbys, "systemctl start patroni")
    })?;
    is_whole(cluster, machines)
}

/// The store of one machine is away: what its server has kept is served.
fn without_a_store(cluster: &Cluster, machines: &Machines, page: &Page, instance: &Instance) -> Result<()> {
    let node = *cluster.nodes.last().context("there are servers")?;
    let upload = instance.uploading(node, "let without = 'a store';");
    let kept = instance.request(node, "GET", "/p/shop/app.js");
    ask::answer(200, &kept)?;
    each(machines, &[2], "systemctl stop seaweedfs")?;
    let refused = ask::tried(NOTICE_TIMEOUT, || ask::answer(503, &upload))?;
    page.says(&message(&refused)?)?;
    ask::answer(200, &kept)?;
    ask::tried(NOTICE_TIMEOUT, || is_missing(200, node, "objects"))?;
    each(machines, &[2], "systemctl start seaweedfs")?;
    ask::tried(MAX_OUTAGE, || ask::answer(201, &upload))?;
    println!("without the store of its machine, {node} refuses uploads and serves what it has kept");
    Ok(())
}

/// Whether a server says what the page says of a database that is gone: in its health, and to whoever writes.
fn has_no_database(comments: &Request, page: &Page, what: &str) -> Result<()> {
    let began = Instant::now();
    ask::tried(NOTICE_TIMEOUT, || is_missing(503, comments.to, "database"))?;
    let noticed = began.elapsed();
    let refused = refused(comments, what, |answer| answer.header("retry-after") == Some("2"))?;
    page.says(&message(&refused)?)?;
    println!(
        "{what}: {} says after {:.1} s that its database is missing",
        comments.to,
        noticed.as_secs_f32()
    );
    Ok(())
}

/// Whether the health of a server has this status, and names what is missing.
fn is_missing(status: u16, server: SocketAddr, what: &str) -> Result<()> {
    let health = ask::answer(status, &Request::new(server, "GET", "/api/v1/health"))?;
    let said: Value = serde_json::from_slice(&health.body)?;
    let names = said["missing"].as_array().into_iter().flatten();
    ensure!(names.clone().any(|name| name == what), "{}", health.text());
    Ok(())
}

/// Writes until that is refused in this way. Some comments may be there in the end, each at most once.
fn refused(comments: &Request, what: &str, is_meant: impl Fn(&Response) -> bool) -> Result<Response> {
    let mut tries = 0;
    ask::tried(NOTICE_TIMEOUT, || {
        tries += 1;
        let body = format!("{what}: try {tries}");
        let comment = json!({ "body": body, "position": { "anchorSelector": "main", "page": "/" } });
        let answer = ask::answer(503, &comments.clone().json(&comment))?;
        ensure!(is_meant(&answer), "{}{}", answer.head, answer.text());
        Ok(answer)
    })
}

fn message(refused: &Response) -> Result<String> {
    let body: Value = serde_json::from_slice(&refused.body)?;
    Ok(body["error"].as_str().context("a refusal says why")?.to_owned())
}

fn each(machines: &Machines, places: &[usize], commands: &str) -> Result<()> {
    places.iter().try_for_each(|&at| machines.nodes[at].run(commands))
}

fn is_whole(cluster: &Cluster, machines: &Machines) -> Result<()> {
    cluster.nodes.iter().try_for_each(|&node| until_it_serves(node))?;
    all_follow(&machines.nodes)
}
