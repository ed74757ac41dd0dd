//! Node packages: installed from the lock file, once for each version of it.

use std::path::Path;

use anyhow::{Context, Result, bail};
use galley_build::process::{command, read, run};

use crate::stamp::{sha256, write_if_changed};

/// The oldest Node that runs the project's scripts.
const OLDEST_NODE: u32 = 20;

/// Remembers inside `node_modules` which lock file it was made from.
const STAMP: &str = ".galley-lock";

/// Installs the packages of `folder` when its lock file differs from the one they were installed from.
pub fn ensure(folder: &Path) -> Result<()> {
    let lock = folder.join("package-lock.json");
    let lock = std::fs::read(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    let digest = sha256(&lock);
    let stamp = folder.join("node_modules").join(STAMP);
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == digest) {
        return Ok(());
    }
    check_node()?;
    eprintln!("xtask: npm ci in {}", folder.display());
    // Nothing the project uses needs its packages' own install scripts.
    let mut ci = command("npm");
    ci.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(folder);
    run(ci.stdout(std::io::stderr())).context("the Node packages could not be installed")?;
    write_if_changed(&stamp, digest.as_bytes())?;
    Ok(())
}

/// Runs a script of `folder`'s package.json.
pub fn script(folder: &Path, name: &str) -> Result<()> {
    let mut npm = command("npm");
    npm.args(["run", "--silent", name]).current_dir(folder);
    run(npm.stdout(std::io::stderr()))
}

/// Fails with what to install when Node is missing or too old.
pub fn check_node() -> Result<()> {
    let version = read(command("node").arg("--version"))?;
    if major(&version).is_none_or(|major| major < OLDEST_NODE) {
        bail!("Node {version} is too old: install Node {OLDEST_NODE} or newer with npm");
    }
    Ok(())
}

fn major(version: &str) -> Option<u32> {
    version.trim_start_matches('v').split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_node_are_read() {
        assert_eq!(major("v20.20.2"), Some(20));
        assert_eq!(major("v8.1.0"), Some(8));
        assert_eq!(major("nonsense"), None);
    }

    #[test]
    fn installed_packages_are_not_installed_again() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("package-lock.json"), "{}").unwrap();
        write_if_changed(
            &folder.path().join("node_modules").join(STAMP),
            sha256(b"{}").as_bytes(),
        )
        .unwrap();
        ensure(folder.path()).unwrap();
        assert!(
            !folder.path().join("node_modules/.package-lock.json").exists(),
            "npm did not run"
        );
    }

    #[test]
    fn a_missing_lock_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = format!("{:#}", ensure(folder.path()).unwrap_err());
        assert!(error.contains("package-lock.json"), "{error}");
    }
}
