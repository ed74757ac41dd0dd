//! The versions that are open for reading, among those that are stored.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, Equivalent, OptionsBuilder, Weighter};

use super::error::SiteError;
use super::layout::{Layout, check_ids};
use super::site::Site;
use super::variants::Variants;
use crate::storage::objects;

/// Memory for the indexes of open versions.
const MAX_INDEX_MEMORY: u64 = 64 << 20;
/// How many versions that memory is for, about.
const USUAL_VERSIONS: usize = 1000;
/// How often those are closed that nobody asked for since the time before.
const LOOK: Duration = Duration::from_secs(3600);

/// The stored versions.
pub(super) struct Versions {
    /// Where they are stored.
    pub layout: Layout,
    /// Bytes of the disk that uploads and variants leave free.
    pub reserve: AtomicU64,
    open: Cache<(Box<str>, Box<str>), Arc<Site>, Index>,
    looked: Mutex<Instant>,
    serials: AtomicU64,
}

/// The memory of a version's index.
#[derive(Clone)]
struct Index;

impl Weighter<(Box<str>, Box<str>), Arc<Site>> for Index {
    fn weight(&self, _: &(Box<str>, Box<str>), site: &Arc<Site>) -> u64 {
        site.weight() as u64
    }
}

impl Versions {
    pub fn new(layout: Layout) -> Self {
        // In one piece: each of several would be too small for the index of a large version.
        let bounds = OptionsBuilder::new()
            .shards(1)
            .weight_capacity(MAX_INDEX_MEMORY)
            .estimated_items_capacity(USUAL_VERSIONS)
            .build()
            .expect("both bounds are set");
        let (hasher, lifecycle) = (DefaultHashBuilder::default(), DefaultLifecycle::default());
        Self {
            layout,
            reserve: AtomicU64::new(0),
            open: Cache::with_options(bounds, Index, hasher, lifecycle),
            looked: Mutex::new(Instant::now()),
            serials: AtomicU64::new(0),
        }
    }

    /// The version, if it is open already.
    pub fn opened(&self, project: &str, version: &str) -> Option<Arc<Site>> {
        let site = self.open.get(&Key(project, version))?;
        site.note_use();
        (!site.is_broken()).then_some(site)
    }

    /// The version. Blocks while its index is read, unless it is open already.
    pub fn site(&self, project: &str, version: &str) -> Result<Arc<Site>, SiteError> {
        if let Some(site) = self.opened(project, version) {
            return Ok(site);
        }
        check_ids(project, version)?;
        self.close_unused_now_and_then();
        self.open.remove_if(&Key(project, version), |site| site.is_broken());
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
        let key = (Box::from(project), Box::from(version));
        self.open
            .get_or_insert_with(&key, open)
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => SiteError::NotFound,
                _ if objects::is_away(&error) => SiteError::Away,
                _ => SiteError::Io(error),
            })
    }

    /// Whoever opens a version closes those that are not used any more: nothing else makes the open ones more.
    fn close_unused_now_and_then(&self) {
        let mut looked = self.looked.lock();
        if looked.elapsed() >= LOOK {
            *looked = Instant::now();
            drop(looked);
            self.close_unused();
        }
    }

    /// Closes the versions that nobody asked for since the time before.
    pub fn close_unused(&self) {
        self.open.retain(|_, site| site.was_used());
    }

    /// Deletes a version; a missing one is fine.
    pub fn remove(&self, project: &str, version: &str) -> Result<(), SiteError> {
        check_ids(project, version)?;
        self.layout.remove(project, version)?;
        self.open.remove(&Key(project, version));
        Ok(())
    }
}

/// A key that owns nothing, so that looking up costs no allocation.
#[derive(Hash)]
struct Key<'a>(&'a str, &'a str);

impl Equivalent<(Box<str>, Box<str>)> for Key<'_> {
    fn equivalent(&self, key: &(Box<str>, Box<str>)) -> bool {
        *self.0 == *key.0 && *self.1 == *key.1
    }
}
