//! Runs the commands of host/CLUSTER.md from nothing on three machines, which are namespaces on this one, and then lets a server, a
//! machine and a leader fail. `cargo xtask cluster-document` starts it with what it needs.

mod checks;
mod document;
mod load;
mod machine;
mod network;
mod stand_ins;
mod unit;

use std::fs;
use std::net::Ipv4Addr;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};

use document::Block;
use machine::{Machine, Parts};

/// The machines of the page.
const MACHINES: [(&str, Ipv4Addr); 3] = [
    ("a", Ipv4Addr::new(10, 0, 0, 1)),
    ("b", Ipv4Addr::new(10, 0, 0, 2)),
    ("c", Ipv4Addr::new(10, 0, 0, 3)),
];

/// Asks for the packages of a page.
const PACKAGES_OF: &str = "--packages-of";

/// Set in the namespaces of this program.
const INSIDE: &str = "GALLEY_CLUSTER_INSIDE";

/// What the program is told by whoever starts it.
#[derive(Debug)]
struct Options {
    page: PathBuf,
    galley: PathBuf,
    packages: PathBuf,
    folder: PathBuf,
    /// Whether it goes on until it is ended, with the cluster as the page made it.
    stays: bool,
}

fn main() -> ExitCode {
    let mut args = std::env::args();
    let called = args.next().unwrap_or_default();
    let args: Vec<String> = args.collect();
    let name = Path::new(&called).file_name().unwrap_or_default().to_string_lossy();
    let done = match stand_ins::NAMES.contains(&&*name) {
        true => stand_ins::run(&name, &args),
        false if args.first().is_some_and(|first| first == PACKAGES_OF) => packages(&args[1..]),
        false => options(&args).and_then(|options| work(&options, &args)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Prints what a page installs from PyPI, one a line.
fn packages(args: &[String]) -> Result<()> {
    let [page] = args else {
        bail!("usage: cluster-document {PACKAGES_OF} PAGE");
    };
    for package in document::packages(&blocks(Path::new(page))?) {
        println!("{package}");
    }
    Ok(())
}

fn blocks(page: &Path) -> Result<Vec<Block>> {
    let text = fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
    let blocks = document::blocks(&text, &MACHINES.map(|(name, _)| name))?;
    ensure!(!blocks.is_empty(), "{} has no commands", page.display());
    Ok(blocks)
}

/// Reads `PAGE GALLEY PACKAGES FOLDER [--stay]`.
fn options(args: &[String]) -> Result<Options> {
    let (words, flags): (Vec<&String>, Vec<&String>) = args.iter().partition(|arg| !arg.starts_with("--"));
    let [page, galley, packages, folder] = words.as_slice() else {
        bail!("usage: cluster-document PAGE GALLEY PACKAGES FOLDER [--stay]");
    };
    ensure!(flags.iter().all(|flag| *flag == "--stay"), "the only option is --stay");
    Ok(Options {
        page: page.into(),
        galley: std::path::absolute(galley)?,
        packages: std::path::absolute(packages)?,
        folder: std::path::absolute(folder)?,
        stays: !flags.is_empty(),
    })
}

fn work(options: &Options, args: &[String]) -> Result<()> {
    if std::env::var_os(INSIDE).is_none() {
        // A network, processes and mounts of its own: they end with it, whatever happens.
        let error = Command::new("unshare")
            .args([
                "--net",
                "--mount",
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc",
                "--",
            ])
            .arg(std::env::current_exe()?)
            .args(args)
            .env(INSIDE, "1")
            .exec();
        return Err(error).context("cannot start `unshare`");
    }
    let blocks = blocks(&options.page)?;
    let _ = fs::remove_dir_all(&options.folder);
    let bin = options.folder.join("bin");
    fs::create_dir_all(&bin)?;
    fs::copy(std::env::current_exe()?, bin.join("stand-in"))?;
    for name in stand_ins::NAMES {
        symlink("stand-in", bin.join(name))?;
    }
    network::make()?;
    let parts = Parts {
        folder: options.folder.clone(),
        galley: options.galley.clone(),
        packages: options.packages.clone(),
    };
    let mut machines = Vec::new();
    for (name, address) in MACHINES {
        let mut machine = Machine::new(&parts, name, address)?;
        machine.start()?;
        machines.push(machine);
    }
    for block in &blocks {
        for machine in machines.iter().filter(|machine| block.machines.contains(&machine.name)) {
            eprintln!("line {} on {}", block.line, machine.name);
            let ran = machine.run(&block.commands);
            ran.with_context(|| format!("{}, line {}", options.page.display(), block.line))?;
        }
    }
    if options.stays {
        eprintln!("the cluster serves; this program's id in its namespaces is 1, end it to end them all");
        loop {
            std::thread::park();
        }
    }
    checks::run(&mut machines).inspect_err(|_| {
        for machine in &machines {
            eprintln!(
                "-- the last lines of the server on {} --\n{}",
                machine.name,
                machine.last_lines("galley")
            );
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_commands_for_all_machines() {
        let page = galley_harness::paths::checkout().join("host/CLUSTER.md");
        let blocks = blocks(&page).unwrap();
        assert!(blocks.iter().any(|block| block.machines.len() == MACHINES.len()));
        assert_eq!(document::packages(&blocks).len(), 2, "{blocks:?}");
    }
}
