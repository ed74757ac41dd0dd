//! What every request to the proxy needs: where to forward to, and as whom.

use std::path::PathBuf;

use tokio::sync::watch;

/// What [`serve`](super::serve) needs to know.
#[derive(Debug)]
pub struct Options {
    /// Where to forward to; followed as it changes. [`crate::hosts::Host::upstream`] gives it.
    pub upstream: watch::Receiver<Upstream>,
    /// The bridge's script, read on each request.
    pub bridge: PathBuf,
    /// The module that the bridge reads its page with.
    pub reading: String,
    /// The interface's origin, as `http://127.0.0.1:4400`: the only page that may show the prototype in a frame.
    pub interface: String,
    /// The run's nonce, which every message between the bridge and the interface carries.
    pub nonce: String,
}

/// The dev server, as seen from here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upstream {
    /// Where it listens, without a slash at the end; `None` while it does not.
    pub origin: Option<String>,
    /// The path its pages are below: `/`, unless configured.
    pub base: String,
    /// Whether it is on its way.
    pub starting: bool,
    /// What to tell somebody who looks at the prototype now.
    pub words: String,
    /// The dev server's own last lines.
    pub log: Vec<String>,
}

/// What every request needs.
pub(super) struct Shared {
    pub options: Options,
    /// This origin.
    pub origin: String,
    pub client: reqwest::Client,
    /// Asks on a connection of its own each time.
    pub fresh: reqwest::Client,
}
