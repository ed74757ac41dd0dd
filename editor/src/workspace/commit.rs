//! Writing an edit: journal first, then the files, each in one step.
//!
//! What an edit waits for is the disk. New contents and the journal are made durable side by side, copies for people are made behind
//! that, and the files are put in place: one wait. Where several files have to agree their folders are made durable too
//! before the step counts as done.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::backups::{self, Side};
use super::durable::{self, Staged};
use super::entry::{Entry, EntryKind, FileEntry, Mark, Splice, Written};
use super::error::WorkspaceError;
use super::journal::{Journal, Record};
use super::texts::BOM;
use super::{Workspace, Writer, paths, writable};

/// The permissions of a file that was not there before.
const NEW_FILE: u32 = 0o644;

/// What shall become of a file.
#[derive(Debug, Clone)]
pub struct Write {
    /// Relative to the prototype's root.
    pub path: String,
    /// What the file must be now; `None`: not there.
    pub before: Option<Vec<u8>>,
    /// What it becomes; `None`: it is deleted.
    pub after: Option<Vec<u8>>,
    /// Its permissions, where it was not there before.
    pub mode: Option<u32>,
}

/// What was written.
#[derive(Debug, Clone)]
pub struct Committed {
    /// Names the step in the history.
    pub id: String,
    /// The files.
    pub files: Vec<Written>,
}

/// One file on its way from one content to another.
pub(super) struct Move {
    pub(super) written: Written,
    pub(super) target: PathBuf,
    pub(super) mode: Option<u32>,
}

impl Writer<'_> {
    /// Replaces the text of files. Each must still be the text that was `seen`; its byte order mark and its permissions stay.
    ///
    /// # Errors
    /// When a file changed meanwhile ([`WorkspaceError::Changed`]) or cannot be written; no file is changed then.
    pub fn replace(
        &mut self,
        kind: EntryKind,
        title: &str,
        texts: &[(String, std::sync::Arc<str>, String)],
    ) -> Result<Committed, WorkspaceError> {
        let mut writes = Vec::with_capacity(texts.len());
        for (path, seen, text) in texts {
            let before = self.workspace.bytes(path)?.unwrap_or_default();
            let marked = before.starts_with(BOM.as_bytes());
            let bom = if marked { BOM } else { "" };
            if before.strip_prefix(bom.as_bytes()) != Some(seen.as_bytes()) {
                return Err(WorkspaceError::Changed(path.clone()));
            }
            let after = Some([bom.as_bytes(), text.as_bytes()].concat());
            writes.push(Write {
                path: path.clone(),
                before: Some(before),
                after,
                mode: None,
            });
        }
        self.commit(kind, title, writes)
    }

    /// Writes files as one step of the history: all of them or none.
    ///
    /// # Errors
    /// When a file is not what the write expects, or cannot be written; no file is changed then.
    pub fn commit(&mut self, kind: EntryKind, title: &str, writes: Vec<Write>) -> Result<Committed, WorkspaceError> {
        let workspace = self.workspace;
        let now = SystemTime::now();
        let id = backups::new_id(now);
        let mut moves = Vec::with_capacity(writes.len());
        let mut files = Vec::with_capacity(writes.len());
        for write in writes {
            let target = paths::resolve(&workspace.root, &write.path)?;
            let (found, mode) = match found(&target)? {
                Some((content, mode)) => (Some(content), mode),
                None => (None, write.mode.unwrap_or(NEW_FILE)),
            };
            if found != write.before {
                return Err(WorkspaceError::Changed(write.path));
            }
            writable::check(&workspace.root, &write.path, &target)?;
            files.push(describe(&write, mode));
            moves.push(Move {
                written: Written {
                    path: write.path,
                    before: write.before,
                    after: write.after,
                },
                target,
                mode: Some(mode),
            });
        }
        let entry = Entry {
            id: id.clone(),
            at: now
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| since.as_millis() as u64),
            title: title.to_owned(),
            kind,
            by: self.by.clone(),
            files,
        };
        let is_needed = entry.files.iter().any(|file| file.splice.is_none());
        let back_up = |entry: &Entry| {
            let done = workspace.back_up(entry, &moves);
            done.map_err(WorkspaceError::at(&backups::folder(&workspace.tool, &id)))
        };
        let carried = if is_needed {
            let done = back_up(&entry).map_err(|error| writable::name(&workspace.root, error));
            done.and_then(|()| workspace.carry_out(&mut self.journal, Record::Begin(entry), &id, &moves, || Ok(())))
        } else {
            let copy = entry.clone();
            workspace.carry_out(&mut self.journal, Record::Begin(entry), &id, &moves, || back_up(&copy))
        };
        if let Err(error) = carried {
            let _ = fs::remove_dir_all(backups::folder(&workspace.tool, &id));
            return Err(error);
        }
        let files = moves.into_iter().map(|moved| moved.written).collect();
        Ok(Committed { id, files })
    }
}

