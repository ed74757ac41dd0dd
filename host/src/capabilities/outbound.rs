//! `galley:outbound`: requests to the outside, with credentials and secrets that stay in the host.

use std::sync::Arc;

use futures_util::future::join_all;
use galley_manifest::check_together;

use super::contract::galley::outbound::outbound::{Host, Request, Response};
use super::state::granted;
use super::{Capability, Problem, State, outbound_codehost, outbound_hosts, problem};
use crate::outside::Budget;

/// The most bytes of bodies that one `fetch-all` receives.
const MAX_RECEIVED: usize = 8 << 20;

/// A request that was checked, with everything that is needed to send it without the call's state.
enum Ready {
    CodeHost(outbound_codehost::Ready),
    Host(outbound_hosts::Ready),
}

impl Ready {
    async fn send(self, budget: &Budget) -> Result<Response, Problem> {
        match self {
            Self::Host(ready) => ready.send(budget).await,
            Self::CodeHost(ready) => {
                let answer = ready.send().await?;
                match budget.take(answer.body.len()) {
                    true => Ok(answer),
                    false => Err(problem("unreachable", "The answers have too many bytes together.")),
                }
            }
        }
    }
}

impl State {
    /// Counts requests: for each of them, whether it may be sent.
    fn counted(&self, requests: usize) -> impl Future<Output = Vec<Result<(), Problem>>> + Send + use<> {
        let (slot, most) = (self.slot.clone(), self.call.limits.outbound_per_minute);
        async move {
            let mut counted = Vec::with_capacity(requests);
            for _ in 0..requests {
                let (name, core) = (&slot.name, &slot.services.core);
                counted.push(match slot.outbound.take(core, name, most).await {
                    true => Ok(()),
                    false => {
                        let message =
                            format!("The plugin `{name}` sent the {most} requests that it may send in a minute.");
                        Err(problem("rate-limited", message))
                    }
                });
            }
            counted
        }
    }

    /// Checks a request.
    fn prepare(&self, request: &Request) -> Result<Ready, Problem> {
        match self.is_host(&request.credential) {
            true => self.prepare_host(request).map(Ready::Host),
            false => self.prepare_codehost(request).map(Ready::CodeHost),
        }
    }
}

impl Host for State {
    async fn fetch(&mut self, request: Request) -> wasmtime::Result<Result<Response, Problem>> {
        granted!(self, Outbound);
        let counted = self.counted(1).await.pop().unwrap_or(Ok(()));
        match counted.and_then(|()| self.prepare(&request)) {
            Ok(ready) => Ok(ready.send(&Budget::new(MAX_RECEIVED)).await),
            Err(refused) => Ok(Err(refused)),
        }
    }

    async fn fetch_all(&mut self, requests: Vec<Request>) -> wasmtime::Result<Vec<Result<Response, Problem>>> {
        let refused = self.enter_granted(Capability::Outbound)?.err();
        let bytes: usize = requests.iter().map(|request| request.body.len()).sum();
        let too_many = || {
            let together = check_together(requests.len(), bytes);
            together.err().map(|message| problem("bad-request", message))
        };
        if let Some(refused) = refused.or_else(too_many) {
            return Ok(requests.iter().map(|_| Err(refused.clone())).collect());
        }
        let budget = Arc::new(Budget::new(MAX_RECEIVED));
        let counted = self.counted(requests.len()).await;
        let ready = requests.iter().zip(counted);
        let ready = ready.map(|(request, counted)| counted.and_then(|()| self.prepare(request)));
        let sent = ready.map(|ready| {
            let budget = budget.clone();
            async move { ready?.send(&budget).await }
        });
        Ok(join_all(sent.collect::<Vec<_>>()).await)
    }
}
