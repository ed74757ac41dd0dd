//! `galley plugins list`: what is there, and how it does.

use std::fmt::Write;

use serde_json::{Value, json};

use super::data_folder::check;
use super::folder::{Reader, approvals, state, strays};
use super::target;
use crate::cli::output::{print, print_json};
use crate::config::Config;
use crate::plugins::entry::Entry;
use crate::plugins::operations::Request;

/// Asks the server. Without one, the files are what can be looked at.
pub fn list(config: &Config, as_json: bool) -> anyhow::Result<()> {
    check(config)?;
    let lock = approvals(config)?;
    let strays = strays(config, &lock);
    let mut details = match target::server(config)? {
        Some(server) => server.run(&Request::List)?.details,
        None => {
            let reader = Reader::new(config)?;
            let rows = lock.plugins.iter().map(|entry| describe(config, &reader, entry));
            json!({ "plugins": rows.collect::<Vec<_>>() })
        }
    };
    if as_json {
        details["notApproved"] = json!(strays);
        return print_json(&details);
    }
    let mut table = String::new();
    for row in details["plugins"].as_array().into_iter().flatten() {
        write_row(&mut table, row)?;
    }
    for file in strays {
        writeln!(
            table,
            "{:<16} {:<10} {:<13} {:<9} {file}",
            "-", "-", "not approved", "-"
        )?;
    }
    print(&table)
}

fn write_row(table: &mut String, row: &Value) -> std::fmt::Result {
    let text = |key: &str| row[key].as_str().unwrap_or_default();
    let from = if row["bundled"] == json!(true) {
        "bundled"
    } else {
        "operator"
    };
    let name = row["file"].as_str().unwrap_or_else(|| text("source"));
    write!(
        table,
        "{:<16} {:<10} {:<13} {from:<9} {name}",
        text("slot"),
        text("version"),
        text("state")
    )?;
    for (key, name, of, unit) in FIGURES {
        if let Some(figure) = row.get(key).and_then(Value::as_f64) {
            write!(table, "  {name} {:.0}{unit}", figure / of)?;
        }
    }
    writeln!(table)?;
    for job in row["jobs"].as_array().into_iter().flatten() {
        if let Some(reason) = job["reason"].as_str() {
            let (name, failures) = (job["name"].as_str().unwrap_or_default(), &job["failures"]);
            writeln!(table, "  the job {name} failed {failures} times in a row: {reason}")?;
        }
    }
    match row["problem"].as_str() {
        Some(problem) => writeln!(table, "  {problem}"),
        None => Ok(()),
    }
}

/// The figures of a slot in a row: the key, its name for people, how many make one unit, and the unit.
const FIGURES: [(&str, &str, f64, &str); 4] = [
    ("calls", "calls", 1.0, ""),
    ("errors", "errors", 1.0, ""),
    ("p99Ms", "p99", 1.0, " ms"),
    ("memoryBytes", "memory", 1_048_576.0, " MiB"),
];

fn describe(config: &Config, reader: &Reader<'_>, entry: &Entry) -> Value {
    json!({
        "slot": entry.slot, "id": entry.id(), "version": entry.version, "file": entry.file, "source": entry.source,
        "sha256": entry.sha256, "enabled": entry.enabled, "bundled": entry.bundled, "imports": entry.imports,
        "hosts": entry.hosts, "engines": reader.known(entry).map(|manifest| manifest.engines), "state": state(config, entry),
    })
}
