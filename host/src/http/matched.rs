//! Which route answered.

use std::sync::Arc;

/// The route that answered, as an extension of the response: its path with `{names}`, and the slot it belongs to.
#[derive(Debug, Clone)]
pub struct Route {
    /// `/api/v1/projects/{id}`.
    pub path: Arc<str>,
    /// `None` for a route of the host.
    pub slot: Option<Arc<str>>,
}

impl Route {
    /// A part of the server outside of the router.
    pub fn fixed(path: &'static str) -> Self {
        Self {
            path: path.into(),
            slot: None,
        }
    }
}
