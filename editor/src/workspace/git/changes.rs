//! Throwing changes away, as a step that undo brings back.

use super::{Git, GitError};
use crate::workspace::{Committed, EntryKind, Workspace, WorkspaceError, Write};

/// Why changes were not thrown away.
#[derive(Debug, thiserror::Error)]
pub enum DiscardError {
    /// Git, or what it says.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The files.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
}

impl Workspace {
    /// Throws the changes of one file away, or of all. `None` when there are none.
    ///
    /// # Errors
    /// With git's words, or when a file cannot be written; nothing is changed then.
    pub fn discard(&self, path: Option<&str>) -> Result<Option<Committed>, DiscardError> {
        let mut writer = self.writer();
        let mut writes = Vec::new();
        for clean in Git::new(self.root()).clean(path)? {
            let before = self.bytes(&clean.path)?;
            // Only its permissions differ, or git has not looked again yet.
            if before == clean.content {
                continue;
            }
            writes.push(Write {
                path: clean.path,
                before,
                after: clean.content,
                mode: Some(clean.mode),
            });
        }
        if writes.is_empty() {
            return Ok(None);
        }
        let title = match writes.as_slice() {
            [one] => format!("Discard the changes of {}", one.path),
            many => format!("Discard the changes of {} files", many.len()),
        };
        Ok(Some(writer.commit(EntryKind::Discard, &title, writes)?))
    }
}
