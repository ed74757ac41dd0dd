//! What was done, in order, and what is being done: `.tool/journal.jsonl`.
//!
//! One record a line. `begin`, `undo` and `redo` are written, and made durable, before a source file is touched; `done` or
//! `dropped` afterwards. A journal that ends with the former was interrupted: see [`recover`](super::recover). A line that a
//! crash cut off is not there.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::entry::{Entry, FileEntry};
use super::error::WorkspaceError;
use super::{backups, durable, paths};

/// After so many lines a journal is written anew when it is opened.
const MAX_LINES: usize = 2000;

/// The history and the file it is kept in.
pub struct Journal {
    path: PathBuf,
    tool: PathBuf,
    file: File,
    state: History,
}

/// Which steps there are, and which of them are done.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// All that are remembered, the oldest first.
    pub entries: Vec<Entry>,
    /// What undo takes from, the newest last.
    pub done: Vec<String>,
    /// What redo takes from, the newest last.
    pub undone: Vec<String>,
    /// Steps that somebody chose to keep: their change is in the files, and undo passes them by.
    #[serde(default)]
    pub skipped: Vec<String>,
    /// What redo took from before the newest step was done for the first time: it does so again when that step is withdrawn.
    #[serde(default)]
    pub before: Option<Before>,
    /// What was begun and not finished.
    pub pending: Option<Pending>,
}

/// What a new step ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Before {
    /// The new step.
    pub id: String,
    /// What could be done again until then.
    pub undone: Vec<String>,
}

/// A step on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// The entry.
    pub id: String,
    /// What happens to it.
    pub step: Step,
    /// What the step really changes, where that is not the inverse of what was done.
    #[serde(default)]
    pub patch: Option<Patch>,
}

/// A step back or forth over changes that came later. When it is done, the history is as if it had come in this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patch {
    /// The entry.
    pub id: String,
    /// What happens to it.
    pub step: Step,
    /// The entry's files from now on.
    pub files: Vec<FileEntry>,
    /// Later entries as they are without this one before them.
    pub rebased: Vec<Entry>,
}

/// Which way a step goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// It is done for the first time.
    Do,
    /// It is taken back.
    Undo,
    /// It is done again.
    Redo,
}

impl Step {
    /// Whether files go from before to after.
    #[must_use]
    pub fn is_forward(self) -> bool {
        self != Step::Undo
    }
}

/// One line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Record {
    /// Everything before this line, in short.
    History(History),
    Begin(Entry),
    Undo(String),
    Redo(String),
    /// An undo or a redo that is not exactly the way back.
    Patch(Patch),
    Done(String),
    Dropped(String),
    /// Undo and redo pass by this one from now on.
    Skip(String),
    /// A step that was taken back is as if it had never been done.
    Withdraw(String),
}

impl Journal {
    /// Reads the journal of a `.tool/` folder. The number is that of lines that could not be read.
    pub(super) fn open(tool: &Path) -> Result<(Self, usize), WorkspaceError> {
        let path = tool.join("journal.jsonl");
        let at = || WorkspaceError::at(&path);
        let mut file = durable::open_own(&path, true).map_err(at())?;
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut file, &mut bytes).map_err(at())?;
        let mut state = History::default();
        let (mut lines, mut unread) = (0, 0);
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            lines += 1;
            match serde_json::from_slice(line) {
                Ok(record) if is_sound(&record) => state.take(record),
                // Cut off by a crash before anything was done.
                _ if !line.ends_with(b"\n") => {}
                _ => unread += 1,
            }
        }
        let torn = !bytes.is_empty() && !bytes.ends_with(b"\n");
        let tool = tool.to_owned();
        let mut journal = Self {
            path: path.clone(),
            tool,
            file,
            state,
        };
        if torn || unread > 0 || lines > MAX_LINES {
            journal.rewrite().map_err(at())?;
        }
        Ok((journal, unread))
    }

    /// Where it is kept.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is known.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.state
    }

    /// Adds a record; durable only after [`sync`](Self::sync).
    pub(super) fn append(&mut self, record: Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(&record)?;
        line.push(b'\n');
        whole(&self.file, |mut file| file.write_all(&line))?;
        self.state.take(record);
        Ok(())
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// Forgets the entries whose backups are gone.
    pub(super) fn forget(&mut self, gone: &[String]) -> io::Result<()> {
        let gone = |id: &String| gone.contains(id);
        self.state.entries.retain(|entry| !gone(&entry.id));
        self.state.done.retain(|id| !gone(id));
        self.state.undone.retain(|id| !gone(id));
        self.state.skipped.retain(|id| !gone(id));
        self.rewrite()
    }

    fn rewrite(&mut self) -> io::Result<()> {
        let state = &mut self.state;
        let kept = |id: &str| backups::folder(&self.tool, id).is_dir();
        let pending = state.pending.as_ref().map(|pending| pending.id.clone());
        state
            .entries
            .retain(|entry| pending.as_ref() == Some(&entry.id) || kept(&entry.id));
        let mut line = serde_json::to_vec(&Record::History(state.clone()))?;
        line.push(b'\n');
        durable::write_file(&self.path, &line, 0o600)?;
        self.file = durable::open_own(&self.path, false)?;
        Ok(())
    }
}

