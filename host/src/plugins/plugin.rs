//! One loaded plugin: calling it within its bounds.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use arc_swap::ArcSwap;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tracing::Instrument;

use super::allowance::Allowance;
use super::assets::Assets;
use super::breaker::{Breaker, Change, FIRST_PAUSE};
use super::cause::{self, Failure, OutOfTime};
use super::entry::Entry;
use super::exports::Task;
use super::gate::{Gate, Pass};
use super::instances::{Instances, Live};
use super::manifest::Manifest;
use super::slow_lane::{Share, SlowLane, Turn, quick_turn};
use crate::capabilities::contract::galley::http::types::Response;
use crate::capabilities::counters::count;
use crate::capabilities::objects::{Delivery, Job, Request, Tail};
use crate::capabilities::{Call, Limits, Problem, SlotState, Stopwatch, trouble};
use crate::storage::asked::asked;
use crate::telemetry;

/// How long past its deadline a call in the slow lane may wait for the turn in which it says where it was.
const LAST_TURN_TIMEOUT: Duration = Duration::from_millis(500);

/// A plugin that serves its slot.
pub struct Plugin {
    /// Its manifest.
    pub manifest: Manifest,
    /// The state that all instances share.
    pub state: Arc<SlotState>,
    /// The files of its part of the pages.
    pub assets: Arc<Assets>,
    /// Whether it came compiled from the cache.
    pub from_cache: bool,
    /// Where its calls wait while the slot's data change.
    pub gate: Arc<Gate<Plugin>>,
    /// The changes of the slot's data that it knows ([`Gate::changes`]).
    pub(super) changes: AtomicU64,
    /// Whether most of its calls fail.
    pub breaker: Breaker,
    instances: Arc<Instances>,
    permits: ArcSwap<Semaphore>,
    slow_lane: Arc<SlowLane>,
    share: Arc<Share>,
    allowance: Allowance,
}

/// An answer of a plugin.
pub struct Answer {
    /// Status, headers and body.
    pub response: Response,
    /// The streaming rest of the answer.
    pub tail: Option<Tail>,
}

/// Why a plugin gave no answer. The instance was dropped; the next call gets another.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// It trapped: a panic, a bound, a stale handle. The text is for the log.
    #[error("{0}")]
    Trap(String),
    /// It did not end before its deadline.
    #[error("{0}")]
    OutOfTime(String),
    /// The most calls at the same time were running until the deadline.
    #[error("the plugin is busy with other requests")]
    Busy,
    /// Most of its calls failed; it gets none for so long.
    #[error("most calls of the plugin failed, so it gets none for {} s", seconds(*.0))]
    Tripped(Duration),
}

/// A time in whole seconds, at least one.
pub fn seconds(time: Duration) -> u64 {
    (time.as_millis().div_ceil(1_000) as u64).max(1)
}

impl Plugin {
    /// A plugin that was loaded.
    pub fn new(
        (manifest, assets, from_cache): (Manifest, Arc<Assets>, bool),
        state: Arc<SlotState>,
        instances: Arc<Instances>,
        gate: Arc<Gate<Self>>,
        slow_lane: Arc<SlowLane>,
    ) -> Self {
        let limits = state.limits();
        Self {
            manifest,
            assets,
            from_cache,
            changes: AtomicU64::new(gate.changes()),
            gate,
            breaker: Breaker::default(),
            permits: ArcSwap::from_pointee(Semaphore::new(limits.concurrency as usize)),
            share: Share::new(limits.cpu_share),
            allowance: Allowance::default(),
            state,
            instances,
            slow_lane,
        }
    }

    /// Follows the limits, settings and secrets of an entry that loads this very plugin.
    pub fn follow(&self, entry: &Entry) {
        self.set_limits(entry.limits);
        self.state.chosen.store(Arc::new(entry.chosen()));
    }

    /// Changes the limits. Calls that began before keep theirs.
    fn set_limits(&self, limits: Limits) {
        if limits.concurrency != self.state.limits().concurrency {
            self.permits
                .store(Arc::new(Semaphore::new(limits.concurrency as usize)));
        }
        self.share.set(limits.cpu_share);
        self.state.set_limits(limits);
    }

    /// Waits until the slot's data do not change. Whoever calls the plugin for others keeps the pass until the call has ended.
    pub async fn pass(&self, writes: bool) -> Pass<Plugin> {
        self.gate.pass(self.changes.load(Ordering::Acquire), writes).await
    }

