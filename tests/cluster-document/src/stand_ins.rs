//! Commands of the page that a machine without systemd, network and packages of its own cannot have: they do the same to what is
//! there. This program is each of them by the name it is started with.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use galley_harness::poll::within;

use crate::unit::Unit;

/// Starts and ends services.
pub const SYSTEMCTL: &str = "systemctl";

/// Runs a service that is started again when it fails, as systemd itself does.
const KEEP: &str = "keep";

/// The names of all of them.
pub const NAMES: [&str; 4] = [SYSTEMCTL, "systemd-run", "scp", "apt-get"];

/// What starts when the machine does: an empty file for each.
const ENABLED: &str = "/var/lib/enabled-services";

/// What the page sets of the network. Other settings of that folder are this machine's own.
const NETWORK_SETTINGS: &str = "/etc/sysctl.d/50-galley-cluster.conf";

/// How long what keeps a service may take to start it.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a service may take to end.
const STOP_TIMEOUT: Duration = Duration::from_secs(60);

/// Does what the command of this name does.
pub fn run(name: &str, args: &[String]) -> Result<()> {
    match name {
        SYSTEMCTL => systemctl(args),
        "systemd-run" => systemd_run(args),
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
            if Path::new(NETWORK_SETTINGS).exists() {
                command("sysctl", &["--quiet", "--load", NETWORK_SETTINGS])?;
            }
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
            KEEP => keep(service)?,
            _ => bail!("systemctl: `{verb}` has no stand-in"),
        }
    }
    Ok(())
}

fn start(service: &str) -> Result<()> {
    if running(service).is_some() {
        return Ok(());
    }
    let unit = Unit::load(service, &host()?)?;
    if unit.restart_after.is_some() {
        let _ = fs::remove_file(pid_file(service));
        let keeper = Command::new(std::env::current_exe()?)
            .arg0(SYSTEMCTL)
            .args([KEEP, service])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .with_context(|| format!("cannot start what keeps {service}"))?;
        fs::write(keeper_file(service), keeper.id().to_string())?;
        let started = within(START_TIMEOUT, || pid_file(service).exists().then_some(()));
        return started.with_context(|| format!("{service} does not start"));
    }
    let mut child = spawn(&unit, service)?;
    let Some(file) = unit.forks_to else {
        fs::write(pid_file(service), child.id().to_string())?;
        return Ok(());
    };
    ensure!(child.wait()?.success(), "{service} does not start");
    let id = fs::read_to_string(&file).with_context(|| format!("{service} leaves no {}", file.display()))?;
    fs::write(pid_file(service), id.trim())?;
    Ok(())
}

/// Runs a service, and again whenever it fails, until it is stopped or another process keeps it.
fn keep(service: &str) -> Result<()> {
    let own = std::process::id().to_string();
    let is_keeper = || fs::read_to_string(keeper_file(service)).is_ok_and(|id| id == own);
    within(START_TIMEOUT, || is_keeper().then_some(())).context("somebody else keeps it")?;
    let unit = Unit::load(service, &host()?)?;
    while is_keeper() {
        let mut child = spawn(&unit, service)?;
        fs::write(pid_file(service), child.id().to_string())?;
        let Some(pause) = unit
            .restart_after
            .filter(|_| !child.wait().is_ok_and(|status| status.success()))
        else {
            break;
        };
        std::thread::sleep(pause);
    }
    Ok(())
}

/// The process of a service, which writes into its log.
fn spawn(unit: &Unit, service: &str) -> Result<Child> {
    let log = File::options()
        .create(true)
        .append(true)
        .open(format!("/var/log/{service}.log"))?;
    let mut process = prepare(unit)?;
    process
        .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .process_group(0);
    process.spawn().with_context(|| format!("cannot start {service}"))
}

/// Runs one command as a service with these properties would run it, and passes its end on.
fn systemd_run(args: &[String]) -> Result<()> {
    let command = args
        .iter()
        .position(|arg| !arg.starts_with('-'))
        .context("systemd-run: no command")?;
    let (flags, command) = args.split_at(command);
    let mut text = String::new();
    for flag in flags {
        match flag.split_once('=') {
            Some(("--uid", user)) => text += &format!("User={user}\n"),
            Some(("--property", property)) => text += &format!("{property}\n"),
            Some(("--setenv", variable)) => text += &format!("Environment=\"{variable}\"\n"),
            _ => {}
        }
    }
    let unit = Unit {
        command: command.to_vec(),
        ..Unit::of(&text, "run", &host()?)
    };
    let status = prepare(&unit)?.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").status()?;
    ensure!(status.success(), "`{}` ended with {status}", command.join(" "));
    Ok(())
}

fn host() -> Result<String> {
    Ok(fs::read_to_string("/proc/sys/kernel/hostname")?.trim().to_owned())
}

/// The process of a unit, whose folders are there.
fn prepare(unit: &Unit) -> Result<Command> {
    let user = unit.user.as_deref().unwrap_or("root");
    let below = |folder: &str, name: &String| Path::new(folder).join(name).display().to_string();
    let mode = unit.state_mode.as_deref().unwrap_or("0755");
    for name in &unit.state {
        command(
            "install",
            &["-d", "-m", mode, "-o", user, "-g", user, &below("/var/lib", name)],
        )?;
    }
    for name in &unit.runtime {
        command("install", &["-d", "-o", user, "-g", user, &below("/run", name)])?;
    }
    let mut process = Command::new("setpriv");
    process
        .args(["--reuid", user, "--regid", user, "--init-groups", "--"])
        .args(&unit.command)
        .env_clear()
        .envs(&unit.environment)
        .current_dir(unit.folder.as_deref().unwrap_or(Path::new("/")));
    Ok(process)
}

fn stop(service: &str, with: &str) -> Result<()> {
    // Nobody starts it again.
    let _ = fs::remove_file(keeper_file(service));
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
    is_running(id.parse().ok()?).then_some(id)
}

/// Whether there is a process of this id that has not ended. One for which nobody waited has.
pub fn is_running(id: u32) -> bool {
    let state = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let state = state.rsplit_once(')').map(|(_, rest)| rest.trim_start());
    state.is_some_and(|state| !state.starts_with('Z'))
}

/// Not where programs say their ids by themselves.
fn pid_file(service: &str) -> PathBuf {
    Path::new("/run").join(format!("{service}.started"))
}

/// Says which process keeps a service.
fn keeper_file(service: &str) -> PathBuf {
    Path::new("/run").join(format!("{service}.keeper"))
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
