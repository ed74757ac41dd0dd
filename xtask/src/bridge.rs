//! The bridge, the script inside served prototypes: its bundle is committed and built again only when it is stale.
//!
//! The bundle's first line names the digest of its sources. As long as that is right, nobody who only wants to start
//! the server needs npm.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use galley_build::process::command;

use crate::npm;
use crate::paths::Checkout;
use crate::program::become_program;
use crate::setup::{self, Purpose};
use crate::stamp::{sha256, write_if_changed};

/// Where the sources lie.
const FOLDER: &str = "editor/bridge";

/// What the bridge shares with the pages that frame it, below `editor/kit`.
const SHARED: [&str; 3] = ["anchor.ts", "review.ts", "samePage.ts"];

/// What comes before the digest in the bundle's first line.
const MARK: &str = "sources sha256:";

/// The committed bundle.
pub fn bundle(checkout: &Checkout) -> PathBuf {
    checkout.at(FOLDER).join("dist/bridge-bundle.js")
}

/// Builds the bundle again when its sources changed, and puts a copy at `out`.
pub fn ensure(checkout: &Checkout, out: &Path) -> Result<()> {
    if !is_current(checkout)? {
        eprintln!("xtask: the sources of the bridge changed: building its bundle");
        let editor = checkout.at("editor");
        npm::ensure(&editor)?;
        npm::script(&editor, "build:bridge").context("the bridge could not be built")?;
    }
    let bundle = bundle(checkout);
    let bytes = std::fs::read(&bundle).with_context(|| format!("cannot read {}", bundle.display()))?;
    write_if_changed(out, &bytes)?;
    Ok(())
}

/// Whether the bundle was made from the sources as they are now.
pub fn is_current(checkout: &Checkout) -> Result<bool> {
    let recorded = std::fs::read_to_string(bundle(checkout))
        .ok()
        .and_then(|text| recorded_digest(&text));
    Ok(recorded == Some(sources_digest(&checkout.at(FOLDER))?))
}

/// Sets pins on pages of others, changes the pages, and prints which pins find their elements. Returns only when that failed.
pub fn anchors(checkout: &Checkout, args: &[String]) -> Result<()> {
    setup::ensure(checkout, Purpose::Browser)?;
    let mut corpus = command("node");
    corpus
        .arg(checkout.at("tests/browser/anchors/main.mjs"))
        .arg("--cache")
        .arg(checkout.target().join("galley/anchors"))
        .args(args);
    become_program(corpus)
}

fn recorded_digest(bundle: &str) -> Option<String> {
    let (_, digest) = bundle.lines().next()?.split_once(MARK)?;
    Some(digest.trim().to_owned())
}

/// The digest editor/bridge/build.mjs writes: each source's path and hash, then the version of Vite.
fn sources_digest(folder: &Path) -> Result<String> {
    let mut sources = vec!["build.mjs".to_owned()];
    sources.extend(SHARED.map(|name| format!("../kit/{name}")));
    for entry in folder
        .join("src")
        .read_dir()
        .with_context(|| format!("cannot read {}/src", folder.display()))?
    {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".ts") {
            sources.push(format!("src/{name}"));
        }
    }
    sources.sort();
    let mut text = String::new();
    for path in sources {
        let bytes = std::fs::read(folder.join(&path)).with_context(|| format!("cannot read {path}"))?;
        text.push_str(&format!("{path}\n{}\n", sha256(&bytes)));
    }
    let manifest = folder.join("../package.json");
    let manifest = std::fs::read(&manifest).with_context(|| format!("cannot read {}", manifest.display()))?;
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).context("editor/package.json is no JSON")?;
    let vite = manifest["devDependencies"]["vite"].as_str().unwrap_or_default();
    text.push_str(&format!("vite {vite}\n"));
    Ok(sha256(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_read_from_the_first_line() {
        let text = "// Galley bridge, made by x; sources sha256:abc123\n(()=>{})()";
        assert_eq!(recorded_digest(text).as_deref(), Some("abc123"));
        assert_eq!(recorded_digest("(()=>{})()\n// sources sha256:abc"), None);
        assert_eq!(recorded_digest(""), None);
    }

    /// Holds build.mjs and this file together: both compute the digest.
    #[test]
    fn the_committed_bundle_is_current() {
        assert!(
            is_current(&Checkout::find(None).unwrap()).unwrap(),
            "run `cargo xtask build` and commit the bundle"
        );
    }

    #[test]
    fn a_changed_source_makes_the_bundle_stale() {
        let folder = tempfile::tempdir().unwrap();
        let bridge = folder.path().join("bridge");
        std::fs::create_dir_all(bridge.join("src")).unwrap();
        std::fs::write(
            folder.path().join("package.json"),
            r#"{"devDependencies":{"vite":"1.0.0"}}"#,
        )
        .unwrap();
        std::fs::write(bridge.join("build.mjs"), "build").unwrap();
        let kit = folder.path().join("kit");
        std::fs::create_dir(&kit).unwrap();
        for name in SHARED {
            std::fs::write(kit.join(name), "shared").unwrap();
        }
        std::fs::write(bridge.join("src/main.ts"), "1").unwrap();
        let before = sources_digest(&bridge).unwrap();
        std::fs::write(bridge.join("src/notes.txt"), "no source").unwrap();
        assert_eq!(before, sources_digest(&bridge).unwrap());
        std::fs::write(bridge.join("src/main.ts"), "2").unwrap();
        let changed = sources_digest(&bridge).unwrap();
        assert_ne!(before, changed);
        std::fs::write(kit.join(SHARED[0]), "changed").unwrap();
        assert_ne!(changed, sources_digest(&bridge).unwrap());
    }
}
