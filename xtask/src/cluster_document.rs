//! `cluster-document`: whether the commands of host/CLUSTER.md make the cluster that it promises.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use galley_build::process::{command, read, run, succeeds_within};

use crate::paths::Checkout;
use crate::program::build_program;
use crate::setup::{self, Purpose};
use crate::stamp::{files_below, sha256, write_if_changed};
use crate::{apt, dist, host, pip};

/// The page.
const PAGE: &str = "host/CLUSTER.md";

/// How long Python may take to say whether it has a module.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// Builds what the machines need, and runs the page's commands on them.
pub fn run_page(checkout: &Checkout, args: &[String]) -> Result<()> {
    setup::ensure(checkout, Purpose::Test)?;
    // Debian keeps a part of Python's own modules in a package by itself, which brings no program.
    if !succeeds_within(command(pip::DEBIANS).args(["-c", "import ensurepip"]), ANSWER_TIMEOUT) {
        apt::install(&["python3-venv"])?;
    }
    let server = host::build(checkout)?;
    let program = build_program(checkout, "cluster-document", false)?;
    let folder = checkout.target().join("cluster-document");
    let galley = folder.join("galley");
    lay_out(checkout, &server, &galley)?;
    let packages = folder.join("packages");
    fetch(checkout, &program, &packages)?;
    // It ends with this program, however that one ends.
    let mut document = command("setpriv");
    document
        .args(["--pdeathsig", "KILL", "--"])
        .arg(&program)
        .arg(checkout.at(PAGE))
        .args([&galley, &packages, &folder.join("machines")])
        .args(args);
    run(&mut document)
}

/// What an operator copies to every machine, but with the server of this build.
fn lay_out(checkout: &Checkout, server: &Path, folder: &Path) -> Result<()> {
    for (from, to) in [
        (checkout.plugins(), "plugins"),
        (checkout.dashboard(), "dashboard"),
        (
            checkout
                .bridge()
                .parent()
                .context("the bridge lies in a folder")?
                .to_owned(),
            "dist",
        ),
    ] {
        for file in files_below(&from)? {
            let name = file.strip_prefix(&from).unwrap_or(&file);
            write_if_changed(&folder.join(to).join(name), &fs::read(&file)?)?;
        }
    }
    write_if_changed(&folder.join("galley.service"), dist::UNIT.as_bytes())?;
    // Each machine has a copy, and each upgrade one more.
    run(command("strip")
        .args(["--strip-debug", "-o"])
        .args([&folder.join("galley"), server]))
}

/// Fetches what the page installs from PyPI, once for each version of that list.
fn fetch(checkout: &Checkout, program: &Path, folder: &Path) -> Result<()> {
    let list = read(command(program).arg("--packages-of").arg(checkout.at(PAGE)))?;
    let (stamp, digest) = (folder.join(".galley-packages"), sha256(list.as_bytes()));
    if fs::read_to_string(&stamp).is_ok_and(|fetched| fetched == digest) {
        return Ok(());
    }
    eprintln!("xtask: pip download to {}", checkout.show(folder));
    let _ = fs::remove_dir_all(folder);
    let mut pip = command(pip::DEBIANS);
    pip.args([
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--dest",
    ])
    .arg(folder)
    .args(list.lines());
    run(pip.stdout(std::io::stderr())).with_context(|| format!("the packages of {PAGE} could not be fetched"))?;
    write_if_changed(&stamp, digest.as_bytes())?;
    Ok(())
}
