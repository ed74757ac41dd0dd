//! The trees of files that are served: taking them in, keeping them, reading them.
//!
//! A version of a project is one file, its *pack*: the uploaded files back to back, and an index. It is written in the
//! staging folder while the upload arrives, synced once, and renamed into place or sent to the object store; nothing of it
//! changes afterwards.
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
mod trees;
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
pub use trees::{SealedTree, TreeStore};
pub use unpack::Unpacker;

use layout::{Layout, check_ids};
use versions::Versions;

use super::id::now_ms;
use super::objects::{ObjectError, Objects, YOUNG};
use super::outage;

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
        Self::open_with(data_dir, &Objects::in_folders(data_dir))
    }

    /// The same with the versions where `objects` says.
    pub fn open_with(data_dir: &Path, objects: &Objects) -> io::Result<Self> {
        let layout = Layout::prepare(data_dir, objects.files("sites")?)?;
        let versions = Arc::new(Versions::new(layout));
        let (jobs, inbox) = mpsc::channel();
        worker::start(Arc::downgrade(&versions), inbox)?;
        Ok(Self { versions, jobs })
    }

    /// From now on, an upload that would leave less than `bytes` of the disk free is refused.
    pub fn keep_free(&self, bytes: u64) {
        self.versions.reserve.store(bytes, Ordering::Relaxed);
    }

    /// Begins an upload. [`Refused::Full`] when the disk is nearly full already, [`Refused::Away`] when the object store could
    /// not take the version.
    pub async fn begin(&self, limits: Limits) -> Result<Unpacker, Refused> {
        if let Err(error) = self.check_store().await {
            outage::OBJECTS.away("an upload was refused", &error);
            return Err(Refused::Away);
        }
        let reserve = self.versions.reserve.load(Ordering::Relaxed);
        Unpacker::start(self.versions.layout.staging.clone(), limits, reserve)
    }

    /// Whether the object store answers now; without one it always does. All who ask within a second share one request.
    pub async fn check_store(&self) -> Result<(), ObjectError> {
        let checked = self.versions.layout.files.check().await;
        if checked.is_ok() {
            outage::OBJECTS.back();
        }
        checked
    }

    /// Stores a tree as a version, durably: it can be read when this returns, and after any crash from then on.
    /// Blocks for the sync. The caller records the version afterwards; until then a sweep would delete it.
    pub fn commit(&self, staged: StagedTree, project: &str, version: &str) -> Result<VersionInfo, SiteError> {
        check_ids(project, version)?;
        let layout = &self.versions.layout;
        let name = layout.pack(project, version);
        if layout.files.is_here(&name) == Some(true) {
            return Err(SiteError::Exists);
        }
        let info = VersionInfo {
            files: staged.files(),
            bytes: staged.bytes(),
        };
        commit::commit(staged, &layout.files, &name)?;
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
        Ok(self.versions.layout.files.remove_below(project)?)
    }

    /// At boot, before anything is served: deletes the versions that `keep(project, version)` refuses, and makes missing
    /// variants in the background. Returns the number of deleted files. A bucket is swept in the background.
    pub fn sweep(&self, keep: impl Fn(&str, &str) -> bool + Send + 'static) -> io::Result<usize> {
        let swept = self.versions.layout.sweep(&keep)?;
        for (project, version) in swept.bare {
            self.enqueue(&project, &version);
        }
        if self.versions.layout.files.is_remote() {
            let store = self.clone();
            std::thread::Builder::new()
                .name("sweep".into())
                .spawn(move || store.sweep_bucket(&keep, now_ms() - YOUNG))?;
        }
        Ok(swept.removed)
    }

    /// Deletes the versions in a bucket that `keep(project, version)` refuses and that were stored before a time, in milliseconds since
    /// 1970, and makes missing variants in the background. Blocks.
    pub fn sweep_bucket(&self, keep: &impl Fn(&str, &str) -> bool, before: i64) {
        match self.versions.layout.sweep_bucket(keep, before) {
            Ok(swept) => {
                for (project, version) in swept.bare {
                    self.enqueue(&project, &version);
                }
                if swept.removed > 0 {
                    tracing::info!("deleted {} objects that nothing refers to", swept.removed);
                }
            }
            Err(error) => tracing::warn!("objects that nothing refers to are left for the next boot: {error}"),
        }
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
