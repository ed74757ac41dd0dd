//! What kept a call from what it wanted, beside its plugin: the database or the object store did not answer. A plugin learns a code, and
//! answers with whatever its SDK makes of that; who asked is told by the host what it was, and when to try again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::storage::committed::{self, Committed};

tokio::task_local! {
    static NOTED: Arc<Trouble>;
}

/// What was in the way; the later ones matter more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// The database answered, and not in time: others were in the way.
    Busy,
    /// The object store did not answer.
    Store,
    /// The database did not answer, and nothing was changed.
    Database,
    /// The change may be there: the database was lost in a commit, or something was in the way after the first of several.
    InDoubt,
}

const OBSTACLES: [Obstacle; 4] = [Obstacle::Busy, Obstacle::Store, Obstacle::Database, Obstacle::InDoubt];

/// The trouble of one call.
#[derive(Debug, Default)]
pub struct Trouble {
    worst: AtomicU8,
    committed: Arc<Committed>,
}

impl Trouble {
    /// The worst that was in the way so far.
    pub fn worst(&self) -> Option<Obstacle> {
        let noted = usize::from(self.worst.load(Ordering::Relaxed));
        OBSTACLES.get(noted.checked_sub(1)?).copied()
    }

    /// The same of a call that is for a change: once a part of it is committed, whatever is in the way leaves it in doubt.
    pub fn worst_of_change(&self) -> Option<Obstacle> {
        let is_begun = self.committed.is_anything();
        self.worst()
            .map(|worst| if is_begun { Obstacle::InDoubt } else { worst })
    }
}

/// Runs a part of a call, whose trouble is noted.
pub async fn noting<T>(trouble: Arc<Trouble>, part: impl Future<Output = T>) -> T {
    let committed = trouble.committed.clone();
    NOTED.scope(trouble, committed::noting(committed, part)).await
}

/// Notes what is in the way of the call under way.
pub(super) fn note(obstacle: Obstacle) {
    let _ = NOTED.try_with(|trouble| trouble.worst.fetch_max(obstacle as u8 + 1, Ordering::Relaxed));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::engine::Database;
    use crate::storage::sqlite::StorageError;

    #[tokio::test]
    async fn the_worst_of_a_call_is_kept_and_other_calls_know_nothing_of_it() {
        let (one, other) = (Arc::new(Trouble::default()), Arc::new(Trouble::default()));
        noting(one.clone(), async {
            for obstacle in [Obstacle::Busy, Obstacle::InDoubt, Obstacle::Store] {
                note(obstacle);
            }
        })
        .await;
        noting(other.clone(), async {}).await;
        note(Obstacle::Database);
        assert_eq!((one.worst(), other.worst()), (Some(Obstacle::InDoubt), None));
        assert!(OBSTACLES.is_sorted());
        for obstacle in OBSTACLES {
            let trouble = Arc::new(Trouble::default());
            noting(trouble.clone(), async { note(obstacle) }).await;
            assert_eq!(trouble.worst(), Some(obstacle));
            assert_eq!(trouble.worst_of_change(), Some(obstacle));
        }
    }

    #[tokio::test]
    async fn what_is_in_the_way_of_the_rest_of_a_change_leaves_it_in_doubt() {
        let folder = tempfile::tempdir().unwrap();
        let file = Database::open_file(&folder.path().join("some.db"), &[]).unwrap();
        let trouble = Arc::new(Trouble::default());
        noting(trouble.clone(), async {
            let refused = file.write(|_| Err::<(), _>(StorageError::NoRow)).await;
            refused.unwrap_err();
            note(Obstacle::Database);
        })
        .await;
        assert_eq!(trouble.worst_of_change(), Some(Obstacle::Database));
        noting(trouble.clone(), async {
            file.write(|_| Ok::<_, StorageError>(())).await.unwrap();
        })
        .await;
        assert_eq!(
            (trouble.worst(), trouble.worst_of_change()),
            (Some(Obstacle::Database), Some(Obstacle::InDoubt))
        );
    }
}
