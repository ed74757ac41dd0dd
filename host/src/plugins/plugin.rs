//! One loaded plugin: calling it within its bounds.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::Instant;

use wasmtime::component::Resource;

use super::instances::{Instances, Live, OutOfTime};
use super::manifest::Manifest;
use crate::capabilities::contract::exports::galley::plugin::subscriber::Delivery;
use crate::capabilities::contract::galley::http::types::{Request, Response};
use crate::capabilities::handles::UploadHandle;
use crate::capabilities::http::{Tail, Upload};
use crate::capabilities::{Call, Problem, SlotState};

/// A plugin that serves its slot.
pub struct Plugin {
    /// Its manifest.
    pub manifest: Manifest,
    /// The state that all instances share.
    pub state: Arc<SlotState>,
    /// Whether it came compiled from the cache.
    pub from_cache: bool,
    pub(super) instances: Instances,
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
    #[error("the plugin did not answer within its {0} ms")]
    OutOfTime(u64),
    /// The most calls at the same time were running until the deadline.
    #[error("the plugin is busy with other requests")]
    Busy,
}

impl Plugin {
    /// Answers one request.
    pub async fn handle(&self, call: Call, request: &Request, upload: Option<Upload>) -> Result<Answer, CallError> {
        let deadline = call.deadline;
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
            let mut response = live
                .handler
                .clone()
                .call_handle(&mut live.store, request, upload)
                .await?;
            let tail = match response.tail.take() {
                Some(handle) => Some(live.store.data_mut().handles.take(&handle)?),
                None => None,
            };
            Ok((live, Answer { response, tail }))
        });
        self.finish(answered.await)
    }

    /// Delivers one event. The inner error is the plugin's own: try again later.
    pub async fn receive(&self, call: Call, delivery: &Delivery) -> Result<Result<(), Problem>, CallError> {
        let Some(indices) = &self.instances.subscriber else {
            return Ok(Ok(()));
        };
        let deadline = call.deadline;
        let _permit = self.permit(deadline).await?;
        let received = within(deadline, async {
            let mut live = self.instances.take(&self.state, call).await?;
            let instance = live.instance;
            let guest = indices.load(&mut live.store, &instance)?;
            let answer = guest.call_receive(&mut live.store, delivery).await?;
            Ok((live, answer))
        });
        self.finish(received.await)
    }

    /// Lets the plugin do its work before the first request.
    pub async fn start(&self, call: Call) -> Result<Result<(), Problem>, CallError> {
        let Some(indices) = &self.instances.lifecycle else {
            return Ok(Ok(()));
        };
        let started = within(call.deadline, async {
            let mut live = self.instances.take(&self.state, call).await?;
            let instance = live.instance;
            let guest = indices.load(&mut live.store, &instance)?;
            let answer = guest.call_start(&mut live.store).await?;
            Ok((live, answer))
        });
        self.finish(started.await)
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
    fn finish<T>(&self, ended: wasmtime::Result<(Live, T)>) -> Result<T, CallError> {
        match ended {
            Ok((live, answer)) => {
                self.instances.give_back(live);
                Ok(answer)
            }
            Err(error) if error.is::<OutOfTime>() => {
                self.state.counters.timeouts.fetch_add(1, Ordering::Relaxed);
                Err(CallError::OutOfTime(self.state.limits.deadline_ms))
            }
            Err(error) => {
                self.state.counters.traps.fetch_add(1, Ordering::Relaxed);
                Err(CallError::Trap(one_line(&error)))
            }
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
            Err(_) => Err(OutOfTime.into()),
        },
    }
}

/// An error with its causes and the guest's backtrace, on one line for the log.
fn one_line(error: &wasmtime::Error) -> String {
    let text = format!("{error:?}");
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default().to_owned();
    lines.take(30).fold(first, |mut line, next| {
        line.push_str(" | ");
        line.push_str(next);
        line
    })
}
