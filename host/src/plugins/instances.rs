//! Warm instances of one plugin: made once, used for many calls, one at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use wasmtime::component::{Instance, InstancePre};
use wasmtime::{Engine, Store, UpdateDeadline};

use crate::capabilities::contract::exports::galley::plugin::{handler, lifecycle, subscriber};
use crate::capabilities::{Call, SlotState, State};

/// Warm instances kept for each thread.
const MAX_KEPT: usize = 8;
/// The longest use of an instance.
const MAX_AGE: Duration = Duration::from_secs(60);
/// An instance that grew beyond this is not kept.
const MEMORY_MARK: usize = 16 << 20;
/// The most calls an instance serves: a random number in this range, so that instances are not all renewed together.
const CALLS: std::ops::Range<u32> = 2_000..4_000;

/// The error of a call that ran out of time.
#[derive(Debug, thiserror::Error)]
#[error("the plugin ran out of time")]
pub struct OutOfTime;

/// An instance that can be called.
pub struct Live {
    /// Its store; the current call's state is inside.
    pub store: Store<State>,
    /// Its handler.
    pub handler: handler::Guest,
    /// The instance, for the optional exports.
    pub instance: Instance,
    born: Instant,
    calls_left: u32,
}

/// A linked component and its idle instances.
pub struct Instances {
    pre: InstancePre<State>,
    handler: handler::GuestIndices,
    /// Set when the component exports it.
    pub subscriber: Option<subscriber::GuestIndices>,
    /// Set when the component exports it.
    pub lifecycle: Option<lifecycle::GuestIndices>,
    reuse: bool,
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
    /// Prepares a component for instances. With `reuse` off each call gets a fresh one.
    pub fn new(pre: InstancePre<State>, reuse: bool) -> wasmtime::Result<Self> {
        let handler = handler::GuestIndices::new(&pre)?;
        let subscriber = subscriber::GuestIndices::new(&pre).ok();
        let lifecycle = lifecycle::GuestIndices::new(&pre).ok();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let shards = (0..threads).map(|_| Mutex::new(Vec::new())).collect();
        Ok(Self {
            pre,
            handler,
            subscriber,
            lifecycle,
            reuse,
            shards,
        })
    }

    /// An instance for a call: a warm one of this thread, or a fresh one.
    pub async fn take(&self, slot: &std::sync::Arc<SlotState>, call: Call) -> wasmtime::Result<Live> {
        let shard = &self.shards[this_thread() % self.shards.len()];
        loop {
            let Some(mut live) = shard.lock().pop() else { break };
            if live.born.elapsed() < MAX_AGE {
                live.store.data_mut().call = call;
                live.store.set_epoch_deadline(1);
                return Ok(live);
            }
        }
        self.fresh(State::new(slot.clone(), call)).await
    }

    async fn fresh(&self, state: State) -> wasmtime::Result<Live> {
        let engine: &Engine = self.pre.engine();
        let mut store = Store::new(engine, state);
        store.limiter(|state| &mut state.memory);
        store.epoch_deadline_callback(|store| {
            if Instant::now() >= store.data().call.deadline {
                return Err(OutOfTime.into());
            }
            // Other tasks of this thread run first; then the guest continues for another tick.
            Ok(UpdateDeadline::YieldCustom(1, Box::pin(tokio::task::yield_now())))
        });
        store.set_epoch_deadline(1);
        let instance = self.pre.instantiate_async(&mut store).await?;
        let handler = self.handler.load(&mut store, &instance)?;
        let calls_left = rand::random_range(CALLS);
        Ok(Live {
            store,
            handler,
            instance,
            born: Instant::now(),
            calls_left,
        })
    }

    /// Keeps an instance whose call ended well. One that trapped, or was stopped, must be dropped instead: it can be
    /// in any state.
    pub fn give_back(&self, mut live: Live) {
        let state = live.store.data_mut();
        state.handles.clear();
        live.calls_left -= 1;
        if !self.reuse || live.calls_left == 0 || live.store.data().memory.bytes > MEMORY_MARK {
            return;
        }
        let mut shard = self.shards[this_thread() % self.shards.len()].lock();
        if shard.len() < MAX_KEPT {
            shard.push(live);
        }
    }
}
