//! The repository on disk: files, backups, the journal of edits, git.
//!
//! Everything that changes a source file goes through [`Workspace::commit`]: what is to change is written to the journal
//! first, so that a crash at any moment is finished or taken back at the next start ([`journal`]). The folder `.tool/` holds
//! what the Editor keeps; git is told not to look at it ([`exclude`]).

mod backups;
mod commit;
mod durable;
mod entry;
mod error;
mod exclude;
mod files;
pub mod git;
mod journal;
mod own_writes;
mod patch;
mod paths;
mod read;
mod rebase;
mod recent;
mod recover;
#[cfg(test)]
mod testing;
mod texts;
mod uncommitted;
mod undo;
mod watch;
mod writable;

use std::fs::{self, File};
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use crate::source::model::Library;
use crate::source::model::memo::Kept;

pub use backups::Retention;
pub use commit::{Committed, Write};
pub use entry::{By, Entry, EntryKind, Mark, Written};
pub use error::WorkspaceError;
pub use journal::{Journal, Step};
pub use paths::{BadPath, FOLDER, checked, is_plain_name};
pub use watch::{Change, Watch};

/// The file that whoever has the prototype open holds a lock of.
const LOCK: &str = "lock";
/// A port and its line end, in bytes, with room to spare.
const MAX_ANNOUNCED: u64 = 16;

/// Writes a file that only its owner may read, in one step.
///
/// # Errors
/// When the operating system refuses.
pub fn write_private(path: &Path, content: &[u8]) -> std::io::Result<()> {
    durable::write_file(path, content, 0o600)
}

/// An opened prototype. One program at a time has it.
pub struct Workspace {
    root: PathBuf,
    tool: PathBuf,
    retention: Retention,
    journal: Mutex<Journal>,
    texts: texts::Texts,
    kept: Kept,
    files: files::Files,
    recent: recent::Recent,
    own: Mutex<own_writes::OwnWrites>,
    warnings: Vec<String>,
    /// The TypeScript configuration for every file, relative to the root.
    type_config: Option<String>,
    /// Libraries whose components can be used, once they were looked at.
    libraries: Mutex<Arc<[Library]>>,
    /// Held for as long as the workspace lives: the lock goes with the process, however it ends. Its content is the port of the
    /// holder's API.
    lock: File,
}

/// The right to write: edits of a project come one after the other.
pub struct Writer<'w> {
    workspace: &'w Workspace,
    journal: MutexGuard<'w, Journal>,
    /// Who does the steps that follow, where that is a model.
    by: Option<By>,
}

impl Writer<'_> {
    /// Notes with the steps that follow which model does them.
    #[must_use]
    pub fn on_behalf_of(mut self, by: By) -> Self {
        self.by = Some(by);
        self
    }
}

impl Workspace {
    /// Opens the prototype at `root`: makes `.tool/`, hides it from git, finishes or takes back what a crash interrupted, and
    /// deletes backups that are too old.
    ///
    /// # Errors
    /// When another Editor has it open, or `.tool/` cannot be used.
    pub fn open(root: &Path, retention: Retention) -> Result<Self, WorkspaceError> {
        let root = root.canonicalize().map_err(WorkspaceError::at(root))?;
        let tool = root.join(FOLDER);
        for folder in [tool.clone(), tool.join(backups::FOLDER), tool.join(durable::STAGING)] {
            own_folder(&folder)?;
        }
        let lock = lock(&tool)?;
        let mut warnings = Vec::new();
        if let Err(error) = exclude::hide(&root) {
            warnings.push(format!("git may show the Editor's own files: {error}"));
        }
        durable::clear_staging(&tool);
        let (journal, unread) = Journal::open(&tool)?;
        if unread > 0 {
            warnings.push(format!(
                "{unread} lines of {} are damaged: those edits cannot be undone",
                journal.path().display()
            ));
        }
        let mut workspace = Self {
            texts: texts::Texts::new(&root),
            kept: Kept::default(),
            files: files::Files::new(&root),
            recent: recent::Recent::default(),
            own: Mutex::default(),
            journal: Mutex::new(journal),
            root,
            tool,
            retention,
            warnings,
            type_config: None,
            libraries: Mutex::new(Arc::new([])),
            lock,
        };
        let interrupted = workspace.recover()?;
        workspace.warnings.extend(interrupted);
        workspace.sweep();
        Ok(workspace)
    }

    /// Says at which port of 127.0.0.1 whoever finds the prototype in use can ask for what the workspace would do for them.
    ///
    /// # Errors
    /// When the lock's file cannot be written.
    pub fn announce(&self, port: u16) -> std::io::Result<()> {
        self.lock.set_len(0)?;
        (&self.lock).write_all(format!("{port}\n").as_bytes())
    }

