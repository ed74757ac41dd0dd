//! The thread that makes compressed variants, one version after the other, at the lowest priority.

use std::sync::atomic::Ordering;
use std::sync::{Weak, mpsc};

use super::precompress::precompress;
use super::variants::Variants;
use super::versions::Versions;
use crate::storage::disk::is_nearly_full;
use crate::storage::priority::{LOWEST, give_way};

/// A version that waits for its variants.
pub(super) struct Job {
    pub project: String,
    pub version: String,
}

/// Starts the thread. It ends when the store is gone.
pub(super) fn start(versions: Weak<Versions>, jobs: mpsc::Receiver<Job>) -> std::io::Result<()> {
    std::thread::Builder::new().name("compress".into()).spawn(move || {
        give_way(LOWEST);
        while let Ok(job) = jobs.recv() {
            let Some(owned) = versions.upgrade() else { return };
            run(&owned, &versions, &job);
        }
    })?;
    Ok(())
}

fn run(owned: &Versions, versions: &Weak<Versions>, job: &Job) {
    let Ok(site) = owned.site(&job.project, &job.version) else {
        return;
    };
    // Without variants the version is served uncompressed; the next boot makes them.
    let reserve = owned.reserve.load(Ordering::Relaxed);
    if site.has_variants() || is_nearly_full(&owned.layout.staging, reserve) {
        return;
    }
    let files = &owned.layout.files;
    let name = owned.layout.variants(&job.project, &job.version);
    // One reference is this thread's own: with no other, the store was dropped. A version that was removed meanwhile
    // has no pack any more.
    let pack = owned.layout.pack(&job.project, &job.version);
    let go_on = || versions.strong_count() > 1 && files.is_here(&pack) != Some(false);
    let made = match precompress(&site, &owned.layout, &name, go_on) {
        // An earlier server made them, and was killed before anybody knew.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    };
    match made.and_then(|()| files.open(&name)).and_then(Variants::open) {
        Ok(variants) => site.set_variants(variants),
        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
        Err(error) => tracing::warn!(
            project = job.project,
            version = job.version,
            "the compressed variants of version {} could not be made: {error}",
            job.version
        ),
    }
    if matches!(files.exists(&pack), Ok(false)) {
        let _ = files.remove(&name);
    }
}
