//! The runner's Node, started while the Editor still looks at the prototype: both take about as long.

use std::path::{Path, PathBuf};

use tokio::process::Child;

use super::launch;
use super::process;
use super::shims::Shims;

/// A runner that waits for its task. Dropped, it ends without having touched the prototype.
#[derive(Debug)]
pub struct Early {
    root: PathBuf,
    pub(super) runner: Child,
    pub(super) shims: Shims,
}

impl Early {
    /// Starts one for the prototype in this folder. `None` when that is none, or when there is no Node: whoever starts the dev
    /// server says so.
    #[must_use]
    pub fn start(path: &Path) -> Option<Early> {
        let root = path.canonicalize().ok()?;
        if !root.join("package.json").is_file() {
            return None;
        }
        let shims = Shims::for_run().ok()?;
        let runner = process::spawn(&mut launch::runner(&root, &shims)).ok()?;
        Some(Early { root, runner, shims })
    }

    /// Whether it waits in this folder.
    pub(super) fn is_for(&self, root: &Path) -> bool {
        self.root == root
    }
}
