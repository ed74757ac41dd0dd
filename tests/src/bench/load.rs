//! Load by `wrk`, and taking turns between two sides.

use std::process::Command;

use anyhow::{Context, Result, bail};
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

use crate::usage::processor_time_of_all;

/// How often each side is measured.
const TURNS: usize = 5;

/// Requests for one address.
#[derive(Debug, Clone)]
pub struct Load {
    /// The address.
    pub url: String,
    /// Connections at the same time.
    pub connections: u32,
    /// Seconds of each turn.
    pub seconds: u32,
    /// The core `wrk` stays on; `None`: wherever the system puts it.
    pub core: Option<usize>,
}

/// While it lives, servers that this thread starts have one core for themselves. Beside a server on all cores, `wrk` takes
/// as much of them as the server does, and a ratio of requests a second says little of the servers.
pub struct OneCore(CpuSet);

impl OneCore {
    /// The core of the servers.
    pub const SERVER: usize = 0;
    /// The core of `wrk`.
    pub const LOAD: usize = 1;

    /// Keeps this thread, and the programs it starts, on one core. `None` on a machine with one core.
    pub fn begin() -> Result<Option<Self>> {
        let this = Pid::from_raw(0);
        let all = sched_getaffinity(this)?;
        if !(all.is_set(Self::SERVER)? && all.is_set(Self::LOAD)?) {
            return Ok(None);
        }
        let mut one = CpuSet::new();
        one.set(Self::SERVER)?;
        sched_setaffinity(this, &one)?;
        Ok(Some(Self(all)))
    }
}

impl Drop for OneCore {
    fn drop(&mut self) {
        let _ = sched_setaffinity(Pid::from_raw(0), &self.0);
    }
}

impl Load {
    /// A load that suits small answers.
    pub fn of(url: impl Into<String>) -> Load {
        Load {
            url: url.into(),
            connections: 32,
            seconds: 4,
            core: None,
        }
    }

    /// Requests a second, none of them refused.
    pub fn run(&self) -> Result<f64> {
        let mut wrk = match self.core {
            None => Command::new("wrk"),
            Some(core) => {
                let mut pinned = Command::new("taskset");
                pinned.args(["--cpu-list", &core.to_string(), "wrk"]);
                pinned
            }
        };
        let output = wrk
            .args([
                "-t1",
                &format!("-c{}", self.connections),
                &format!("-d{}s", self.seconds),
                &self.url,
            ])
            .output()
            .context("wrk is needed: `cargo xtask setup` installs it")?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() || text.contains("Non-2xx") || text.contains("Socket errors") {
            bail!("wrk {}: {text}{}", self.url, String::from_utf8_lossy(&output.stderr));
        }
        let line = text.lines().find_map(|line| line.strip_prefix("Requests/sec:"));
        line.and_then(|rate| rate.trim().parse().ok())
            .with_context(|| format!("wrk said no rate: {text}"))
    }
}

/// What one request costs a server in processor time, in microseconds: the median of [`TURNS`] turns. Unlike requests a
/// second it does not depend on what is left of the machine beside `wrk`, which costs as much as a server.
///
/// `process` is the server's; its children count too.
pub fn cost(load: &Load, process: u32) -> Result<f64> {
    let mut costs = Vec::new();
    for _ in 0..TURNS {
        let before = processor_time_of_all(process);
        let requests = load.run()? * f64::from(load.seconds);
        costs.push((processor_time_of_all(process) - before) * 1e6 / requests);
    }
    Ok(median(&mut costs))
}

/// The medians of two loads, measured in turns after a turn of each that does not count.
pub fn versus(ours: &Load, theirs: &Load) -> Result<(f64, f64)> {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    ours.run()?;
    theirs.run()?;
    for turn in 0..TURNS {
        // Whoever comes second finds the machine warmer: they change places.
        if turn % 2 == 0 {
            a.push(ours.run()?);
            b.push(theirs.run()?);
        } else {
            b.push(theirs.run()?);
            a.push(ours.run()?);
        }
    }
    Ok((median(&mut a), median(&mut b)))
}

/// The value in the middle.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The value below which `share` of all are.
pub fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let index = (values.len() as f64 * share) as usize;
    values
        .get(index.min(values.len().saturating_sub(1)))
        .copied()
        .unwrap_or(f64::NAN)
}
