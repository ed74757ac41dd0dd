//! `galley plugins inspect`: what a plugin declares.

use std::fmt::Write;

use galley_manifest::{HostRule, Setting};
use serde_json::json;

use super::folder::{Reader, approvals};
use crate::cli::output::{print, print_json};
use crate::config::Config;
use crate::plugins::entry::Entry;
use crate::plugins::lock::Built;
use crate::plugins::manifest::Manifest;

/// Shows the plugin of a slot or file, or all approved ones.
pub fn show(config: &Config, plugin: Option<&str>, as_json: bool) -> anyhow::Result<()> {
    let mut lock = approvals(config)?;
    let reader = Reader::new(config)?;
    let read = match plugin {
        None => lock.plugins.iter().map(|entry| reader.read_entry(entry)).collect(),
        Some(name) => vec![match lock.entry(name) {
            Some(entry) => reader.read_entry(entry),
            None => reader.read(name),
        }],
    };
    let mut all = Vec::new();
    let mut text = String::new();
    for read in read {
        let built = read?.built;
        if as_json {
            all.push(json!({
                "file": built.file, "sha256": built.sha256, "imports": built.imports, "manifest": built.manifest,
            }));
        } else {
            describe(&mut text, &built, lock.entry(&built.manifest.slot).as_deref())?;
        }
    }
    if as_json {
        print_json(&json!({ "plugins": all }))
    } else {
        print(&text)
    }
}

/// Adds what a person wants to know of a plugin.
fn describe(text: &mut String, built: &Built, entry: Option<&Entry>) -> std::fmt::Result {
    let Manifest {
        slot,
        version,
        routes,
        migrations,
        engines,
        subscriptions,
        hosts,
        jobs,
        settings,
        ..
    } = &built.manifest;
    writeln!(text, "{slot} {version}")?;
    writeln!(text, "  file      {} (sha256 {})", built.file, built.sha256)?;
    writeln!(text, "  imports")?;
    for import in &built.imports {
        let granted = entry.is_some_and(|entry| entry.sha256 == built.sha256 && entry.imports.contains(import));
        writeln!(text, "    {import}{}", if granted { "" } else { "  (not approved)" })?;
    }
    writeln!(text, "  routes")?;
    for route in routes {
        let guard = match route.guard.hidden {
            true => format!("{}, hidden", route.guard.kind),
            false => route.guard.kind.to_string(),
        };
        writeln!(
            text,
            "    {:<6} {:<62} {guard:<22} {}",
            route.method, route.path, route.summary
        )?;
    }
    let schema = built.manifest.schema_name();
    let names: Vec<&str> = engines.iter().map(|engine| engine.words()).collect();
    let steps = migrations.len();
    writeln!(
        text,
        "  schema    {schema}, {steps} migration(s), for {}",
        names.join(" and ")
    )?;
    writeln!(
        text,
        "  listens   {}",
        if subscriptions.is_empty() {
            "to nothing".into()
        } else {
            subscriptions.join(", ")
        }
    )?;
    writeln!(
        text,
        "  hosts     {}",
        if hosts.is_empty() {
            "none".into()
        } else {
            hosts.iter().map(HostRule::approval).collect::<Vec<_>>().join(", ")
        }
    )?;
    for job in jobs {
        writeln!(text, "  job       {}, {}", job.name, job.when())?;
    }
    for setting in settings {
        let Setting { key, kind, words, .. } = setting;
        writeln!(text, "  setting   {key}: {} {words}", kind.words())?;
    }
    Ok(())
}
