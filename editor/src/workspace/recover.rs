//! After a crash: a step that was begun is finished or taken back, so that its files agree with each other again.
//!
//! Each file is the old or the new one, because each was put in place in one step. All old: the step did not happen. All
//! new: it did. Some of each: the step is finished. When a file is neither, somebody changed it since, and their work is
//! worth more than ours: nothing is touched, and people are told.

use super::commit::{Move, Written, found, staged_name};
use super::durable;
use super::entry::Mark;
use super::error::WorkspaceError;
use super::journal::{Journal, Pending, Record};
use super::{Workspace, backups, paths, undo};

/// How far a file came.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Old,
    New,
    Neither,
}

impl Workspace {
    /// Looks at what was pending. What people should know comes back as words.
    pub(super) fn recover(&self) -> Result<Option<String>, WorkspaceError> {
        let mut journal = self.journal.lock();
        let Some(pending) = journal.history().pending.clone() else {
            return Ok(None);
        };
        let path = journal.path().to_owned();
        let (record, words) = self.heal(&journal, &pending)?;
        let written = journal.append(record).and_then(|()| journal.sync());
        written.map_err(WorkspaceError::at(&path))?;
        Ok(words)
    }

    fn heal(&self, journal: &Journal, pending: &Pending) -> Result<(Record, Option<String>), WorkspaceError> {
        let id = &pending.id;
        let dropped = Record::Dropped(id.clone());
        let Some(entry) = journal.history().entry(id) else {
            return Ok((dropped, None));
        };
        let mut states = Vec::new();
        for (number, file) in entry.files.iter().enumerate() {
            let target = paths::resolve(&self.root, &file.path)?;
            durable::clear_beside(&target, &staged_name(id, number));
            let now = found(&target)?.map(|(content, _)| content);
            let (old, new) = undo::ends(file, pending.step);
            let state = if is(new, now.as_deref()) {
                Found::New
            } else if is(old, now.as_deref()) {
                Found::Old
            } else {
                Found::Neither
            };
            states.push((file, target, now, state));
        }
        let any = |wanted| states.iter().any(|(.., state)| *state == wanted);
        if any(Found::Neither) {
            let names: Vec<&str> = states.iter().map(|(file, ..)| file.path.as_str()).collect();
            let words = format!(
                "The Editor ended during an edit of {}, and a file was changed since: look at it; the backup is in {}",
                names.join(", "),
                backups::folder(&self.tool, id).display()
            );
            return Ok((dropped, Some(words)));
        }
        if !any(Found::New) {
            return Ok((dropped, None));
        }
        for (file, target, now, state) in states {
            if state == Found::New {
                continue;
            }
            let after = self.other_side(entry, file, pending.step, now.as_deref())?;
            let mode = undo::ends(file, pending.step).1.as_ref().map(|mark| mark.mode);
            self.finish(&Move {
                written: Written {
                    path: file.path.clone(),
                    before: now,
                    after,
                },
                target,
                mode,
            })?;
        }
        Ok((Record::Done(id.clone()), None))
    }

    fn finish(&self, moved: &Move) -> Result<(), WorkspaceError> {
        let written = match &moved.written.after {
            Some(content) => durable::write_file(&moved.target, content, moved.mode.unwrap_or(0o644)),
            None => durable::remove(&moved.target),
        };
        written.map_err(WorkspaceError::at(&moved.target))
    }
}

fn is(mark: &Option<Mark>, content: Option<&[u8]>) -> bool {
    match (mark, content) {
        (Some(mark), Some(content)) => mark.fits(content),
        (None, None) => true,
        _ => false,
    }
}
