//! The tools that make components of plugins in JavaScript and Python, for the tests: installed below the target folder, once
//! for each version that the templates name.

use std::fs;

use anyhow::{Context, Result};
use galley_build::process::{command, run};

use crate::npm;
use crate::paths::Checkout;
use crate::stamp::{sha256, write_if_changed};

/// What npm installs from, in the template of JavaScript.
const NODE_FILES: [&str; 3] = ["package.json", "package-lock.json", ".npmrc"];
/// Remembers which requirements the packages of Python were installed from.
const STAMP: &str = ".galley-requirements";

/// Installs what is missing.
pub fn ensure(checkout: &Checkout) -> Result<()> {
    let node = checkout.run_folder().join("js");
    for name in NODE_FILES {
        let file = checkout.at("sdk/js/template").join(name);
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        write_if_changed(&node.join(name), &bytes)?;
    }
    npm::ensure(&node)?;

    let python = checkout.run_folder().join("python");
    let requirements = checkout.at("sdk/python/template/requirements.txt");
    let wanted = fs::read(&requirements).with_context(|| format!("cannot read {}", requirements.display()))?;
    let (stamp, digest) = (python.join(STAMP), sha256(&wanted));
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == digest) {
        return Ok(());
    }
    eprintln!("xtask: pip install in {}", checkout.show(&python));
    let _ = fs::remove_dir_all(&python);
    let mut pip = command("python3");
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
    ])
    .args(["--root-user-action", "ignore", "--target"])
    .arg(&python)
    .arg("-r")
    .arg(&requirements);
    run(pip.stdout(std::io::stderr())).context("the packages of Python could not be installed")?;
    write_if_changed(&stamp, digest.as_bytes())?;
    Ok(())
}
