//! The files of the canvas: plans in `.tool/plans`, and what their runs gave in `.tool/pictures`, a folder for each plan with the
//! pictures and `record.json`. A picture's name is what its bytes are, so a record speaks of whole pictures or is the one before;
//! what no record speaks of is left from a run that did not come to its end, and is deleted.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::compare::{Difference, compare};
use super::error::CanvasError;
use super::picture::Taken;
use super::plan::{MAX_FILE, MAX_PLANS, Plan, PlanProblem};
use super::record::{Kept, PictureName, Record};
use crate::source::model;
use crate::workspace::{Workspace, WorkspaceError, is_plain_name};

const PLANS: &str = "plans";
const PICTURES: &str = "pictures";
const RECORD: &str = "record.json";
/// How names of files begin that are being written.
const UNFINISHED: &[u8] = b".tmp";
/// A larger file is no record; in bytes.
const MAX_RECORD: u64 = 1 << 20;
/// All pictures together; those of the plan that was run longest ago go first. In bytes.
const MAX_KEPT: u64 = 512 << 20;

/// A plan's file.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// What it says, or why it is no plan.
    pub plan: Result<Plan, PlanProblem>,
    /// Of its bytes.
    pub hash: String,
}

/// A plan in the list of all.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The file's name, without its ending.
    pub name: String,
    /// The file.
    pub stored: Stored,
    /// What its last run gave.
    pub record: Option<Record>,
}

/// The files of one prototype.
pub(super) struct Store {
    workspace: Arc<Workspace>,
}

/// A plan's name is that of a file.
fn checked(name: &str) -> Result<&str, CanvasError> {
    if is_plain_name(name) {
        return Ok(name);
    }
    Err(CanvasError::Name(name.chars().take(120).collect()))
}

impl Store {
    pub(super) fn new(workspace: Arc<Workspace>) -> Self {
        Self { workspace }
    }

    fn file(&self, name: &str) -> Result<PathBuf, CanvasError> {
        let name = checked(name)?;
        Ok(self.workspace.own_folder(PLANS)?.join(format!("{name}.json")))
    }

    /// The folder of a plan's pictures; it may be missing.
    fn pictures(&self, name: &str) -> Result<PathBuf, CanvasError> {
        let name = checked(name)?;
        let folder = self.workspace.own_folder(PICTURES)?.join(name);
        // A link would lead reading and writing elsewhere.
        match fs::symlink_metadata(&folder) {
            Ok(found) if !found.is_dir() => Err(WorkspaceError::NoFolder(folder).into()),
            _ => Ok(folder),
        }
    }

    /// All plans by their names, broken ones too.
    pub(super) fn list(&self) -> Result<Vec<Listed>, CanvasError> {
        let mut names = self.names()?;
        names.truncate(MAX_PLANS);
        let mut listed = Vec::new();
        for name in names {
            if let Some(stored) = self.read(&name)? {
                let record = self.record(&name)?;
                listed.push(Listed { name, stored, record });
            }
        }
        Ok(listed)
    }

    fn names(&self) -> Result<Vec<String>, CanvasError> {
        let folder = self.workspace.own_folder(PLANS)?;
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        let names = files.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names
            .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
            .filter(|name| is_plain_name(name))
            .collect();
        names.sort_unstable();
        Ok(names)
    }

    /// A plan's file; `None` when there is none.
    pub(super) fn read(&self, name: &str) -> Result<Option<Stored>, CanvasError> {
        let Some(bytes) = read_file(&self.file(name)?, MAX_FILE as u64 + 1)? else {
            return Ok(None);
        };
        let hash = model::hash(&String::from_utf8_lossy(&bytes));
        let plan = Plan::parse(&bytes);
        Ok(Some(Stored { plan, hash }))
    }

    /// The plan of that name.
    pub(super) fn plan(&self, name: &str) -> Result<Plan, CanvasError> {
        let stored = self.read(name)?.ok_or_else(|| CanvasError::NoPlan(name.to_owned()))?;
        stored.plan.map_err(|problem| CanvasError::Broken {
            name: name.to_owned(),
            problem,
        })
    }

