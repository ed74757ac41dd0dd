//! Control groups (cgroup v2): memory, processes and processor time of a whole step, held by the kernel. They are used
//! where a service manager gave the server a group of its own (systemd: `Delegate=yes`); [`super::limits`] holds elsewhere.
//!
//! A group has processes or groups below it, not both. So the server moves itself into `server`, and each step gets a
//! group beside that.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The group of the server itself.
const SERVER: &str = "server";
/// The groups of steps begin with this.
const STEP: &str = "build-";
/// Processes and threads of a step together.
const MAX_TASKS: &str = "4096";
/// The share of the processor that a build gets beside the server, which has 100.
const WEIGHT: &str = "30";

/// Prepares the server's group for groups of steps. `None` where there is no group that is the server's alone.
pub fn prepare() -> Option<PathBuf> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    prepare_at(&Path::new("/sys/fs/cgroup").join(own), std::process::id())
}

fn prepare_at(group: &Path, process: u32) -> Option<PathBuf> {
    let read = |file: &str| fs::read_to_string(group.join(file)).ok();
    // The root group of a machine has no type.
    read("cgroup.type")?;
    let controllers = read("cgroup.controllers")?;
    let has = |name| controllers.split_whitespace().any(|controller| controller == name);
    let is_alone = read("cgroup.procs")?
        .split_whitespace()
        .all(|other| other == process.to_string());
    if !has("memory") || !has("pids") || !is_alone {
        return None;
    }
    let server = group.join(SERVER);
    let prepared = || -> io::Result<()> {
        fs::create_dir_all(&server)?;
        fs::write(server.join("cgroup.procs"), process.to_string())?;
        fs::write(group.join("cgroup.subtree_control"), "+memory +pids")
    };
    if prepared().is_err() {
        let _ = fs::write(group.join("cgroup.procs"), process.to_string());
        let _ = fs::remove_dir(&server);
        return None;
    }
    // Not every manager hands this one on.
    let _ = fs::write(group.join("cgroup.subtree_control"), "+cpu");
    Some(group.to_owned())
}

/// The group of a step; it is left and deleted when this is dropped.
#[derive(Debug)]
pub struct Group {
    path: PathBuf,
    server: PathBuf,
    process: u32,
}

impl Group {
    /// Makes a group below `parent` that holds `memory` MiB, and moves this process into it.
    pub fn join(parent: &Path, memory: u64) -> io::Result<Self> {
        Self::join_as(parent, memory, std::process::id())
    }

    fn join_as(parent: &Path, memory: u64, process: u32) -> io::Result<Self> {
        // Those of supervisors that were killed. One that is in use stays.
        for entry in fs::read_dir(parent)?.flatten() {
            if entry.file_name().to_string_lossy().starts_with(STEP) {
                let _ = fs::remove_dir(entry.path());
            }
        }
        let path = parent.join(format!("{STEP}{process}"));
        fs::create_dir_all(&path)?;
        let group = Self {
            path,
            server: parent.join(SERVER),
            process,
        };
        let set = |file: &str, value: &str| fs::write(group.path.join(file), value);
        set("memory.max", &memory.saturating_mul(1 << 20).to_string())?;
        set("pids.max", MAX_TASKS)?;
        // A step without one of its processes does not work: the kernel ends all of them.
        let _ = set("memory.oom.group", "1");
        // There may be no swap, and no share of the processor to hand on.
        let _ = set("memory.swap.max", "0");
        let _ = set("cpu.weight", WEIGHT);
        set("cgroup.procs", &process.to_string())?;
        Ok(group)
    }

    /// Moves this process back to the server's group. What it has started stays.
    pub fn leave(&self) {
        let _ = fs::write(self.server.join("cgroup.procs"), self.process.to_string());
    }

    /// Whether the kernel ended processes of the group because they used more than its memory.
    pub fn ran_out_of_memory(&self) -> bool {
        let events = fs::read_to_string(self.path.join("memory.events")).unwrap_or_default();
        let kills = events.lines().find_map(|line| line.strip_prefix("oom_kill "));
        kills.is_some_and(|kills| kills.trim() != "0")
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.leave();
        let _ = fs::remove_dir(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with the files of a group. A real one needs a service manager: with one, the tests of what a build can
    /// use up (tests/builds/bounds) meet the kernel's.
    fn group(controllers: &str, processes: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in [
            ("cgroup.type", "domain\n"),
            ("cgroup.controllers", controllers),
            ("cgroup.procs", processes),
            ("cgroup.subtree_control", ""),
        ] {
            fs::write(folder.path().join(file), text).unwrap();
        }
        folder
    }

    #[test]
    fn only_a_group_of_ones_own_is_divided() {
        for (controllers, processes) in [("cpu io", "7\n"), ("memory pids", "7\n8\n")] {
            let shared = group(controllers, processes);
            assert_eq!(prepare_at(shared.path(), 7), None, "{controllers}");
            assert!(!shared.path().join(SERVER).exists());
        }
        let own = group("cpu memory pids", "7\n");
        assert_eq!(prepare_at(own.path(), 7).as_deref(), Some(own.path()));
        let text = |file: &str| fs::read_to_string(own.path().join(file)).unwrap();
        assert_eq!(text("server/cgroup.procs"), "7");

        let step = Group::join_as(own.path(), 2, 9).unwrap();
        assert_eq!(text("build-9/memory.max"), "2097152");
        assert_eq!(text("build-9/cgroup.procs"), "9");
        for (events, is_out) in [("oom 3\noom_kill 0\n", false), ("oom 3\noom_kill 2\n", true)] {
            fs::write(own.path().join("build-9/memory.events"), events).unwrap();
            assert_eq!(step.ran_out_of_memory(), is_out, "{events}");
        }
        drop(step);
        assert_eq!(text("server/cgroup.procs"), "9");
    }
}
