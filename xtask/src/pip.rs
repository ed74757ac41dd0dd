//! Python packages: installed from a list of requirements, once for each version of it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use galley_build::process::{command, run};

use crate::paths::Checkout;
use crate::stamp::{sha256, write_if_changed};

/// Remembers which requirements the packages were installed from.
const STAMP: &str = ".galley-requirements";

/// The Python of Debian, which other users than the one who works here may run.
pub const DEBIANS: &str = "/usr/bin/python3";

/// Installs the packages of `requirements`, a file of the checkout, into `folder` when the file differs from the one they were
/// installed from. The file names all packages with their versions, those that others need among them.
pub fn ensure(checkout: &Checkout, requirements: &str, folder: &Path) -> Result<()> {
    ensure_for("python3", checkout, requirements, folder)
}

/// The same for a Python of one's choice.
pub fn ensure_for(python: &str, checkout: &Checkout, requirements: &str, folder: &Path) -> Result<()> {
    let requirements = checkout.at(requirements);
    let wanted = fs::read(&requirements).with_context(|| format!("cannot read {}", requirements.display()))?;
    let (stamp, digest) = (folder.join(STAMP), sha256(&wanted));
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == digest) {
        return Ok(());
    }
    eprintln!("xtask: pip install in {}", checkout.show(folder));
    let _ = fs::remove_dir_all(folder);
    let mut pip = command(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(["--no-deps", "--root-user-action", "ignore", "--target"])
        .arg(folder)
        .arg("-r")
        .arg(&requirements);
    run(pip.stdout(std::io::stderr()))
        .with_context(|| format!("the packages of {} could not be installed", requirements.display()))?;
    write_if_changed(&stamp, digest.as_bytes())?;
    Ok(())
}
