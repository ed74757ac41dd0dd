//! The instance's settings, for changing them. To read a setting, use [`settings`](crate::settings).
//!
//! ```
//! use galley_sdk::administration::instance_settings::{self, Change};
//! use galley_sdk::prelude::*;
//! use galley_sdk::testing::TestHost;
//!
//! fn close() -> Result<Json<bool>> {
//!     let change = Change { allow_public_links: Some(false), allow_anonymous_comments: None };
//!     Ok(Json(instance_settings::update(change)?.allow_public_links))
//! }
//!
//! let route = post("/api/v1/close", close).guard(Guard::instance_admin());
//! let host = TestHost::new(Plugin::new("demo", "1.0.0").route(route));
//! assert_eq!(host.post("/api/v1/close").as_admin().send().json(), false);
//! ```

pub use crate::bindings::galley::administration::instance_settings::{Change, Settings};

use crate::error::Problem;
use crate::host::administration::instance_settings as host;

/// The settings as they are now.
pub fn get() -> Result<Settings, Problem> {
    host::get()
}

/// Changes settings, all or none, and returns all settings as they are afterwards.
pub fn update(change: Change) -> Result<Settings, Problem> {
    host::update(change)
}
