//! What a cluster that the page made has to do: serve at all nodes, and go on when a server, a machine or a leader is gone.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use galley_harness::http::{Request, Response};
use galley_harness::poll::within;
use galley_harness::sse::EventStream;
use serde_json::{Value, json};

use crate::load::{Acknowledged, Load, gap};
use crate::machine::Machine;

/// The port of a server, as the page sets it.
const PORT: u16 = 4310;

/// How long others may answer nothing when a server is killed.
const MAX_NODE_GAP: Duration = Duration::from_secs(1);
/// The same when the machine of the database's leader is.
const MAX_LEADER_GAP: Duration = Duration::from_secs(30);
/// The same when the leader hands over.
const MAX_SWITCHOVER_GAP: Duration = Duration::from_secs(6);

/// How long a server may take to serve again, a database to follow again, writes to go on.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(180);

/// How long writers run before something fails, and after everything goes on again.
const STEADY: Duration = Duration::from_secs(3);

/// Checks all of it, and prints the gaps.
pub fn run(machines: &mut [Machine]) -> Result<()> {
    let cluster = Cluster::new(machines)?;
    cluster.is_one()?;
    let mut acknowledged = Vec::new();

    let (gap, writes) = cluster.without_a_server(machines)?;
    acknowledged.extend(writes);
    told("a server was killed", gap, MAX_NODE_GAP)?;

    let (gap, writes) = cluster.without_the_leader(machines)?;
    acknowledged.extend(writes);
    told("the leader's machine lost its power", gap, MAX_LEADER_GAP)?;

    let (gap, writes) = cluster.with_another_leader(machines)?;
    acknowledged.extend(writes);
    told("another leader was chosen", gap, MAX_SWITCHOVER_GAP)?;

    cluster.has_all(&acknowledged)
}

fn told(what: &str, gap: Duration, bound: Duration) -> Result<()> {
    println!(
        "{what}: no write for {:.1} s, at most {} s",
        gap.as_secs_f32(),
        bound.as_secs()
    );
    ensure!(gap <= bound, "{what}: writes waited for too long");
    Ok(())
}

/// The servers, and a project for comments.
struct Cluster {
    nodes: Vec<SocketAddr>,
    token: String,
    comments: String,
}

impl Cluster {
    fn new(machines: &[Machine]) -> Result<Cluster> {
        let first = machines.first().context("there is a machine")?;
        let token = first.read(". ~/galley-cluster.secrets; printf %s $ADMIN_TOKEN")?;
        let nodes = machines.iter().map(|machine| SocketAddr::from((machine.address, PORT)));
        let mut cluster = Cluster {
            nodes: nodes.collect(),
            token,
            comments: String::new(),
        };
        let project = json!({ "slug": "shop", "name": "Shop", "access": "all-members" });
        let made = expect(201, &cluster.request(0, "POST", "/api/v1/projects").json(&project))?;
        let id = made["id"].as_str().context("a project has an id")?;
        cluster.comments = format!("/api/v1/projects/{id}/comments");
        Ok(cluster)
    }

    fn request(&self, node: usize, method: &str, target: &str) -> Request {
        Request::new(self.nodes[node], method, target).header("authorization", format!("Bearer {}", self.token))
    }

    /// What one node acknowledges is there at each other one at once, and rings the streams there.
    fn is_one(&self) -> Result<()> {
        let streams: Result<Vec<EventStream>, Box<Response>> = (0..self.nodes.len())
            .map(|node| EventStream::open(&self.request(node, "GET", &format!("{}/stream", self.comments))))
            .collect();
        let streams = streams.map_err(|answer| anyhow::anyhow!("no stream: {}", answer.status))?;
        let comment = json!({ "body": "one", "position": { "anchorSelector": "main", "page": "/" } });
        expect(201, &self.request(0, "POST", &self.comments).json(&comment))?;
        for node in 0..self.nodes.len() {
            let bodies = self.bodies(node)?;
            ensure!(
                bodies.contains_key("one"),
                "{} does not show what another node wrote",
                self.nodes[node]
            );
        }
        for (node, stream) in streams.iter().enumerate() {
            let rung = within(RECOVERY_TIMEOUT, || {
                let event = stream.next_within(STEADY).ok()??;
                event.data.contains("changed").then_some(())
            });
            ensure!(rung.is_some(), "the stream at {} is not rung", self.nodes[node]);
        }
        println!("a comment at one node is seen at the others at once, and rings their streams");
        Ok(())
    }

    /// Kills a server. The others answer on.
    fn without_a_server(&self, machines: &[Machine]) -> Result<(Duration, Vec<Acknowledged>)> {
        let (last, others) = self.nodes.split_last().context("there are nodes")?;
        let load = self.load("server", others);
        std::thread::sleep(STEADY);
        let machine = machines.last().context("there are machines")?;
        machine.run("systemctl kill --signal=KILL galley")?;
        let killed = Instant::now();
        std::thread::sleep(STEADY);
        let ended = Instant::now();
        let writes = load.end();
        machine.run("systemctl start galley")?;
        self.serves(*last)?;
        Ok((longest(&writes, others, killed, ended), writes))
    }

