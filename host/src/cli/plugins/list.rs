//! `galley plugins list`: what is there, and how it does.

use std::fmt::Write;

use serde_json::{Value, json};

use super::folder::{approvals, check, state, strays};
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
        None => json!({
            "plugins": lock.plugins.iter().map(|entry| describe(config, entry)).collect::<Vec<_>>(),
        }),
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
    for (key, unit) in FIGURES {
        if let Some(figure) = row.get(key).and_then(Value::as_f64) {
            write!(table, "  {key} {figure}{unit}")?;
        }
    }
    writeln!(table)?;
    match row["problem"].as_str() {
        Some(problem) => writeln!(table, "  {problem}"),
        None => Ok(()),
    }
}

/// The figures of a slot in a row, with their units.
const FIGURES: [(&str, &str); 4] = [("calls", ""), ("errors", ""), ("p99Ms", " ms"), ("memoryMib", " MiB")];

fn describe(config: &Config, entry: &Entry) -> Value {
    json!({
        "slot": entry.slot, "id": entry.id(), "version": entry.version, "file": entry.file, "source": entry.source,
        "sha256": entry.sha256, "enabled": entry.enabled, "bundled": entry.bundled, "imports": entry.imports,
        "hosts": entry.hosts, "state": state(config, entry),
    })
}