    /// Answers one request.
    pub async fn handle(self: &Arc<Self>, call: Call, request: Request) -> Result<Answer, CallError> {
        self.admitted(call, |plugin, call| async move {
            let trouble = call.trouble.clone();
            let mut live = plugin.instances.take(&plugin.state, call).await?;
            let handler = live.handler.clone();
            let handling = asked(handler.handle(&mut live.store, request));
            let answer = trouble::noting(trouble, handling).await;
            let mut response = answer.map_err(|error| cause::explain(error, live.store.data()))?;
            let tail = match response.tail.take() {
                Some(handle) => Some(live.store.data_mut().handles.take(&handle)?),
                None => None,
            };
            Ok((live, Answer { response, tail }))
        })
        .await
    }

    /// Delivers one event. The inner error is the plugin's own: try again later.
    pub async fn receive(self: &Arc<Self>, call: Call, delivery: Delivery) -> Result<Result<(), Problem>, CallError> {
        let Some(subscriber) = self.instances.exports.subscriber.clone() else {
            return Ok(Ok(()));
        };
        let task = Task::Receive(subscriber, delivery);
        self.admitted(call, |plugin, call| plugin.perform(call, task)).await
    }

    /// Runs a job. The inner error is the plugin's own.
    pub async fn run_job(self: &Arc<Self>, call: Call, job: Job) -> Result<Result<(), Problem>, CallError> {
        let Some(jobs) = self.instances.exports.jobs.clone() else {
            return Ok(Ok(()));
        };
        let task = Task::RunJob(jobs, job);
        self.admitted(call, |plugin, call| plugin.perform(call, task)).await
    }

    /// Lets the plugin do its work before the first request.
    pub async fn start(self: &Arc<Self>, call: Call) -> Result<Result<(), Problem>, CallError> {
        let Some(lifecycle) = self.instances.exports.lifecycle.clone() else {
            return Ok(Ok(()));
        };
        let task = Task::Start(lifecycle);
        self.call(call, |plugin, call| plugin.perform(call, task)).await
    }

    /// Runs a task in a warm instance.
    async fn perform(self: Arc<Self>, call: Call, task: Task) -> wasmtime::Result<(Live, Result<(), Problem>)> {
        let mut live = self.instances.take(&self.state, call).await?;
        let instance = live.instance;
        let ended = task.run(&mut live.store, &instance).await;
        let ended = ended.map_err(|error| cause::explain(error, live.store.data()))?;
        Ok((live, ended))
    }

    /// A call that a tripped plugin does not get, and whose failure can trip it.
    async fn admitted<T, W>(
        self: &Arc<Self>,
        call: Call,
        work: impl FnOnce(Arc<Self>, Call) -> W,
    ) -> Result<T, CallError>
    where
        T: Send + 'static,
        W: Future<Output = wasmtime::Result<(Live, T)>> + Send + 'static,
    {
        let pass = self.breaker.admit(Instant::now()).map_err(|wait| {
            count(&self.state.counters.refused);
            CallError::Tripped(wait)
        })?;
        let started = Instant::now();
        let ended = self.call(call, work).await;
        let failed = match &ended {
            Ok(_) => false,
            Err(CallError::Trap(_) | CallError::OutOfTime(_)) => true,
            // It did not run.
            Err(CallError::Busy | CallError::Tripped(_)) => return ended,
        };
        self.state.counters.calls.record(started.elapsed());
        self.tell(pass.end(Instant::now(), failed));
        ended
    }

    fn tell(&self, change: Change) {
        let slot = self.state.name.as_str();
        match change {
            Change::None => {}
            Change::Tripped { failures, calls } => {
                count(&self.state.counters.trips);
                tracing::error!(
                    slot,
                    "{failures} of the last {calls} calls of the plugin `{slot}` failed: it gets none for {} s, then one as a probe",
                    seconds(FIRST_PAUSE)
                );
            }
            Change::StaysTripped(pause) => {
                tracing::warn!(
                    slot,
                    "the probe of the plugin `{slot}` failed: the next one in {} s",
                    seconds(pause)
                );
            }
            Change::Serves => tracing::info!(slot, "the probe of the plugin `{slot}` succeeded: it serves again"),
        }
    }

