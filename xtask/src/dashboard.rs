//! The server's pages: built from `host/dashboard`, laid into the run folder with the manifest their build wrote.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use galley_build::process::which;

use crate::npm;
use crate::paths::Checkout;
use crate::stamp::{Key, Stamp, files_below, write_if_changed};

/// Where the sources lie.
const FOLDER: &str = "host/dashboard";

/// What the pages are made from.
const SOURCES: [&str; 8] = [
    "editor/kit",
    "host/dashboard/app.html",
    "host/dashboard/build",
    "host/dashboard/package-lock.json",
    "host/dashboard/package.json",
    "host/dashboard/review.html",
    "host/dashboard/src",
    "host/dashboard/vite.config.ts",
];

/// Builds the pages again when their sources changed.
pub fn ensure(checkout: &Checkout) -> Result<()> {
    let key = Key::of(&["pages"]).sources(checkout.root(), &SOURCES)?.hex();
    let stamp = Stamp::new(&checkout.stamps(), "dashboard");
    let laid = checkout.dashboard();
    if stamp.is_current(&key) && laid.join("manifest.json").is_file() {
        return Ok(());
    }
    eprintln!("xtask: building the pages");
    let folder = checkout.at(FOLDER);
    npm::ensure(&folder)?;
    npm::script(&folder, "build").context("the pages could not be built")?;
    lay_out(&folder.join("dist"), &laid)?;
    stamp.write(&key, &files_below(&laid)?)
}

/// The same for a first run: without npm the server starts too, and shows a plain list instead of the pages.
pub fn ensure_if_possible(checkout: &Checkout) -> Result<()> {
    if which("npm").is_none() && !checkout.dashboard().join("manifest.json").is_file() {
        eprintln!("xtask: npm is missing, so the server runs without its pages: install Node 20 or newer with npm");
        return Ok(());
    }
    ensure(checkout)
}

/// Makes `to` a copy of `from`. What an earlier build left goes away; the manifest comes last, so that a server that starts
/// meanwhile finds no half build.
fn lay_out(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to).with_context(|| format!("cannot remove {}", to.display()))?;
    }
    let mut files = files_below(from)?;
    files.sort_by_key(|file| file.ends_with("manifest.json"));
    for file in files {
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        write_if_changed(&to.join(file.strip_prefix(from).unwrap_or(&file)), &bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_an_earlier_build_go_away() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("built"), folder.path().join("laid"));
        for file in ["built/assets/new.js", "built/manifest.json", "laid/assets/old.js"] {
            write_if_changed(&folder.path().join(file), file.as_bytes()).unwrap();
        }
        lay_out(&from, &to).unwrap();
        let laid = files_below(&to).unwrap();
        let names: Vec<_> = laid.iter().map(|file| file.strip_prefix(&to).unwrap()).collect();
        assert_eq!(names, [Path::new("assets/new.js"), Path::new("manifest.json")]);
    }
}
