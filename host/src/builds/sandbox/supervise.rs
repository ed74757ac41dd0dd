//! The first stage, outside of the sandbox: ends a step with all that came of it.
//!
//! It makes itself the parent of every orphan below it and waits. When the command ends, when it used up too much, or
//! when standard input ends (the server has stopped the build, or is itself gone, whatever ended it), it kills every
//! process that descends from it: a process that made itself a daemon or joined another group or session is found by its
//! parents, which it cannot choose.

use std::io::Read;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, getpid, set_child_subreaper, setsid, wait};

use super::descriptor;
use super::groups::Group;
use super::limits::{LOOK_INTERVAL, Watch, used_up_memory};
use super::processes::{code, kill_descendants};
use super::proxy::{self, Policy, Upstream};
use super::step::{Isolation, Network, Step, USED_UP, next};

/// How long to wait between two rounds of killing.
const ROUND: Duration = Duration::from_millis(5);

/// Whether the step used up too much.
static USED_UP_ALL: AtomicBool = AtomicBool::new(false);

/// Runs the step; nothing of it is left when this returns.
pub fn run(step: &Step) -> anyhow::Result<u8> {
    // Without one, the look at all processes holds the bounds.
    let group = step
        .group
        .as_deref()
        .and_then(|parent| Group::join(parent, step.memory).ok());
    let code = supervised(step, group.as_ref());
    end_all();
    if group.as_ref().is_some_and(Group::ran_out_of_memory) {
        say_used_up(&used_up_memory(step));
    }
    drop(group);
    match code {
        _ if USED_UP_ALL.load(Ordering::Acquire) => Ok(USED_UP),
        code => code,
    }
}

fn supervised(step: &Step, group: Option<&Group>) -> anyhow::Result<u8> {
    // Fails for the leader of a group, which has a session of its own already.
    let _ = setsid();
    // Before the thread that waits for the end of standard input.
    let upstream = if step.upstream { Some(Upstream::read()?) } else { None };
    let policy = Policy {
        ports: step.port.clone(),
        only: step.only.clone(),
        upstream: upstream.as_ref().map(Upstream::ways),
    };
    set_child_subreaper(Some(getpid())).context("orphans cannot be adopted")?;
    let child = start(step, policy)?;
    // What ends the step must not end with it.
    if let Some(group) = group {
        group.leave();
    }
    std::thread::spawn(|| {
        let mut ended = [0];
        while std::io::stdin().read(&mut ended).is_ok_and(|read| read > 0) {}
        end_for_ever();
    });
    let watched = step.clone();
    std::thread::spawn(move || {
        let mut watch = Watch::new(&watched);
        loop {
            if let Some(why) = watch.look(getpid().as_raw_nonzero().get()) {
                say_used_up(&why);
                end_for_ever();
            }
            std::thread::sleep(LOOK_INTERVAL);
        }
    });
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((process, status))) if process == child => return Ok(code(status)),
            // Somebody's orphan.
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => bail!("the command cannot be waited for: {error}"),
        }
    }
}

/// Writes why the step ends into its log, once: the kernel and the look at all processes may both have found it.
fn say_used_up(why: &str) {
    if !USED_UP_ALL.swap(true, Ordering::AcqRel) {
        eprintln!("{why}");
    }
}

/// Starts the next stage, and the proxy if the step has a network.
fn start(step: &Step, policy: Policy) -> anyhow::Result<Pid> {
    let is_proxied = step.network == Network::Proxied;
    let child = match step.isolation {
        Isolation::Namespaces => {
            let (here, there) = UnixStream::pair()?;
            let child = next("enter", &[]).stdin(OwnedFd::from(there)).spawn();
            let child = child.context("the sandbox cannot be started")?;
            // Without one, the next stage has failed, and says why.
            if is_proxied && let Some(listener) = descriptor::receive(&here)? {
                proxy::serve(listener.into(), policy)?;
            }
            child
        }
        Isolation::Rules => {
            let mut port = proxy::PORT;
            if is_proxied {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("the proxy has no port")?;
                port = listener.local_addr()?.port();
                proxy::serve(listener, policy)?;
            }
            let child = next("inside", &["--proxy-port", &port.to_string()])
                .stdin(Stdio::null())
                .spawn();
            child.context("the sandbox cannot be started")?
        }
    };
    Pid::from_raw(i32::try_from(child.id())?).context("a process without an id")
}

/// Kills until the end of the command is noticed, and what remains is ended there.
fn end_for_ever() -> ! {
    loop {
        kill_descendants();
        std::thread::sleep(ROUND);
    }
}

/// Kills every descendant, again until none is left: a process may have started another one in between.
fn end_all() {
    loop {
        kill_descendants();
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => std::thread::sleep(ROUND),
            Err(_) => return,
        }
    }
}
