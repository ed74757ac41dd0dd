//! One moment of a data folder. What is in its databases then fits together as after a power failure, and every file that they
//! refer to is there.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::error::BackupError;
use super::folder::names_below;
use super::list::CORE;
use crate::storage::sqlite::{Snapshot, WriteLock};

/// How long the databases that are held already wait for one more.
const HOLD_TIMEOUT: Duration = Duration::from_millis(500);
/// The pause in which others write, before it is tried again.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a moment is looked for. A plugin's update may hold its database for a minute.
const MOMENT_TIMEOUT: Duration = Duration::from_secs(120);

/// A data folder at one moment.
pub struct Moment {
    /// The databases.
    pub databases: BTreeMap<PathBuf, Snapshot>,
    /// The files beside them at the top, which are replaced later, not changed.
    pub top: Vec<(PathBuf, File)>,
    /// The names of all other files. What is deleted later is missed.
    pub names: Vec<PathBuf>,
}

impl Moment {
    /// Waits for the moment. Nobody writes a database while the names of the files are read.
    pub fn of(data: &Path) -> Result<Self, BackupError> {
        let until = Instant::now() + MOMENT_TIMEOUT;
        let mut busy = None;
        loop {
            match try_take(data, busy.as_deref())? {
                Ok(moment) => return Ok(moment),
                Err(path) if Instant::now() >= until => return Err(BackupError::Changing(data.join(path))),
                Err(path) => busy = Some(path),
            }
            std::thread::sleep(PAUSE);
        }
    }
}

/// The moment, or the database that was being changed. `busy` is the one from before: nobody waits with it.
fn try_take(data: &Path, busy: Option<&Path>) -> Result<Result<Moment, PathBuf>, BackupError> {
    let mut databases = names_below(data)?;
    databases.retain(|name| is_database(name));
    // Those who write a slot's database may wait for the core's meanwhile, never the other way round.
    databases.sort_by_key(|name| (name == Path::new(CORE), Some(name.as_path()) != busy));
    let mut locks = Vec::new();
    for name in &databases {
        let path = data.join(name);
        match WriteLock::take(&path, HOLD_TIMEOUT) {
            Ok(Some(lock)) => locks.push(lock),
            Err(error) if path.exists() => return Err(BackupError::Database(path, error)),
            // Busy, or deleted since the folder was read.
            _ => return Ok(Err(name.clone())),
        }
    }
    let mut moment = Moment {
        databases: BTreeMap::new(),
        top: Vec::new(),
        names: Vec::new(),
    };
    for name in names_below(data)? {
        let path = data.join(&name);
        if is_database(&name) {
            if !databases.contains(&name) {
                return Ok(Err(name));
            }
            let snapshot = Snapshot::of(&path).map_err(|error| BackupError::Database(path, error))?;
            moment.databases.insert(name, snapshot);
        } else if is_draft(&name) {
            continue;
        } else if name.parent() == Some(Path::new("")) {
            match File::open(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                opened => {
                    let file = opened.map_err(|error| BackupError::File(path, error))?;
                    moment.top.push((name, file));
                }
            }
        } else {
            moment.names.push(name);
        }
    }
    for (lock, name) in locks.into_iter().zip(&databases) {
        lock.release()
            .map_err(|error| BackupError::Database(data.join(name), error))?;
    }
    Ok(Ok(moment))
}

fn is_database(name: &Path) -> bool {
    name.extension().is_some_and(|ending| ending == "db")
}

/// Whether a file is one that is being written, and has another name when it is finished.
fn is_draft(name: &Path) -> bool {
    let file = name.file_name().unwrap_or_default().to_string_lossy();
    file.ends_with(".db-new") || file.starts_with(".tmp") && name.extension().is_none()
}