/// Adds to a file all that `write` writes, or nothing: a disk that becomes full in the middle would leave half a line, to which
/// the next one would be glued.
fn whole(file: &File, write: impl FnOnce(&File) -> io::Result<()>) -> io::Result<()> {
    let before = file.metadata()?.len();
    write(file).inspect_err(|_| {
        // It becomes shorter, for which there is room. If even that fails, what is said is why the line was not written.
        let _ = file.set_len(before);
    })
}

/// A journal comes with the repository it lies in, and a repository may come from anywhere: names that lead elsewhere are
/// not taken from it.
fn is_sound(record: &Record) -> bool {
    let files = |files: &[FileEntry]| files.iter().all(|file| paths::checked(&file.path).is_ok());
    let entry = |entry: &Entry| backups::is_id(&entry.id) && files(&entry.files);
    let patch = |patch: &Patch| files(&patch.files) && patch.rebased.iter().all(entry);
    match record {
        Record::Begin(begun) => entry(begun),
        Record::Patch(begun) => patch(begun),
        Record::History(history) => {
            let pending = history.pending.as_ref().and_then(|pending| pending.patch.as_ref());
            history.entries.iter().all(entry) && pending.is_none_or(patch)
        }
        Record::Undo(_)
        | Record::Redo(_)
        | Record::Done(_)
        | Record::Dropped(_)
        | Record::Skip(_)
        | Record::Withdraw(_) => true,
    }
}

impl History {
    /// An entry by its name.
    #[must_use]
    pub fn entry(&self, id: &str) -> Option<&Entry> {
        self.entries.iter().rev().find(|entry| entry.id == id)
    }

    /// Whether the entry's change is not in the files now.
    #[must_use]
    pub fn is_undone(&self, id: &str) -> bool {
        !self.done.iter().any(|done| done == id) && !self.is_skipped(id)
    }

    /// Whether somebody chose to keep the entry's change.
    #[must_use]
    pub fn is_skipped(&self, id: &str) -> bool {
        self.skipped.iter().any(|skipped| skipped == id)
    }

    fn replace(&mut self, id: &str, patch: Patch) {
        for entry in &mut self.entries {
            if entry.id == id {
                entry.files.clone_from(&patch.files);
            } else if let Some(rebased) = patch.rebased.iter().find(|rebased| rebased.id == entry.id) {
                entry.files.clone_from(&rebased.files);
            }
        }
    }

