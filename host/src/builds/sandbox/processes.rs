//! Processes by their parents: found, ended, and the exit codes they leave.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::{Pid, Signal, WaitStatus, getpid, kill_process};

/// Kills every process below this one, once.
pub fn kill_descendants() {
    for process in descendants(getpid().as_raw_nonzero().get(), &processes()) {
        if let Some(process) = Pid::from_raw(process) {
            let _ = kill_process(process, Signal::KILL);
        }
    }
}

/// Every process with its parent.
pub fn processes() -> Vec<(i32, i32)> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let process = |entry: std::fs::DirEntry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        Some((id, parent(&stat)?))
    };
    entries.filter_map(process).collect()
}

/// The parent's id in a process's `stat`: the second field behind the name, which may hold anything in its parentheses.
fn parent(stat: &str) -> Option<i32> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// The ids of all processes below one.
pub fn descendants(root: i32, processes: &[(i32, i32)]) -> Vec<i32> {
    let mut found = vec![root];
    let mut at = 0;
    while let Some(parent) = found.get(at).copied() {
        found.extend(processes.iter().filter(|(_, of)| *of == parent).map(|(id, _)| *id));
        at += 1;
    }
    found.split_off(1)
}

/// The exit code of a process that was waited for, 128 and the signal's number when a signal ended it.
pub fn code(status: WaitStatus) -> u8 {
    of(status.exit_status(), status.terminating_signal())
}

/// The same for a process of the standard library.
pub fn code_of(status: ExitStatus) -> u8 {
    of(status.code(), status.signal())
}

fn of(code: Option<i32>, signal: Option<i32>) -> u8 {
    let code = code.or(signal.map(|signal| 128 + signal)).unwrap_or(1);
    u8::try_from(code).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_found_by_its_parents() {
        let processes = [(1, 0), (7, 1), (8, 7), (9, 8), (20, 1), (21, 20)];
        assert_eq!(descendants(7, &processes), [8, 9]);
        assert_eq!(descendants(9, &processes), [] as [i32; 0]);
    }

    #[test]
    fn a_name_cannot_pretend_to_be_a_parent() {
        assert_eq!(parent("12 (sh) S 7 12 12 0"), Some(7));
        assert_eq!(parent("12 (a) S 1 (b) R 7 12 12 0"), Some(7));
        assert_eq!(parent("12 (sh"), None);
    }
}
