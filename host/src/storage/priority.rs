//! How a thread gives way to the others of the machine.

use std::time::Duration;

/// How long such a thread may go on at once while others wait: the least that Linux knows (6.12 and later). By itself a system
/// lets a thread go on for some milliseconds, whatever its priority, and a request that arrives then waits so long.
const SLICE: Duration = Duration::from_micros(100);

/// So often, and so long, a thread with long work sleeps. A system spreads threads over its cores when one of them has nothing
/// to do: a core that always has long work would keep the requests' threads together on the others, each of which then waits
/// for the next tick of the system (4 ms on most).
pub const TURN: Duration = Duration::from_micros(500);
/// See [`TURN`].
pub const PAUSE: Duration = Duration::from_micros(50);

/// A low priority, as a niceness: with every core busy, about a tenth of a share.
pub const LOW: i32 = 10;

/// The lowest priority there is, as a niceness: with every core busy, about a seventieth of a share.
pub const LOWEST: i32 = 19;

/// Gives this thread a lower priority. Nobody but root can take that back.
pub fn give_way(niceness: i32) {
    // On Linux the priority is the thread's own. It may fail: then this thread takes as much time as others.
    if !with_slice(niceness) {
        let _ = rustix::process::setpriority_process(None, niceness);
    }
}

#[cfg(target_os = "linux")]
fn with_slice(niceness: i32) -> bool {
    let attributes = libc::sched_attr {
        size: size_of::<libc::sched_attr>() as u32,
        sched_policy: libc::SCHED_OTHER as u32,
        sched_flags: 0,
        sched_nice: niceness,
        sched_priority: 0,
        sched_runtime: SLICE.as_nanos() as u64,
        sched_deadline: 0,
        sched_period: 0,
    };
    #[allow(unsafe_code, reason = "the C library has no function for this system call")]
    // SAFETY: the attributes live until the call ends, and say their size. 0 is this thread.
    let ended = unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
    ended == 0
}

#[cfg(not(target_os = "linux"))]
fn with_slice(_: i32) -> bool {
    false
}
