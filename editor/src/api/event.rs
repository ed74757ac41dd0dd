//! What pages are told.

use std::sync::Arc;

use axum::response::sse;
use serde_json::Value;

/// Something that happened.
#[derive(Debug, Clone)]
pub(super) struct Event {
    name: &'static str,
    data: Arc<str>,
}

impl Event {
    pub(super) fn new(name: &'static str, data: Value) -> Self {
        let data = Arc::from(data.to_string());
        Self { name, data }
    }

    /// As it goes to a page.
    pub(super) fn sse(&self) -> sse::Event {
        sse::Event::default().event(self.name).data(&*self.data)
    }
}
