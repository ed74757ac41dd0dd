//! Taking steps back, and doing them again.
//!
//! A step whose files are as it left them goes back byte for byte. Where somebody else changed a file since, its part goes back
//! wherever what it wrote still stands exactly once ([`patch`](super::patch)), if the file can be read afterwards; else the step
//! is [`Blocked`](WorkspaceError::Blocked), and can be skipped. A step that is not the last one goes back when no later one
//! changed the same place ([`rebase`](super::rebase)).

use std::collections::BTreeMap;

use super::backups::{self, Side};
use super::commit::{Committed, Move, found};
use super::entry::{Entry, FileEntry, Mark, Splice, Written};
use super::error::WorkspaceError;
use super::journal::{History, Patch, Record, Step};
use super::patch::{self, Misfit};
use super::rebase::{self, Rebased};
use super::{Workspace, Writer, paths, writable};
use crate::source::verify;

impl Writer<'_> {
    /// Takes a step back: the newest, or the one that is named.
    ///
    /// # Errors
    /// When there is none, or it is not certain what the files were without it; no file is changed then.
    pub fn undo(&mut self, id: Option<&str>) -> Result<Committed, WorkspaceError> {
        self.go(Step::Undo, id)
    }

    /// Does the step that was taken back last once more.
    ///
    /// # Errors
    /// When there is none, or it is not certain where it goes; no file is changed then.
    pub fn redo(&mut self) -> Result<Committed, WorkspaceError> {
        self.go(Step::Redo, None)
    }

    /// Takes a step back as if it had never been done: it cannot be done again, and what could be before it can be still.
    ///
    /// # Errors
    /// As [`Writer::undo`]; the step stays then.
    pub fn withdraw(&mut self, id: &str) -> Result<Committed, WorkspaceError> {
        let done = self.undo(Some(id))?;
        let path = self.journal.path().to_owned();
        let written = self.journal.append(Record::Withdraw(id.to_owned()));
        written
            .and_then(|()| self.journal.sync())
            .map_err(WorkspaceError::at(&path))?;
        Ok(done)
    }

    /// Passes by the step that undo or redo would take, or by the one that is named: no file is changed, and it is not offered
    /// again. Gives its name.
    ///
    /// # Errors
    /// When there is none, or the journal cannot be written.
    pub fn skip(&mut self, step: Step, id: Option<&str>) -> Result<String, WorkspaceError> {
        let id = self.pick(step, id)?.id;
        let path = self.journal.path().to_owned();
        let written = self.journal.append(Record::Skip(id.clone()));
        written
            .and_then(|()| self.journal.sync())
            .map_err(WorkspaceError::at(&path))?;
        Ok(id)
    }

    /// What was done.
    #[must_use]
    pub fn history(&self) -> &History {
        self.journal.history()
    }

    fn pick(&self, step: Step, id: Option<&str>) -> Result<Entry, WorkspaceError> {
        let history = self.journal.history();
        let (stack, nothing) = match step {
            Step::Undo => (&history.done, WorkspaceError::NothingToUndo),
            Step::Do | Step::Redo => (&history.undone, WorkspaceError::NothingToRedo),
        };
        let found = match id {
            Some(id) => stack.iter().find(|known| *known == id),
            None => stack.last(),
        };
        let none = || id.map_or(nothing, |id| WorkspaceError::NoStep(id.to_owned()));
        found.and_then(|id| history.entry(id)).cloned().ok_or_else(none)
    }

    fn go(&mut self, step: Step, id: Option<&str>) -> Result<Committed, WorkspaceError> {
        let workspace = self.workspace;
        let mut entry = self.pick(step, id)?;
        let id = entry.id.clone();
        let way = workspace.way(self.journal.history(), &entry, step)?;
        let record = match (way.is_exact, step) {
            (true, Step::Undo) => Record::Undo(id.clone()),
            (true, Step::Do | Step::Redo) => Record::Redo(id.clone()),
            (false, _) => Record::Patch(Patch {
                id: id.clone(),
                step,
                files: way.files.clone(),
                rebased: way.rebased.into_values().collect(),
            }),
        };
        workspace.carry_out(&mut self.journal, record, &id, &way.moves, || Ok(()))?;
        if !way.is_exact {
            entry.files = way.files;
            workspace.renew(&entry, &way.moves, step);
        }
        let files = way.moves.into_iter().map(|moved| moved.written).collect();
        Ok(Committed { id, files })
    }
}

/// How a step goes, in all of its files.
struct Way {
    moves: Vec<Move>,
    files: Vec<FileEntry>,
    rebased: BTreeMap<String, Entry>,
    is_exact: bool,
}