fn describe(write: &Write, mode: u32) -> FileEntry {
    let mark = |content: &Option<Vec<u8>>| content.as_ref().map(|content| Mark::of(content, mode));
    let splice = match (&write.before, &write.after) {
        (Some(before), Some(after)) => Splice::between(before, after),
        _ => None,
    };
    FileEntry {
        path: write.path.clone(),
        before: mark(&write.before),
        after: mark(&write.after),
        splice,
    }
}

/// A file's content and permissions, `None` when it is missing.
pub(super) fn found(target: &Path) -> Result<Option<(Vec<u8>, u32)>, WorkspaceError> {
    let content = match fs::read(target) {
        Ok(content) => content,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(WorkspaceError::at(target)(error)),
    };
    let mode = fs::metadata(target)
        .map_err(WorkspaceError::at(target))?
        .permissions()
        .mode();
    Ok(Some((content, mode & 0o7777)))
}

impl Workspace {
    /// A file's bytes as they are on disk now; `None` when it is missing.
    ///
    /// # Errors
    /// When the path leads outside, or the file cannot be read.
    pub fn bytes(&self, path: &str) -> Result<Option<Vec<u8>>, WorkspaceError> {
        let target = paths::resolve(&self.root, path)?;
        Ok(found(&target)?.map(|(content, _)| content))
    }