    /// The port that the holder of the prototype announced. It is a claim: anything may stand in the file, and ports go round.
    #[must_use]
    pub fn announced(root: &Path) -> Option<u16> {
        let file = durable::open_own(&root.join(FOLDER).join(LOCK), false).ok()?;
        let mut text = String::new();
        file.take(MAX_ANNOUNCED).read_to_string(&mut text).ok()?;
        text.trim().parse().ok().filter(|port| *port != 0)
    }

    /// Names the TypeScript configuration that holds for every file, whatever stands nearer. Only files of the prototype can
    /// be read, so one outside is not used, which is a warning.
    #[must_use]
    pub fn with_type_config(mut self, file: Option<&Path>) -> Self {
        let Some(file) = file else { return self };
        let real = file.canonicalize();
        let inside = real
            .as_deref()
            .ok()
            .and_then(|real| real.strip_prefix(&self.root).ok()?.to_str());
        match inside.filter(|path| checked(path).is_ok()) {
            Some(path) => self.type_config = Some(path.to_owned()),
            None => self.warnings.push(format!(
                "EDITOR_PROTOTYPE_TSCONFIG is not used for imports: {} is no file the Editor reads inside of {}",
                file.display(),
                self.root.display()
            )),
        }
        self
    }

    /// Says which libraries there are, from now on.
    pub fn set_libraries(&self, libraries: Vec<Library>) {
        *self.libraries.lock() = libraries.into();
    }

    /// The prototype's root, without symbolic links.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What people should know from opening it.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The step that was done last and is still done; none before the first. Waits as [`Workspace::writer`] does.
    #[must_use]
    pub fn last_step(&self) -> Option<String> {
        self.journal.lock().history().done.last().cloned()
    }

    /// Waits until no other edit is under way. Blocks: not for asynchronous code.
    pub fn writer(&self) -> Writer<'_> {
        Writer {
            workspace: self,
            journal: self.journal.lock(),
            by: None,
        }
    }

    /// A folder of the Editor's own in `.tool/`, made when it is missing.
    ///
    /// # Errors
    /// When something else stands there.
    pub fn own_folder(&self, name: &str) -> Result<PathBuf, WorkspaceError> {
        let path = self.tool.join(name);
        own_folder(&path)?;
        Ok(path)
    }

    /// Writes one of the Editor's own files in one step.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn write_own(&self, path: &Path, content: &[u8]) -> Result<(), WorkspaceError> {
        durable::write_file(path, content, 0o644).map_err(WorkspaceError::at(path))
    }

    /// Deletes backups that are too many or too old, and forgets the edits they belonged to.
    pub fn sweep(&self) {
        let mut journal = self.journal.lock();
        let gone = backups::sweep(&self.tool, &self.retention, std::time::SystemTime::now());
        if !gone.is_empty()
            && let Err(error) = journal.forget(&gone)
        {
            tracing::warn!(%error, "the journal could not be shortened");
        }
    }

    /// Whether a file is the prototype's own: git tracks it, or would. What tools generate is not.
    #[must_use]
    pub fn is_own(&self, path: &str) -> bool {
        self.files.has(path)
    }

    /// Whether [`Workspace::is_own`] is known without running a program: its answer then.
    #[must_use]
    pub fn is_own_at_once(&self, path: &str) -> Option<bool> {
        self.files.has_at_once(path)
    }

    /// Remembers a text that somebody was shown, so that an edit of it can find its element again later.
    pub fn remember(&self, hash: &str, text: &Arc<str>) {
        self.recent.remember(hash, text);
    }

    /// A text by its hash, if it was shown lately.
    #[must_use]
    pub fn remembered(&self, hash: &str) -> Option<Arc<str>> {
        self.recent.find(hash)
    }
}

/// A folder of the Editor's own. A symbolic link in its place would lead writing elsewhere: refused.
fn own_folder(path: &Path) -> Result<(), WorkspaceError> {
    match fs::create_dir(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => return Err(WorkspaceError::at(path)(error)),
        _ => {}
    }
    let found = fs::symlink_metadata(path).map_err(WorkspaceError::at(path))?;
    if found.is_dir() {
        Ok(())
    } else {
        Err(WorkspaceError::NoFolder(path.to_owned()))
    }
}

fn lock(tool: &Path) -> Result<File, WorkspaceError> {
    let path = tool.join(LOCK);
    let file = durable::open_own(&path, true).map_err(WorkspaceError::at(&path))?;
    match file.try_lock() {
        // What an earlier holder announced is over.
        Ok(()) => file.set_len(0).map(|()| file).map_err(WorkspaceError::at(&path)),
        Err(fs::TryLockError::WouldBlock) => Err(WorkspaceError::InUse(tool.to_owned())),
        // Some network file systems know no locks: then nobody can be kept out.
        Err(fs::TryLockError::Error(_)) => Ok(file),
    }
}
