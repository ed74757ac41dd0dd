//! Who leads the databases, and who follows.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use galley_harness::poll::within;
use serde_json::Value;

use crate::machine::Machine;

/// How long a database may take to follow again. A new one copies everything first.
const FOLLOWING_TIMEOUT: Duration = Duration::from_secs(180);

/// Where among the machines the one is whose database leads.
pub fn leader(machines: &[Machine]) -> Result<usize> {
    let leads = members(machines)?.into_iter().find(|member| member["Role"] == "Leader");
    let name = leads.as_ref().and_then(|member| member["Member"].as_str());
    let name = name.context("there is a leader")?;
    machines
        .iter()
        .position(|machine| machine.name == name)
        .with_context(|| format!("the leader {name} is no machine"))
}

/// Waits until all databases follow the leader.
pub fn all_follow(machines: &[Machine]) -> Result<()> {
    let follow = || {
        let members = members(machines).ok()?;
        let following = members.iter().filter(|member| member["State"] == "streaming").count();
        (following + 1 == machines.len()).then_some(())
    };
    match within(FOLLOWING_TIMEOUT, follow) {
        Some(()) => Ok(()),
        None => bail!("a database does not follow again within {FOLLOWING_TIMEOUT:?}"),
    }
}

fn members(machines: &[Machine]) -> Result<Vec<Value>> {
    let list = "/opt/patroni/bin/patronictl -c /etc/patroni.yml list --format json";
    let answers = machines.iter().filter_map(|machine| machine.read(list).ok());
    let list = answers.into_iter().next().context("no machine knows the databases")?;
    Ok(serde_json::from_str(&list)?)
}
