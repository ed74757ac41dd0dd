//! The trees of files that are served: taking them in, keeping them, reading them.
//!
//! A version of a project is one file, its *pack*: the uploaded files back to back, and an index. It is written in the
//! staging folder while the upload arrives, synced once, and renamed into place; nothing of it changes afterwards.
//! The database says which versions exist and which one is live. At boot, [`SiteStore::sweep`] deletes the files that the
//! database does not refer to.

mod commit;
mod compress;
mod html;
mod inflate;
mod kind;
mod layout;
mod manifest;
mod pack;
mod path;
mod search;
mod site;
mod staged;
mod tar;
mod unpack;
mod worker;

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use moka::sync::Cache;

pub use compress::{Coding, Effort, compress};
pub use html::View;
pub use kind::{content_type, extension, is_compressible};
pub use layout::pack_file;
pub use manifest::Hash;
pub use search::{Hit, PatternError};
pub use site::{FileId, Site};
pub use staged::StagedTree;
pub use unpack::{Limits, Refused, Unpacker};

use layout::{Layout, check_ids};
use pack::Magic;

/// The first and last bytes of a version's pack.
const SITE: Magic = *b"gsite\0\0\x01";
/// Memory for the indexes of open versions.
const MAX_INDEX_MEMORY: u64 = 64 << 20;
/// How long an unused version stays open.
const IDLE_TIMEOUT: Duration = Duration::from_secs(3600);

/// Why a version could not be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// There is no such version.
    #[error("there is no such version")]
    NotFound,
    /// The project has a version with this id.
    #[error("the project has such a version")]
    Exists,
    /// An id that cannot be a file name.
    #[error("an id may have 1 to 64 letters, digits, `-` and `_`")]
    BadId,
    /// The disk is full or failed, or a file is damaged.
    #[error("{0}")]
    Io(#[from] io::Error),
}

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
    inner: Arc<Inner>,
}

struct Inner {
    layout: Layout,
    open: Cache<(Box<str>, Box<str>), Arc<Site>>,
    serials: AtomicU64,
    jobs: mpsc::Sender<worker::Job>,
}

impl SiteStore {
    /// Opens the store of a data folder, and empties its staging folder: one process may have it open at a time.
    pub fn open(data_dir: &Path) -> io::Result<Self> {
        let layout = Layout::prepare(data_dir)?;
        let (jobs, inbox) = mpsc::channel();
        let open = Cache::builder()
            .max_capacity(MAX_INDEX_MEMORY)
            .weigher(|_, site: &Arc<Site>| u32::try_from(site.weight()).unwrap_or(u32::MAX))
            .time_to_idle(IDLE_TIMEOUT)
            .build();
        let inner = Arc::new(Inner {
            layout,
            open,
            serials: AtomicU64::new(0),
            jobs,
        });
        worker::start(Arc::downgrade(&inner), inbox)?;
        Ok(Self { inner })
    }

    /// Begins an upload.
    pub fn begin(&self, limits: Limits) -> io::Result<Unpacker> {
        Unpacker::start(self.inner.layout.staging.clone(), limits)
    }

    /// Stores a tree as a version, durably: it can be read when this returns, and after any crash from then on.
    /// Blocks for the sync. The caller records the version afterwards; until then a sweep would delete it.
    pub fn commit(&self, staged: StagedTree, project: &str, version: &str) -> Result<VersionInfo, SiteError> {
        check_ids(project, version)?;
        let place = self.inner.layout.pack(project, version);
        if place.exists() {
            return Err(SiteError::Exists);
        }
        let info = VersionInfo {
            files: staged.files(),
            bytes: staged.bytes(),
        };
        self.inner.layout.make_project(project)?;
        commit::commit(staged, &place)?;
        self.enqueue(project, version);
        Ok(info)
    }

    /// The version, if it is open already. Costs one look-up in a table.
    pub fn opened(&self, project: &str, version: &str) -> Option<Arc<Site>> {
        self.inner.open.get(&Key(project, version))
    }

    /// The version. Blocks while its index is read, unless it is open already.
    pub fn site(&self, project: &str, version: &str) -> Result<Arc<Site>, SiteError> {
        if let Some(site) = self.opened(project, version) {
            return Ok(site);
        }
        check_ids(project, version)?;
        let open = || -> io::Result<Arc<Site>> {
            let serial = self.inner.serials.fetch_add(1, Ordering::Relaxed);
            let site = Site::open(&self.inner.layout.pack(project, version), serial)?;
            match compress::Variants::open(&self.inner.layout.variants(project, version)) {
                Ok(variants) => site.set_variants(variants),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => tracing::warn!(project, version, "serving {version} uncompressed: {error}"),
            }
            Ok(Arc::new(site))
        };
        self.inner
            .open
            .try_get_with((project.into(), version.into()), open)
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => SiteError::NotFound,
                kind => SiteError::Io(io::Error::new(kind, error.to_string())),
            })
    }

    /// Deletes a version; a missing one is fine. Readers that hold it read on.
    pub fn remove(&self, project: &str, version: &str) -> Result<(), SiteError> {
        check_ids(project, version)?;
        self.inner.layout.remove(project, version)?;
        self.inner.open.invalidate(&Key(project, version));
        Ok(())
    }

    /// Deletes all versions of a project.
    pub fn remove_project(&self, project: &str) -> Result<(), SiteError> {
        check_ids(project, "-")?;
        for version in self.inner.layout.versions(project)? {
            self.remove(project, &version)?;
        }
        match std::fs::remove_dir_all(self.inner.layout.project(project)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// At boot, before anything is served: deletes what `keep(project, version)` does not want, and makes the
    /// variants that are missing, in the background. Gives the number of deleted files.
    pub fn sweep(&self, keep: impl Fn(&str, &str) -> bool) -> io::Result<usize> {
        let (bare, removed) = self.inner.layout.sweep(keep)?;
        for (project, version) in bare {
            self.enqueue(&project, &version);
        }
        Ok(removed)
    }

    fn enqueue(&self, project: &str, version: &str) {
        // Without the thread there are no variants; files are then served uncompressed.
        let _ = self.inner.jobs.send(worker::Job {
            project: project.to_owned(),
            version: version.to_owned(),
        });
    }
}

/// A key that owns nothing, so that looking up costs no allocation.
#[derive(Hash)]
struct Key<'a>(&'a str, &'a str);

impl moka::Equivalent<(Box<str>, Box<str>)> for Key<'_> {
    fn equivalent(&self, key: &(Box<str>, Box<str>)) -> bool {
        *self.0 == *key.0 && *self.1 == *key.1
    }
}

#[cfg(test)]
mod tests;
