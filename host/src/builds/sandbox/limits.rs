//! What a step can use up: bounds the kernel holds for each process, and a look at all of them together.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, nice, setrlimit};

use super::processes::{descendants, processes};
use super::step::Step;
use crate::storage::disk::is_nearly_full;

/// The largest file, in bytes.
const MAX_FILE: u64 = 4 << 30;
/// Processes and threads of the step's user, all together. The kernel does not hold it for root.
const MAX_PROCESSES: u64 = 4_096;
/// Processes of the step.
const MAX_STEP_PROCESSES: usize = 1_024;
/// Open files of one process.
const MAX_OPEN: u64 = 16_384;
/// How far behind the server a build stands in the queue for the processor, from 0 to 19.
const NICE: i32 = 10;
/// When the kernel is out of memory, it ends a build before the server: 0 is usual, 1,000 the first.
const FIRST_TO_END: &str = "800";

/// How often memory, processes and free space are looked at.
pub const LOOK_INTERVAL: Duration = Duration::from_millis(250);
/// How often the folder is looked at, at most; a large one less often.
const FOLDER_INTERVAL: Duration = Duration::from_secs(1);

const MIB: u64 = 1 << 20;

/// Bounds this process and those it starts. What cannot be set stays as it is: [`Watch`] looks as well.
pub fn apply(memory: u64, cpu: Option<u64>) {
    for (resource, most) in [
        (Resource::Core, 0),
        (Resource::Fsize, MAX_FILE),
        (Resource::Nproc, MAX_PROCESSES),
        (Resource::Nofile, MAX_OPEN),
        // Not the address space: JavaScript and WebAssembly reserve far more of it than they use.
        (Resource::Data, memory.saturating_mul(MIB)),
        // The kernel ends a process that used it up.
        (Resource::Cpu, cpu.unwrap_or(u64::MAX)),
    ] {
        // `None` is unlimited.
        let most = getrlimit(resource).maximum.unwrap_or(u64::MAX).min(most);
        let most = Some(most).filter(|most| *most < u64::MAX);
        let limit = Rlimit {
            current: most,
            maximum: most,
        };
        let _ = setrlimit(resource, limit);
    }
    let _ = nice(NICE);
    let _ = fs::write("/proc/self/oom_score_adj", FIRST_TO_END);
}

/// Looks at what all processes of a step use together.
pub struct Watch<'a> {
    step: &'a Step,
    folder_due: Instant,
}

impl<'a> Watch<'a> {
    /// A watch of this step.
    pub fn new(step: &'a Step) -> Self {
        Self {
            step,
            folder_due: Instant::now(),
        }
    }

    /// Why the step has to end, `None` as long as it may go on.
    pub fn look(&mut self, supervisor: i32) -> Option<String> {
        let processes = descendants(supervisor, &processes());
        if processes.len() > MAX_STEP_PROCESSES {
            return Some(format!(
                "The command was stopped: it runs more than {MAX_STEP_PROCESSES} processes"
            ));
        }
        let used: u64 = processes.iter().map(|process| resident(*process)).sum();
        if used > self.step.memory.saturating_mul(MIB) {
            return Some(used_up_memory(self.step));
        }
        if is_nearly_full(&self.step.folder, self.step.reserve.saturating_mul(MIB)) {
            return Some(format!(
                "The command was stopped: less than {} MiB are free on the disk of the server (SERVICE_DISK_RESERVE_MB)",
                self.step.reserve
            ));
        }
        if Instant::now() < self.folder_due {
            return None;
        }
        let began = Instant::now();
        let most = self.step.disk.saturating_mul(MIB);
        let is_too_large = size(&self.step.folder, most) > most;
        // A folder of many files must not keep a processor busy.
        self.folder_due = Instant::now() + FOLDER_INTERVAL.max(began.elapsed() * 10);
        is_too_large.then(|| {
            format!(
                "The command was stopped: the folder of the build holds more than {} MiB (SERVICE_BUILD_DISK_MB)",
                self.step.disk
            )
        })
    }
}

/// Why a step ends that used more memory than it may.
pub fn used_up_memory(step: &Step) -> String {
    let memory = step.memory;
    format!("The command was stopped: it uses more than {memory} MiB of memory (SERVICE_BUILD_MEMORY_MB)")
}

/// The bytes of memory a process uses that it shares with nobody's file.
fn resident(process: i32) -> u64 {
    let page = rustix::param::page_size() as u64;
    let pages = || -> Option<u64> {
        let sizes = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
        let mut sizes = sizes.split_whitespace().skip(1).map(|pages| pages.parse::<u64>().ok());
        let (resident, shared) = (sizes.next()??, sizes.next()??);
        Some(resident.saturating_sub(shared))
    };
    pages().unwrap_or(0).saturating_mul(page)
}

/// The bytes a folder takes on the disk; counting ends once it is more than `most`. A file with several names counts
/// once.
fn size(folder: &Path, most: u64) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let mut total = 0;
    let mut several = HashSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(found) = entry.metadata() else { continue };
            if found.is_dir() {
                folders.push(entry.path());
            } else if found.nlink() > 1 && !several.insert(found.ino()) {
                continue;
            }
            total += found.blocks() * 512;
        }
        if total > most {
            break;
        }
    }
    total
}