    /// Cuts the power of the machine with the leader.
    fn without_the_leader(&self, machines: &mut [Machine]) -> Result<(Duration, Vec<Acknowledged>)> {
        let leader = leader(machines)?;
        let at = machines.iter().position(|machine| machine.name == leader);
        let at = at.context("the leader is a machine")?;
        let others: Vec<SocketAddr> = self
            .nodes
            .iter()
            .copied()
            .filter(|node| *node != self.nodes[at])
            .collect();
        let load = self.load("leader", &others);
        std::thread::sleep(STEADY);
        let cut = machines[at].cut()?;
        self.goes_on(&load, &others, cut + STEADY)?;
        let ended = Instant::now();
        let writes = load.end();
        machines[at].start()?;
        self.serves(self.nodes[at])?;
        all_follow(machines)?;
        Ok((longest(&writes, &others, cut, ended), writes))
    }

    /// Lets another database lead.
    fn with_another_leader(&self, machines: &[Machine]) -> Result<(Duration, Vec<Acknowledged>)> {
        let leader = leader(machines)?;
        let candidate = machines
            .iter()
            .find(|machine| machine.name != leader)
            .context("there are others")?;
        let load = self.load("switchover", &self.nodes);
        std::thread::sleep(STEADY);
        let begun = Instant::now();
        candidate.run(&format!(
            "/opt/patroni/bin/patronictl -c /etc/patroni.yml switchover galley --leader {leader} --candidate {} --force",
            candidate.name
        ))?;
        self.goes_on(&load, &self.nodes, Instant::now())?;
        let ended = Instant::now();
        let writes = load.end();
        Ok((longest(&writes, &self.nodes, begun, ended), writes))
    }

    fn load(&self, name: &str, nodes: &[SocketAddr]) -> Load {
        Load::start(name, nodes, &self.comments, &self.token)
    }

    /// Waits until each of the nodes acknowledges writes again, and for a while longer.
    fn goes_on(&self, load: &Load, nodes: &[SocketAddr], since: Instant) -> Result<()> {
        let ready = within(RECOVERY_TIMEOUT, || {
            let writes = load.acknowledged();
            let wrote = |node: &SocketAddr| writes.iter().any(|write| write.node == *node && write.at > since);
            nodes.iter().all(wrote).then_some(())
        });
        ensure!(ready.is_some(), "writes do not go on within {RECOVERY_TIMEOUT:?}");
        std::thread::sleep(STEADY);
        Ok(())
    }

    fn serves(&self, node: SocketAddr) -> Result<()> {
        let health = Request::new(node, "GET", "/api/v1/health").within(STEADY);
        let healthy = || health.try_send().ok().filter(|answer| answer.status == 200);
        within(RECOVERY_TIMEOUT, healthy).with_context(|| format!("{node} does not serve"))?;
        Ok(())
    }

    /// Whether each node has each comment that was acknowledged, once.
    fn has_all(&self, acknowledged: &[Acknowledged]) -> Result<()> {
        for node in 0..self.nodes.len() {
            let bodies = self.bodies(node)?;
            let lost = acknowledged
                .iter()
                .filter(|write| !bodies.contains_key(&write.body))
                .count();
            let doubled = bodies.values().filter(|&&times| times > 1).count();
            ensure!(
                lost + doubled == 0,
                "{}: {lost} comments are lost, {doubled} doubled",
                self.nodes[node]
            );
        }
        println!(
            "{} comments were acknowledged: none is lost, none doubled",
            acknowledged.len()
        );
        Ok(())
    }

    /// The comments that a node shows, and how often each.
    fn bodies(&self, node: usize) -> Result<BTreeMap<String, u32>> {
        let mut bodies = BTreeMap::new();
        let mut page = self.comments.clone();
        loop {
            let list = expect(200, &self.request(node, "GET", &page))?;
            for comment in list["comments"].as_array().context("a list")? {
                *bodies
                    .entry(comment["body"].as_str().unwrap_or_default().to_owned())
                    .or_default() += 1;
            }
            match list["next"].as_str() {
                Some(next) => page = format!("{}?after={next}", self.comments),
                None => return Ok(bodies),
            }
        }
    }
}

/// The longest gap of all nodes.
fn longest(writes: &[Acknowledged], nodes: &[SocketAddr], since: Instant, until: Instant) -> Duration {
    let gaps = nodes.iter().map(|&node| gap(writes, node, since, until));
    gaps.max().unwrap_or_default()
}

/// The name of the machine whose database leads.
fn leader(machines: &[Machine]) -> Result<String> {
    let leads = members(machines)?.into_iter().find(|member| member["Role"] == "Leader");
    let name = leads.as_ref().and_then(|member| member["Member"].as_str());
    Ok(name.context("there is a leader")?.to_owned())
}

/// Waits until all databases follow the leader.
fn all_follow(machines: &[Machine]) -> Result<()> {
    let follow = || {
        let members = members(machines).ok()?;
        let following = members.iter().filter(|member| member["State"] == "streaming").count();
        (following + 1 == machines.len()).then_some(())
    };
    match within(RECOVERY_TIMEOUT, follow) {
        Some(()) => Ok(()),
        None => bail!("a database does not follow again within {RECOVERY_TIMEOUT:?}"),
    }
}

fn members(machines: &[Machine]) -> Result<Vec<Value>> {
    let list = "/opt/patroni/bin/patronictl -c /etc/patroni.yml list --format json";
    let answers = machines.iter().filter_map(|machine| machine.read(list).ok());
    let list = answers.into_iter().next().context("no machine knows the databases")?;
    Ok(serde_json::from_str(&list)?)
}

fn expect(status: u16, request: &Request) -> Result<Value> {
    let answer = request.try_send()?;
    ensure!(
        answer.status == status,
        "{}: {} {}",
        answer.request,
        answer.status,
        answer.text()
    );
    Ok(serde_json::from_str(&answer.text())?)
}
