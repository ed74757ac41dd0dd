//! After a crash: a step that was begun is finished or taken back, so that its files agree with each other again.
//!
//! Each file is the old or the new one, because each was put in place in one step. All old: the step did not happen. All
//! new: it did. Some of each: the step is finished. When a file is neither, somebody changed it since, and their work is
//! worth more than ours: nothing is touched, and people are told.

use super::commit::{Move, found, staged_name};
use super::durable;
use super::entry::{Mark, Written};
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
        let Some(mut entry) = journal.history().entry(id).cloned() else {
            return Ok((dropped, None));
        };
        if let Some(patch) = &pending.patch {
            entry.files.clone_from(&patch.files);
        }
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
            let after = self.other_side(&entry, file, pending.step, now.as_deref())?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::testing::open;
    use crate::workspace::{EntryKind, Write, git, journal::Step};
    use std::fs;
    use std::path::Path;

    const FILES: [&str; 3] = ["a", "b", "src/c"];

    fn write(root: &Path, texts: [&str; 3]) {
        fs::create_dir_all(root.join("src")).unwrap();
        for (path, text) in FILES.iter().zip(texts) {
            fs::write(root.join(path), text).unwrap();
        }
    }

    fn read(root: &Path) -> [String; 3] {
        FILES.map(|path| fs::read_to_string(root.join(path)).unwrap_or_default())
    }

    /// Three files changed in one step, which the journal says was not finished, with these texts in place.
    fn interrupted(step: Step, texts: [&str; 3]) -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        git::Command::new(root, ["init", "--quiet"]).output().unwrap();
        write(root, ["old"; 3]);
        let workspace = open(root);
        let writes = FILES.map(|path| Write {
            path: path.to_owned(),
            before: Some(b"old".to_vec()),
            after: Some(b"new".to_vec()),
            mode: None,
        });
        let mut writer = workspace.writer();
        let done = writer.commit(EntryKind::Edit, "x", writes.into()).unwrap();
        match step {
            Step::Do => {
                let text = fs::read_to_string(writer.journal.path()).unwrap();
                let begun = text.lines().next().unwrap();
                fs::write(writer.journal.path(), format!("{begun}\n")).unwrap();
            }
            Step::Undo => writer.journal.append(Record::Undo(done.id)).unwrap(),
            Step::Redo => {
                writer.undo(None).unwrap();
                writer.journal.append(Record::Redo(done.id)).unwrap();
            }
        }
        drop(writer);
        drop(workspace);
        write(root, texts);
        let workspace = open(root);
        (folder, workspace)
    }

    #[test]
    fn a_step_that_reached_some_files_is_finished() {
        for (step, end) in [(Step::Do, "new"), (Step::Undo, "old"), (Step::Redo, "new")] {
            let start = if end == "new" { "old" } else { "new" };
            for texts in [[end, start, start], [end, end, start], [start, start, end], [end; 3]] {
                let (folder, workspace) = interrupted(step, texts);
                assert_eq!(read(folder.path()), [end; 3], "{step:?} from {texts:?}");
                let writer = workspace.writer();
                assert_eq!(writer.history().done.len(), usize::from(end == "new"), "{step:?}");
                assert!(writer.history().pending.is_none() && workspace.warnings().is_empty());
            }
        }
    }

    #[test]
    fn a_step_that_reached_no_file_did_not_happen() {
        let (folder, workspace) = interrupted(Step::Do, ["old"; 3]);
        assert_eq!(read(folder.path()), ["old"; 3]);
        assert!(workspace.writer().history().entries.is_empty());
        let (folder, workspace) = interrupted(Step::Undo, ["new"; 3]);
        assert_eq!(read(folder.path()), ["new"; 3]);
        assert_eq!(workspace.writer().history().done.len(), 1);
    }

    #[test]
    fn what_somebody_changed_after_the_crash_is_left_alone_and_told() {
        let (folder, workspace) = interrupted(Step::Do, ["new", "theirs", "old"]);
        assert_eq!(read(folder.path()), ["new", "theirs", "old"]);
        let words = workspace.warnings().join(" ");
        assert!(
            words.contains("a, b, src/c") && words.contains(".tool/backups/"),
            "{words}"
        );
    }
}
