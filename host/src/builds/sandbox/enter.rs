//! The second stage: new namespaces for everything that comes below.
//!
//! A process that unshares its PID namespace stays in the old one itself; its child is process 1 of the new one, and the
//! kernel ends the namespace with it.

use std::io::stdin;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::AsFd;
use std::process::Stdio;

use anyhow::Context;
use caps::{CapSet, Capability};
use nix::sched::{CloneFlags, unshare};
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socket_with};
use rustix::process::{Signal, getgid, getuid, set_parent_process_death_signal};

use super::descriptor;
use super::processes::code_of;
use super::step::{Network, Step, next};

/// Makes the namespaces, and waits for what happens in them.
pub fn run(step: &Step) -> anyhow::Result<u8> {
    set_parent_process_death_signal(Some(Signal::KILL)).context("the parent cannot be watched")?;
    let (user, group) = (getuid(), getgid());
    let mut namespaces = CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS
        | CloneFlags::CLONE_NEWNET;
    // Root has the rights already, and needs them to become another user.
    namespaces.set(CloneFlags::CLONE_NEWUSER, !user.is_root());
    unshare(namespaces).context("the kernel allows no namespaces")?;
    if namespaces.contains(CloneFlags::CLONE_NEWUSER) {
        map("setgroups", "deny".to_owned())?;
        map("uid_map", format!("{0} {0} 1", user.as_raw()))?;
        map("gid_map", format!("{0} {0} 1", group.as_raw()))?;
        // The next stage mounts. A program that is started keeps rights of its starter in this set only.
        caps::raise(None, CapSet::Inheritable, Capability::CAP_SYS_ADMIN)?;
        caps::raise(None, CapSet::Ambient, Capability::CAP_SYS_ADMIN)
            .context("the rights of the namespace cannot be kept")?;
    }
    raise_loopback().context("the network namespace has no loopback")?;
    if step.network == Network::Proxied {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, step.proxy_port))
            .context("the network namespace has no place for a proxy")?;
        descriptor::send(stdin().as_fd(), listener.as_fd())?;
    }
    let mut child = next("inside", &[])
        .stdin(Stdio::null())
        .spawn()
        .context("nothing can be started in the namespaces")?;
    Ok(code_of(child.wait()?))
}

fn map(file: &str, text: String) -> anyhow::Result<()> {
    std::fs::write(format!("/proc/self/{file}"), text).with_context(|| format!("the user namespace takes no {file}"))
}

/// Switches on the interface `lo`, whose index is 1 in every new namespace: the message `RTM_NEWLINK` of rtnetlink(7)
/// with `IFF_UP`.
fn raise_loopback() -> anyhow::Result<()> {
    const LENGTH: u32 = 32;
    const RTM_NEWLINK: u16 = 16;
    const REQUEST_WITH_ANSWER: u16 = 0x0001 | 0x0004;
    const IFF_UP: u32 = 1;
    let mut message = Vec::with_capacity(LENGTH as usize);
    // struct nlmsghdr: length, type, flags, sequence, port.
    message.extend(LENGTH.to_ne_bytes());
    message.extend(RTM_NEWLINK.to_ne_bytes());
    message.extend(REQUEST_WITH_ANSWER.to_ne_bytes());
    message.extend([0; 8]);
    // struct ifinfomsg: family and padding, type, index, flags, change.
    message.extend([0; 4]);
    message.extend(1_i32.to_ne_bytes());
    message.extend(IFF_UP.to_ne_bytes());
    message.extend(IFF_UP.to_ne_bytes());
    let socket = socket_with(
        AddressFamily::NETLINK,
        SocketType::RAW,
        SocketFlags::CLOEXEC,
        // Protocol 0 is NETLINK_ROUTE.
        None,
    )?;
    send(&socket, &message, SendFlags::empty())?;
    // struct nlmsgerr behind the header: the error, 0 for success.
    let mut answer = [0_u8; 256];
    let (length, _) = recv(&socket, &mut answer[..], RecvFlags::empty())?;
    let error = answer[..length].get(16..20).and_then(|bytes| bytes.try_into().ok());
    match error.map(i32::from_ne_bytes) {
        Some(0) => Ok(()),
        Some(error) => Err(std::io::Error::from_raw_os_error(-error).into()),
        None => anyhow::bail!("the kernel's answer is too short"),
    }
}