    async fn call<T, W>(self: &Arc<Self>, call: Call, work: impl FnOnce(Arc<Self>, Call) -> W) -> Result<T, CallError>
    where
        T: Send + 'static,
        W: Future<Output = wasmtime::Result<(Live, T)>> + Send + 'static,
    {
        let (limits, deadline, in_sql) = (call.limits, call.deadline, call.in_sql.clone());
        let _permit = self.permit(deadline).await?;
        let span = telemetry::guest(&self.state.name, &self.manifest.version);
        let ended = self.within(deadline, work(self.clone(), call).instrument(span)).await;
        self.finish(ended, &limits, &in_sql)
    }

    async fn permit(&self, deadline: Instant) -> Result<OwnedSemaphorePermit, CallError> {
        let permits = self.permits.load_full();
        if let Ok(permit) = permits.clone().try_acquire_owned() {
            return Ok(permit);
        }
        match tokio::time::timeout_at(deadline.into(), permits.acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => {
                count(&self.state.counters.busy);
                Err(CallError::Busy)
            }
        }
    }

    /// Keeps the instance of a successful call. Counts a failed one and turns its error into a [`CallError`].
    fn finish<T>(
        &self,
        ended: wasmtime::Result<(Live, T)>,
        limits: &Limits,
        in_sql: &Stopwatch,
    ) -> Result<T, CallError> {
        let counters = &self.state.counters;
        match ended {
            Ok((live, answer)) => {
                self.instances.give_back(live);
                Ok(answer)
            }
            Err(error) => match error.downcast_ref::<OutOfTime>() {
                Some(out_of_time) => {
                    count(&counters.timeouts);
                    let deadline = limits.deadline();
                    Err(CallError::OutOfTime(out_of_time.text(deadline, in_sql.total())))
                }
                None => {
                    let by_memory = error.downcast_ref::<Failure>().is_some_and(|failure| failure.by_memory);
                    count(if by_memory {
                        &counters.out_of_memory
                    } else {
                        &counters.traps
                    });
                    Err(CallError::Trap(cause::text(&error)))
                }
            },
        }
    }

    /// Runs a call until its deadline. It begins on this thread; when it was busy here for some time, it goes on in the slow
    /// lane, where it begins, too, when the slot used up its [`Allowance`]. Guest code is stopped by the engine's clock; this
    /// stops waiting inside host functions. Most calls never wait: for them no timer is made.
    async fn within<T: Send + 'static>(
        &self,
        deadline: Instant,
        call: impl Future<Output = wasmtime::Result<T>> + Send + 'static,
    ) -> wasmtime::Result<T> {
        let mut call = Box::pin(call);
        if self.allowance.is_left()
            && let Some(answer) = self.quickly(deadline, &mut call).await
        {
            return answer;
        }
        count(&self.state.counters.slow);
        let rest = async move {
            let ended = tokio::time::timeout_at(deadline.into(), call).await;
            ended.unwrap_or_else(|_| Err(OutOfTime::Waiting.into()))
        };
        let rest = self.slow_lane.go_on(&self.share, rest);
        match tokio::time::timeout_at((deadline + LAST_TURN_TIMEOUT).into(), rest).await {
            Ok(Some(answer)) => answer,
            Ok(None) => Err(wasmtime::format_err!("the call panicked in the host")),
            Err(_) => Err(OutOfTime::Queued.into()),
        }
    }

    /// Runs a call on this thread; `None` when it wants to go on.
    async fn quickly<T>(
        &self,
        deadline: Instant,
        call: &mut Pin<Box<impl Future<Output = wasmtime::Result<T>>>>,
    ) -> Option<wasmtime::Result<T>> {
        let (mut measured, mut ran) = (self.allowance.measure(), Duration::ZERO);
        let mut turn =
            |context: &mut Context<'_>| measured.turn(&mut ran, |ran| quick_turn(call.as_mut(), context, ran));
        let first = poll_fn(|context| Poll::Ready(turn(context))).await;
        let ended = match first {
            Turn::Waits => {
                let turns = poll_fn(|context| match turn(context) {
                    Turn::Waits => Poll::Pending,
                    turn => Poll::Ready(turn),
                });
                match tokio::time::timeout_at(deadline.into(), turns).await {
                    Ok(turn) => turn,
                    Err(_) => return Some(Err(OutOfTime::Waiting.into())),
                }
            }
            turn => turn,
        };
        match ended {
            Turn::Ended(answer) => Some(answer),
            Turn::IsLong | Turn::Waits => None,
        }
    }
}
