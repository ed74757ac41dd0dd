//! What each server looks at where several run builds: whether those that it runs are still its own, or are to be cancelled, whether
//! one waits that another server queued, and whether one's server is gone.
//!
//! A server that does not reach the database goes on with its builds: nobody else builds the same. When it can ask again, it hears
//! whether it was too late.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Builds;
use super::running::StopHandle;
use crate::core::CoreError;
use crate::projects::{CLAIM_LENGTH, Course, QueuedBuild};

/// How long it waits to be rung before it looks all the same.
const LOOK_TIMEOUT: Duration = Duration::from_secs(1);

/// The last line in the log of a build whose server is gone.
const LOST: &str = "The server that ran this build stopped: start it again";

/// The longest time between two looks after which claims that have ended count as given up: while the database is away nobody can
/// renew one.
const MAX_GAP: Duration = Duration::from_secs(5);

/// When one server looked, and renewed what it holds.
#[derive(Default)]
struct Looks {
    renewed: Option<Instant>,
    last: Option<Instant>,
    /// The first of those without a gap.
    first: Option<Instant>,
}

impl Looks {
    /// Notes that the database answered. Answers for how long it has, without a gap.
    fn note(&mut self) -> Duration {
        let now = Instant::now();
        if self.last.replace(now).is_none_or(|last| now - last > MAX_GAP) {
            self.first = Some(now);
        }
        self.first.map_or(Duration::ZERO, |first| now - first)
    }
}

impl Builds {
    /// Looks after builds until the task is aborted.
    pub(super) async fn watch(self: Arc<Self>) {
        let mut looks = Looks::default();
        loop {
            if let Err(error) = self.look(&mut looks).await {
                error.tell("the build queue cannot be looked at now");
            }
            // Rung also when somebody cancels one at another server.
            let rung = self.enqueued.notified();
            let _ = tokio::time::timeout(LOOK_TIMEOUT, rung).await;
        }
    }

    async fn look(&self, looks: &mut Looks) -> Result<(), CoreError> {
        // Those that began before the look: one that begins meanwhile is not missed in it.
        let running: Vec<Arc<StopHandle>> = self.running.lock().await.values().cloned().collect();
        let course = self.core.course_of_builds().await?;
        let reached_for = looks.note();
        let own = still_own(&running, &course);
        if !own.is_empty() && looks.renewed.is_none_or(|at| at.elapsed() >= CLAIM_LENGTH / 3) {
            let began = Instant::now();
            self.core.renew_builds(own).await?;
            looks.renewed = Some(began);
        }
        if course.is_any_queued {
            self.enqueued.notify_waiters();
        }
        if reached_for < CLAIM_LENGTH {
            return Ok(());
        }
        let is_here = |build: &QueuedBuild| running.iter().any(|handle| handle.seq == build.seq);
        for build in course.expired.iter().filter(|build| !is_here(build)) {
            if self.core.end_expired_build(build, LOST).await? {
                tracing::warn!("the server of the build {} stopped: the build has failed", build.id);
                (self.ring)(&build.slot, &build.id);
            }
        }
        Ok(())
    }
}

/// Stops those that are to be cancelled or are not this server's any more, and answers the others.
fn still_own(running: &[Arc<StopHandle>], course: &Course) -> Vec<i64> {
    let mut own = Vec::new();
    for handle in running {
        match course.own.iter().find(|(seq, _)| *seq == handle.seq) {
            Some((seq, cancelled)) => {
                own.push(*seq);
                if let Some(reason) = cancelled {
                    handle.cancel(reason);
                }
            }
            // Another server has ended it, or it has just ended by itself.
            None => handle.stop(),
        }
    }
    own
}
