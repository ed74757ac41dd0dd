//! Processes that are held to a share of a core, by a control group (version 1 or 2) of their own.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The time over which the share is counted, in microseconds: short, so that a pause is short, too.
const PERIOD: u32 = 10_000;

/// While it lives, a process has no more than its share.
#[derive(Debug)]
pub struct Held(PathBuf);

impl Held {
    /// Holds a process, with all its threads, to this share of a core.
    pub fn to(share: f64, process: u32) -> Result<Held> {
        let name = format!("galley-bench-{process}");
        let quota = (f64::from(PERIOD) * share) as u32;
        let (first, second) = (Path::new("/sys/fs/cgroup/cpu"), Path::new("/sys/fs/cgroup"));
        let (group, limits) = match first.join("cpu.cfs_quota_us").exists() || first.join("cpu.shares").exists() {
            true => (
                first.join(name),
                vec![
                    ("cpu.cfs_period_us", PERIOD.to_string()),
                    ("cpu.cfs_quota_us", quota.to_string()),
                ],
            ),
            false => (second.join(name), vec![("cpu.max", format!("{quota} {PERIOD}"))]),
        };
        let held = Held(group);
        fs::create_dir_all(&held.0)
            .and_then(|()| {
                for (file, limit) in &limits {
                    fs::write(held.0.join(file), limit)?;
                }
                fs::write(held.0.join("cgroup.procs"), process.to_string())
            })
            .with_context(|| {
                format!(
                    "nodes are held to a share of a core by a control group, for which root and the controller `cpu` are \
                     needed: {}",
                    held.0.display()
                )
            })?;
        Ok(held)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Whoever is still in it goes back to where all begin.
        let parent = self.0.parent().unwrap_or(Path::new("/sys/fs/cgroup"));
        for process in fs::read_to_string(self.0.join("cgroup.procs"))
            .unwrap_or_default()
            .lines()
        {
            let _ = fs::write(parent.join("cgroup.procs"), process);
        }
        let _ = fs::remove_dir(&self.0);
    }
}
