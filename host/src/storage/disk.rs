//! How much room the disk has, and the reserve of it that stays for the databases.

use std::path::Path;

/// The bytes a disk has left for this user; `None` where that cannot be asked.
pub fn free_space(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Whether less than `reserve` bytes are left.
pub fn is_nearly_full(folder: &Path, reserve: u64) -> bool {
    reserve > 0 && free_space(folder).is_some_and(|free| free < reserve)
}
