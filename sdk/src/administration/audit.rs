//! The audit log: what was done to the instance, by whom and when.
//!
//! ```
//! use galley_sdk::administration::{audit, members};
//! use galley_sdk::prelude::*;
//! use galley_sdk::testing::TestHost;
//!
//! fn remove(Path(user): Path<String>) -> Result<Json<String>> {
//!     members::remove(&user)?;
//!     Ok(Json(audit::read(None, 1)?.remove(0).action))
//! }
//!
//! let route = delete("/api/v1/people/{user}", remove).guard(Guard::instance_admin());
//! let host = TestHost::new(Plugin::new("demo", "1.0.0").route(route));
//! let vic = host.account("vic@example.com");
//! let answer = host.delete(&format!("/api/v1/people/{}", vic.id)).as_admin().send();
//! assert_eq!(answer.json(), "account-removed");
//! ```

pub use crate::bindings::galley::administration::audit::{Actor, Entry};

use crate::error::Problem;
use crate::host::administration::audit as host;

/// Entries before the one with the id `before` (`None`: from the newest), newest first, at most `limit` (bounded to 200).
pub fn read(before: Option<u64>, limit: u32) -> Result<Vec<Entry>, Problem> {
    host::read(before, limit)
}
