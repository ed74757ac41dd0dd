//! What the host calls of a plugin, in each version of the contract that it speaks.

use wasmtime::Store;
use wasmtime::component::{Instance, InstancePre};

use crate::capabilities::contract::exports::galley::plugin as now;
use crate::capabilities::contract::galley::http::types::Response;
use crate::capabilities::contract_0_1::{self as v0_1, exports as old};
use crate::capabilities::objects::{Delivery, Job, Request};
use crate::capabilities::{Problem, State};

/// Where the exports of a component are.
pub struct Exports {
    handler: HandlerIndices,
    /// Set when the component exports it.
    pub subscriber: Option<Subscriber>,
    /// Set when the component exports it.
    pub lifecycle: Option<Lifecycle>,
    /// Set when the component exports it.
    pub jobs: Option<Jobs>,
}

enum HandlerIndices {
    Now(now::handler::GuestIndices),
    V0_1(old::handler::GuestIndices),
}

/// The handler of an instance.
#[derive(Clone)]
pub enum Handler {
    /// Of this version.
    Now(now::handler::Guest),
    /// Of version 0.1: it gets the request as a record.
    V0_1(old::handler::Guest),
}

/// Where the subscriber is.
#[derive(Clone)]
pub enum Subscriber {
    /// Of this version.
    Now(now::subscriber::GuestIndices),
    /// Of version 0.1: it gets the event as a record.
    V0_1(old::subscriber::GuestIndices),
}

/// Where the jobs are; version 0.1 had none.
#[derive(Clone)]
pub struct Jobs(now::jobs::GuestIndices);

/// Where the work before the first request is.
#[derive(Clone)]
pub enum Lifecycle {
    /// Of this version.
    Now(now::lifecycle::GuestIndices),
    /// Of version 0.1.
    V0_1(old::lifecycle::GuestIndices),
}

/// A call that is no request: it succeeds, or says why not.
pub enum Task {
    /// Delivers an event.
    Receive(Subscriber, Delivery),
    /// Runs a job.
    RunJob(Jobs, Job),
    /// Lets the plugin do its work before the first request.
    Start(Lifecycle),
}

impl Task {
    /// Calls the plugin. The inner error is its own.
    pub async fn run(self, store: &mut Store<State>, instance: &Instance) -> wasmtime::Result<Result<(), Problem>> {
        match self {
            Self::Receive(subscriber, delivery) => subscriber.receive(store, instance, delivery).await,
            Self::RunJob(jobs, job) => jobs.run(store, instance, job).await,
            Self::Start(lifecycle) => lifecycle.start(store, instance).await,
        }
    }
}

impl Exports {
    /// Finds the exports.
    pub fn find(pre: &InstancePre<State>) -> wasmtime::Result<Self> {
        if let Ok(handler) = old::handler::GuestIndices::new(pre) {
            return Ok(Self {
                handler: HandlerIndices::V0_1(handler),
                subscriber: old::subscriber::GuestIndices::new(pre).ok().map(Subscriber::V0_1),
                lifecycle: old::lifecycle::GuestIndices::new(pre).ok().map(Lifecycle::V0_1),
                jobs: None,
            });
        }
        Ok(Self {
            handler: HandlerIndices::Now(now::handler::GuestIndices::new(pre)?),
            subscriber: now::subscriber::GuestIndices::new(pre).ok().map(Subscriber::Now),
            lifecycle: now::lifecycle::GuestIndices::new(pre).ok().map(Lifecycle::Now),
            jobs: now::jobs::GuestIndices::new(pre).ok().map(Jobs),
        })
    }

    /// The handler of an instance.
    pub fn handler(&self, store: &mut Store<State>, instance: &Instance) -> wasmtime::Result<Handler> {
        Ok(match &self.handler {
            HandlerIndices::Now(indices) => Handler::Now(indices.load(store, instance)?),
            HandlerIndices::V0_1(indices) => Handler::V0_1(indices.load(store, instance)?),
        })
    }
}

impl Handler {
    /// Answers a request.
    pub async fn handle(&self, store: &mut Store<State>, request: Request) -> wasmtime::Result<Response> {
        match self {
            Self::Now(guest) => {
                let request = store.data_mut().begin_request(request)?;
                guest.call_handle(store, request).await
            }
            Self::V0_1(guest) => {
                let (request, upload) = store.data_mut().request_0_1(request)?;
                let answer = guest.call_handle(store, &request, upload).await?;
                Ok(v0_1::response(answer))
            }
        }
    }
}

impl Subscriber {
    /// Delivers an event.
    async fn receive(
        &self,
        store: &mut Store<State>,
        instance: &Instance,
        delivery: Delivery,
    ) -> wasmtime::Result<Result<(), Problem>> {
        match self {
            Self::Now(indices) => {
                let guest = indices.load(&mut *store, instance)?;
                let delivery = store.data_mut().begin_delivery(delivery)?;
                guest.call_receive(store, delivery).await
            }
            Self::V0_1(indices) => {
                let guest = indices.load(&mut *store, instance)?;
                guest.call_receive(store, &v0_1::delivery(delivery)).await
            }
        }
    }
}

impl Jobs {
    /// Runs a job.
    async fn run(
        &self,
        store: &mut Store<State>,
        instance: &Instance,
        job: Job,
    ) -> wasmtime::Result<Result<(), Problem>> {
        let guest = self.0.load(&mut *store, instance)?;
        let job = store.data_mut().begin_job(job)?;
        guest.call_run(store, job).await
    }
}

impl Lifecycle {
    /// Lets the plugin do its work before the first request.
    async fn start(&self, store: &mut Store<State>, instance: &Instance) -> wasmtime::Result<Result<(), Problem>> {
        match self {
            Self::Now(indices) => indices.load(&mut *store, instance)?.call_start(store).await,
            Self::V0_1(indices) => indices.load(&mut *store, instance)?.call_start(store).await,
        }
    }
}