    /// Writes a plan that is still what was seen, or a new one; gives the hash of its file.
    pub(super) fn write(&self, name: &str, plan: &Plan, seen: Option<&str>) -> Result<String, CanvasError> {
        plan.check().map_err(CanvasError::Unfit)?;
        let path = self.file(name)?;
        let _one_at_a_time = self.workspace.writer();
        let now = self.read(name)?;
        if now.as_ref().map(|stored| stored.hash.as_str()) != seen {
            return Err(CanvasError::Changed(name.to_owned()));
        }
        if now.is_none() && self.names()?.len() >= MAX_PLANS {
            return Err(CanvasError::TooMany);
        }
        let text = plan.to_text();
        self.workspace.write_own(&path, text.as_bytes())?;
        Ok(model::hash(&text))
    }

    /// Gives a plan another name, with its pictures. Killed in between, both names have the plan.
    pub(super) fn rename(&self, name: &str, to: &str) -> Result<(), CanvasError> {
        let (from, target) = (self.file(name)?, self.file(to)?);
        let (pictures, there) = (self.pictures(name)?, self.pictures(to)?);
        let _one_at_a_time = self.workspace.writer();
        let bytes = read_file(&from, MAX_FILE as u64 + 1)?.ok_or_else(|| CanvasError::NoPlan(name.to_owned()))?;
        if fs::symlink_metadata(&target).is_ok() {
            return Err(CanvasError::Exists(to.to_owned()));
        }
        self.workspace.write_own(&target, &bytes)?;
        // Pictures of a plan that is gone.
        remove_folder(&there)?;
        match fs::rename(&pictures, &there) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(io_error(&pictures, error)),
            _ => {}
        }
        fs::remove_file(&from).map_err(|error| io_error(&from, error))
    }

    /// Deletes a plan, and then its pictures.
    pub(super) fn delete(&self, name: &str) -> Result<(), CanvasError> {
        let path = self.file(name)?;
        let _one_at_a_time = self.workspace.writer();
        match fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(CanvasError::NoPlan(name.to_owned())),
            Err(error) => return Err(io_error(&path, error)),
        }
        remove_folder(&self.pictures(name)?)
    }

    /// What the last run of a plan gave. A file that says nothing that can be understood counts as none.
    pub(super) fn record(&self, name: &str) -> Result<Option<Record>, CanvasError> {
        let bytes = read_file(&self.pictures(name)?.join(RECORD), MAX_RECORD)?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    /// A picture of a plan.
    pub(super) fn picture(&self, name: &str, picture: &PictureName) -> Result<Vec<u8>, CanvasError> {
        let found = read_file(&self.pictures(name)?.join(picture.file()), u64::MAX)?;
        found.ok_or_else(|| CanvasError::NoPicture(name.to_owned()))
    }

    /// Keeps a picture of a plan.
    pub(super) fn keep(&self, name: &str, taken: &Taken) -> Result<Kept, CanvasError> {
        let folder = self.pictures(name)?;
        fs::create_dir_all(&folder).map_err(|error| io_error(&folder, error))?;
        let picture = PictureName::of(&taken.png);
        let path = folder.join(picture.file());
        if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
            self.workspace.write_own(&path, &taken.png)?;
        }
        Ok(Kept {
            picture,
            width: taken.width,
            height: taken.height,
            is_cut: taken.is_cut,
        })
    }

    /// In what two kept pictures differ; `None` when one of them cannot be read any more.
    pub(super) fn difference(
        &self,
        name: &str,
        before: &Kept,
        after: &Kept,
    ) -> Result<Option<Difference>, CanvasError> {
        if before.picture == after.picture {
            return Ok(Some(Difference { share: 0.0, area: None }));
        }
        let folder = self.pictures(name)?;
        let open = |kept: &Kept| File::open(folder.join(kept.picture.file())).map(BufReader::new).ok();
        let (Some(before), Some(after)) = (open(before), open(after)) else {
            return Ok(None);
        };
        Ok(compare(before, after).ok())
    }

    /// Makes a run's outcome the last one, and deletes what it does not speak of.
    pub(super) fn settle(&self, name: &str, record: &Record) -> Result<(), CanvasError> {
        let folder = self.pictures(name)?;
        fs::create_dir_all(&folder).map_err(|error| io_error(&folder, error))?;
        let text = serde_json::to_vec(record).unwrap_or_default();
        self.workspace.write_own(&folder.join(RECORD), &text)?;
        clear(&folder, Some(record));
        self.limit(name, MAX_KEPT)
    }

    /// Deletes what runs left that did not come to their end, and pictures of plans that are gone.
    pub(super) fn sweep(&self) -> Result<(), CanvasError> {
        let plans: HashSet<String> = self.names()?.into_iter().collect();
        let written = fs::read_dir(self.workspace.own_folder(PLANS)?);
        for entry in written.into_iter().flatten().flatten() {
            if entry.file_name().as_encoded_bytes().starts_with(UNFINISHED) {
                remove_folder(&entry.path())?;
            }
        }
        for entry in self.folders()? {
            match entry.file_name().into_string() {
                Ok(name) if plans.contains(&name) => clear(&entry.path(), self.record(&name)?.as_ref()),
                _ => remove_folder(&entry.path())?,
            }
        }
        Ok(())
    }

    /// Deletes what the run of a plan left that was stopped.
    pub(super) fn drop_unsettled(&self, name: &str) -> Result<(), CanvasError> {
        clear(&self.pictures(name)?, self.record(name)?.as_ref());
        Ok(())
    }

    fn folders(&self) -> Result<Vec<fs::DirEntry>, CanvasError> {
        let folder = self.workspace.own_folder(PICTURES)?;
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        Ok(entries
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .collect())
    }

    /// Deletes the pictures of other plans until all together have `most` bytes.
    fn limit(&self, newest: &str, most: u64) -> Result<(), CanvasError> {
        let mut others = Vec::new();
        let mut all = 0;
        for entry in self.folders()? {
            let size = size_of(&entry.path());
            all += size;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            if name != newest {
                let at = self.record(&name)?.map_or(0, |record| record.at);
                others.push((at, size, entry.path()));
            }
        }
        others.sort_unstable();
        for (_, size, path) in others {
            if all <= most {
                break;
            }
            remove_folder(&path)?;
            all = all.saturating_sub(size);
        }
        Ok(())
    }
}