    /// Keeps what the files were. Where the journal holds the inverse the copies are for people, and nobody waits for the
    /// disk; where it does not they are the only way back.
    fn back_up(&self, entry: &Entry, moves: &[Move]) -> io::Result<()> {
        backups::describe(&self.tool, entry)?;
        for (file, moved) in entry.files.iter().zip(moves) {
            let needed = file.splice.is_none();
            let sides = [
                (Side::Before, &moved.written.before),
                (Side::After, &moved.written.after),
            ];
            for (side, content) in sides {
                let Some(content) = content else { continue };
                if needed || matches!(side, Side::Before) {
                    let kept = backups::keep(&self.tool, &entry.id, side, &file.path, content)?;
                    if needed {
                        kept.sync_all()?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes one step: the record, then the files, then that it is done. What is done `meanwhile` is done before the files are
    /// touched. After an error no file is changed.
    pub(super) fn carry_out(
        &self,
        journal: &mut Journal,
        record: Record,
        id: &str,
        moves: &[Move],
        meanwhile: impl FnOnce() -> Result<(), WorkspaceError>,
    ) -> Result<(), WorkspaceError> {
        let staged = self
            .stage(id, moves)
            .inspect_err(|_| durable::clear_staging(&self.tool))
            .map_err(|error| writable::name(&self.root, error))?;
        let path = journal.path().to_owned();
        let written = journal.append(record).map_err(WorkspaceError::at(&path));
        let settled = written
            .and_then(|()| sync_together(journal, &staged, meanwhile))
            .and_then(|()| self.settle(staged, moves));
        if let Err(error) = settled {
            durable::clear_staging(&self.tool);
            let _ = journal.append(Record::Dropped(id.to_owned()));
            return Err(writable::name(&self.root, error));
        }
        let folders = moves.iter().filter_map(|moved| moved.target.parent());
        let folders: BTreeSet<PathBuf> = folders.map(Path::to_owned).collect();
        if moves.len() > 1 {
            sync_folders(&folders);
        } else {
            // One file is the old one or the new one either way: nobody has to wait for the disk a second time.
            std::thread::spawn(move || sync_folders(&folders));
        }
        if moves
            .iter()
            .any(|moved| moved.written.before.is_none() || moved.written.after.is_none())
        {
            self.files.forget();
        }
        // Without this line the next start finds every file as it should be, and writes it then.
        if let Err(error) = journal.append(Record::Done(id.to_owned())) {
            tracing::warn!(%error, "the end of an edit could not be written to the journal");
        }
        Ok(())
    }

    fn stage(&self, id: &str, moves: &[Move]) -> Result<Vec<Option<Staged>>, WorkspaceError> {
        let stage = |(number, moved): (usize, &Move)| {
            let Some(content) = &moved.written.after else {
                return Ok(None);
            };
            let folder = moved.target.parent().unwrap_or(&self.root);
            fs::create_dir_all(folder)?;
            let name = staged_name(id, number);
            Staged::new(&self.tool, &name, &moved.target, content, moved.mode).map(Some)
        };
        let staged = moves.iter().enumerate().map(|(number, moved)| {
            let staged = stage((number, moved));
            staged.map_err(WorkspaceError::at(&moved.target))
        });
        staged.collect()
    }

    /// Puts the files in place. When one of them cannot be, those before it are put back.
    fn settle(&self, staged: Vec<Option<Staged>>, moves: &[Move]) -> Result<(), WorkspaceError> {
        for (number, (staged, moved)) in staged.into_iter().zip(moves).enumerate() {
            let mut own = self.own.lock();
            own.expect(&moved.written.path, moved.written.after.as_deref());
            let settled = match staged {
                Some(staged) => staged.settle(),
                None => durable::remove(&moved.target),
            };
            drop(own);
            if let Err(error) = settled {
                for undone in &moves[..number] {
                    self.put_back(undone);
                }
                return Err(WorkspaceError::at(&moved.target)(error));
            }
        }
        Ok(())
    }

    fn put_back(&self, moved: &Move) {
        let mut own = self.own.lock();
        own.expect(&moved.written.path, moved.written.before.as_deref());
        let result = match &moved.written.before {
            Some(content) => durable::write_file(&moved.target, content, moved.mode.unwrap_or(NEW_FILE)),
            None => durable::remove(&moved.target),
        };
        if let Err(error) = result {
            tracing::error!(path = %moved.target.display(), %error, "a file could not be put back");
        }
    }
}

/// The files are in place: this is about how soon a power failure could not take that back.
fn sync_folders(folders: &BTreeSet<PathBuf>) {
    for folder in folders {
        if let Err(error) = durable::sync_folder(folder) {
            tracing::warn!(folder = %folder.display(), %error, "a folder could not be made durable");
        }
    }
}

/// What a new content is called while it is prepared.
pub(super) fn staged_name(id: &str, number: usize) -> String {
    format!("{id}-{number}")
}

/// Waits for all at once: file systems write what they are asked for together in one go. What is done `meanwhile` comes behind
/// the journal, while the contents may still be waited for: what it writes itself would stand in the way of the disk before.
fn sync_together(
    journal: &Journal,
    staged: &[Option<Staged>],
    meanwhile: impl FnOnce() -> Result<(), WorkspaceError>,
) -> Result<(), WorkspaceError> {
    std::thread::scope(|scope| {
        let contents = staged.iter().flatten();
        let waits: Vec<_> = contents.map(|staged| scope.spawn(|| staged.sync())).collect();
        let inverse = journal.sync().map_err(WorkspaceError::at(journal.path()));
        let mut result = inverse.and_then(|()| meanwhile());
        for wait in waits {
            let synced = wait.join();
            let synced = synced.unwrap_or_else(|_| {
                let error = io::Error::other("a thread ended early");
                Err(WorkspaceError::at(journal.path())(error))
            });
            result = result.and(synced);
        }
        result
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::workspace::testing::open;

    #[test]
    fn an_edit_whose_copies_cannot_be_made_did_not_happen() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::write(root.join("a"), "old").unwrap();
        let workspace = open(&root);
        let change = |text: &str| {
            let (path, old) = ("a".to_owned(), std::sync::Arc::from("old"));
            workspace
                .writer()
                .replace(EntryKind::Edit, "", &[(path, old, text.to_owned())])
        };
        let backups = root.join(".tool").join(backups::FOLDER);
        fs::remove_dir(&backups).unwrap();
        fs::write(&backups, "").unwrap();
        assert!(change("new").is_err());
        assert_eq!(fs::read(root.join("a")).unwrap(), b"old");
        assert_eq!(
            fs::read_dir(root.join(".tool").join(durable::STAGING)).unwrap().count(),
            0
        );
        assert_eq!(*workspace.writer().history(), Default::default());
        fs::remove_file(&backups).unwrap();
        fs::create_dir(&backups).unwrap();
        change("new").unwrap();
        assert_eq!(fs::read(root.join("a")).unwrap(), b"new");
        assert_eq!(workspace.writer().history().done.len(), 1);
    }
}
