//! Commands of the page that a machine without systemd, network and packages of its own cannot have: they do the same to what is
//! there. This program is each of them by the name it is started with.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use galley_harness::poll::within;

use crate::unit::Unit;

/// Starts and ends services.
pub const SYSTEMCTL: &str = "systemctl";

/// The names of all of them.
pub const NAMES: [&str; 3] = [SYSTEMCTL, "scp", "apt-get"];

/// What starts when the machine does: an empty file for each.
const ENABLED: &str = "/var/lib/enabled-services";

/// How long a service may take to end.
const STOP_TIMEOUT: Duration = Duration::from_secs(60);

/// Does what the command of this name does.
pub fn run(name: &str, args: &[String]) -> Result<()> {
    match name {
        SYSTEMCTL => systemctl(args),
        "scp" => scp(args),
        _ => apt_get(args),
    }
}

fn systemctl(args: &[String]) -> Result<()> {
    let now = args.iter().any(|arg| arg == "--now");
    let words: Vec<&str> = args
        .iter()
        .map(String::as_str)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    let [verb, services @ ..] = words.as_slice() else {
        bail!("systemctl: no command");
    };
    fs::create_dir_all(ENABLED)?;
    match *verb {
        "daemon-reload" => return Ok(()),
        "boot" => {
            for entry in fs::read_dir(ENABLED)?.flatten() {
                start(&entry.file_name().to_string_lossy())?;
            }
            return Ok(());
        }
        _ => {}
    }
    for service in services {
        let enabled = Path::new(ENABLED).join(service);
        match *verb {
            "enable" => {
                fs::write(enabled, "")?;
                if now {
                    start(service)?;
                }
            }
            "disable" => {
                let _ = fs::remove_file(enabled);
                if now {
                    stop(service, "TERM")?;
                }
            }
            "start" => start(service)?,
            "stop" => stop(service, "TERM")?,
            "restart" => {
                stop(service, "TERM")?;
                start(service)?;
            }
            "kill" => stop(service, "KILL")?,
            "reload" => signal(service, "HUP")?,
            _ => bail!("systemctl: `{verb}` has no stand-in"),
        }
    }
    Ok(())
}

fn start(service: &str) -> Result<()> {
    if running(service).is_some() {
        return Ok(());
    }
    let host = fs::read_to_string("/proc/sys/kernel/hostname")?;
    let unit = Unit::load(service, host.trim())?;
    let user = unit.user.as_deref().unwrap_or("root");
    let folders = unit.state.iter().map(|name| Path::new("/var/lib").join(name));
    for folder in folders.chain(unit.runtime.iter().map(|name| Path::new("/run").join(name))) {
        command(
            "install",
            &["-d", "-o", user, "-g", user, &folder.display().to_string()],
        )?;
    }
    let log = File::options()
        .create(true)
        .append(true)
        .open(format!("/var/log/{service}.log"))?;
    let mut process = Command::new("setpriv");
    process
        .args(["--reuid", user, "--regid", user, "--init-groups", "--"])
        .args(&unit.command)
        .env_clear()
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .envs(&unit.environment)
        .current_dir(unit.folder.as_deref().unwrap_or(Path::new("/")))
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .process_group(0);
    let child = process.spawn().with_context(|| format!("cannot start {service}"))?;
    fs::write(pid_file(service), child.id().to_string())?;
    Ok(())
}

fn stop(service: &str, with: &str) -> Result<()> {
    if running(service).is_none() {
        return Ok(());
    }
    signal(service, with)?;
    let ended = within(STOP_TIMEOUT, || running(service).is_none().then_some(()));
    ended.with_context(|| format!("{service} does not end"))
}

fn signal(service: &str, signal: &str) -> Result<()> {
    let id = running(service).with_context(|| format!("{service} does not run"))?;
    command("kill", &["-s", signal, &id])
}

/// The id of a service's process, as long as it runs.
fn running(service: &str) -> Option<String> {
    let id = fs::read_to_string(pid_file(service)).ok()?;
    let state = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // Ended, and nobody waited for it.
    let is_gone = state
        .rsplit_once(')')
        .is_some_and(|(_, rest)| rest.trim_start().starts_with('Z'));
    (!is_gone).then_some(id)
}

fn pid_file(service: &str) -> PathBuf {
    Path::new("/run").join(format!("{service}.pid"))
}

/// Copies to another machine's home.
fn scp(args: &[String]) -> Result<()> {
    let files: Vec<&str> = args
        .iter()
        .map(String::as_str)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    let [files @ .., target] = files.as_slice() else {
        bail!("scp: no target");
    };
    let address = target.strip_prefix("root@").and_then(|rest| rest.strip_suffix(':'));
    let home = format!("/srv/homes/{}", address.context("scp: the target is a home of root")?);
    command("cp", &[&["-pr"], files, &[home.as_str()]].concat())
}

/// Whoever started this program installed what the page names: here it is looked whether that is so.
fn apt_get(args: &[String]) -> Result<()> {
    let words: Vec<&str> = args
        .iter()
        .map(String::as_str)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    let ["install", packages @ ..] = words.as_slice() else {
        return Ok(());
    };
    for package in packages {
        let mut query = Command::new("dpkg-query");
        let output = query
            .args(["--show", "--showformat=${db:Status-Status}", package])
            .output()?;
        let is_there = output.stdout == b"installed";
        ensure!(is_there, "{package} is not installed: `cargo xtask setup` does it");
    }
    Ok(())
}

fn command(program: &str, args: &[&str]) -> Result<()> {
    let status = Command::new(program)
        .args(args)
        .status()
        .with_context(|| format!("cannot start {program}"))?;
    ensure!(status.success(), "`{program} {}` failed ({status})", args.join(" "));
    Ok(())
}
