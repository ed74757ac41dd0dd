//! Takes builds from the queue, at most SERVICE_BUILD_CONCURRENCY at a time.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use super::running::StopHandle;
use super::{Builds, folder, job};
use crate::core::CoreError;
use crate::projects::{BuildEnd, QueuedBuild};

/// The last line in the log of a build that was running when the server ended.
const CUT_OFF: &str = "The server ended while this build was running: start it again";

/// The pause while the database is away.
const AWAY_PAUSE: Duration = Duration::from_secs(1);

impl Builds {
    /// Called at boot, before a build is taken from the queue. Marks the builds that were running as failed, which their
    /// logs say, and deletes the folders of all builds.
    pub async fn recover(&self) -> Result<(), CoreError> {
        for build in self.core.started_builds().await? {
            tracing::info!(
                "the build {} was running when the server ended: it has failed",
                build.id
            );
            self.transcript(&build).say(CUT_OFF);
            let end = BuildEnd {
                reason: Some(CUT_OFF.to_owned()),
                ..BuildEnd::default()
            };
            self.core.end_build(&build, end).await?;
        }
        if let Err(error) = folder::sweep(&self.config.data_dir) {
            tracing::warn!("folders of earlier builds cannot be deleted: {error}");
        }
        Ok(())
    }

    /// Runs builds until `stop` turns true. Running builds are then stopped and fail; waiting builds stay queued.
    pub async fn work(self: Arc<Self>, mut stop: watch::Receiver<bool>) {
        let permits = Arc::new(Semaphore::new(self.config.builds.concurrency.max(1) as usize));
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
                    tracing::warn!("the build queue cannot be read now: {error}");
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
        let stopping = async {
            let _ = stop.wait_for(|stop| *stop).await;
            handle.stop();
            // What ends is the job, as soon as it notices.
            std::future::pending().await
        };
        let (tree, end) = tokio::select! {
            ended = job::run(self, build, handle) => ended,
            () = stopping => return,
        };
        if let Some(tree) = tree {
            self.keep(build, tree);
        }
        self.end(build, handle, end).await;
    }
}
