//! Runs the commands of host/CLUSTER.md from nothing on machines that are namespaces on this one: a server alone moves into a
//! cluster of three, a server, a machine and a leader fail, machines come and go while people write, and in the end one machine has
//! it all again. `cargo xtask cluster-document` starts it with what it needs.

mod ask;
mod checks;
mod cluster;
mod database;
mod document;
mod instance;
mod living;
mod load;
mod machine;
mod network;
mod outages;
mod page;
mod stand_ins;
mod unit;

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};

use cluster::Cluster;
use instance::Instance;
use machine::{Machine, Machines, Parts};
use page::Page;

/// The machines of the page's cluster.
const CLUSTER: [(&str, Ipv4Addr); 3] = [
    ("a", Ipv4Addr::new(10, 0, 0, 1)),
    ("b", Ipv4Addr::new(10, 0, 0, 2)),
    ("c", Ipv4Addr::new(10, 0, 0, 3)),
];

/// Its other machines: one that joins, and one that was alone before.
const OTHERS: [(&str, Ipv4Addr); 2] = [("d", Ipv4Addr::new(10, 0, 0, 4)), ("old", Ipv4Addr::new(10, 0, 0, 9))];

/// The chapter that makes the cluster.
const FROM_NOTHING: &str = "three-machines";

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
    for package in document::packages(Page::read(Path::new(page))?.blocks()) {
        println!("{package}");
    }
    Ok(())
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
        return enclosed(args);
    }
    let mut page = Page::read(&options.page)?;
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
    let mut machines = Machines {
        nodes: started(&parts, &CLUSTER)?,
        others: started(&parts, &OTHERS)?,
    };
    let done = checked(&mut page, &mut machines, options.stays);
    if done.is_err() {
        for machine in machines.all() {
            let lines = machine.last_lines("galley");
            eprintln!("-- the last lines of the server on {} --\n{lines}", machine.name);
        }
        return done;
    }
    drop(machines);
    // What failed can be looked at until the next run.
    let _ = fs::remove_dir_all(&options.folder);
    Ok(())
}

/// Runs this program once more, in a network, processes and mounts of its own. They end with this process, whatever ends it: the
/// kernel kills the one between, which kills the first process of the namespaces, with which all others end.
fn enclosed(args: &[String]) -> Result<()> {
    let status = Command::new("setpriv")
        .args(["--pdeathsig", "KILL", "--", "unshare"])
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
        .status()
        .context("cannot start `setpriv`")?;
    match status.success() {
        true => Ok(()),
        false => bail!("the page does not hold what it says ({status})"),
    }
}

fn started(parts: &Parts, machines: &[(&str, Ipv4Addr)]) -> Result<Vec<Machine>> {
    let start = |&(name, address): &(&str, Ipv4Addr)| {
        let mut machine = Machine::new(parts, name, address)?;
        machine.start()?;
        Ok(machine)
    };
    machines.iter().map(start).collect()
}

/// Runs the page, and checks what it promises.
fn checked(page: &mut Page, machines: &mut Machines, stays: bool) -> Result<()> {
    let old = machines.named("old")?;
    let instance = Instance::make(old)?;
    let alone = SocketAddr::from((old.address, checks::PORT));
    let scripts = instance.scripts(alone)?;
    let seen = instance.seen(alone)?;
    page.chapter(FROM_NOTHING, machines)?;
    if stays {
        eprintln!("the cluster serves; this program's id in its namespaces is 1, end it to end them all");
        loop {
            std::thread::park();
        }
    }
    let mut cluster = Cluster::new(machines, instance.comments())?;
    checks::took_over(&cluster, &instance, &seen, &scripts)?;
    checks::rings(&cluster, &cluster.nodes)?;
    checks::without_a_server(&mut cluster, machines, "HAProxy")?;
    checks::without_a_machine(&mut cluster, machines, &instance, true)?;
    checks::with_another_leader(&mut cluster, machines, page)?;
    checks::without_a_machine(&mut cluster, machines, &instance, false)?;
    cluster.all_have_all()?;
    outages::all(&mut cluster, machines, page, &instance)?;
    living::a_node_more(&mut cluster, machines, page)?;
    living::an_upgrade(&mut cluster, machines, page)?;
    living::without_a_machine(&mut cluster, machines, page)?;
    living::another_machine(&mut cluster, machines, page, &instance)?;
    living::another_balancer(&mut cluster, machines, page)?;
    cluster.all_have_all()?;
    living::one_machine_again(&cluster, machines, page, &instance)?;
    page.was_run()?;
    cluster.was_quick()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_commands_for_all_machines() {
        let page = Page::read(&galley_harness::paths::checkout().join("host/CLUSTER.md")).unwrap();
        let blocks = page.blocks();
        assert!(blocks.iter().any(|block| block.machines.len() == CLUSTER.len()));
        assert_eq!(document::packages(blocks).len(), 2, "{blocks:?}");
    }
}
