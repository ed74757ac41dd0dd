//! The Editor's figures: stamping, edits, what it costs to have a dev server started by it, and what it adds to a model.

mod edits;
mod endpoint;
mod models;
mod stamping;
mod starting;

use std::time::Duration;

use galley_harness::table::Row;

pub use stamping::PACKAGES as JSX_PACKAGES;

/// A measurement: it gives one row or several.
pub type Measure = fn() -> Vec<Row>;

/// All of them by name, in the order of the table.
pub const ALL: [(&str, Measure); 5] = [
    ("stamping", stamping::measure),
    ("endpoint", endpoint::measure),
    ("edits", edits::measure),
    ("starting", starting::measure),
    ("models", models::measure),
];

/// The value below which this share of the times lies.
fn percentile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let last = times.len().saturating_sub(1);
    times[((last as f64) * share).round() as usize]
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}
