//! The places for instances, which all plugins share. Idle instances give theirs up to those who need one; when there is
//! none, a call waits.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::Notify;

/// An idle instance that nobody needed for this long is dropped. The one that was idle for the shortest time is used
/// first, so these are those beyond the most that were used at once in that time.
pub const MAX_IDLE: Duration = Duration::from_secs(10);
/// Places that each slot has for itself, however busy the others are.
const RESERVED: u32 = 2;
/// A call that waits for a place looks again after this, whatever it is told.
const LOOK_TIMEOUT: Duration = Duration::from_millis(50);

/// A plugin's idle instances.
pub trait Idle: Send + Sync {
    /// Since when the one that waits longest is idle.
    fn oldest(&self) -> Option<Instant>;
    /// Drops the one that waits longest.
    fn drop_oldest(&self);
    /// Drops those that are idle since before `moment`.
    fn drop_older_than(&self, moment: Instant);
}

/// All places.
pub struct Pool {
    total: u32,
    slots: Mutex<Vec<Weak<dyn Idle>>>,
    /// Instances beyond the reserved ones of their slots.
    shared: AtomicU32,
    freed: Notify,
    waiting: AtomicU32,
}

/// How many instances a slot has, idle ones included.
#[derive(Debug, Default)]
pub struct Count(AtomicU32);

/// The place of one instance; given back when this is dropped.
pub struct Place {
    pool: Arc<Pool>,
    count: Arc<Count>,
}

impl Pool {
    /// A pool of `total` places.
    pub fn new(total: u32) -> Arc<Self> {
        Arc::new(Self {
            total,
            slots: Mutex::new(Vec::new()),
            shared: AtomicU32::new(0),
            freed: Notify::new(),
            waiting: AtomicU32::new(0),
        })
    }

    /// Lets the pool take idle instances of a plugin, for as long as it lives.
    pub fn add(&self, idle: Weak<dyn Idle>) {
        let mut slots = self.slots.lock();
        slots.retain(|slot| slot.strong_count() > 0);
        slots.push(idle);
    }

    /// A place for one more instance of the slot that `count` counts; waits while there is none.
    pub async fn place(self: &Arc<Self>, count: &Arc<Count>) -> Place {
        loop {
            let mut freed = std::pin::pin!(self.freed.notified());
            // What is freed from here on is not missed.
            freed.as_mut().enable();
            if let Some(place) = self.try_place(count) {
                return place;
            }
            if self.reclaim() {
                continue;
            }
            self.waiting.fetch_add(1, Ordering::SeqCst);
            // A call that is given up while it waits counts no longer, too.
            let _waiting = Waiting(&self.waiting);
            let _ = tokio::time::timeout(LOOK_TIMEOUT, freed).await;
        }
    }

    fn try_place(self: &Arc<Self>, count: &Arc<Count>) -> Option<Place> {
        let before = count.0.fetch_add(1, Ordering::SeqCst);
        if before >= RESERVED && self.shared.fetch_add(1, Ordering::SeqCst) >= self.shared_places() {
            self.shared.fetch_sub(1, Ordering::SeqCst);
            count.0.fetch_sub(1, Ordering::SeqCst);
            return None;
        }
        Some(Place {
            pool: self.clone(),
            count: count.clone(),
        })
    }

    fn shared_places(&self) -> u32 {
        let slots = u32::try_from(self.slots.lock().len()).unwrap_or(u32::MAX);
        self.total.saturating_sub(slots.saturating_mul(RESERVED))
    }

