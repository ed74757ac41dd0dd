//! Where tests stop the server to kill it: between the steps of a change of a slot, of an import, of a backup or its restoration, or of an upload. Only a build with debug
//! assertions does so; in a release build nothing of it is left.
//!
//! The variable [`VARIABLE`] names a file. While that file has the name of a step in it, the server goes no further than to this
//! step, and says so in its log.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

/// The variable.
const VARIABLE: &str = "GALLEY_TEST_PAUSE";
/// How often it is looked whether the file still names the step.
const INTERVAL: Duration = Duration::from_millis(20);

/// A step of one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The artifact was read as a plugin, and is stored now.
    Stage,
    /// It is read and compiled now.
    Read,
    /// It is linked now.
    Link,
    /// The copy of the data is written, and does not have its name yet.
    Copy,
    /// The data are changed, and nothing is committed.
    Migrate,
    /// The plugin has started.
    Start,
    /// The audit log has the change, and `plugins.lock` does not.
    Lock,
    /// `plugins.lock` has it, and the change of the data is committed now.
    Commit,
    /// The data of the plugin before are closed to it, and those of the new one are committed now: in a cluster, where each schema has its own.
    Close,
    /// The data are changed, and the plugin before still serves.
    Swap,
    /// The plugin serves, and calls of the one before may be under way.
    Drain,
    /// A cluster is being filled from a backup, and has no object of it yet.
    Objects,
    /// It has everything but the core's rows.
    Rows,
    /// The files of a version are stored, and it is not live.
    Publish,
    /// A backup has the databases of its moment, and no file is copied.
    Moment,
    /// A data folder is marked as half restored, and nothing is in it.
    Restore,
}

impl Step {
    fn name(self) -> &'static str {
        match self {
            Self::Stage => "stage",
            Self::Read => "read",
            Self::Link => "link",
            Self::Copy => "copy",
            Self::Migrate => "migrate",
            Self::Start => "start",
            Self::Lock => "lock",
            Self::Commit => "commit",
            Self::Close => "close",
            Self::Swap => "swap",
            Self::Drain => "drain",
            Self::Objects => "objects",
            Self::Rows => "rows",
            Self::Publish => "publish",
            Self::Moment => "moment",
            Self::Restore => "restore",
        }
    }
}

/// Waits at a step on a thread that may block.
pub fn block_at(step: Step) {
    while waits(step) {
        std::thread::sleep(INTERVAL);
    }
}

/// Waits at a step.
pub async fn wait_at(step: Step) {
    while waits(step) {
        tokio::time::sleep(INTERVAL).await;
    }
}

fn waits(step: Step) -> bool {
    static FILE: OnceLock<Option<PathBuf>> = OnceLock::new();
    if !cfg!(debug_assertions) {
        return false;
    }
    let file = FILE.get_or_init(|| std::env::var_os(VARIABLE).map(PathBuf::from));
    let waits = file
        .as_ref()
        .is_some_and(|file| std::fs::read_to_string(file).is_ok_and(|text| text == step.name()));
    if waits {
        tracing::warn!("a test stops this server at the step `{}`", step.name());
    }
    waits
}
