//! Copies of a slot's data from before an update: `slots/copies/SLOT@SCHEMA@VERSION.db`, a bounded number of each schema.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::error::DataError;
use crate::config::pause::{self, Step};
use crate::storage::durable;
use crate::storage::sqlite::copy_database;

/// The most copies that are kept of one schema of a slot.
const MAX_COPIES: usize = 3;

/// One copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    /// The file.
    pub path: PathBuf,
    /// The schema's name.
    pub schema: String,
    /// The version of the data.
    pub version: u32,
}

/// Where the copy of a version is.
pub fn file(folder: &Path, slot: &str, schema: &str, version: u32) -> PathBuf {
    folder.join("copies").join(format!("{slot}@{schema}@{version}.db"))
}

/// The copies of all schemas of a slot, the latest version first.
pub fn copies(folder: &Path, slot: &str) -> Vec<Copy> {
    let files = std::fs::read_dir(folder.join("copies")).into_iter().flatten().flatten();
    let mut found: Vec<Copy> = files
        .filter_map(|file| {
            let name = file.file_name().into_string().ok()?;
            let mut parts = name.strip_suffix(".db")?.split('@');
            let (of, schema, version) = (parts.next()?, parts.next()?, parts.next()?.parse().ok()?);
            (of == slot).then(|| Copy {
                path: file.path(),
                schema: schema.to_owned(),
                version,
            })
        })
        .collect();
    found.sort_by(|a, b| a.schema.cmp(&b.schema).then(b.version.cmp(&a.version)));
    found
}

/// Copies a file beside its place, then puts it there: a crash leaves no half a copy.
pub fn make(from: &Path, to: &Path, until: Option<Instant>) -> Result<(), DataError> {
    let io = |error| DataError::Io(to.to_owned(), error);
    let parent = to.parent().unwrap_or(Path::new("."));
    durable::private_folder(parent).map_err(io)?;
    let draft = draft(to);
    discard(&draft)?;
    copy_database(from, &draft, until).map_err(|error| DataError::Copy(from.to_owned(), error))?;
    pause::block_at(Step::Copy);
    std::fs::rename(&draft, to).map_err(io)?;
    durable::sync_folder(parent).map_err(io)
}

/// The name of a file that is not complete yet.
pub fn draft(path: &Path) -> PathBuf {
    path.with_extension("db-new")
}

/// Deletes a database with what SQLite keeps beside it.
pub fn discard(path: &Path) -> Result<(), DataError> {
    for ending in ["", "-wal", "-shm", "-journal"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        let file = PathBuf::from(name);
        durable::remove_file(&file).map_err(|error| DataError::Io(file, error))?;
    }
    Ok(())
}

/// Deletes the copies of the oldest versions of a schema that are too many.
pub fn prune(folder: &Path, slot: &str, schema: &str) {
    let of_schema = copies(folder, slot).into_iter().filter(|copy| copy.schema == schema);
    for copy in of_schema.skip(MAX_COPIES) {
        if let Err(error) = discard(&copy.path) {
            tracing::warn!(slot, "an old copy of the data cannot be deleted: {error}");
        }
    }
}
