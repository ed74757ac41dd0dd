//! Folders of servers that tests start: in memory where there is room. A process that is killed loses nothing by that, and no test cuts
//! the power.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use tempfile::TempDir;

/// Where Linux has files in memory.
const MEMORY: &str = "/dev/shm";
/// What has to be free there, and of the machine's memory, in bytes: databases of many servers at once, and their logs.
const MIN_FREE: u64 = 4 << 30;
/// What the names of all of them begin with.
const PREFIX: &str = "galley-scratch-";

static ON_DISK: AtomicBool = AtomicBool::new(false);

/// A folder. Dropped, it is deleted; that of a program that was killed is deleted by the next program that makes one.
#[derive(Debug)]
pub struct Scratch {
    folder: TempDir,
    /// Nobody deletes a folder that is locked, and the system unlocks those of a program that ends.
    _lock: File,
}

impl Scratch {
    /// An empty one, in memory where there is room.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn new() -> Scratch {
        Self::below(&place())
    }

    /// An empty one for what a file of the disk may be a link to.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn on_disk() -> Scratch {
        Self::below(&std::env::temp_dir())
    }

    fn below(place: &Path) -> Scratch {
        delete_unlocked(place);
        loop {
            let made = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place);
            let folder = made.expect("a temporary folder");
            // Another program may have found it before it was locked.
            if let Some(lock) = locked(folder.path()).filter(|_| folder.path().is_dir()) {
                return Scratch { folder, _lock: lock };
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

/// Folders of this process are on the disk from now on: for whoever measures what waits for it.
pub fn stay_on_disk() {
    ON_DISK.store(true, Ordering::Relaxed);
}

fn place() -> PathBuf {
    let memory = Path::new(MEMORY);
    match !ON_DISK.load(Ordering::Relaxed) && is_memory(memory) && free_memory() >= MIN_FREE {
        true => memory.to_owned(),
        false => std::env::temp_dir(),
    }
}

/// Whether files of this folder are in memory, and there is enough room.
fn is_memory(folder: &Path) -> bool {
    let mounts = std::fs::read_to_string("/proc/mounts").unwrap_or_default();
    let mut mounts = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let is_there = mounts.any(|fields| matches!(fields[..], [_, at, "tmpfs", ..] if Path::new(at) == folder));
    let free = |facts: rustix::fs::StatVfs| facts.f_bavail.saturating_mul(facts.f_frsize);
    is_there && rustix::fs::statvfs(folder).is_ok_and(|facts| free(facts) >= MIN_FREE)
}

/// What programs can have of the machine's memory without others being put out, in bytes.
fn free_memory() -> u64 {
    let facts = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = facts.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() * 1024
}

/// The lock of a folder; `None` when another program has it.
fn locked(folder: &Path) -> Option<File> {
    let file = File::open(folder).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Deletes what programs that were killed left behind. A PostgreSQL that goes on without its files ends within a minute.
fn delete_unlocked(place: &Path) {
    for entry in place.read_dir().into_iter().flatten().flatten() {
        let is_one = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if is_one && let Some(_lock) = locked(&entry.path()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_program_left_is_deleted_and_what_is_used_is_not() {
        let place = tempfile::tempdir().unwrap();
        let used = Scratch::below(place.path());
        let left = place.path().join(format!("{PREFIX}left"));
        std::fs::create_dir_all(left.join("data")).unwrap();
        let foreign = place.path().join("something-else");
        std::fs::create_dir(&foreign).unwrap();
        let other = Scratch::below(place.path());
        assert!(!left.exists());
        assert!(foreign.is_dir() && used.path().is_dir() && other.path().is_dir());
        drop(used);
        assert_eq!(place.path().read_dir().unwrap().count(), 2);
    }

    #[test]
    fn a_disk_is_not_memory() {
        assert!(!is_memory(Path::new("/proc")));
        assert!(free_memory() > 0);
    }
}
