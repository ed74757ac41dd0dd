//! The figures of the README, each as a ratio with both sides measured in this run, or as an absolute bound.
//!
//! `cargo xtask bench [NAME…]` prints a Markdown table; names are those of the rows' modules. Machines are noisy: sides
//! take turns, and medians are compared.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot be made ends the run")]

mod boot;
mod calls;
mod files;
mod list;
mod peer;
mod streams;
mod upload;
mod wrk;

use std::time::Instant;

/// One line of the table.
pub struct Row {
    /// What was measured.
    pub what: String,
    /// What it has to reach.
    pub goal: &'static str,
    /// What it reached.
    pub measured: String,
    /// Whether that is enough.
    pub reached: bool,
}

type Measure = fn() -> Vec<Row>;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "--peer") {
        return peer::serve(&arguments[1], &arguments[2]);
    }
    let all: [(&str, Measure); 6] = [
        ("list", list::measure),
        ("calls", calls::measure),
        ("files", files::measure),
        ("boot", boot::measure),
        ("streams", streams::measure),
        ("upload", upload::measure),
    ];
    println!("| what | goal | measured | |\n|---|---|---|---|");
    for (name, measure) in all {
        if !arguments.is_empty() && !arguments.iter().any(|wanted| wanted == name) {
            continue;
        }
        let started = Instant::now();
        for row in measure() {
            let mark = if row.reached { "reached" } else { "not reached" };
            println!("| {} | {} | {} | {mark} |", row.what, row.goal, row.measured);
        }
        eprintln!("bench: {name} took {:.0} s", started.elapsed().as_secs_f64());
    }
}

/// The middle value.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The value that 99 of 100 do not exceed.
pub fn p99(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() * 99 / 100).min(values.len() - 1)]
}
