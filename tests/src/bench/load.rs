//! Load by `wrk`, and taking turns between two sides.

use std::path::PathBuf;
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
    /// What `wrk` runs for each request, where it is more than a GET.
    pub script: Option<PathBuf>,
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
            script: None,
        }
    }

    /// Requests a second, none of them refused.
    pub fn run(&self) -> Result<f64> {
        let output = self.command().output();
        let output = output.context("wrk is needed: `cargo xtask setup` installs it")?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let figures = Figures::of(&text)?;
        if !output.status.success() || figures.failed > 0 {
            bail!("wrk {}: {text}{}", self.url, String::from_utf8_lossy(&output.stderr));
        }
        Ok(figures.rate)
    }

    /// What became of the requests, refused ones included.
    pub fn figures(&self) -> Result<Figures> {
        let output = self.command().output();
        let output = output.context("wrk is needed: `cargo xtask setup` installs it")?;
        Figures::of(&String::from_utf8_lossy(&output.stdout))
    }

    /// `wrk` with this load. At SIGINT it ends early, and says what it has.
    pub fn command(&self) -> Command {
        let mut wrk = match self.core {
            None => Command::new("wrk"),
            Some(core) => {
                let mut pinned = Command::new("taskset");
                pinned.args(["--cpu-list", &core.to_string(), "wrk"]);
                pinned
            }
        };
        wrk.args([
            "-t1",
            "--latency",
            &format!("-c{}", self.connections),
            &format!("-d{}s", self.seconds),
        ]);
        if let Some(script) = &self.script {
            wrk.arg("-s").arg(script);
        }
        wrk.arg(&self.url);
        wrk
    }
}

/// What `wrk` says.
#[derive(Debug, Clone)]
pub struct Figures {
    /// Requests a second.
    pub rate: f64,
    /// The time of all but the slowest hundredth, in milliseconds.
    pub p99: f64,
    /// Answers that are no success, and requests without an answer.
    pub failed: u64,
}

impl Figures {
    /// Reads its output.
    pub fn of(text: &str) -> Result<Figures> {
        let after = |word: &str| {
            let line = text.lines().map(str::trim).find_map(|line| line.strip_prefix(word));
            line.map(str::trim)
        };
        let said = |word: &str| after(word).with_context(|| format!("wrk did not say `{word}`: {text}"));
        let numbers = |line: Option<&str>| -> u64 {
            let words = line.unwrap_or_default().split([' ', ',']);
            words.filter_map(|word| word.parse::<u64>().ok()).sum()
        };
        Ok(Figures {
            rate: said("Requests/sec:")?.parse()?,
            p99: milliseconds(said("99%")?).with_context(|| text.to_owned())?,
            failed: numbers(after("Non-2xx or 3xx responses:")) + numbers(after("Socket errors:")),
        })
    }
}

/// `1.25ms`, `310.00us`, `1.02s`.
fn milliseconds(time: &str) -> Option<f64> {
    let digits = time.trim_end_matches(char::is_alphabetic);
    let factor = match &time[digits.len()..] {
        "us" => 1e-3,
        "ms" => 1.0,
        "s" => 1e3,
        "m" => 6e4,
        _ => return None,
    };
    Some(digits.parse::<f64>().ok()? * factor)
}

/// One server under load: medians of [`TURNS`] turns.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// Requests a second.
    pub rate: f64,
    /// What one request costs the server in processor time, in microseconds. Unlike requests a second it does not depend on
    /// what is left of the machine beside `wrk`, which costs as much as a server.
    pub cost: f64,
}

/// Measures servers in turns, so that a machine that becomes slower for minutes becomes it for each of them. A side is a load
/// and the process that answers it, whose children count too.
pub fn in_turns<const N: usize>(sides: [(&Load, u32); N]) -> Result<[Measured; N]> {
    let mut taken = [const { (Vec::new(), Vec::new()) }; N];
    for (load, _) in sides {
        load.run()?;
    }
    for turn in 0..TURNS {
        for place in 0..N {
            // Whoever comes later finds the machine warmer: another one begins each time.
            let at = (turn + place) % N;
            let (load, process) = sides[at];
            let before = processor_time_of_all(process);
            let rate = load.run()?;
            let requests = rate * f64::from(load.seconds);
            taken[at].0.push(rate);
            taken[at]
                .1
                .push((processor_time_of_all(process) - before) * 1e6 / requests);
        }
    }
    Ok(taken.map(|(mut rates, mut costs)| Measured {
        rate: median(&mut rates),
        cost: median(&mut costs),
    }))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_requests_and_lost_ones_are_counted() {
        let text = "  Latency Distribution\n     50%    1.25ms\n     99%  310.00us\n  10 requests in 1.00s\n\
                    Socket errors: connect 0, read 3, write 0, timeout 1\nNon-2xx or 3xx responses: 7\nRequests/sec:  1207.50\n";
        let figures = Figures::of(text).unwrap();
        assert_eq!((figures.rate, figures.p99, figures.failed), (1207.5, 0.31, 11));
        assert!(Figures::of("unable to connect").is_err());
    }
}