    /// Whether a call waits for a place: nobody keeps an idle instance then.
    pub fn is_wanted(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Drops the instance that is idle for the longest time. `false` when none is idle.
    pub fn reclaim(&self) -> bool {
        let oldest = self
            .alive()
            .into_iter()
            .filter_map(|slot| Some((slot.oldest()?, slot)))
            .min_by_key(|(since, _)| *since);
        oldest.map(|(_, slot)| slot.drop_oldest()).is_some()
    }

    /// Drops what nobody needed for [`MAX_IDLE`].
    pub fn trim(&self) {
        if let Some(moment) = Instant::now().checked_sub(MAX_IDLE) {
            self.alive().iter().for_each(|slot| slot.drop_older_than(moment));
        }
    }

    /// Instances are dropped without the list being locked.
    fn alive(&self) -> Vec<Arc<dyn Idle>> {
        self.slots.lock().iter().filter_map(Weak::upgrade).collect()
    }
}

struct Waiting<'a>(&'a AtomicU32);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.count.0.fetch_sub(1, Ordering::SeqCst) > RESERVED {
            self.pool.shared.fetch_sub(1, Ordering::SeqCst);
        }
        self.pool.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Kept(Mutex<Vec<(Instant, Place)>>);

    impl Idle for Kept {
        fn oldest(&self) -> Option<Instant> {
            self.0.lock().first().map(|(since, _)| *since)
        }

        fn drop_oldest(&self) {
            let mut kept = self.0.lock();
            let oldest = (!kept.is_empty()).then(|| kept.remove(0));
            drop(kept);
            drop(oldest);
        }

        fn drop_older_than(&self, moment: Instant) {
            let (kept, old) = std::mem::take(&mut *self.0.lock())
                .into_iter()
                .partition(|(since, _)| *since >= moment);
            *self.0.lock() = kept;
            drop::<Vec<_>>(old);
        }
    }

    async fn soon<T>(work: impl Future<Output = T>) -> Option<T> {
        tokio::time::timeout(Duration::from_millis(200), work).await.ok()
    }

    /// A pool with one place to share between two slots.
    fn pool() -> (Arc<Pool>, [Arc<Count>; 2], [Arc<Kept>; 2]) {
        let pool = Pool::new(2 * RESERVED + 1);
        let kept = [Arc::new(Kept::default()), Arc::new(Kept::default())];
        for kept in &kept {
            let kept: Arc<dyn Idle> = kept.clone();
            pool.add(Arc::downgrade(&kept));
        }
        (pool, Default::default(), kept)
    }

    #[tokio::test]
    async fn a_full_pool_waits_and_goes_on() {
        let (pool, [a, b], _kept) = pool();
        let mut busy = Vec::new();
        for _ in 0..=RESERVED {
            busy.push(soon(pool.place(&a)).await.expect("a place"));
        }
        assert!(soon(pool.place(&a)).await.is_none(), "the shared places are taken");
        for _ in 0..RESERVED {
            busy.push(soon(pool.place(&b)).await.expect("a reserved place"));
        }
        let waiting = tokio::spawn({
            let (pool, a) = (pool.clone(), a.clone());
            async move { pool.place(&a).await }
        });
        tokio::task::yield_now().await;
        busy.remove(0);
        assert!(soon(waiting).await.expect("it was told").is_ok());
        assert!(!pool.is_wanted(), "those who gave up are not counted");
    }

    /// One more idle instance.
    async fn keep(kept: &Kept, since: Instant, pool: &Arc<Pool>, count: &Arc<Count>) {
        let place = soon(pool.place(count)).await.expect("a place");
        kept.0.lock().push((since, place));
    }

    #[tokio::test]
    async fn the_instance_idle_for_longest_goes_first() {
        let (pool, [a, b], [kept, other]) = pool();
        for _ in 0..=RESERVED {
            keep(&kept, Instant::now(), &pool, &a).await;
        }
        for _ in 0..RESERVED {
            keep(&other, Instant::now(), &pool, &b).await;
        }
        let place = soon(pool.place(&b)).await.expect("an idle one made room");
        assert_eq!((kept.0.lock().len(), other.0.lock().len()), (2, 2));
        drop(place);
    }

    #[tokio::test]
    async fn what_nobody_needs_is_dropped() {
        let (pool, [a, _], [kept, _]) = pool();
        let long_ago = Instant::now()
            .checked_sub(2 * MAX_IDLE)
            .expect("a machine that runs for longer");
        keep(&kept, long_ago, &pool, &a).await;
        keep(&kept, Instant::now(), &pool, &a).await;
        pool.trim();
        assert_eq!(kept.0.lock().len(), 1);
        assert_eq!(a.0.load(Ordering::SeqCst), 1);
    }
}
