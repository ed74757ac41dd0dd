//! Builds of three nodes, one of which is killed, ÷ builds of one.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use galley_harness::scratch;

use super::super::Row;
use crate::cluster::Cluster;
use crate::codehost::CodeHost;
use crate::poll::within;
use crate::prelude::*;

/// Builds that wait in the queue at first.
const BUILDS: usize = 24;
const NODES: usize = 3;
/// A node is killed when this many have ended.
const BEFORE_KILL: usize = 6;
/// What a build waits for: it stands for a build that has a machine of its own, which nodes of one machine have not.
const SECONDS: u32 = 4;
const BUILDS_TIMEOUT: Duration = Duration::from_secs(300);

pub(super) fn measure() -> Result<Vec<Row>> {
    let one = run(1)?;
    let three = run(NODES)?;
    let ratio = one.as_secs_f64() / three.as_secs_f64();
    Ok(vec![Row {
        what: format!("{BUILDS} builds of {SECONDS} s by {NODES} nodes, one of them killed ÷ by 1"),
        goal: "≥ 1.8, each ended once",
        result: format!("{ratio:.2}"),
        detail: format!("{:.0} ÷ {:.0} s", one.as_secs_f64(), three.as_secs_f64()),
        reached: Some(ratio >= 1.8),
    }])
}

/// From the first build's place in the queue to the end of the last one.
fn run(nodes: usize) -> Result<Duration> {
    scratch::stay_on_disk();
    let (host, cluster) = (CodeHost::start(), Cluster::new());
    let start = |places: u32| {
        let build = host.configure(cluster.server()).one_node();
        build.env("SERVICE_BUILD_CONCURRENCY", places.to_string()).start()
    };
    // It queues and is asked, and builds nothing.
    let asked = start(0);
    let mut builders: Vec<Server> = (0..nodes).map(|_| start(1)).collect();
    let ed = host.sign_in(&asked, "octo-ed");
    host.working_copy("Octo-Org", "Storefront")
        .write("index.html", "<!doctype html><h1>One</h1>")
        .push("main");
    let projects: Vec<String> = (0..BUILDS)
        .map(|number| {
            let id = project(&ed, &format!("shop-{number}"));
            let body = json!({
                "installationId": 101, "owner": "Octo-Org", "name": "Storefront", "branch": "main", "installCommand": "true",
                "buildCommand": format!("echo begun; sleep {SECONDS}; mkdir -p dist && cp index.html dist/"),
                "outputDir": "dist", "autoDeploy": false,
            });
            ed.put(&format!("/api/v1/projects/{id}/repo"), body).expect(200);
            id
        })
        .collect();
    let began = Instant::now();
    let builds: Vec<String> = projects
        .iter()
        .map(|project| {
            let path = format!("/api/v1/projects/{project}/deployments/build");
            text(&ed.post(&path, json!({})).expect(202).json(), "deploymentId")
        })
        .collect();
    let status = |id: &String| ed.get(&format!("/api/v1/deployments/{id}")).expect(200).json()["status"].clone();
    let ended = |wanted: usize| {
        let all = within(BUILDS_TIMEOUT, || {
            (builds.iter().filter(|id| status(id) != "building").count() >= wanted).then_some(())
        });
        all.ok_or_else(|| anyhow::anyhow!("{wanted} builds did not end: {}", asked.log()))
    };
    if nodes > 1 {
        ended(BEFORE_KILL)?;
        builders[1].kill();
    }
    ended(BUILDS)?;
    let took = began.elapsed();
    let mut failed = 0;
    for id in &builds {
        let frames = ed.stream(&format!("/api/v1/deployments/{id}/log/stream")).rest();
        let logged = frames.iter().filter(|frame| frame.event == "log");
        let log: String = logged.map(|frame| text(&frame.json(), "text")).collect();
        let begun = log.lines().filter(|line| *line == "begun").count();
        match status(id) == "ready" {
            true => ensure!(begun == 1, "a build began {begun} times:\n{log}"),
            false => failed += 1,
        }
    }
    ensure!(failed <= nodes / 2, "{failed} builds failed");
    drop((builders, asked));
    cluster.delete();
    Ok(took)
}
