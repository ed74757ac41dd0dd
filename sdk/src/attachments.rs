//! One JSON value of the plugin's slot for each project, kept with the project and deleted with it. The project's record
//! shows it, under the slot's name, to everybody who manages the project, so it must hold no secrets.
//!
//! ```
//! use galley_sdk::testing::TestHost;
//! use galley_sdk::{Plugin, attachments};
//!
//! let host = TestHost::new(Plugin::new("demo", "1.0.0"));
//! host.project("p1");
//! host.run(|| {
//!     attachments::set("p1", &vec![1, 2])?;
//!     assert_eq!(attachments::get::<Vec<u8>>("p1", "demo")?, Some(vec![1, 2]));
//!     assert_eq!(attachments::all::<Vec<u8>>()?, [("p1".to_owned(), vec![1, 2])]);
//!     attachments::clear("p1")
//! })
//! .unwrap();
//! assert_eq!(host.attachment("p1"), None);
//! ```

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Problem;
use crate::host;

fn read<T: DeserializeOwned>(project: &str, value: &str) -> Result<T, Problem> {
    serde_json::from_str(value).map_err(|error| Problem {
        code: "bad-json".into(),
        message: format!("the value attached to the project {project} has another type: {error}"),
    })
}

/// What a slot attached to the project; `None` when it attached nothing. The caller must be able to manage the project, or
/// be `system`.
pub fn get<T: DeserializeOwned>(project: &str, slot: &str) -> Result<Option<T>, Problem> {
    let value = host::attachments::get(project, slot)?;
    value.map(|value| read(project, &value)).transpose()
}

/// Sets the value of this plugin's own slot. Durable when it returns. The caller must be able to manage the project, or be
/// `system`.
pub fn set<T: Serialize + ?Sized>(project: &str, value: &T) -> Result<(), Problem> {
    let value = serde_json::to_string(value).map_err(|error| Problem {
        code: "bad-json".into(),
        message: error.to_string(),
    })?;
    host::attachments::set(project, &value)
}

/// Deletes the value of this plugin's own slot. Deleting a missing one is fine.
pub fn clear(project: &str) -> Result<(), Problem> {
    host::attachments::clear(project)
}

/// What this plugin's own slot attached to any project, with the projects' ids in order. For `system` calls only: events,
/// start, and requests whose guard is [`Guard::signature`](crate::Guard::signature).
pub fn all<T: DeserializeOwned>() -> Result<Vec<(String, T)>, Problem> {
    let all = host::attachments::all()?;
    let parsed = all.into_iter().map(|attachment| {
        let value = read(&attachment.project, &attachment.value)?;
        Ok((attachment.project, value))
    });
    parsed.collect()
}
