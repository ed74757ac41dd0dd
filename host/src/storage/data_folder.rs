//! Whose a data folder is: one program at a time uses it, and nothing but `galley restore` one that is half restored.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::durable;

/// The file whose lock is held.
pub const LOCK: &str = "lock";
/// The file that is there from the begin of a restoration to its end.
pub const RESTORING: &str = "restoring";

/// How long is waited for the lock. The lock of a server that was killed is released a moment later: a process that
/// the server was about to start may still hold a copy.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);
/// The pause between two tries.
const LOCK_INTERVAL: Duration = Duration::from_millis(50);

/// Why a data folder is not used. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Another program uses it.
    #[error(
        "another server (or `galley restore`) is using the data folder {}: stop it, or set SERVICE_DATA_DIR to another folder",
        .0.display()
    )]
    InUse(PathBuf),
    /// It cannot be read or written.
    #[error("the data folder {} cannot be used: {source}", path.display())]
    Unusable {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A restoration was interrupted.
    #[error(
        "the data folder {} is half restored: run `galley restore` with the backup again, which begins anew, or empty the folder",
        .0.display()
    )]
    HalfRestored(PathBuf),
}

impl FolderError {
    fn unusable(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Unusable {
            path: path.to_owned(),
            source,
        }
    }
}

/// The right to use a data folder, until it is dropped.
#[derive(Debug)]
pub struct FolderLock {
    folder: PathBuf,
    _lock: File,
}

impl FolderLock {
    /// Makes the data folder if it is missing, and takes its lock. A half restored one is refused.
    pub fn take(data_dir: &Path) -> Result<Self, FolderError> {
        let lock = Self::take_to_fill(data_dir)?;
        be_whole(data_dir)?;
        Ok(lock)
    }

    /// The same for a restoration, which may begin anew.
    pub fn take_to_fill(data_dir: &Path) -> Result<Self, FolderError> {
        let unusable = FolderError::unusable(data_dir);
        fs::create_dir_all(data_dir).map_err(&unusable)?;
        let lock = File::create(data_dir.join(LOCK)).map_err(&unusable)?;
        match lock_within(&lock, LOCK_TIMEOUT) {
            Err(TryLockError::WouldBlock) => Err(FolderError::InUse(data_dir.to_owned())),
            Err(TryLockError::Error(source)) => Err(unusable(source)),
            Ok(()) => Ok(Self {
                folder: data_dir.to_owned(),
                _lock: lock,
            }),
        }
    }

    /// Marks the folder as half restored, durably.
    pub fn begin_to_fill(&self) -> Result<(), FolderError> {
        File::create(self.folder.join(RESTORING))
            .and_then(|mark| mark.sync_all())
            .and_then(|()| durable::sync_folder(&self.folder))
            .map_err(FolderError::unusable(&self.folder))
    }

    /// Takes the mark away: what is in the folder may be used.
    pub fn end_filling(&self) -> Result<(), FolderError> {
        durable::remove_file(&self.folder.join(RESTORING))
            .and_then(|()| durable::sync_folder(&self.folder))
            .map_err(FolderError::unusable(&self.folder))
    }
}

/// Refuses a half restored folder.
pub fn be_whole(data_dir: &Path) -> Result<(), FolderError> {
    match data_dir.join(RESTORING).exists() {
        true => Err(FolderError::HalfRestored(data_dir.to_owned())),
        false => Ok(()),
    }
}

fn lock_within(lock: &File, timeout: Duration) -> Result<(), TryLockError> {
    let until = Instant::now() + timeout;
    loop {
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(LOCK_INTERVAL),
            taken => return taken,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_has_a_folder_and_a_half_restored_one_only_restore() {
        let folder = tempfile::tempdir().unwrap();
        let lock = FolderLock::take(folder.path()).unwrap();
        assert!(matches!(
            FolderLock::take_to_fill(folder.path()),
            Err(FolderError::InUse(_))
        ));
        lock.begin_to_fill().unwrap();
        drop(lock);
        assert!(matches!(
            FolderLock::take(folder.path()),
            Err(FolderError::HalfRestored(_))
        ));
        FolderLock::take_to_fill(folder.path()).unwrap().end_filling().unwrap();
        FolderLock::take(folder.path()).unwrap();
    }
}
