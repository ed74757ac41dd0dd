//! Taking steps back, and doing them again.

use super::backups::{self, Side};
use super::commit::{Committed, Move, Written, found};
use super::entry::{Entry, FileEntry, Mark};
use super::error::WorkspaceError;
use super::journal::{History, Record, Step};
use super::{Workspace, Writer, paths};

impl Writer<'_> {
    /// Takes the newest step back.
    ///
    /// # Errors
    /// When there is none, or one of its files is not as the step left it.
    pub fn undo(&mut self) -> Result<Committed, WorkspaceError> {
        self.go(Step::Undo)
    }

    /// Does the step that was taken back last once more.
    ///
    /// # Errors
    /// When there is none, or one of its files is not as it was before the step.
    pub fn redo(&mut self) -> Result<Committed, WorkspaceError> {
        self.go(Step::Redo)
    }

    /// What was done.
    #[must_use]
    pub fn history(&self) -> &History {
        self.journal.history()
    }

    fn go(&mut self, step: Step) -> Result<Committed, WorkspaceError> {
        let history = self.journal.history();
        let (stack, nothing) = match step {
            Step::Undo => (&history.done, WorkspaceError::NothingToUndo),
            Step::Do | Step::Redo => (&history.undone, WorkspaceError::NothingToRedo),
        };
        let Some(entry) = stack.last().and_then(|id| history.entry(id)).cloned() else {
            return Err(nothing);
        };
        let moves = self.workspace.moves(&entry, step)?;
        let id = entry.id;
        let record = match step {
            Step::Undo => Record::Undo(id.clone()),
            Step::Do | Step::Redo => Record::Redo(id.clone()),
        };
        self.workspace.carry_out(&mut self.journal, record, &id, &moves)?;
        let files = moves.into_iter().map(|moved| moved.written).collect();
        Ok(Committed { id, files })
    }
}

impl Workspace {
    /// The way of an entry's files in one direction. All of them are checked before the first is touched.
    fn moves(&self, entry: &Entry, step: Step) -> Result<Vec<Move>, WorkspaceError> {
        let moves = entry.files.iter().map(|file| {
            let (from, to) = ends(file, step);
            let target = paths::resolve(&self.root, &file.path)?;
            let now = found(&target)?;
            let fits = match (&now, from) {
                (Some((content, _)), Some(mark)) => mark.fits(content),
                (None, None) => true,
                _ => false,
            };
            if !fits {
                return Err(WorkspaceError::Changed(file.path.clone()));
            }
            // Permissions may have been changed since, and that is nothing an undo should take back.
            let mode = now
                .as_ref()
                .map(|(_, mode)| *mode)
                .or(to.as_ref().map(|mark| mark.mode));
            let before = now.map(|(content, _)| content);
            let after = self.other_side(entry, file, step, before.as_deref())?;
            Ok(Move {
                written: Written {
                    path: file.path.clone(),
                    before,
                    after,
                },
                target,
                mode,
            })
        });
        moves.collect()
    }

    /// The content a step leads to, from the one it starts with.
    pub(super) fn other_side(
        &self,
        entry: &Entry,
        file: &FileEntry,
        step: Step,
        now: Option<&[u8]>,
    ) -> Result<Option<Vec<u8>>, WorkspaceError> {
        let (_, Some(mark)) = ends(file, step) else {
            return Ok(None);
        };
        let content = match (&file.splice, now) {
            (Some(splice), Some(now)) if step.is_forward() => splice.forward(now),
            (Some(splice), Some(now)) => splice.backward(now),
            _ => {
                let side = if step.is_forward() { Side::After } else { Side::Before };
                std::fs::read(backups::place(&self.tool, &entry.id, side, &file.path)).ok()
            }
        };
        match content.filter(|content| mark.fits(content)) {
            Some(content) => Ok(Some(content)),
            None => Err(WorkspaceError::NoBackup {
                path: file.path.clone(),
                folder: backups::folder(&self.tool, &entry.id),
            }),
        }
    }
}

/// What a file is before a step and after it.
pub(super) fn ends(file: &FileEntry, step: Step) -> (&Option<Mark>, &Option<Mark>) {
    if step.is_forward() {
        (&file.before, &file.after)
    } else {
        (&file.after, &file.before)
    }
}
