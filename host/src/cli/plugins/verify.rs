//! `galley plugins verify`: whether each enabled plugin would serve.

use std::fmt::Write;

use anyhow::bail;
use serde_json::json;

use super::folder::{Reader, approvals, in_order};
use crate::cli::output::{print, print_json};
use crate::config::Config;

/// Checks each enabled plugin as the server would.
pub fn verify(config: &Config, as_json: bool) -> anyhow::Result<()> {
    let lock = approvals(config)?;
    let reader = Reader::new(config)?;
    let mut verifier = reader.verifier()?;
    let mut results = Vec::new();
    for entry in in_order(&lock) {
        let problem = match reader.read_entry(entry) {
            Err(error) => Some(format!("{error:#}")),
            Ok(inspected) if inspected.built.sha256 != entry.sha256 => {
                Some(format!("{} is not the file that was approved", entry.name()))
            }
            Ok(inspected) => verifier
                .check(&inspected, None, entry.data)
                .err()
                .map(|error| error.to_string()),
        };
        results.push((entry.slot.clone(), problem));
    }
    let bad = results.iter().filter(|(_, problem)| problem.is_some()).count();
    if as_json {
        let rows: Vec<_> = results
            .iter()
            .map(|(slot, problem)| json!({ "slot": slot, "ok": problem.is_none(), "problem": problem }))
            .collect();
        print_json(&json!({ "plugins": rows }))?;
    } else {
        let mut table = String::new();
        for (slot, problem) in &results {
            writeln!(table, "{slot:<16} {}", problem.as_deref().unwrap_or("ok"))?;
        }
        print(&table)?;
    }
    if bad > 0 {
        bail!("{bad} of {} enabled plugins cannot serve", results.len());
    }
    Ok(())
}
