//! Serving prototypes.
//!
//! [`Sites::serve`] runs before the router, because most requests are for files. [`Sites::fallback`] runs after it, where a
//! request would be a 404. A file that was sent before is served from memory, with prepared headers and shared bytes; only
//! the request is parsed.

mod address;
mod body;
mod bridge;
mod codes;
mod conditions;
mod domain;
mod encoding;
mod framing;
mod handoff;
mod messages;
mod naming;
mod open;
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
use quick_cache::sync::Cache;

pub use body::{FilePart, SiteBody};
pub use shared::SharedFile;
pub use warnings::warnings;

use address::Address;
use bridge::Bridge;
use codes::Codes;
use domain::Domain;
use framing::Framing;
use handoff::HandOff;
use ready::ReadyFiles;
use request::SiteRequest;

use crate::config::Config;
use crate::core::Core;
use crate::storage::sites::SiteStore;

/// The path on the main origin that redirects to a prototype, or to one version of it.
const OPEN: &str = "/open/";

/// Whether a host of this name below the domain of prototypes is a version's own.
pub fn is_version_host(name: &str) -> bool {
    address::pinned_label(name).is_some()
}

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
    codes: Codes,
    framing: Framing,
    /// Which project a version belongs to, which never changes.
    projects_of_versions: Cache<String, String>,
}

/// The most versions whose project is remembered.
const MAX_VERSIONS: usize = 10_000;

impl Deref for Sites {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Sites {
    /// `bridge` is the script that is inserted into pages. `config` must have its final public URL. With
    /// SERVICE_SERVE_DOMAIN this reads, or makes, the key of the prototypes' cookies in the data folder, unless a cluster has one.
    pub fn new(core: Arc<Core>, config: Arc<Config>, store: SiteStore, bridge: Bytes) -> io::Result<Self> {
        let domain = Domain::new(&config);
        let handoff = domain.as_ref().map(|_| match &config.cluster {
            Some(cluster) => Ok(HandOff::of_cluster(&cluster.key)),
            None => HandOff::open(&config.data_dir),
        });
        let handoff = handoff.transpose()?;
        let (bridge, ready) = (Bridge::new(bridge, &config.public_url), ReadyFiles::new());
        let (framing, codes) = (Framing::new(&config), Codes::of(&core));
        Ok(Self(Arc::new(Inner {
            core,
            config,
            store,
            bridge,
            ready,
            domain,
            handoff,
            codes,
            framing,
            projects_of_versions: Cache::new(MAX_VERSIONS),
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
            let mut response = if let Some(label) = own_host {
                self.own_origin(&request, &label).await
            } else if let Some(address) = Address::parse(path) {
                self.path_mode(&request, address).await
            } else {
                // In path mode a prototype may have files there.
                let is_taken = self.domain.is_some() || request.navigates();
                let label = path.strip_prefix(OPEN).filter(|_| is_taken)?;
                self.open_prototype(&request, label).await
            };
            self.framing.set(response.headers_mut());
            Some(response)
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
