//! What a call is handed beside its arguments: the request or the event, an archive, trees, and what an answer goes on with.

use std::pin::Pin;
use std::sync::Arc;

use crate::core::Event;
use crate::storage::sites::StagedTree;

/// A request for one of the plugin's routes. Its headers, its id and its caller are the call's.
pub struct Request {
    /// Index of the route in the manifest.
    pub route: u32,
    /// The method; that of the route for a HEAD request.
    pub method: ::http::Method,
    /// Path and query.
    pub uri: ::http::Uri,
    /// Values of the path's parameters, in their order.
    pub params: Vec<String>,
    /// The project that the guard resolved.
    pub project: Option<String>,
    /// The body of a `json` or `bytes` route, until it is taken.
    pub body: Vec<u8>,
    /// The body of an `archive` route, until it is taken.
    pub upload: Option<Upload>,
}

/// An event on its way to a plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The event.
    pub event: Event,
    /// 1 the first time.
    pub attempt: u32,
}

/// A run of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its name in the manifest.
    pub name: String,
    /// When it was due, in milliseconds since 1970.
    pub due: u64,
}

/// An archive that was received.
pub struct Upload {
    /// Bytes as sent.
    pub size: u64,
    /// Hex SHA-256 of them.
    pub sha256: String,
    /// The unpacked files, until they are taken.
    pub tree: Option<TreeEntry>,
}

/// A body that the host continues to send after the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tail {
    /// Server-sent events that follow a bell of the slot.
    Bell {
        /// The bell.
        topic: String,
        /// Data of the first event.
        hello: String,
        /// Data of each later one.
        ring: String,
        /// Milliseconds between two pings.
        ping_ms: u32,
    },
    /// Server-sent events that follow a log of the slot.
    Log {
        /// The log.
        id: String,
        /// Milliseconds between two pings.
        ping_ms: u32,
    },
}

/// An unpacked tree that is not a version yet.
pub struct TreeEntry {
    /// `None` once it was published.
    pub(super) tree: Option<Arc<StagedTree>>,
    /// Takes the tree back when the call ends without publishing it.
    lender: Option<Lender>,
    /// Awaited when it was published.
    pub(super) published: Option<Published>,
}

type Lender = Box<dyn FnOnce(StagedTree) + Send>;
type Published = Pin<Box<dyn Future<Output = ()> + Send>>;

impl TreeEntry {
    /// A tree that belongs to the call.
    pub fn new(tree: StagedTree) -> Self {
        Self {
            tree: Some(Arc::new(tree)),
            lender: None,
            published: None,
        }
    }

    /// A tree on loan until the end of the call; `lender` gets it back unless it is published, which is when `published` is done.
    pub fn lent(
        tree: StagedTree,
        lender: impl FnOnce(StagedTree) + Send + 'static,
        published: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        Self {
            tree: Some(Arc::new(tree)),
            lender: Some(Box::new(lender)),
            published: Some(Box::pin(published)),
        }
    }
}

impl Drop for TreeEntry {
    fn drop(&mut self) {
        if let (Some(tree), Some(lender)) = (self.tree.take(), self.lender.take())
            && let Ok(tree) = Arc::try_unwrap(tree)
        {
            lender(tree);
        }
    }
}
