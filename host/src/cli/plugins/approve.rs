//! `galley plugins approve`: approves a file of the plugins folder; a running server follows within a second.

use anyhow::bail;
use serde_json::json;

use super::folder::{Reader, approvals};
use crate::cli::output::{print, print_json};
use crate::config::Config;
use crate::plugins::lock::Lock;
use crate::storage::slot_data::DataChoice;

/// Approves a file for the slot it names.
pub fn approve(
    config: &Config,
    plugin: &str,
    replace: bool,
    choice: Option<DataChoice>,
    as_json: bool,
) -> anyhow::Result<()> {
    if config.cluster.is_some() {
        bail!(
            "the servers of a cluster share their plugins, and each has a plugins folder of its own: `galley plugins install {}` \
             puts a file of it on all of them",
            config.plugins_dir.join(plugin).display()
        );
    }
    let mut lock = approvals(config)?;
    let file = lock
        .entry(plugin)
        .and_then(|entry| entry.file.clone())
        .unwrap_or_else(|| plugin.to_owned());
    let reader = Reader::new(config)?;
    let inspected = reader.read(&file)?;
    reader.check_beside(&lock, &inspected, choice)?;
    let built = inspected.built;
    let slot = built.manifest.slot.clone();
    // Compiling takes long: others may have changed the approvals meanwhile.
    let _held = Lock::hold(&config.data_dir)?;
    lock = approvals(config)?;
    match lock.entry(&slot) {
        Some(entry) if entry.file.as_ref() != Some(&file) && !replace => {
            bail!(
                "the slot `{slot}` is filled by {}: add --replace to put {file} there",
                entry.name()
            );
        }
        Some(entry) => {
            // A new build does not replace an operator's approval.
            entry.bundled = entry.bundled && entry.file.as_ref() == Some(&file) && entry.sha256 == built.sha256;
            built.refresh(entry);
            entry.enabled = true;
            entry.data = choice;
        }
        None => lock.plugins.push(built.entry(false)),
    }
    lock.write(&config.data_dir)?;
    if as_json {
        return print_json(&json!({
            "slot": slot, "file": file, "version": built.manifest.version, "sha256": built.sha256, "imports": built.imports,
        }));
    }
    print(&format!(
        "{slot} is filled by {file} {} and may use: {}\n",
        built.manifest.version,
        built.imports.join(", ")
    ))
}