fn size_of(folder: &Path) -> u64 {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|entry| Some(entry.metadata().ok()?.len())).sum()
}

/// Deletes everything in a folder of pictures that its record does not speak of.
fn clear(folder: &Path, record: Option<&Record>) {
    let mut stays: HashSet<String> = record
        .into_iter()
        .flat_map(Record::pictures)
        .map(PictureName::file)
        .collect();
    stays.insert(RECORD.to_owned());
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_kept = entry.file_name().to_str().is_some_and(|name| stays.contains(name));
        if !is_kept && let Err(error) = fs::remove_file(entry.path()) {
            tracing::warn!(%error, path = %entry.path().display(), "a picture could not be deleted");
        }
    }
}

/// A file's bytes, `most` of them at most; `None` when there is no file. A link is none: it may lead anywhere.
fn read_file(path: &Path, most: u64) -> Result<Option<Vec<u8>>, CanvasError> {
    if !fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) {
        return Ok(None);
    }
    let read = || {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::Read::take(File::open(path)?, most), &mut bytes)?;
        Ok::<_, io::Error>(bytes)
    };
    match read() {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io_error(path, error)),
    }
}

/// A missing folder is fine; a link in its place is deleted, not what it leads to.
fn remove_folder(path: &Path) -> Result<(), CanvasError> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error(path, error)),
        _ => Ok(()),
    }
}

fn io_error(path: &Path, error: io::Error) -> CanvasError {
    let path = path.to_owned();
    CanvasError::Workspace(WorkspaceError::Io { path, error })
}

#[cfg(test)]
mod tests;
