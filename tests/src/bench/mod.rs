//! Measurements: each row has both sides in one run, taken in turns, and the median of each side counts.

mod bare;
mod boot;
mod calls;
mod cluster;
mod fairness;
mod files;
mod kills;
mod languages;
mod list;
mod load;
mod many;
mod peer;
mod route;
mod streams;
mod swaps;
mod traces;
mod upload;

use std::ffi::OsStr;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::poll::within;
use crate::process::Process;

pub use bare::serve as serve_bare;
pub use galley_harness::table::{Row, print};
pub use peer::serve as serve_peer;

/// One measurement: its name on the command line, and what makes its rows.
pub type Measurement = (&'static str, fn() -> Result<Vec<Row>>);

/// All measurements, in the order of the table.
pub const ALL: [Measurement; 13] = [
    ("list", list::measure),
    ("calls", calls::measure),
    ("languages", languages::measure),
    ("fairness", fairness::measure),
    ("swaps", swaps::measure),
    ("traces", traces::measure),
    ("many", many::measure),
    ("route", route::measure),
    ("files", files::measure),
    ("boot", boot::measure),
    ("streams", streams::measure),
    ("upload", upload::measure),
    ("kills", kills::measure),
];

pub use cluster::ALL as OF_A_CLUSTER;

/// The other side of a measurement, which this program is itself with these arguments, and its address: the first it prints.
fn peer_of(arguments: &[&OsStr]) -> Result<(Process, String)> {
    let peer = Process::start(Command::new(std::env::current_exe()?).args(arguments));
    let address = within(Duration::from_secs(10), || {
        peer.stdout().lines().next().map(str::to_owned)
    });
    let address = address.with_context(|| format!("the peer does not start: {}", peer.stderr()))?;
    Ok((peer, address))
}
