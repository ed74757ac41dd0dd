//! seccomp: system calls a step does not need, and those that reach beyond what Landlock knows.
//!
//! With namespaces, nothing outside has a name and this is a second wall: no new namespaces, no mounts, none of the
//! kernel's rarely used doors. Without namespaces, it also refuses the calls that change other processes of the same
//! user, and the attributes of files that Landlock does not let them open.

use std::collections::BTreeMap;

use anyhow::Context;
use rustix::process::Pid;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Width, SeccompCmpOp as Is, SeccompCondition as Condition,
    SeccompFilter, SeccompRule as Rule, apply_filter, sock_filter,
};

use super::processes::processes;
use super::step::{Isolation, Step};

/// The rules of one system call; empty: it is refused whatever its arguments are.
type Rules = BTreeMap<i64, Vec<Rule>>;

/// Refused always.
const REFUSED: [i64; 26] = [
    // Other namespaces and other mounts.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    // Other ways to the calls below: filters do not see what goes through a ring.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // What no build needs of the kernel.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_open_by_handle_at,
    libc::SYS_quotactl,
    libc::SYS_swapon,
    libc::SYS_kexec_load,
];

/// Confines this thread and every process it starts from now on. `outside` is the process that started this one.
pub fn restrict(step: &Step, outside: Option<Pid>) -> anyhow::Result<()> {
    let install = |program: &BpfProgram| apply_filter(program).context("seccomp refuses its filter");
    for (errno, rules) in filters(step, outside)? {
        install(&compile(errno, rules)?)?;
    }
    #[cfg(target_arch = "x86_64")]
    install(&other_numbers())?;
    Ok(())
}

/// What is refused, by the error it is answered with.
fn filters(step: &Step, outside: Option<Pid>) -> anyhow::Result<Vec<(i32, Rules)>> {
    let mut refused: Rules = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    // A new user namespace by the older call; its flags are an argument.
    let user_namespace = libc::CLONE_NEWUSER as u64;
    refused.insert(
        libc::SYS_clone,
        vec![rule([flags(0, user_namespace, user_namespace)?])?],
    );
    // Programs fall back to older calls, whose arguments can be looked at.
    let mut unknown: Rules = [libc::SYS_clone3, FCHMODAT2].map(|call| (call, Vec::new())).into();
    let mut filters = Vec::new();
    if step.isolation == Isolation::Rules {
        refuse_other_processes(&mut refused, outside)?;
        refuse_attributes(&mut refused)?;
        filters.push((libc::EACCES, refuse_sockets()?));
        refuse_fast_open(&mut refused)?;
        // Their errors would stop programs that only tidy up modes and times.
        filters.push((0, pretended()?));
        unknown.insert(libc::SYS_pidfd_open, Vec::new());
    }
    filters.push((libc::EPERM, refused));
    filters.push((libc::ENOSYS, unknown));
    Ok(filters)
}

/// fchmodat2, which is too new for some lists: the same number everywhere.
const FCHMODAT2: i64 = 452;

/// Priorities, limits and signals of processes that are not the caller.
fn refuse_other_processes(refused: &mut Rules, outside: Option<Pid>) -> anyhow::Result<()> {
    // The process is the first argument, 0 is the caller.
    for call in [
        libc::SYS_prlimit64,
        libc::SYS_sched_setparam,
        libc::SYS_sched_setscheduler,
        libc::SYS_sched_setattr,
        libc::SYS_sched_setaffinity,
        libc::SYS_migrate_pages,
        libc::SYS_move_pages,
    ] {
        refused.insert(call, vec![rule([compare(0, Is::Ne, 0)?])?]);
    }
    for call in [libc::SYS_process_vm_readv, libc::SYS_process_vm_writev] {
        refused.insert(call, Vec::new());
    }
    // A kind and a number: only "process 0" is the caller. `PRIO_PROCESS` is 0, `IOPRIO_WHO_PROCESS` 1.
    for (call, process) in [(libc::SYS_setpriority, 0), (libc::SYS_ioprio_set, 1)] {
        let other = vec![rule([compare(0, Is::Ne, process)?])?, rule([compare(1, Is::Ne, 0)?])?];
        refused.insert(call, other);
    }
    // What Landlock confines from version 6 on. A filter only knows numbers: those of the processes around the step.
    let mut protected = vec![u64::from(u32::MAX), 1];
    for process in around(outside) {
        let group = rustix::process::getpgid(Some(process)).unwrap_or(process);
        protected.push(number(process));
        protected.push(u64::from(
            0_u32.wrapping_sub(group.as_raw_nonzero().get().unsigned_abs()),
        ));
    }
    for call in [
        libc::SYS_kill,
        libc::SYS_tkill,
        libc::SYS_tgkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
    ] {
        let each = protected.iter().map(|process| rule([compare(0, Is::Eq, *process)?]));
        refused.insert(call, each.collect::<anyhow::Result<_>>()?);
    }
    Ok(())
}