    fn take(&mut self, record: Record) {
        let begin = |id, step| Some(Pending { id, step, patch: None });
        match record {
            Record::History(history) => *self = history,
            Record::Begin(entry) => {
                self.pending = begin(entry.id.clone(), Step::Do);
                self.entries.push(entry);
            }
            Record::Undo(id) => self.pending = begin(id, Step::Undo),
            Record::Redo(id) => self.pending = begin(id, Step::Redo),
            Record::Patch(patch) => {
                self.pending = Some(Pending {
                    id: patch.id.clone(),
                    step: patch.step,
                    patch: Some(patch),
                });
            }
            Record::Skip(id) => {
                let was_done = self.done.contains(&id);
                self.done.retain(|done| *done != id);
                self.undone.retain(|undone| *undone != id);
                if was_done {
                    self.skipped.push(id);
                }
            }
            Record::Withdraw(id) => {
                self.undone.retain(|undone| *undone != id);
                self.entries.retain(|entry| entry.id != id);
                if let Some(before) = self.before.take_if(|before| before.id == id)
                    && self.undone.is_empty()
                {
                    self.undone = before.undone;
                }
            }
            Record::Done(id) => {
                let Some(pending) = self.pending.take_if(|pending| pending.id == id) else {
                    return;
                };
                if let Some(patch) = pending.patch {
                    self.replace(&id, patch);
                }
                self.done.retain(|done| *done != id);
                self.undone.retain(|undone| *undone != id);
                match pending.step {
                    // What was undone before stays in the list, but a new edit has taken its place.
                    Step::Do => {
                        let undone = std::mem::take(&mut self.undone);
                        let before = Before { id: id.clone(), undone };
                        self.before = Some(before);
                        self.done.push(id);
                    }
                    Step::Undo => self.undone.push(id),
                    Step::Redo => self.done.push(id),
                }
            }
            Record::Dropped(id) => {
                let Some(pending) = self.pending.take_if(|pending| pending.id == id) else {
                    return;
                };
                if pending.step == Step::Do {
                    self.entries.retain(|entry| entry.id != id);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::entry::EntryKind;
    use std::fs;

    const ONE: &str = "20260101-000000-000-0001";
    const TWO: &str = "20260101-000000-000-0002";

    fn entry(id: &str) -> Entry {
        let (id, title) = (id.to_owned(), "x".to_owned());
        let (kind, files) = (EntryKind::Edit, Vec::new());
        Entry {
            id,
            at: 0,
            title,
            kind,
            by: None,
            files,
        }
    }

    fn step(journal: &mut Journal, record: Record, id: &str) {
        journal.append(record).unwrap();
        journal.append(Record::Done(id.to_owned())).unwrap();
    }

    #[test]
    fn the_history_survives_and_a_new_edit_ends_redoing() {
        let tool = tempfile::tempdir().unwrap();
        let (mut journal, _) = Journal::open(tool.path()).unwrap();
        step(&mut journal, Record::Begin(entry(ONE)), ONE);
        step(&mut journal, Record::Undo(ONE.into()), ONE);
        assert_eq!(journal.history().undone, [ONE]);
        step(&mut journal, Record::Redo(ONE.into()), ONE);
        step(&mut journal, Record::Undo(ONE.into()), ONE);
        step(&mut journal, Record::Begin(entry(TWO)), TWO);
        let before = journal.history().clone();
        drop(journal);
        let (journal, unread) = Journal::open(tool.path()).unwrap();
        assert_eq!((journal.history(), unread), (&before, 0));
        assert_eq!(before.done, [TWO]);
        assert!(before.undone.is_empty() && before.is_undone(ONE));
    }

    #[test]
    fn a_withdrawn_step_leaves_what_can_be_done_again_as_it_was() {
        let tool = tempfile::tempdir().unwrap();
        let (mut journal, _) = Journal::open(tool.path()).unwrap();
        step(&mut journal, Record::Begin(entry(ONE)), ONE);
        step(&mut journal, Record::Undo(ONE.into()), ONE);
        step(&mut journal, Record::Begin(entry(TWO)), TWO);
        assert!(journal.history().undone.is_empty());
        step(&mut journal, Record::Undo(TWO.into()), TWO);
        journal.append(Record::Withdraw(TWO.into())).unwrap();
        let history = journal.history().clone();
        assert_eq!(
            (history.undone.as_slice(), history.entries.len()),
            ([ONE.to_owned()].as_slice(), 1)
        );
        drop(journal);
        assert_eq!(
            Journal::open(tool.path()).unwrap().0.history(),
            &history,
            "after a restart, too"
        );
    }

    #[test]
    fn a_line_that_was_cut_off_is_not_there_and_a_damaged_one_is_counted() {
        let tool = tempfile::tempdir().unwrap();
        let begin = serde_json::to_string(&Record::Begin(entry(ONE))).unwrap();
        let path = tool.path().join("journal.jsonl");
        fs::write(&path, format!("nonsense\n{begin}\n{{\"done\":\"2026")).unwrap();
        let (journal, unread) = Journal::open(tool.path()).unwrap();
        assert_eq!(unread, 1);
        assert_eq!(
            journal.history().pending.as_ref().map(|pending| pending.step),
            Some(Step::Do)
        );
        drop(journal);
        let (journal, unread) = Journal::open(tool.path()).unwrap();
        assert_eq!((journal.history().entries.len(), unread), (1, 0), "it was written anew");
    }

    #[test]
    fn a_line_that_the_disk_takes_half_of_is_not_there() {
        let tool = tempfile::tempdir().unwrap();
        let (mut journal, _) = Journal::open(tool.path()).unwrap();
        step(&mut journal, Record::Begin(entry(ONE)), ONE);
        let full = whole(&journal.file, |mut file| {
            file.write_all(b"{\"begin\":{\"id\":")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(full.unwrap_err().kind(), io::ErrorKind::StorageFull);
        step(&mut journal, Record::Begin(entry(TWO)), TWO);
        let (again, unread) = Journal::open(tool.path()).unwrap();
        assert_eq!((again.history(), unread), (journal.history(), 0));
    }

    #[test]
    fn a_journal_that_names_files_elsewhere_is_not_believed() {
        let tool = tempfile::tempdir().unwrap();
        for path in ["../x", ".git/hooks/pre-commit"] {
            let file = serde_json::json!({ "path": path, "before": null, "after": null, "splice": null });
            let begin =
                serde_json::json!({ "begin": { "id": ONE, "at": 1, "title": "", "kind": "edit", "files": [file] } });
            fs::write(tool.path().join("journal.jsonl"), format!("{begin}\n")).unwrap();
            let (journal, unread) = Journal::open(tool.path()).unwrap();
            assert_eq!((journal.history(), unread), (&History::default(), 1));
        }
    }
}
