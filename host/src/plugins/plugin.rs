//! One loaded plugin: calling it within its bounds.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::Instant;

use wasmtime::component::Resource;

use super::cause::{self, OutOfTime};
use super::gate::Gate;
use super::instances::{Instances, Live};
use super::manifest::Manifest;
use crate::capabilities::contract::exports::galley::plugin::subscriber::Delivery;
use crate::capabilities::contract::galley::http::types::{Request, Response};
use crate::capabilities::handles::UploadHandle;
use crate::capabilities::http::{Tail, Upload};
use crate::capabilities::{Call, Problem, SlotState, Stopwatch};

/// A plugin that serves its slot.
pub struct Plugin {
    /// Its manifest.
    pub manifest: Manifest,
    /// The state that all instances share.
    pub state: Arc<SlotState>,
    /// Whether it came compiled from the cache.
    pub from_cache: bool,
    /// Where its calls wait while the slot's data change.
    pub gate: Arc<Gate<Plugin>>,
    pub(super) instances: Arc<Instances>,
    pub(super) permits: tokio::sync::Semaphore,
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
}

impl Plugin {
    /// Answers one request.
    pub async fn handle(&self, call: Call, request: &Request, upload: Option<Upload>) -> Result<Answer, CallError> {
        let (deadline, in_sql) = (call.deadline, call.in_sql.clone());
        let _permit = self.permit(deadline).await?;
        let answered = within(deadline, async {
            let mut live = self.instances.take(&self.state, call).await?;
            let upload = match upload {
                Some(upload) => {
                    let owned: Resource<UploadHandle> = live.store.data_mut().handles.insert(upload)?;
                    Some(Resource::new_borrow(owned.rep()))
                }
                None => None,
            };
            let handler = live.handler.clone();
            let answer = handler.call_handle(&mut live.store, request, upload).await;
            let mut response = answer.map_err(|error| cause::explain(error, live.store.data()))?;
            let tail = match response.tail.take() {
                Some(handle) => Some(live.store.data_mut().handles.take(&handle)?),
                None => None,
            };
            Ok((live, Answer { response, tail }))
        });
        self.finish(answered.await, &in_sql)
    }

    /// Delivers one event. The inner error is the plugin's own: try again later.
    pub async fn receive(&self, call: Call, delivery: &Delivery) -> Result<Result<(), Problem>, CallError> {
        let Some(indices) = &self.instances.subscriber else {
            return Ok(Ok(()));
        };
        let (deadline, in_sql) = (call.deadline, call.in_sql.clone());
        let _permit = self.permit(deadline).await?;
        let received = within(deadline, async {
            let mut live = self.instances.take(&self.state, call).await?;
            let instance = live.instance;
            let guest = indices.load(&mut live.store, &instance)?;
            let answer = guest.call_receive(&mut live.store, delivery).await;
            let answer = answer.map_err(|error| cause::explain(error, live.store.data()))?;
            Ok((live, answer))
        });
        self.finish(received.await, &in_sql)
    }

    /// Lets the plugin do its work before the first request.
    pub async fn start(&self, call: Call) -> Result<Result<(), Problem>, CallError> {
        let Some(indices) = &self.instances.lifecycle else {
            return Ok(Ok(()));
        };
        let (deadline, in_sql) = (call.deadline, call.in_sql.clone());
        let started = within(deadline, async {
            let mut live = self.instances.take(&self.state, call).await?;
            let instance = live.instance;
            let guest = indices.load(&mut live.store, &instance)?;
            let answer = guest.call_start(&mut live.store).await;
            let answer = answer.map_err(|error| cause::explain(error, live.store.data()))?;
            Ok((live, answer))
        });
        self.finish(started.await, &in_sql)
    }

    async fn permit(&self, deadline: Instant) -> Result<tokio::sync::SemaphorePermit<'_>, CallError> {
        if let Ok(permit) = self.permits.try_acquire() {
            return Ok(permit);
        }
        match tokio::time::timeout_at(deadline.into(), self.permits.acquire()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(CallError::Busy),
        }
    }

    /// Keeps the instance of a successful call. Counts a failed one and turns its error into a [`CallError`].
    fn finish<T>(&self, ended: wasmtime::Result<(Live, T)>, in_sql: &Stopwatch) -> Result<T, CallError> {
        match ended {
            Ok((live, answer)) => {
                self.instances.give_back(live);
                Ok(answer)
            }
            Err(error) => match error.downcast_ref::<OutOfTime>() {
                Some(OutOfTime { frames }) => {
                    self.state.counters.timeouts.fetch_add(1, Ordering::Relaxed);
                    let deadline = self.state.limits.deadline();
                    Err(CallError::OutOfTime(cause::timeout(deadline, in_sql.total(), frames)))
                }
                None => {
                    self.state.counters.traps.fetch_add(1, Ordering::Relaxed);
                    Err(CallError::Trap(cause::text(&error)))
                }
            },
        }
    }
}

/// Runs a call until its deadline. Guest code is stopped by the engine's clock; this stops waiting inside host
/// functions. Most calls never wait: for them no timer is made.
async fn within<T>(deadline: Instant, call: impl Future<Output = wasmtime::Result<T>>) -> wasmtime::Result<T> {
    let mut call = pin!(call);
    let first = std::future::poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await;
    match first {
        Poll::Ready(answer) => answer,
        Poll::Pending => match tokio::time::timeout_at(deadline.into(), call).await {
            Ok(answer) => answer,
            Err(_) => Err(OutOfTime { frames: String::new() }.into()),
        },
    }
}
