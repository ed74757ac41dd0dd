//! A consistent copy of the data folder, made while a server uses it, and the way back.
//!
//! Databases are copied each from a snapshot of its own; the core's comes first, so that an event which a
//! slot has seen and the copy of the core has not is delivered again (delivery is at least once anyway). Files of
//! prototypes never change; a version that disappears between the two is noticed, and the copy is made again.
//! `backup.json` lists every file with its SHA-256: a copy without it is not complete. The list is not believed: what it
//! names is restored only when a backup could have written it, above all no compiled plugin.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::durable;
use super::id::{now_ms, rfc3339};
use super::objects::{self, Bucket, ObjectError};
use super::sqlite::copy_database;

/// The list of a backup's files.
const LIST: &str = "backup.json";
/// Parts that can be made again, belong to the running process, or are uploads in progress.
const LEFT_OUT: [&str; 8] = [
    "staging",
    "plugins",
    "builds",
    "lock",
    "control.sock",
    objects::CACHE,
    objects::MARKER,
    LIST,
];
/// Endings of the files that SQLite keeps beside an open database. Beside another database SQLite would apply them to it.
const BESIDE_DATABASES: [&str; 3] = ["-wal", "-shm", "-journal"];
/// How often a copy is tried: it starts again when a prototype was deleted meanwhile.
const MAX_ATTEMPTS: u32 = 3;
/// The version of the list's format.
const FORMAT: u32 = 1;

