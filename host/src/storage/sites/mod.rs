//! The trees of files that are served: taking them in, keeping them, reading them.
//!
//! A version of a project is one file, its *pack*: the uploaded files back to back, and an index. It is written in the
//! staging folder while the upload arrives, synced once, and renamed into place; nothing of it changes afterwards.
//! The database says which versions exist and which one is live. At boot, [`SiteStore::sweep`] deletes the files that the
//! database does not refer to.

mod commit;
mod compress;
mod error;
mod html;
mod inflate;
mod kind;
mod layout;
mod limits;
mod manifest;
mod pack;
mod path;
mod precompress;
mod search;
mod site;
mod staged;
mod tar;
mod unpack;
mod variants;
mod versions;
mod worker;

use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};

pub use compress::{Coding, Effort, compress};
pub use error::SiteError;
pub use html::View;
pub use kind::{content_type, extension, is_compressible};
pub use layout::pack_file;
pub use limits::{Limits, Refused};
pub use manifest::{FileId, Hash};
pub use search::{Hit, PatternError};
pub use site::Site;
pub use staged::StagedTree;
pub use unpack::Unpacker;

use layout::{Layout, check_ids};
use versions::Versions;

/// What a commit stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VersionInfo {
    /// Number of files.
    pub files: u32,
    /// Bytes of all files together, as uploaded.
    pub bytes: u64,
}

/// All stored versions. Cheap to clone; clones are the same store.
#[derive(Clone)]
pub struct SiteStore {
    versions: Arc<Versions>,
    jobs: mpsc::Sender<worker::Job>,
}

impl SiteStore {
    /// Opens the store of a data folder, and empties its staging folder: one process may have it open at a time.
    pub fn open(data_dir: &Path) -> io::Result<Self> {
        let versions = Arc::new(Versions::new(Layout::prepare(data_dir)?));
        let (jobs, inbox) = mpsc::channel();
        worker::start(Arc::downgrade(&versions), inbox)?;
        Ok(Self { versions, jobs })
    }

    /// From now on, an upload that would leave less than `bytes` of the disk free is refused.
    pub fn keep_free(&self, bytes: u64) {
        self.versions.reserve.store(bytes, Ordering::Relaxed);
    }

    /// Begins an upload. [`Refused::Full`] when the disk is nearly full already.
    pub fn begin(&self, limits: Limits) -> Result<Unpacker, Refused> {
        let reserve = self.versions.reserve.load(Ordering::Relaxed);
        Unpacker::start(self.versions.layout.staging.clone(), limits, reserve)
    }

    /// Stores a tree as a version, durably: it can be read when this returns, and after any crash from then on.
    /// Blocks for the sync. The caller records the version afterwards; until then a sweep would delete it.
    pub fn commit(&self, staged: StagedTree, project: &str, version: &str) -> Result<VersionInfo, SiteError> {
        check_ids(project, version)?;
        let place = self.versions.layout.pack(project, version);
        if place.exists() {
            return Err(SiteError::Exists);
        }
        let info = VersionInfo {
            files: staged.files(),
            bytes: staged.bytes(),
        };
        self.versions.layout.make_project(project)?;
        commit::commit(staged, &place)?;
        self.enqueue(project, version);
        Ok(info)
    }

    /// The version, if it is open already. Costs one look-up in a table.
    pub fn opened(&self, project: &str, version: &str) -> Option<Arc<Site>> {
        self.versions.opened(project, version)
    }

    /// The version. Blocks while its index is read, unless it is open already.
    pub fn site(&self, project: &str, version: &str) -> Result<Arc<Site>, SiteError> {
        self.versions.site(project, version)
    }

    /// Deletes a version; a missing one is fine. Readers that hold it read on.
    pub fn remove(&self, project: &str, version: &str) -> Result<(), SiteError> {
        self.versions.remove(project, version)
    }

    /// Deletes all versions of a project.
    pub fn remove_project(&self, project: &str) -> Result<(), SiteError> {
        check_ids(project, "-")?;
        for version in self.versions.layout.versions(project)? {
            self.remove(project, &version)?;
        }
        match std::fs::remove_dir_all(self.versions.layout.project(project)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// At boot, before anything is served: deletes the versions that `keep(project, version)` refuses, and makes missing
    /// variants in the background. Returns the number of deleted files.
    pub fn sweep(&self, keep: impl Fn(&str, &str) -> bool) -> io::Result<usize> {
        let (bare, removed) = self.versions.layout.sweep(keep)?;
        for (project, version) in bare {
            self.enqueue(&project, &version);
        }
        Ok(removed)
    }

    fn enqueue(&self, project: &str, version: &str) {
        // Without the thread there are no variants; files are then served uncompressed.
        let _ = self.jobs.send(worker::Job {
            project: project.to_owned(),
            version: version.to_owned(),
        });
    }
}

#[cfg(test)]
mod tests;
