//! Serving prototypes.
//!
//! [`Sites::serve`] runs before the router, because most requests are for files. [`Sites::fallback`] runs after it, where a
//! request would be a 404. A file that was sent before is served from memory, with prepared headers and shared bytes; only
//! the request is parsed.

mod address;
mod body;
mod bridge;
mod conditions;
mod domain;
mod encoding;
mod handoff;
mod messages;
mod naming;
mod own_origin;
mod path_mode;
mod ready;
mod referer;
mod request;
mod resolve;
mod respond;
mod shared;
mod tree;
mod warnings;

use std::io;
use std::ops::Deref;
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};

pub use body::{FilePart, SiteBody};
pub use shared::SharedFile;
pub use warnings::warnings;

use address::Address;
use bridge::Bridge;
use domain::Domain;
use handoff::HandOff;
use ready::ReadyFiles;
use request::SiteRequest;

use crate::config::Config;
use crate::storage::core::Core;
use crate::storage::sites::SiteStore;

/// The path on the main origin that redirects to a prototype's origin.
const OPEN: &str = "/open/";

/// The part of the server that serves prototypes. Cheap to clone.
#[derive(Clone)]
pub struct Sites(Arc<Inner>);

/// The state behind [`Sites`].
pub struct Inner {
    core: Arc<Core>,
    config: Arc<Config>,
    store: SiteStore,
    bridge: Bridge,
    ready: ReadyFiles,
    /// The hosts of prototypes; `None` in path mode.
    domain: Option<Domain>,
    handoff: Option<HandOff>,
}

impl Deref for Sites {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Sites {
    /// `bridge` is the script that is inserted into pages. `config` must have its final public URL. With
    /// SERVICE_SERVE_DOMAIN this reads, or makes, the key of the prototypes' cookies in the data folder.
    pub fn new(core: Arc<Core>, config: Arc<Config>, store: SiteStore, bridge: Bytes) -> io::Result<Self> {
        let domain = Domain::new(&config);
        let handoff = domain.as_ref().map(|_| HandOff::open(&config.data_dir)).transpose()?;
        let (bridge, ready) = (Bridge::new(bridge), ReadyFiles::new());
        Ok(Self(Arc::new(Inner {
            core,
            config,
            store,
            bridge,
            ready,
            domain,
            handoff,
        })))
    }

    /// Answers requests for prototypes: on their hosts, below `/p/` and `/open/`, and for the bridge. `None` for all other
    /// requests, which the router answers. Does not read the body.
    pub fn serve<'a, B>(
        &'a self,
        request: &'a Request<B>,
    ) -> impl Future<Output = Option<Response<SiteBody>>> + Send + use<'a, B> {
        let request = SiteRequest::of(request);
        async move {
            let path = request.uri.path();
            let own_host = self.own_host(&request);
            if self.bridge.is_at(path) && request.reads() {
                return Some(self.bridge.answer(&request).await);
            }
            if let Some(slug) = own_host {
                return Some(self.own_origin(&request, &slug).await);
            }
            if let Some(address) = Address::parse(path) {
                return Some(self.path_mode(&request, address).await);
            }
            let slug = path.strip_prefix(OPEN).filter(|_| self.domain.is_some())?;
            Some(self.hand_off(&request, slug))
        }
    }

    /// Answers a request that the router does not know, when its `Referer` is a page of a prototype. `None` for the
    /// ordinary 404.
    pub fn fallback<'a, B>(
        &'a self,
        request: &'a Request<B>,
    ) -> impl Future<Output = Option<Response<SiteBody>>> + Send + use<'a, B> {
        let request = SiteRequest::of(request);
        async move { self.by_referer(&request).await }
    }
}

#[cfg(test)]
mod tests;
