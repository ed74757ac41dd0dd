//! `galley plugins dev`: a server of its own for a plugin that is being worked on. Each change is built, and swapped in without
//! a restart; what does not build or load leaves the one before serving.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use galley_build::package::Package;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc;

use crate::accounts::Actor;
use crate::author::build::quickly;
use crate::cli::boot;
use crate::config::Config;
use crate::plugins::cache::sha256;
use crate::plugins::manifest::Manifest;
use crate::plugins::operations::{Artifact, Operations, Refused, Request};
use crate::plugins::review::counted;

/// An editor writes a file in several steps, and a checkout many files: what comes within this is one change.
const SETTLE_TIMEOUT: Duration = Duration::from_millis(50);
/// Folders below a package that hold no sources of it.
const NO_SOURCES: [&str; 3] = ["target", "node_modules", "galley-sdk"];

/// Serves the plugin in `path` until a signal.
pub fn run(mut config: Config, path: &Path, listen: SocketAddr) -> anyhow::Result<()> {
    let package = Package::of(path)?;
    config.data_dir = scratch(&package);
    // A plugin that is being written gets no data but its own.
    config.cluster = None;
    config.listen = listen;
    boot::serve_while(config, async |operations, signals| {
        tokio::select! {
            done = follow(&package, &operations) => done,
            () = signals.stop() => Ok(()),
        }
    })
}

/// Builds and installs the plugin now and after each change.
async fn follow(package: &Package, operations: &Arc<Operations>) -> anyhow::Result<()> {
    let (sender, mut changes) = mpsc::unbounded_channel();
    let heard = move |event: notify::Result<notify::Event>| {
        // Cargo reads what it compiles.
        if event.as_ref().map_or(true, |event| !event.kind.is_access()) {
            let _ = sender.send(event);
        }
    };
    let mut watcher = notify::recommended_watcher(heard).context("changes cannot be watched")?;
    let mut watched = BTreeSet::new();
    let mut served = None;
    let mut since = None;
    say("building the plugin; the first time takes a minute");
    loop {
        watch(&mut watcher, &mut watched, package)?;
        match attempt(package, operations, &mut served).await {
            Ok(Some(done)) => say(&done_in(&done, since)),
            Ok(None) => {}
            Err(error) => say(&format!("{error:#}")),
        }
        loop {
            let Some(first) = changes.recv().await else {
                return Ok(());
            };
            since = Some(Instant::now());
            let mut is_source = concerns(&first, package);
            while let Ok(Some(next)) = tokio::time::timeout(SETTLE_TIMEOUT, changes.recv()).await {
                is_source |= concerns(&next, package);
            }
            if is_source {
                break;
            }
        }
    }
}

fn done_in(done: &str, since: Option<Instant>) -> String {
    let Some(since) = since else { return done.to_owned() };
    format!("{done}, {:.1} s after the change", since.elapsed().as_secs_f64())
}

/// Watches the folders of the sources; those that are new since the last time among them.
fn watch(watcher: &mut RecommendedWatcher, watched: &mut BTreeSet<PathBuf>, package: &Package) -> anyhow::Result<()> {
    for source in &package.sources {
        let mut folders = vec![(source.clone(), RecursiveMode::NonRecursive)];
        for entry in source.read_dir().into_iter().flatten().flatten() {
            if entry.path().is_dir() && !is_left_out(&entry.file_name().to_string_lossy()) {
                folders.push((entry.path(), RecursiveMode::Recursive));
            }
        }
        for (folder, mode) in folders {
            if watched.insert(folder.clone()) {
                let cannot = || format!("{} cannot be watched", folder.display());
                watcher.watch(&folder, mode).with_context(cannot)?;
            }
        }
    }
    Ok(())
}

fn is_left_out(name: &str) -> bool {
    name.starts_with('.') || NO_SOURCES.contains(&name)
}

