//! Durable events. An event reaches every subscribed slot at least once, in order, across crashes.
//!
//! Publish beside a write with [`sql::Batch::publish`](crate::sql::Batch::publish); subscribe with
//! [`Plugin::on`](crate::Plugin::on). A handler sees an event again after a crash, or when it failed before.
//!
//! ```
//! use galley_sdk::events::ProjectDeleted;
//! use galley_sdk::prelude::*;
//! use galley_sdk::testing::TestHost;
//! use serde_json::json;
//!
//! fn project_deleted(event: Event<ProjectDeleted>) -> Result<()> {
//!     sql::execute("DELETE FROM notes WHERE project_id = ?1", params![event.data.project_id])?;
//!     Ok(())
//! }
//!
//! let plugin = Plugin::new("demo", "1.0.0")
//!     .migration(1, "CREATE TABLE notes (project_id TEXT)")
//!     .on("project-deleted", project_deleted);
//! let host = TestHost::new(plugin);
//! host.deliver("project-deleted", json!({ "projectId": "p1" })).unwrap();
//! ```

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use crate::bindings::galley::events::types::Event as Published;

use crate::error::{Error, Problem};

/// An event, as a subscriber sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<T> {
    /// Grows with each event; the same when the event is delivered again.
    pub id: u64,
    /// The topic: a word for an event of the host, `SLOT/WORD` for one of a slot.
    pub topic: String,
    /// The slot that published it, as the host knows it; `None` for an event of the host.
    pub source: Option<String>,
    /// 1 the first time.
    pub attempt: u32,
    /// What was published.
    pub data: T,
}

/// The data of the host's `project-deleted`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectDeleted {
    /// The project that is gone.
    pub project_id: String,
}

/// The data of the host's `account-removed`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountRemoved {
    /// The account; it can be restored.
    pub user_id: String,
}

/// An event before its data are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    pub(crate) id: u64,
    pub(crate) topic: String,
    pub(crate) source: Option<String>,
    pub(crate) data: String,
    pub(crate) attempt: u32,
}

/// Publishes outside a transaction; durable when it returns. The topic is `SLOT/WORD` with the plugin's own slot, and one of
/// those that [`Plugin::publishes`](crate::Plugin::publishes) names.
pub fn publish<T: Serialize + ?Sized>(topic: &str, data: &T) -> Result<(), Problem> {
    crate::host::events::publish(&[event(topic, data)?])
}

pub(crate) fn event<T: Serialize + ?Sized>(topic: &str, data: &T) -> Result<Published, Problem> {
    let data = serde_json::to_string(data).map_err(|error| Problem {
        code: "event".into(),
        message: format!("the event {topic}: {error}"),
    })?;
    Ok(Published {
        topic: topic.to_owned(),
        data,
    })
}

impl<T: DeserializeOwned> Event<T> {
    pub(crate) fn from_received(received: &Received) -> Result<Event<T>, Error> {
        let Received { id, topic, data, .. } = received;
        match serde_json::from_str(data) {
            Ok(data) => Ok(Event {
                id: *id,
                topic: topic.clone(),
                source: received.source.clone(),
                attempt: received.attempt,
                data,
            }),
            Err(error) => Err(Error::internal(format_args!("event {id} of {topic}: {error}"))),
        }
    }
}
