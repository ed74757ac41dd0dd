//! `galley build-step`: runs one command of a build and ends with all that came of it.
//!
//! The server starts this program instead of the command. It makes itself the parent of every orphan below it, confines
//! the command, and waits. When the command ends, or when standard input ends (the server has stopped the build, or is
//! itself gone, whatever ended it), it kills every process that descends from it: a process that made itself a daemon or
//! joined another group or session is found by its parents, which it cannot choose.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process, set_child_subreaper, setsid, wait};

use super::confine;

/// The exit code when the command could not be started.
pub const CANNOT_START: u8 = 125;

/// How long to wait between two rounds of killing.
const ROUND: Duration = Duration::from_millis(5);

/// One command and its bounds.
#[derive(Debug, Clone, clap::Args)]
pub struct Step {
    /// The folder the command may write to
    #[arg(long)]
    folder: PathBuf,
    /// A path the command must not read, wherever it is
    #[arg(long)]
    hide: Vec<PathBuf>,
    /// The command and its arguments
    #[arg(last = true, required = true)]
    command: Vec<String>,
}

/// Runs the command and gives its exit code, 128 and the signal's number when a signal ended it.
pub fn supervise(step: &Step) -> ExitCode {
    match run(step) {
        Ok(status) => ExitCode::from(code(status)),
        Err(error) => {
            eprintln!("{error:#}");
            end_all();
            ExitCode::from(CANNOT_START)
        }
    }
}

fn run(step: &Step) -> anyhow::Result<WaitStatus> {
    // Fails for the leader of a group, which has a session of its own already.
    let _ = setsid();
    set_child_subreaper(Some(getpid())).context("orphans cannot be adopted")?;
    confine::limit();
    let child = start(step)?;
    std::thread::spawn(|| {
        let mut ended = [0];
        while std::io::stdin().read(&mut ended).is_ok_and(|read| read > 0) {}
        // Until the command's end is noticed below, and what remains is ended there.
        loop {
            kill_descendants();
            std::thread::sleep(ROUND);
        }
    });
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((process, status))) if process == child => {
                end_all();
                return Ok(status);
            }
            // Somebody's orphan.
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => bail!("the command cannot be waited for: {error}"),
        }
    }
}

/// Starts the command from a thread that is confined: what confines a thread holds for the processes it starts, and
/// this one has to stay free to end them.
fn start(step: &Step) -> anyhow::Result<Pid> {
    let step = step.clone();
    let starter = std::thread::spawn(move || -> anyhow::Result<Pid> {
        confine::confine(&step.folder, &step.hide)?;
        let (program, arguments) = step.command.split_first().context("there is no command")?;
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .spawn()
            .with_context(|| format!("{program} cannot be started"))?;
        Pid::from_raw(i32::try_from(child.id())?).context("a process without an id")
    });
    starter.join().map_err(|_| anyhow!("the command cannot be started"))?
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

fn kill_descendants() {
    for process in descendants(getpid().as_raw_nonzero().get(), &processes()) {
        if let Some(process) = Pid::from_raw(process) {
            let _ = kill_process(process, Signal::KILL);
        }
    }
}

/// Every process with its parent.
fn processes() -> Vec<(i32, i32)> {
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

fn descendants(root: i32, processes: &[(i32, i32)]) -> Vec<i32> {
    let mut found = vec![root];
    let mut at = 0;
    while let Some(parent) = found.get(at).copied() {
        found.extend(processes.iter().filter(|(_, of)| *of == parent).map(|(id, _)| *id));
        at += 1;
    }
    found.split_off(1)
}

fn code(status: WaitStatus) -> u8 {
    let code = match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => code,
        (None, Some(signal)) => 128 + signal,
        (None, None) => 1,
    };
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
