//! `galley plugins seal`: approves what a build comes with.

use anyhow::Context;

use crate::plugins::cache::Cache;
use crate::plugins::engine;
use crate::plugins::inspect::inspect;
use crate::plugins::lock::Bundle;

/// Writes bundled.json.
pub fn seal(folder: &std::path::Path) -> anyhow::Result<()> {
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