impl Workspace {
    /// The way of an entry's files in one direction. All of them are checked before the first is touched.
    fn way(&self, history: &History, entry: &Entry, step: Step) -> Result<Way, WorkspaceError> {
        let mut way = Way {
            moves: Vec::new(),
            files: Vec::new(),
            rebased: BTreeMap::new(),
            is_exact: true,
        };
        for file in &entry.files {
            let target = paths::resolve(&self.root, &file.path)?;
            let now = found(&target)?;
            writable::check(&self.root, &file.path, &target)?;
            let (from, to) = ends(file, step);
            let fits = match (&now, from) {
                (Some((content, _)), Some(mark)) => mark.fits(content),
                (None, None) => true,
                _ => false,
            };
            // Permissions may have been changed since, and that is nothing an undo should take back.
            let mode = now
                .as_ref()
                .map(|(_, mode)| *mode)
                .or(to.as_ref().map(|mark| mark.mode));
            let before = now.map(|(content, _)| content);
            let after = if fits {
                way.files.push(file.clone());
                self.other_side(entry, file, step, before.as_deref())?
            } else {
                way.is_exact = false;
                let after = self.over_others(history, entry, file, step, before.as_deref(), &mut way.rebased)?;
                let mode = mode.unwrap_or_default();
                let (old, new) = (before.as_deref().unwrap_or_default(), after.as_slice());
                let (old, new) = if step.is_forward() { (old, new) } else { (new, old) };
                way.files.push(FileEntry {
                    path: file.path.clone(),
                    before: Some(Mark::of(old, mode)),
                    after: Some(Mark::of(new, mode)),
                    splice: Splice::between(old, new),
                });
                Some(after)
            };
            let written = Written {
                path: file.path.clone(),
                before,
                after,
            };
            way.moves.push(Move { written, target, mode });
        }
        Ok(way)
    }

    /// What a file becomes though it is not as the step left it. Later entries that are others then are put into `rebased`.
    fn over_others(
        &self,
        history: &History,
        entry: &Entry,
        file: &FileEntry,
        step: Step,
        now: Option<&[u8]>,
        rebased: &mut BTreeMap<String, Entry>,
    ) -> Result<Vec<u8>, WorkspaceError> {
        let blocked = |why: String| self.blocked(entry, file, step, now, why);
        let there = now.and_then(|now| str::from_utf8(now).ok());
        let (Some(now), Some(splice)) = (there, &file.splice) else {
            return Err(blocked(
                "the whole file is part of this step, and is another now".to_owned(),
            ));
        };
        let own = match step {
            Step::Undo => rebase::before_later(history, entry, file, now),
            Step::Do | Step::Redo => Rebased::Unknown,
        };
        let after = match own {
            Rebased::Done { content, entries } => {
                for (entry, file) in entries {
                    let known = rebased.entry(entry.id.clone()).or_insert(entry);
                    known.files.retain(|known| known.path != file.path);
                    known.files.push(file);
                }
                content
            }
            Rebased::Overlap(later) => {
                return Err(WorkspaceError::Overlap {
                    path: file.path.clone(),
                    later: later.title.clone(),
                    later_id: later.id.clone(),
                });
            }
            Rebased::Unknown => patch::apply(now, splice, step.is_forward()).map_err(|misfit| {
                blocked(match misfit {
                    Misfit::Gone => "what it changed does not stand there any more".to_owned(),
                    Misfit::Several => "what it changed stands there more than once".to_owned(),
                })
            })?,
        };
        let text = |text: &'_ str| text.strip_prefix(super::texts::BOM).unwrap_or(text).to_owned();
        verify::still_reads(&file.path, &text(now), &text(&after))
            .map_err(|words| blocked(format!("the file would not be in order without it ({words})")))?;
        Ok(after.into_bytes())
    }

    fn blocked(&self, entry: &Entry, file: &FileEntry, step: Step, now: Option<&[u8]>, why: String) -> WorkspaceError {
        let (left, _) = ends(file, step);
        let files = self.left(entry, file, step).filter(|_| left.is_some());
        WorkspaceError::Blocked {
            id: entry.id.clone(),
            title: entry.title.clone(),
            path: file.path.clone(),
            why,
            files: Box::new(files.map(|left| Written {
                path: file.path.clone(),
                before: Some(left),
                after: now.map(<[u8]>::to_vec),
            })),
        }
    }

    /// The content that a step would start from, as far as the backup still has it.
    fn left(&self, entry: &Entry, file: &FileEntry, step: Step) -> Option<Vec<u8>> {
        let read = |side| std::fs::read(backups::place(&self.tool, &entry.id, side, &file.path)).ok();
        let (mark, content) = match (step.is_forward(), &file.splice) {
            (true, _) => (&file.before, read(Side::Before)?),
            (false, Some(splice)) => (&file.after, splice.forward(&read(Side::Before)?)?),
            (false, None) => (&file.after, read(Side::After)?),
        };
        mark.as_ref()?.fits(&content).then_some(content)
    }

    /// Keeps what the files are now without the step, so that people can be shown it. Nothing depends on it.
    fn renew(&self, entry: &Entry, moves: &[Move], step: Step) {
        for moved in moves {
            let Written { path, before, after } = &moved.written;
            let content = if step.is_forward() { before } else { after };
            let place = backups::place(&self.tool, &entry.id, Side::Before, path);
            let written = content.as_ref().map(|content| std::fs::write(&place, content));
            if let Some(Err(error)) = written {
                tracing::debug!(path = %place.display(), %error, "a backup could not be renewed");
            }
        }
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

#[cfg(test)]
mod tests;
