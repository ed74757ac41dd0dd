//! What tests of several files share.

use std::path::Path;
use std::time::Duration;

use super::{Retention, Workspace, WorkspaceError};

/// A program that another test is about to start has this process's files, the lock among them, until it begins.
pub(super) fn open(root: &Path) -> Workspace {
    for _ in 0..200 {
        match Workspace::open(root, Retention::default()) {
            Err(WorkspaceError::InUse(_)) => std::thread::sleep(Duration::from_millis(10)),
            opened => return opened.unwrap(),
        }
    }
    panic!("{} stays in use", root.display());
}
