//! Where the output of successful builds waits: in this process, or in the object store that servers share.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::core::CoreError;
use crate::storage::sites::{StagedTree, TreeStore};

/// Why output could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// The database failed.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// The object store failed, or the disk.
    #[error(transparent)]
    Store(#[from] io::Error),
}

/// Where output waits.
pub struct Trees {
    /// By slot and id; `None` while it is taken.
    pub here: Mutex<HashMap<(String, String), Option<StagedTree>>>,
    /// The store, where servers share one.
    pub shared: Option<Arc<TreeStore>>,
}

impl Trees {
    /// In this process, or in a store.
    pub fn new(shared: Option<TreeStore>) -> Self {
        Self {
            here: Mutex::default(),
            shared: shared.map(Arc::new),
        }
    }
}
