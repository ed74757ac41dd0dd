//! Warm instances of one plugin: made once, used for many calls, one at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use wasmtime::component::{Instance, InstancePre};
use wasmtime::{Engine, PoolConcurrencyLimitError, Store, UpdateDeadline, WasmBacktrace};

use super::cause::{self, OutOfTime};
use super::exports::{Exports, Handler};
use super::pool::{Count, Idle, Place, Pool};
use super::ticker::{Running, TICKER};
use crate::capabilities::{Call, SlotState, State};

/// Warm instances kept for each thread: as many as wait for the database under load. Making one of Python's again takes
/// milliseconds; those that nobody needs go within seconds.
const MAX_KEPT: usize = 32;
/// The longest use of an instance.
const MAX_AGE: Duration = Duration::from_secs(60);
/// An instance that grew by more than this is not kept. Those of other languages begin with more.
const MEMORY_MARK: usize = 16 << 20;
/// The most calls an instance serves: a random number in this range, so that instances are not all renewed together.
const CALLS: std::ops::Range<u32> = 2_000..4_000;

/// A pause before an instance is tried again that the engine had no room for.
const RETRY_PAUSE: Duration = Duration::from_millis(5);

/// An instance that can be called.
pub struct Live {
    /// Its store; the current call's state is inside.
    pub store: Store<State>,
    /// Its handler.
    pub handler: Handler,
    /// The instance, for the optional exports.
    pub instance: Instance,
    born: Instant,
    /// The bytes of its memory when it was made.
    born_with: usize,
    calls_left: u32,
    idle_since: Instant,
    /// While it is idle it does not run.
    running: Option<Running>,
    /// Behind the store: it is free again once the store is gone.
    _place: Place,
}

/// A linked component and its idle instances.
pub struct Instances {
    pre: InstancePre<State>,
    /// What the host calls of it.
    pub exports: Exports,
    reuse: bool,
    pool: Arc<Pool>,
    count: Arc<Count>,
    /// In each, the instance that was used last is behind the others.
    shards: Box<[Mutex<Vec<Live>>]>,
}

/// Each thread has its own shard, so that a warm instance's memory stays in that core's cache.
fn this_thread() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static OWN: usize = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    OWN.with(|own| *own)
}

impl Instances {
    /// Prepares a component for instances, which take their places from `pool`. With `reuse` off each call gets a fresh one.
    pub fn new(pre: InstancePre<State>, reuse: bool, pool: Arc<Pool>) -> wasmtime::Result<Arc<Self>> {
        let exports = Exports::find(&pre)?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let shards = (0..threads).map(|_| Mutex::new(Vec::new())).collect();
        let this = Arc::new(Self {
            pre,
            exports,
            reuse,
            pool: pool.clone(),
            count: Arc::default(),
            shards,
        });
        let idle: Arc<dyn Idle> = this.clone();
        pool.add(Arc::downgrade(&idle));
        Ok(this)
    }

    /// An instance for a call: a warm one of this thread, or a fresh one.
    pub async fn take(&self, slot: &Arc<SlotState>, call: Call) -> wasmtime::Result<Live> {
        let shard = &self.shards[this_thread() % self.shards.len()];
        loop {
            let Some(mut live) = shard.lock().pop() else { break };
            if live.born.elapsed() < MAX_AGE {
                live.store.data_mut().begin_call(call);
                live.running = Some(TICKER.run());
                live.store.set_epoch_deadline(1);
                return Ok(live);
            }
        }
        let mut state = State::new(slot.clone(), call);
        loop {
            let place = self.pool.place(&self.count).await;
            match self.fresh(state, place).await {
                Ok(live) => return Ok(live),
                // Components of several modules use up what else is pooled, before the places are taken.
                Err((error, mut unused)) if error.is::<PoolConcurrencyLimitError>() => {
                    unused.memory.empty();
                    if !self.pool.reclaim() {
                        tokio::time::sleep(RETRY_PAUSE).await;
                    }
                    state = unused;
                }
                Err((error, state)) => return Err(cause::unmade(error, &state)),
            }
        }
    }

    /// The state comes back with an error.
    async fn fresh(&self, state: State, place: Place) -> Result<Live, (wasmtime::Error, State)> {
        let engine: &Engine = self.pre.engine();
        let running = Some(TICKER.run());
        let mut store = Store::new(engine, state);
        store.limiter(|state| &mut state.memory);
        store.epoch_deadline_callback(|store| {
            if Instant::now() >= store.data().call.deadline {
                let frames = cause::frames(&WasmBacktrace::force_capture(&store));
                return Err(OutOfTime::Computing(frames).into());
            }
            // Other tasks of this thread run first; then the guest continues for another tick, here or in the slow lane.
            Ok(UpdateDeadline::YieldCustom(1, Box::pin(tokio::task::yield_now())))
        });
        store.set_epoch_deadline(1);
        let made = match self.pre.instantiate_async(&mut store).await {
            Ok(instance) => self
                .exports
                .handler(&mut store, &instance)
                .map(|handler| (instance, handler)),
            Err(error) => Err(error),
        };
        let (instance, handler) = match made {
            Ok(made) => made,
            Err(error) => return Err((error, store.into_data())),
        };
        let now = Instant::now();
        Ok(Live {
            born_with: store.data().memory.bytes(),
            store,
            handler,
            instance,
            born: now,
            calls_left: rand::random_range(CALLS),
            idle_since: now,
            running,
            _place: place,
        })
    }

    /// Keeps an instance whose call ended well. One that trapped, or was stopped, must be dropped instead: it can be
    /// in any state.
    pub fn give_back(&self, mut live: Live) {
        let state = live.store.data_mut();
        state.end_call();
        live.calls_left -= 1;
        let grown = live.store.data().memory.bytes() > live.born_with + MEMORY_MARK;
        if !self.reuse || live.calls_left == 0 || grown || self.pool.is_wanted() {
            return;
        }
        live.idle_since = Instant::now();
        live.running = None;
        let mut shard = self.shards[this_thread() % self.shards.len()].lock();
        if shard.len() < MAX_KEPT {
            shard.push(live);
        }
    }
}

impl Idle for Instances {
    fn oldest(&self) -> Option<Instant> {
        let oldest = |shard: &Mutex<Vec<Live>>| shard.lock().first().map(|live| live.idle_since);
        self.shards.iter().filter_map(oldest).min()
    }

    fn drop_oldest(&self) {
        let oldest = self
            .shards
            .iter()
            .filter_map(|shard| Some((shard.lock().first()?.idle_since, shard)))
            .min_by_key(|(since, _)| *since);
        if let Some((_, shard)) = oldest {
            let mut shard = shard.lock();
            let oldest = (!shard.is_empty()).then(|| shard.remove(0));
            // Its memory is given back without the lock.
            drop(shard);
            drop(oldest);
        }
    }

    fn drop_older_than(&self, moment: Instant) {
        for shard in &self.shards {
            let mut shard = shard.lock();
            let kept = shard.partition_point(|live| live.idle_since < moment);
            let old: Vec<Live> = shard.drain(..kept).collect();
            drop(shard);
            drop(old);
        }
    }
}
