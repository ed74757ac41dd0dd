//! Measurements: each row has both sides in one run, taken in turns, and the median of each side counts.

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

pub use galley_harness::table::{Row, print};
pub use peer::serve as serve_peer;

/// One measurement: its name on the command line, and what makes its rows.
pub type Measurement = (&'static str, fn() -> anyhow::Result<Vec<Row>>);

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
