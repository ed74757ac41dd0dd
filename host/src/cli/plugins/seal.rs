//! `galley plugins seal`: approves what a build comes with.

use anyhow::Context;

use crate::cli::scratch::Scratch;
use crate::plugins::inspect::inspect;
use crate::plugins::lock::Bundle;

/// Writes bundled.json.
pub fn seal(folder: &std::path::Path) -> anyhow::Result<()> {
    let scratch = Scratch::open()?;
    let listing = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<_> = listing
        .flatten()
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".wasm"))
        .collect();
    files.sort();
    let mut bundle = Bundle::default();
    for file in files {
        let inspected = inspect(&scratch.engine, &scratch.cache, folder, &file)
            .with_context(|| format!("{file} cannot be used"))?;
        bundle.plugins.push(inspected.built);
    }
    bundle.write(folder)?;
    Ok(())
}