/// Why a backup or its restoration failed. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The target folder is not empty.
    #[error("{} is not empty: {}", .0.display(), .1)]
    NotEmpty(PathBuf, &'static str),
    /// There is nothing to copy.
    #[error("{} holds no Galley data: {}", .0.display(), .1)]
    NoData(PathBuf, &'static str),
    /// A file of the backup differs from its list.
    #[error("{} is damaged ({}): use another backup", .0.display(), .1)]
    Damaged(PathBuf, String),
    /// The list names a file that no backup contains.
    #[error("{} lists `{}`, which no backup holds: nothing was restored, use a backup you trust", .0.display(), .1)]
    Foreign(PathBuf, String),
    /// Prototypes were deleted during each attempt.
    #[error("prototypes are being deleted while they are copied: try again")]
    Busy,
    /// A database could not be copied.
    #[error("{} cannot be copied: {}", .0.display(), .1)]
    Database(PathBuf, rusqlite::Error),
    /// An object could not be copied.
    #[error("{0} cannot be copied from the object store: {1}")]
    Object(String, ObjectError),
    /// A file could not be copied.
    #[error("{} cannot be copied: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
}

/// What was copied.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Number of files, databases included.
    pub files: usize,
    /// Bytes of all together.
    pub bytes: u64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct List {
    format: u32,
    created_at: String,
    /// The version of the program that made it.
    version: String,
    files: BTreeMap<String, Entry>,
}

#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
struct Entry {
    size: u64,
    sha256: String,
}

/// Copies the data folder, and what the bucket holds of it, into `target`, which must be empty or missing. `progress` is called
/// with the number of copied files.
pub fn create(
    data: &Path,
    bucket: Option<&Bucket>,
    target: &Path,
    mut progress: impl FnMut(usize),
) -> Result<Summary, BackupError> {
    if !data.join("core.db").is_file() {
        return Err(BackupError::NoData(
            data.to_owned(),
            "set SERVICE_DATA_DIR to the folder of the server",
        ));
    }
    be_empty(target, "a backup needs a folder of its own")?;
    for _ in 0..MAX_ATTEMPTS {
        let mut files = copy_all(data, target, &mut progress)?;
        if let Some(bucket) = bucket {
            fetch_all(bucket, target, &mut files, &mut progress)?;
        }
        if is_whole(target)? {
            let list = List {
                format: FORMAT,
                created_at: rfc3339(now_ms()),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                files,
            };
            let json = serde_json::to_vec_pretty(&list).unwrap_or_default();
            let path = target.join(LIST);
            durable::write_file(&path, &json).map_err(|error| BackupError::File(path, error))?;
            return Ok(list.summary());
        }
        clear(target)?;
    }
    Err(BackupError::Busy)
}

/// Checks a backup and copies it into `data`, which must be empty or missing. The core's database comes last: a data
/// folder without it is not taken for a whole one.
pub fn restore(backup: &Path, data: &Path, mut progress: impl FnMut(usize)) -> Result<Summary, BackupError> {
    let list = read_list(backup)?;
    be_empty(
        data,
        "a backup is restored into an empty data folder; move the present one away",
    )?;
    for (name, entry) in &list.files {
        let path = inside(backup, name)?;
        let found = describe(&path).map_err(|error| BackupError::Damaged(path.clone(), error.to_string()))?;
        if found != *entry {
            return Err(BackupError::Damaged(
                path,
                "its content differs from the backup's list".to_owned(),
            ));
        }
    }
    let (last, others): (Vec<&String>, Vec<&String>) = list.files.keys().partition(|name| *name == "core.db");
    for (done, name) in others.into_iter().chain(last).enumerate() {
        let (from, to) = (inside(backup, name)?, data.join(name));
        copy_file(&from, &to).map_err(|error| BackupError::File(from, error))?;
        progress(done + 1);
    }
    Ok(list.summary())
}

impl List {
    fn summary(&self) -> Summary {
        Summary {
            files: self.files.len(),
            bytes: self.files.values().map(|entry| entry.size).sum(),
        }
    }
}

fn read_list(backup: &Path) -> Result<List, BackupError> {
    let path = backup.join(LIST);
    let bytes = fs::read(&path).map_err(|_| {
        BackupError::NoData(
            backup.to_owned(),
            "it has no backup.json, so it is no backup or not a complete one",
        )
    })?;
    let list: List =
        serde_json::from_slice(&bytes).map_err(|error| BackupError::Damaged(path.clone(), error.to_string()))?;
    if list.format != FORMAT || !list.files.contains_key("core.db") {
        return Err(BackupError::Damaged(
            path,
            "it was made by another version of the program".to_owned(),
        ));
    }
    Ok(list)
}

/// The path of a listed file, when a backup could have written it.
fn inside(folder: &Path, name: &str) -> Result<PathBuf, BackupError> {
    if is_plain(name) && belongs(name) {
        return Ok(folder.join(name));
    }
    Err(BackupError::Foreign(folder.join(LIST), name.to_owned()))
}

/// Whether a name is a relative path without `.` and `..` parts, spelled as a backup spells it.
fn is_plain(name: &str) -> bool {
    let parts = Path::new(name).components().map(|part| match part {
        Component::Normal(part) => part.to_str(),
        _ => None,
    });
    let parts: Option<Vec<&str>> = parts.collect();
    !name.contains('\0') && parts.is_some_and(|parts| !parts.is_empty() && parts.join("/") == name)
}

/// Whether a backup contains files of this name, relative to the data folder. Checked when copying and when restoring.
fn belongs(name: &str) -> bool {
    let top = name.split('/').next().unwrap_or_default();
    !LEFT_OUT.iter().any(|left_out| left_out.eq_ignore_ascii_case(top))
        && !BESIDE_DATABASES.iter().any(|ending| name.ends_with(ending))
}

fn be_empty(folder: &Path, why: &'static str) -> Result<(), BackupError> {
    let fail = |error| BackupError::File(folder.to_owned(), error);
    durable::private_folder(folder).map_err(fail)?;
    if fs::read_dir(folder).map_err(fail)?.next().is_some() {
        return Err(BackupError::NotEmpty(folder.to_owned(), why));
    }
    Ok(())
}

fn clear(folder: &Path) -> Result<(), BackupError> {
    fs::remove_dir_all(folder)
        .and_then(|()| durable::private_folder(folder))
        .map_err(|error| BackupError::File(folder.to_owned(), error))
}

fn copy_all(
    data: &Path,
    target: &Path,
    progress: &mut impl FnMut(usize),
) -> Result<BTreeMap<String, Entry>, BackupError> {
    let mut names = names_below(data, Path::new(""))?;
    // Databases first, and of those the core's.
    names.sort_by_key(|name| (name != Path::new("core.db"), !is_database(name), name.clone()));
    let mut files = BTreeMap::new();
    for name in names {
        let (from, to) = (data.join(&name), target.join(&name));
        let copied = if is_database(&name) {
            if let Some(folder) = to.parent() {
                let _ = durable::private_folder(folder);
            }
            copy_database(&from, &to, None).map_err(|error| BackupError::Database(from.clone(), error))
        } else {
            match copy_file(&from, &to) {
                // Deleted since the folder was read: whether it is missed is found out at the end.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                copied => copied.map_err(|error| BackupError::File(from.clone(), error)),
            }
        };
        copied?;
        let entry = describe(&to).map_err(|error| BackupError::File(to, error))?;
        files.insert(name.to_string_lossy().into_owned(), entry);
        progress(files.len());
    }
    Ok(files)
}

/// Copies the objects of a bucket, under the names that their files have in a data folder.
fn fetch_all(
    bucket: &Bucket,
    target: &Path,
    files: &mut BTreeMap<String, Entry>,
    progress: &mut impl FnMut(usize),
) -> Result<(), BackupError> {
    let fail = |name: &str, error: ObjectError| BackupError::Object(name.to_owned(), error);
    for kind in objects::KINDS {
        for listed in bucket.list(kind).map_err(|error| fail(kind, error))? {
            // What the data folder has as well is newer: it was not moved yet.
            if !is_plain(&listed.name) || !belongs(&listed.name) || files.contains_key(&listed.name) {
                continue;
            }
            let to = target.join(&listed.name);
            let folder = to.parent().unwrap_or(target);
            durable::private_folder(folder).map_err(|error| BackupError::File(folder.to_owned(), error))?;
            match bucket.save(&listed.name, &to) {
                // Deleted since the bucket was listed: whether it is missed is found out at the end.
                Err(ObjectError::NotFound) => continue,
                saved => saved.map_err(|error| fail(&listed.name, error))?,
            }
            let entry = describe(&to).map_err(|error| BackupError::File(to, error))?;
            files.insert(listed.name, entry);
            progress(files.len());
        }
    }
    Ok(())
}

fn is_database(name: &Path) -> bool {
    name.extension().is_some_and(|ending| ending == "db")
}

/// The files that belong into a backup, relative to the data folder.
fn names_below(data: &Path, folder: &Path) -> Result<Vec<PathBuf>, BackupError> {
    let mut found = Vec::new();
    let path = data.join(folder);
    let fail = |error| BackupError::File(path.clone(), error);
    for entry in fs::read_dir(&path).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let name = folder.join(entry.file_name());
        let kind = entry.file_type().map_err(fail)?;
        if !belongs(&name.to_string_lossy()) {
            continue;
        }
        if kind.is_dir() {
            found.extend(names_below(data, &name)?);
        } else if kind.is_file() {
            found.push(name);
        }
    }
    Ok(found)
}