/// The supervisor and the server.
fn around(outside: Option<Pid>) -> Vec<Pid> {
    let Some(supervisor) = outside else { return Vec::new() };
    let parents = processes();
    let own = supervisor.as_raw_nonzero().get();
    let server = parents
        .iter()
        .find(|(id, _)| *id == own)
        .and_then(|(_, parent)| Pid::from_raw(*parent));
    std::iter::once(supervisor).chain(server).collect()
}

fn number(process: Pid) -> u64 {
    u64::from(process.as_raw_nonzero().get().unsigned_abs())
}

/// Owners and extended attributes of files, which Landlock does not know.
fn refuse_attributes(refused: &mut Rules) -> anyhow::Result<()> {
    for call in [
        libc::SYS_fchownat,
        libc::SYS_setxattr,
        libc::SYS_lsetxattr,
        libc::SYS_removexattr,
        libc::SYS_lremovexattr,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_chown,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_lchown,
    ] {
        refused.insert(call, Vec::new());
    }
    // setxattrat, removexattrat and file_setattr: newer than most lists.
    for call in [463, 466, 469] {
        refused.insert(call, Vec::new());
    }
    Ok(())
}

/// Modes and times of files by their path: answered as if they had been set, and not set. By an open file they are: what
/// a step can open is its own, or belongs to the system.
fn pretended() -> anyhow::Result<Rules> {
    let mut rules = Rules::new();
    for call in [
        libc::SYS_fchmodat,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_chmod,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_utime,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_utimes,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_futimesat,
    ] {
        rules.insert(call, Vec::new());
    }
    let path = Condition::new(1, Width::Qword, Is::Ne, 0)?;
    rules.insert(libc::SYS_utimensat, vec![rule([path])?]);
    Ok(rules)
}

/// Every socket but TCP: unix sockets reach services by path, datagrams reach ports Landlock does not know.
fn refuse_sockets() -> anyhow::Result<Rules> {
    let (v4, v6) = (libc::AF_INET as u64, libc::AF_INET6 as u64);
    // Asks the kernel for the machine's own addresses; `getaddrinfo` wants to know.
    let netlink = libc::AF_NETLINK as u64;
    let families = [
        compare(0, Is::Ne, v4)?,
        compare(0, Is::Ne, v6)?,
        compare(0, Is::Ne, netlink)?,
    ];
    let mut rules = vec![rule(families)?];
    for family in [v4, v6] {
        // The type without its flags: everything but SOCK_STREAM.
        for kind in (0..16).filter(|kind| *kind != libc::SOCK_STREAM as u64) {
            rules.push(rule([compare(0, Is::Eq, family)?, flags(1, 15, kind)?])?);
        }
        // A stream of another protocol than TCP.
        rules.push(rule([
            compare(0, Is::Eq, family)?,
            compare(2, Is::Ne, 0)?,
            compare(2, Is::Ne, libc::IPPROTO_TCP as u64)?,
        ])?);
    }
    Ok([(libc::SYS_socket, rules)].into())
}

/// Sending with `MSG_FASTOPEN` connects without connect(2), which is what Landlock looks at.
fn refuse_fast_open(refused: &mut Rules) -> anyhow::Result<()> {
    let fast = libc::MSG_FASTOPEN as u64;
    for (call, argument) in [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)] {
        refused.insert(call, vec![rule([flags(argument, fast, fast)?])?]);
    }
    Ok(())
}

fn compare(argument: u8, is: Is, value: u64) -> anyhow::Result<Condition> {
    Ok(Condition::new(argument, Width::Dword, is, value)?)
}

fn flags(argument: u8, mask: u64, value: u64) -> anyhow::Result<Condition> {
    compare(argument, Is::MaskedEq(mask), value)
}

fn rule<const N: usize>(conditions: [Condition; N]) -> anyhow::Result<Rule> {
    Ok(Rule::new(conditions.into())?)
}

fn compile(errno: i32, rules: Rules) -> anyhow::Result<BpfProgram> {
    let refuse = SeccompAction::Errno(u32::try_from(errno)?);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, std::env::consts::ARCH.try_into()?)?;
    Ok(filter.try_into()?)
}

/// Refuses the second set of numbers of the same calls (x32), which the other filters do not know: all from 2^30.
#[cfg(target_arch = "x86_64")]
fn other_numbers() -> BpfProgram {
    const LOAD: u16 = 0x20;
    const JUMP_IF_AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    const REFUSE: u32 = 0x0005_0000;
    const ALLOW: u32 = 0x7fff_0000;
    let line = |code, jt, k| sock_filter { code, jt, jf: 0, k };
    vec![
        line(LOAD, 0, 0),
        line(JUMP_IF_AT_LEAST, 1, 1 << 30),
        line(RETURN, 0, ALLOW),
        line(RETURN, 0, REFUSE | libc::ENOSYS.unsigned_abs()),
    ]
}
