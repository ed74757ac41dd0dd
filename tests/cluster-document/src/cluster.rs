//! The cluster as its clients see it: its servers, its balancers, what was acknowledged, and what each server has of it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use galley_harness::http::Request;
use galley_harness::poll::within;

use crate::ask;
use crate::checks::{BALANCER_PORT, PORT};
use crate::load::{Acknowledged, Load, gap};
use crate::machine::Machines;

/// How long writers run before something happens, and after everything goes on again.
const STEADY: Duration = Duration::from_secs(3);

/// How long until writes go on everywhere.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(180);

/// The servers and balancers, and a project for comments.
#[derive(Debug)]
pub struct Cluster {
    /// The servers.
    pub nodes: Vec<SocketAddr>,
    /// The balancers.
    pub fronts: Vec<SocketAddr>,
    token: String,
    comments: String,
    acknowledged: Vec<Acknowledged>,
    too_long: Vec<String>,
    /// How many loads there were: the same may be done twice, and no text is.
    loads: usize,
}

impl Cluster {
    /// That of the machines. Comments are written at `comments`.
    pub fn new(machines: &Machines, comments: String) -> Result<Cluster> {
        let at = |port| {
            machines
                .nodes
                .iter()
                .map(move |machine| SocketAddr::from((machine.address, port)))
        };
        Ok(Cluster {
            token: machines
                .named("a")?
                .read(". ~/galley-cluster.secrets; printf %s $ADMIN_TOKEN")?,
            nodes: at(PORT).collect(),
            fronts: at(BALANCER_PORT).collect(),
            comments,
            acknowledged: Vec::new(),
            too_long: Vec::new(),
            loads: 0,
        })
    }

    /// A request with all rights.
    pub fn request(&self, server: SocketAddr, method: &str, target: &str) -> Request {
        Request::new(server, method, target).header("authorization", format!("Bearer {}", self.token))
    }

    /// The address of the comments.
    pub fn comments(&self) -> &str {
        &self.comments
    }

    /// Lets writers write at some addresses while something is done there, and prints the longest time that one of them waited. One
    /// that is longer than `bound` is told at the end ([`Cluster::was_quick`]): what comes after it is looked at as well.
    pub fn during(
        &mut self,
        what: &str,
        writers: &[SocketAddr],
        bound: Duration,
        act: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        self.loads += 1;
        let name = format!("{} {what}", self.loads);
        let load = Load::start(&name, writers, &self.comments, &self.token);
        std::thread::sleep(STEADY);
        let since = Instant::now();
        act()?;
        goes_on(&load, writers, Instant::now())?;
        let until = Instant::now();
        let writes = load.end();
        let gaps = writers.iter().map(|&writer| gap(&writes, writer, since, until));
        let longest = gaps.max().unwrap_or_default();
        self.acknowledged.extend(writes);
        let told = format!(
            "{what}: no write for {:.1} s, at most {} s",
            longest.as_secs_f32(),
            bound.as_secs()
        );
        println!("{told}");
        if longest > bound {
            self.too_long.push(told);
        }
        Ok(())
    }

    /// Makes sure that nobody waited for too long.
    pub fn was_quick(&self) -> Result<()> {
        ensure!(self.too_long.is_empty(), "too long: {}", self.too_long.join("; "));
        Ok(())
    }

    /// Whether a server has each comment that was acknowledged, once. Gives how many there are.
    pub fn has_all(&self, server: SocketAddr, asked: impl Fn(&str) -> Request) -> Result<usize> {
        let bodies = self.bodies(asked)?;
        let is_missing = |write: &&Acknowledged| !bodies.contains_key(&write.body);
        let lost = self.acknowledged.iter().filter(is_missing).count();
        let doubled = bodies.values().filter(|&&times| times > 1).count();
        ensure!(
            lost + doubled == 0,
            "{server}: {lost} comments are lost, {doubled} doubled"
        );
        Ok(self.acknowledged.len())
    }

    /// The same of all servers.
    pub fn all_have_all(&self) -> Result<()> {
        for &node in &self.nodes {
            self.has_all(node, |target| self.request(node, "GET", target))?;
        }
        println!(
            "{} comments were acknowledged: each server has all, once",
            self.acknowledged.len()
        );
        Ok(())
    }

    /// Whether a server shows a comment.
    pub fn shows(&self, server: SocketAddr, body: &str) -> Result<bool> {
        let bodies = self.bodies(|target| self.request(server, "GET", target))?;
        Ok(bodies.contains_key(body))
    }

    /// The comments, and how often each is there, by requests for parts of the list.
    fn bodies(&self, asked: impl Fn(&str) -> Request) -> Result<BTreeMap<String, u32>> {
        let mut bodies = BTreeMap::new();
        let mut page = self.comments.clone();
        loop {
            let list = ask::json(200, &asked(&page))?;
            for comment in list["comments"].as_array().context("a list")? {
                let body = comment["body"].as_str().unwrap_or_default();
                *bodies.entry(body.to_owned()).or_default() += 1;
            }
            match list["next"].as_str() {
                Some(next) => page = format!("{}?after={next}", self.comments),
                None => return Ok(bodies),
            }
        }
    }
}

/// Waits until each address acknowledges writes again, and for a while longer.
fn goes_on(load: &Load, writers: &[SocketAddr], since: Instant) -> Result<()> {
    let ready = within(RECOVERY_TIMEOUT, || {
        let writes = load.acknowledged();
        let wrote = |writer: &SocketAddr| writes.iter().any(|write| write.node == *writer && write.at > since);
        writers.iter().all(wrote).then_some(())
    });
    ensure!(ready.is_some(), "writes do not go on within {RECOVERY_TIMEOUT:?}");
    std::thread::sleep(STEADY);
    Ok(())
}