/// Whether a change is one of the sources. What was missed may have been one.
fn concerns(event: &notify::Result<notify::Event>, package: &Package) -> bool {
    let Ok(event) = event else { return true };
    event.need_rescan() || event.paths.iter().any(|path| is_source(path, package))
}

fn is_source(path: &Path, package: &Package) -> bool {
    let inside = package.sources.iter().find_map(|source| path.strip_prefix(source).ok());
    inside.is_some_and(|inside| {
        let parts = inside
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned());
        // Editors write beside a file before they replace it.
        !parts.clone().any(|part| is_left_out(&part)) && !inside.to_string_lossy().ends_with('~')
    })
}

/// Builds the plugin, and lets it serve when it is another one than `served`. Gives what is to be said.
async fn attempt(
    package: &Package,
    operations: &Arc<Operations>,
    served: &mut Option<String>,
) -> anyhow::Result<Option<String>> {
    let builder = package.clone();
    let wasm = tokio::task::spawn_blocking(move || quickly(&builder)).await??;
    let hash = sha256(&wasm);
    if served.as_ref() == Some(&hash) {
        return Ok(None);
    }
    let artifact = Artifact {
        sha256: operations.stage(&package.name, wasm).await?,
        source: Some(package.folder.display().to_string()),
        approved: true,
        ..Artifact::default()
    };
    let manifest = operations.manifest(&artifact).await?;
    begin_anew(package, operations, &manifest).await?;
    let slot = manifest.slot.clone();
    let replaces = operations.present().slot(&slot).map(|_| slot.clone());
    let install = Request::Install { artifact, replaces };
    operations.run(install, Actor::System).await?;
    std::fs::write(steps_file(package), serde_json::to_vec(&steps(&manifest))?)?;
    *served = Some(hash);
    let routes = counted(manifest.routes.len(), "route");
    Ok(Some(format!("{slot} {} serves {routes}", manifest.version)))
}

/// Deletes the plugin's data when a step that ran was edited.
async fn begin_anew(package: &Package, operations: &Arc<Operations>, manifest: &Manifest) -> Result<(), Refused> {
    let ran: Vec<String> = std::fs::read(steps_file(package))
        .ok()
        .and_then(|text| serde_json::from_slice(&text).ok())
        .unwrap_or_default();
    let slot = &manifest.slot;
    if steps(manifest).starts_with(&ran) || operations.present().slot(slot).is_none() {
        return Ok(());
    }
    say(&format!(
        "a migration that ran was edited: the data of `{slot}` begin anew"
    ));
    let remove = Request::Remove {
        slot: slot.clone(),
        purge: true,
    };
    operations.run(remove, Actor::System).await.map(drop)
}

/// The steps of the data, each by its hash.
fn steps(manifest: &Manifest) -> Vec<String> {
    manifest
        .migrations
        .iter()
        .map(|step| sha256(step.sql.as_bytes()))
        .collect()
}

/// The data folder: packages can share a target folder.
fn scratch(package: &Package) -> PathBuf {
    package.target.join("galley-dev").join(&package.name)
}

fn steps_file(package: &Package) -> PathBuf {
    scratch(package).join("dev-steps.json")
}

fn say(words: &str) {
    eprintln!("galley: {words}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sources_are_changes() {
        let package = Package {
            name: "x".into(),
            module: "x".into(),
            folder: "/x".into(),
            target: "/x/target".into(),
            sources: vec!["/x".into(), "/x/galley-sdk/sdk".into()],
        };
        let is = |path: &str| is_source(Path::new(path), &package);
        assert!(is("/x/src/lib.rs") && is("/x/migrations/1.sql") && is("/x/Cargo.toml"));
        assert!(
            !is("/x/target/debug/x.d") && !is("/x/.git/index") && !is("/x/src/.lib.rs.swp") && !is("/x/src/lib.rs~")
        );
        assert!(!is("/y/src/lib.rs"));
    }
}