/// A durable copy that only its owner reads.
fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let folder = to.parent().unwrap_or(Path::new("."));
    durable::private_folder(folder)?;
    fs::copy(from, to)?;
    fs::set_permissions(to, fs::Permissions::from_mode(0o600))?;
    File::open(to)?.sync_all()?;
    durable::sync_folder(folder)
}

fn describe(path: &Path) -> io::Result<Entry> {
    // A link in a backup would copy what it leads to.
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut digest = Sha256::new();
    let size = io::copy(&mut File::open(path)?, &mut Hashing(&mut digest))?;
    let sha256 = data_encoding::HEXLOWER.encode(&digest.finalize());
    Ok(Entry { size, sha256 })
}

struct Hashing<'d>(&'d mut Sha256);

impl io::Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether every version the copied database knows has its file in the copy.
fn is_whole(copy: &Path) -> Result<bool, BackupError> {
    let path = copy.join("core.db");
    let ask = || {
        let connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let mut statement = connection.prepare("SELECT project_id, id FROM versions")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect::<rusqlite::Result<Vec<(String, String)>>>()
    };
    let versions = ask().map_err(|error| BackupError::Database(path.clone(), error))?;
    Ok(versions
        .iter()
        .all(|(project, version)| super::sites::pack_file(copy, project, version).is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Access, Core};
    use crate::projects::NewProject;

    async fn data() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let core = Core::open(folder.path()).await.unwrap();
        let new = NewProject {
            slug: "shop".into(),
            name: "Shop".into(),
            access: Access::AllMembers,
            listed: None,
        };
        core.create_project(new).await.unwrap();
        fs::create_dir_all(folder.path().join("keys")).unwrap();
        fs::write(folder.path().join("keys/seal.key"), [7; 32]).unwrap();
        fs::create_dir_all(folder.path().join("staging/1")).unwrap();
        fs::write(folder.path().join("staging/1/x"), "on its way").unwrap();
        folder
    }

    #[tokio::test]
    async fn what_was_written_comes_back() {
        let (data, target, again) = (data().await, tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let made = create(data.path(), None, target.path(), |_| {}).unwrap();
        assert_eq!(made.files, 2);
        assert!(!target.path().join("staging").exists());
        assert_eq!(restore(target.path(), again.path(), |_| {}).unwrap(), made);
        let core = Core::open(again.path()).await.unwrap();
        assert_eq!(core.projects().len(), 1);
        assert_eq!(fs::read(again.path().join("keys/seal.key")).unwrap(), [7; 32]);
    }

    #[tokio::test]
    async fn nothing_is_written_over() {
        let (data, target) = (data().await, tempfile::tempdir().unwrap());
        create(data.path(), None, target.path(), |_| {}).unwrap();
        let again = create(data.path(), None, target.path(), |_| {});
        assert!(matches!(again, Err(BackupError::NotEmpty(..))));
        assert!(matches!(
            restore(target.path(), data.path(), |_| {}),
            Err(BackupError::NotEmpty(..))
        ));
    }

    #[tokio::test]
    async fn a_damaged_backup_is_refused_before_anything_is_copied() {
        let (data, target, again) = (data().await, tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        create(data.path(), None, target.path(), |_| {}).unwrap();
        fs::write(target.path().join("keys/seal.key"), [8; 32]).unwrap();
        assert!(matches!(
            restore(target.path(), again.path(), |_| {}),
            Err(BackupError::Damaged(..))
        ));
        assert_eq!(fs::read_dir(again.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_list_cannot_name_files_elsewhere() {
        for name in [
            "../x",
            "/etc/passwd",
            "a/../../x",
            "",
            "./core.db",
            "a//b",
            "a/",
            "a/./b",
            "a\0b",
        ] {
            assert!(inside(Path::new("/b"), name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_list_names_nothing_that_a_backup_does_not_hold() {
        for name in [
            "plugins/evil.cwasm",
            "plugins",
            "Plugins/evil.cwasm",
            "plugins/../plugins/evil.cwasm",
            "staging/1/x",
            "builds/1/source/x",
            "lock",
            "backup.json",
            "core.db-wal",
            "slots/notes.db-shm",
            "slots/notes.db-journal",
        ] {
            let refused = inside(Path::new("/b"), name);
            assert!(
                matches!(refused, Err(BackupError::Foreign(_, listed)) if listed == name),
                "{name}"
            );
        }
        for name in [
            "core.db",
            "plugins.lock",
            "slots/notes.db",
            "sites/p/v.site",
            "logs/notes/1",
            "blobs/notes/a/b",
            "keys/seal.key",
        ] {
            assert!(inside(Path::new("/b"), name).is_ok(), "{name}");
        }
    }

    #[test]
    fn a_folder_without_data_is_named() {
        let (data, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        assert!(matches!(
            create(data.path(), None, target.path(), |_| {}),
            Err(BackupError::NoData(..))
        ));
        assert!(matches!(
            restore(target.path(), data.path(), |_| {}),
            Err(BackupError::NoData(..))
        ));
    }
}
