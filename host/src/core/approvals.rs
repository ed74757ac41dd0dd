//! Whether this server goes by the approvals of plugins as another one left them. A check tells of a change; whoever loads plugins
//! follows it; requests in between wait, so that they see what was acknowledged before they came.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

/// How long after a change became known requests wait for it. A plugin may have to compile: what serves goes on meanwhile.
const FOLLOW_TIMEOUT: Duration = Duration::from_secs(1);

/// The changes of the approvals, counted.
#[derive(Debug)]
pub struct ApprovalChanges(watch::Sender<Counts>);

#[derive(Debug, Clone, Copy)]
struct Counts {
    /// How many changes are known, and since when.
    known: u64,
    since: Instant,
    /// How many of them were followed, or could not be.
    followed: u64,
}

impl Counts {
    fn is_behind(&self) -> bool {
        self.followed < self.known
    }
}

impl Default for ApprovalChanges {
    fn default() -> Self {
        Self(watch::Sender::new(Counts {
            known: 0,
            since: Instant::now(),
            followed: 0,
        }))
    }
}

impl ApprovalChanges {
    /// A change became known.
    pub(super) fn change(&self) {
        self.0.send_modify(|counts| {
            counts.known += 1;
            counts.since = Instant::now();
        });
    }

    /// How many changes are known.
    pub fn known(&self) -> u64 {
        self.0.borrow().known
    }

    /// So many of them were followed, or could not be: nobody waits for these any more.
    pub fn follow(&self, changes: u64) {
        self.0
            .send_modify(|counts| counts.followed = counts.followed.max(changes));
    }

    /// Waits until there is a change to follow.
    pub async fn changed(&self) {
        // It ends with the sender, which is here.
        let _ = self.0.subscribe().wait_for(Counts::is_behind).await;
    }

    /// Waits until the changes that are known were followed, no longer than [`FOLLOW_TIMEOUT`] after the last of them.
    pub async fn followed(&self) {
        let counts = *self.0.borrow();
        if !counts.is_behind() {
            return;
        }
        let mut now = self.0.subscribe();
        let is_followed = now.wait_for(|now| now.followed >= counts.known);
        // Too late: what serves answers.
        let _ = timeout_at(counts.since + FOLLOW_TIMEOUT, is_followed).await;
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn who_comes_after_a_change_waits_for_it_and_not_for_ever() {
        let approvals = ApprovalChanges::default();
        // Nothing to wait for.
        assert_eq!(approvals.followed().now_or_never(), Some(()));

        approvals.change();
        approvals.changed().await;
        assert_eq!(approvals.followed().now_or_never(), None);
        let follow = async {
            tokio::task::yield_now().await;
            approvals.follow(approvals.known());
        };
        let began = Instant::now();
        tokio::join!(approvals.followed(), follow);
        assert!(began.elapsed() < FOLLOW_TIMEOUT);

        approvals.change();
        approvals.followed().await;
        assert!(began.elapsed() >= FOLLOW_TIMEOUT);
        // The next does not wait again for what takes long.
        let began = Instant::now();
        approvals.followed().await;
        assert!(began.elapsed() < FOLLOW_TIMEOUT / 2);
    }
}
