//! Takes builds from the queue, at most SERVICE_BUILD_CONCURRENCY at a time.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use super::running::{StopHandle, key};
use super::writer::Writer;
use super::{Builds, folder, job};
use crate::core::CoreError;
use crate::projects::{BuildEnd, QueuedBuild};

/// The last line in the log of a build that was running when the server ended.
const CUT_OFF: &str = "The server ended while this build was running: start it again";

/// The pause while the database is away.
const AWAY_PAUSE: Duration = Duration::from_secs(1);

impl Builds {
    /// Called at boot, before a build is taken from the queue. Marks the builds that were running as failed, which their
    /// logs say, and deletes the folders of all builds. Where other servers build, too, they run now.
    pub async fn recover(&self) -> Result<(), CoreError> {
        if let Some(files) = self.logs.files() {
            for build in self.core.started_builds().await? {
                tracing::info!(
                    "the build {} was running when the server ended: it has failed",
                    build.id
                );
                self.file(files, &build).say(CUT_OFF);
                self.core.end_build(&build, BuildEnd::failed(CUT_OFF)).await?;
            }
        }
        if let Err(error) = folder::sweep(&self.config.data_dir) {
            tracing::warn!("folders of earlier builds cannot be deleted: {error}");
        }
        Ok(())
    }

    /// Runs builds until `stop` turns true. Running builds are then stopped and fail; waiting builds stay queued.
    pub async fn work(self: Arc<Self>, stop: watch::Receiver<bool>) {
        if !self.is_shared() {
            return self.take_turns(stop).await;
        }
        // Looked after until the last one has ended.
        tokio::select! {
            () = self.clone().watch() => {}
            () = self.take_turns(stop) => {}
        }
    }

    async fn take_turns(self: Arc<Self>, mut stop: watch::Receiver<bool>) {
        let permits = Arc::new(Semaphore::new(self.config.builds.concurrency as usize));
        let mut running = JoinSet::new();
        while !*stop.borrow() {
            // Asked for before looking, so that a build enqueued in between is not slept through.
            let enqueued = self.enqueued.notified();
            let permit = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                permit = permits.clone().acquire_owned() => permit,
            };
            // Not to be cancelled: a build that was taken is run.
            match self.start().await {
                Ok(Some((build, handle))) => {
                    let (builds, stop) = (self.clone(), stop.clone());
                    running.spawn(async move {
                        builds.build(&build, &handle, stop).await;
                        drop(permit);
                    });
                    while running.try_join_next().is_some() {}
                    continue;
                }
                Ok(None) => {}
                Err(error) if error.is_passing() => {
                    error.tell("the build queue cannot be read now");
                    drop(permit);
                    tokio::select! {
                        _ = stop.wait_for(|stop| *stop) => break,
                        () = tokio::time::sleep(AWAY_PAUSE) => {}
                    }
                    continue;
                }
                Err(error) => {
                    tracing::error!("the build queue cannot be read, and rests until something is enqueued: {error}");
                }
            }
            drop(permit);
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                () = enqueued => {}
            }
        }
        while running.join_next().await.is_some() {}
    }

    async fn build(self: &Arc<Self>, build: &QueuedBuild, handle: &StopHandle, mut stop: watch::Receiver<bool>) {
        let stopped = stop.clone();
        let stopping = async {
            let _ = stop.wait_for(|stop| *stop).await;
            handle.stop();
            // What ends is the job, as soon as it notices.
            std::future::pending().await
        };
        let written = self.is_shared().then(|| {
            let unwritten = handle.unwritten.clone();
            let writer = Writer {
                core: self.core.clone(),
                build: build.clone(),
                ring: self.ring.clone(),
                stop: stopped.clone(),
            };
            tokio::spawn(async move { writer.write(&unwritten).await })
        });
        let (tree, mut end) = tokio::select! {
            ended = job::run(self, build, handle) => ended,
            () = stopping => return,
        };
        if let Some(tree) = tree {
            self.keep(build, handle, tree, &mut end).await;
        }
        handle.unwritten.close();
        if let Some(written) = written {
            // A panic there is logged as one.
            let _ = written.await;
        }
        self.end(build, handle, end, &stopped).await;
    }

    /// Records the end of a build that was started. Where others would fail it otherwise, a database that is away is waited for.
    async fn end(&self, build: &QueuedBuild, handle: &StopHandle, end: BuildEnd, stop: &watch::Receiver<bool>) {
        while let Err(error) = self.core.end_build(build, end.clone()).await {
            let is_passing = error.is_passing() || error.is_in_doubt();
            if self.is_shared() && is_passing && !*stop.borrow() {
                tokio::time::sleep(AWAY_PAUSE).await;
                continue;
            }
            // The next boot ends it, or another server does.
            tracing::error!("the end of the build {} cannot be recorded: {error}", build.id);
            break;
        }
        self.running.lock().await.remove(&key(build));
        handle.end();
    }
}
