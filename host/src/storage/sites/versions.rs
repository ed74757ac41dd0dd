//! The versions that are open for reading, among those that are stored.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use moka::sync::Cache;

use super::error::SiteError;
use super::layout::{Layout, check_ids};
use super::site::Site;
use super::variants::Variants;
use crate::storage::objects;

/// Memory for the indexes of open versions.
const MAX_INDEX_MEMORY: u64 = 64 << 20;
/// How long an unused version stays open.
const IDLE_TIMEOUT: Duration = Duration::from_secs(3600);

/// The stored versions.
pub(super) struct Versions {
    /// Where they are stored.
    pub layout: Layout,
    /// Bytes of the disk that uploads and variants leave free.
    pub reserve: AtomicU64,
    open: Cache<(Box<str>, Box<str>), Arc<Site>>,
    serials: AtomicU64,
}

impl Versions {
    pub fn new(layout: Layout) -> Self {
        let open = Cache::builder()
            .max_capacity(MAX_INDEX_MEMORY)
            .weigher(|_, site: &Arc<Site>| u32::try_from(site.weight()).unwrap_or(u32::MAX))
            .time_to_idle(IDLE_TIMEOUT)
            .build();
        Self {
            layout,
            reserve: AtomicU64::new(0),
            open,
            serials: AtomicU64::new(0),
        }
    }

    /// The version, if it is open already.
    pub fn opened(&self, project: &str, version: &str) -> Option<Arc<Site>> {
        let open = self.open.get(&Key(project, version));
        open.filter(|site| !site.is_broken())
    }

    /// The version. Blocks while its index is read, unless it is open already.
    pub fn site(&self, project: &str, version: &str) -> Result<Arc<Site>, SiteError> {
        if let Some(site) = self.opened(project, version) {
            return Ok(site);
        }
        check_ids(project, version)?;
        if self
            .open
            .get(&Key(project, version))
            .is_some_and(|site| site.is_broken())
        {
            self.open.invalidate(&Key(project, version));
        }
        let open = || -> io::Result<Arc<Site>> {
            let serial = self.serials.fetch_add(1, Ordering::Relaxed);
            let site = Site::open(self.layout.files.open(&self.layout.pack(project, version))?, serial)?;
            let variants = self.layout.files.open(&self.layout.variants(project, version));
            match variants.and_then(Variants::open) {
                Ok(variants) => site.set_variants(variants),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => tracing::warn!(project, version, "serving {version} uncompressed: {error}"),
            }
            Ok(Arc::new(site))
        };
        self.open
            .try_get_with((project.into(), version.into()), open)
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => SiteError::NotFound,
                _ if objects::is_away(&error) => SiteError::Away,
                kind => SiteError::Io(io::Error::new(kind, error.to_string())),
            })
    }

    /// Deletes a version; a missing one is fine.
    pub fn remove(&self, project: &str, version: &str) -> Result<(), SiteError> {
        check_ids(project, version)?;
        self.layout.remove(project, version)?;
        self.open.invalidate(&Key(project, version));
        Ok(())
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
