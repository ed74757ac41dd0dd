//! `galley plugins`: shows plugins and decides which may run. It works on files and needs no running server; a running one
//! applies a change within a second.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Subcommand;
use serde_json::{Value, json};

use super::output::{print, print_json};
use crate::config::Config;
use crate::http::OWN_PATHS;
use crate::plugins::cache::{Cache, sha256};
use crate::plugins::engine;
use crate::plugins::inspect::{Inspected, inspect};
use crate::plugins::lock::{Built, Bundle, Entry, Lock};
use crate::plugins::manifest::Manifest;
use crate::plugins::verify::Verifier;

/// The subcommands of `galley plugins`.
#[derive(Debug, Subcommand)]
pub enum PluginsCommand {
    /// List the slots, the plugins that fill them, and files that are not approved
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a plugin's routes, guards, imports and migrations
    Inspect {
        /// A slot, or a file in the plugins folder; without it, all approved plugins
        plugin: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Check that each enabled plugin's file is the approved one and loads; exit code 1 when one does not
    Verify {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Load the plugin of a slot
    Enable {
        /// The slot
        slot: String,
    },
    /// Stop loading the plugin of a slot; its data stays
    Disable {
        /// The slot
        slot: String,
    },
    /// Approve a file of the plugins folder, with the imports and hosts it asks for, for the slot it names
    Approve {
        /// The file's name in the plugins folder, or the slot whose file changed
        plugin: String,
        /// Replace the plugin that fills the slot now
        #[arg(long)]
        replace: bool,
    },
    /// Write bundled.json, which approves every plugin of a folder as part of the program (used by the build)
    Seal {
        /// The folder with the .wasm files
        folder: PathBuf,
    },
}

/// Runs one subcommand; its output goes to standard output.
pub fn run(command: PluginsCommand, config: &Config) -> anyhow::Result<()> {
    match command {
        PluginsCommand::List { json } => list(config, json),
        PluginsCommand::Inspect { plugin, json } => show(config, plugin.as_deref(), json),
        PluginsCommand::Verify { json } => verify(config, json),
        PluginsCommand::Enable { slot } => switch(config, &slot, true),
        PluginsCommand::Disable { slot } => switch(config, &slot, false),
        PluginsCommand::Approve { plugin, replace } => approve(config, &plugin, replace),
        PluginsCommand::Seal { folder } => seal(&folder),
    }
}

/// The approvals as the server would use them, those that came with the program included. A command that changes them holds
/// the lock meanwhile; see [`Lock::hold`].
fn approvals(config: &Config) -> anyhow::Result<Lock> {
    let folder = &config.data_dir;
    if !folder.join("core.db").is_file() {
        bail!(
            "{} is not the data folder of a server (there is no core.db in it): set SERVICE_DATA_DIR to the server's, or \
             start the server once",
            folder.display()
        );
    }
    let mut lock = Lock::read(&config.data_dir)?;
    lock.follow(&Bundle::read(&config.plugins_dir)?);
    Ok(lock)
}

fn strays(config: &Config, lock: &Lock) -> Vec<String> {
    let files = std::fs::read_dir(&config.plugins_dir).into_iter().flatten().flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    let mut strays: Vec<_> = names
        .filter(|name| name.ends_with(".wasm") && !lock.plugins.iter().any(|entry| entry.file == *name))
        .collect();
    strays.sort();
    strays
}

/// Whether the file is the approved one, for a table.
fn state(config: &Config, entry: &Entry) -> &'static str {
    match std::fs::read(config.plugins_dir.join(&entry.file)) {
        Err(_) => "file missing",
        Ok(wasm) if sha256(&wasm) != entry.sha256 => "file changed",
        Ok(_) if entry.enabled => "enabled",
        Ok(_) => "disabled",
    }
}

fn list(config: &Config, as_json: bool) -> anyhow::Result<()> {
    let lock = approvals(config)?;
    let strays = strays(config, &lock);
    if as_json {
        let plugins: Vec<_> = lock.plugins.iter().map(|entry| entry_json(config, entry)).collect();
        return print_json(&json!({ "plugins": plugins, "notApproved": strays }));
    }
    let mut table = String::new();
    for entry in &lock.plugins {
        let from = if entry.bundled { "bundled" } else { "operator" };
        let state = state(config, entry);
        writeln!(
            table,
            "{:<16} {:<10} {state:<13} {from:<9} {}",
            entry.slot, entry.version, entry.file
        )?;
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

fn entry_json(config: &Config, entry: &Entry) -> Value {
    json!({
        "slot": entry.slot, "version": entry.version, "file": entry.file, "sha256": entry.sha256,
        "enabled": entry.enabled, "bundled": entry.bundled, "imports": entry.imports, "hosts": entry.hosts,
        "state": state(config, entry),
    })
}

/// Reads plugins as the server would.
struct Reader<'c> {
    config: &'c Config,
    engine: wasmtime::Engine,
    cache: Cache,
}

impl<'c> Reader<'c> {
    fn new(config: &'c Config) -> anyhow::Result<Self> {
        let engine = engine::engine().map_err(anyhow::Error::msg)?;
        let cache = Cache::open(&config.data_dir, &engine)
            .with_context(|| format!("cannot use the data folder {}", config.data_dir.display()))?;
        Ok(Self { config, engine, cache })
    }

    fn read(&self, file: &str) -> anyhow::Result<Inspected> {
        if file.contains('/') {
            bail!(
                "{file} is not in the plugins folder: copy it to {} first",
                self.config.plugins_dir.display()
            );
        }
        inspect(&self.engine, &self.cache, &self.config.plugins_dir, file)
            .with_context(|| format!("{file} cannot be used"))
    }

    fn verifier(&self) -> anyhow::Result<Verifier> {
        Verifier::new(&self.engine, OWN_PATHS, &self.config.data_dir).map_err(anyhow::Error::msg)
    }

    /// Whether a plugin would serve beside the others. Others that cannot be read are passed over.
    fn check_beside(&self, lock: &Lock, inspected: &Inspected) -> anyhow::Result<()> {
        let mut verifier = self.verifier()?;
        let slot = &inspected.built.manifest.slot;
        for other in in_order(lock).into_iter().filter(|other| other.slot != *slot) {
            if let Ok(read) = self.read(&other.file) {
                // Only its routes matter here.
                let _ = verifier.check(&read);
            }
        }
        verifier
            .check(inspected)
            .with_context(|| format!("{} cannot be used", inspected.built.file))
    }
}

fn show(config: &Config, plugin: Option<&str>, as_json: bool) -> anyhow::Result<()> {
    let mut lock = approvals(config)?;
    let files: Vec<String> = match plugin {
        None => lock.plugins.iter().map(|entry| entry.file.clone()).collect(),
        Some(name) => vec![
            lock.entry(name)
                .map_or_else(|| name.to_owned(), |entry| entry.file.clone()),
        ],
    };
    let reader = Reader::new(config)?;
    let mut all = Vec::new();
    let mut text = String::new();
    for file in files {
        let built = reader.read(&file)?.built;
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
        subscriptions,
        hosts,
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
    writeln!(text, "  schema    {schema}, {} migration(s)", migrations.len())?;
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
            hosts.join(", ")
        }
    )?;
    Ok(())
}

/// The enabled slots, those that came with the program first: a route that two of them want is theirs.
fn in_order(lock: &Lock) -> Vec<&Entry> {
    let mut enabled: Vec<&Entry> = lock.plugins.iter().filter(|entry| entry.enabled).collect();
    enabled.sort_by_key(|entry| !entry.bundled);
    enabled
}

fn verify(config: &Config, as_json: bool) -> anyhow::Result<()> {
    let lock = approvals(config)?;
    let reader = Reader::new(config)?;
    let mut verifier = reader.verifier()?;
    let mut results = Vec::new();
    for entry in in_order(&lock) {
        let problem = match reader.read(&entry.file) {
            Err(error) => Some(format!("{error:#}")),
            Ok(inspected) if inspected.built.sha256 != entry.sha256 => {
                Some(format!("{} is not the file that was approved", entry.file))
            }
            Ok(inspected) => verifier.check(&inspected).err().map(|error| error.to_string()),
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

fn switch(config: &Config, slot: &str, enabled: bool) -> anyhow::Result<()> {
    // Said before the folder is locked: it may not be a data folder at all.
    let mut known = approvals(config)?;
    if enabled && let Some(entry) = known.entry(slot).cloned() {
        let reader = Reader::new(config)?;
        // What cannot be read is said by the server, and by `verify`: it may be mended later.
        if let Ok(inspected) = reader.read(&entry.file) {
            reader.check_beside(&known, &inspected)?;
        }
    }
    let _held = Lock::hold(&config.data_dir)?;
    let mut lock = approvals(config)?;
    let known: Vec<_> = lock.plugins.iter().map(|entry| entry.slot.clone()).collect();
    let Some(entry) = lock.entry(slot) else {
        bail!(
            "there is no slot `{slot}`; there are: {}",
            if known.is_empty() {
                "none".into()
            } else {
                known.join(", ")
            }
        );
    };
    entry.enabled = enabled;
    lock.write(&config.data_dir)?;
    let state = if enabled { "enabled" } else { "disabled; its data stays" };
    print(&format!("{slot} is {state}\n"))
}

fn approve(config: &Config, plugin: &str, replace: bool) -> anyhow::Result<()> {
    let mut lock = approvals(config)?;
    let file = lock
        .entry(plugin)
        .map_or_else(|| plugin.to_owned(), |entry| entry.file.clone());
    let reader = Reader::new(config)?;
    let inspected = reader.read(&file)?;
    reader.check_beside(&lock, &inspected)?;
    let built = inspected.built;
    let slot = built.manifest.slot.clone();
    // Compiling takes long: others may have changed the approvals meanwhile.
    let _held = Lock::hold(&config.data_dir)?;
    lock = approvals(config)?;
    match lock.entry(&slot) {
        Some(entry) if entry.file != file && !replace => {
            bail!(
                "the slot `{slot}` is filled by {}: add --replace to put {file} there",
                entry.file
            );
        }
        Some(entry) => {
            // A new build does not replace an operator's approval.
            entry.bundled = entry.bundled && entry.file == file && entry.sha256 == built.sha256;
            built.refresh(entry);
            entry.enabled = true;
        }
        None => lock.plugins.push(built.entry(false)),
    }
    lock.write(&config.data_dir)?;
    print(&format!(
        "{slot} is filled by {file} {} and may use: {}\n",
        built.manifest.version,
        built.imports.join(", ")
    ))
}

fn seal(folder: &std::path::Path) -> anyhow::Result<()> {
    let engine = engine::engine().map_err(anyhow::Error::msg)?;
    let scratch = tempfile::tempdir()?;
    let cache = Cache::open(scratch.path(), &engine)?;
    let listing = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<_> = listing
        .flatten()
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".wasm"))
        .collect();
    files.sort();
    let mut bundle = Bundle::default();
    for file in files {
        let inspected = inspect(&engine, &cache, folder, &file).with_context(|| format!("{file} cannot be used"))?;
        bundle.plugins.push(inspected.built);
    }
    bundle.write(folder)?;
    Ok(())
}
