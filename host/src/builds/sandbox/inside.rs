//! The third stage: process 1 of the namespace. It gives up every right, starts the command and waits for its end.

use std::process::{Command, Stdio};

use anyhow::{Context, anyhow, bail};
use caps::CapSet;
use nix::unistd::{Gid, Uid, setgroups, sethostname, setresgid, setresuid};
use rustix::fs::Mode;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, getppid, set_parent_process_death_signal, umask, wait};

use super::processes::code;
use super::step::{Isolation, Network, Step};
use super::{limits, proxy, root, rules, syscalls};

/// Prepares the sandbox and runs the command in it.
pub fn run(step: &Step) -> anyhow::Result<u8> {
    umask(Mode::WGRP | Mode::WOTH);
    let outside = getppid();
    if step.isolation == Isolation::Namespaces {
        // A service manager may forbid it; the name is no secret.
        let _ = sethostname("build");
        root::change(&step.folder, &step.hide).context("the step's own root folder cannot be made")?;
    }
    limits::apply(step.memory, step.cpu);
    give_up_rights(step).context("the command cannot be kept from the rights of this user")?;
    // Changing the user forgets this.
    set_parent_process_death_signal(Some(Signal::KILL)).context("the parent cannot be watched")?;
    let child = start(step, outside)?;
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((process, status))) if process == child => return Ok(code(status)),
            // An orphan of the namespace.
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => bail!("the command cannot be waited for: {error}"),
        }
    }
}

/// Becomes the configured user, and gives up every capability for good: no program that is started gets one back.
fn give_up_rights(step: &Step) -> anyhow::Result<()> {
    // Needs a capability itself, and means nothing to a process that has none.
    let _ = caps::clear(None, CapSet::Bounding);
    if let (Some(user), Some(group)) = (step.uid, step.gid) {
        setgroups(&[])?;
        let (user, group) = (Uid::from_raw(user), Gid::from_raw(group));
        setresgid(group, group, group)?;
        setresuid(user, user, user)?;
    }
    for set in [
        CapSet::Ambient,
        CapSet::Inheritable,
        CapSet::Effective,
        CapSet::Permitted,
    ] {
        caps::clear(None, set)?;
    }
    Ok(())
}

/// Starts the command from a thread that is confined. The other threads are not: no process of the step may signal or
/// inspect them.
fn start(step: &Step, outside: Option<Pid>) -> anyhow::Result<Pid> {
    let step = step.clone();
    let starter = std::thread::spawn(move || -> anyhow::Result<Pid> {
        rules::restrict(&step)?;
        syscalls::restrict(&step, outside)?;
        let (program, arguments) = step.command.split_first().context("there is no command")?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null());
        if step.network == Network::Proxied {
            command.envs(proxy::environment(step.proxy_port, step.only.is_some()));
        }
        let child = command
            .spawn()
            .with_context(|| format!("{program} cannot be started"))?;
        Pid::from_raw(i32::try_from(child.id())?).context("a process without an id")
    });
    starter.join().map_err(|_| anyhow!("the command cannot be started"))?
}
