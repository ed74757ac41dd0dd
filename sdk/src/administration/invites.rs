//! Invitations to the instance. The link of one is in the answers of [`create`] and [`regenerate`] only.
//!
//! ```
//! use galley_sdk::administration::invites;
//! use galley_sdk::prelude::*;
//! use galley_sdk::testing::TestHost;
//!
//! fn invite() -> Result<Json<String>> {
//!     let invite = invites::create("zoe@example.com", "viewer")?;
//!     assert!(invite.url.is_some() && invites::all()?[0].url.is_none());
//!     Ok(Json(invite.state))
//! }
//!
//! let route = post("/api/v1/invite", invite).guard(Guard::instance_admin());
//! let host = TestHost::new(Plugin::new("demo", "1.0.0").route(route));
//! assert_eq!(host.post("/api/v1/invite").as_admin().send().json(), "pending");
//! ```

pub use crate::bindings::galley::administration::invites::Invite;

use crate::error::Problem;
use crate::host::administration::invites as host;

/// Every invitation, newest first, without links.
pub fn all() -> Result<Vec<Invite>, Problem> {
    host::all()
}

/// Invites an address (compared trimmed and lower-case) for 7 days. `bad-email`, `bad-role`, `exists` (a pending
/// invitation), `has-account`, `removed` (a removed account).
pub fn create(email: &str, role: &str) -> Result<Invite, Problem> {
    host::create(email, role)
}

/// Makes a fresh link, good for 7 days; the old one stops working, and an expired invitation is pending again.
/// `not-found`, `settled` (used or revoked), and those of [`create`] about the address.
pub fn regenerate(id: &str) -> Result<Invite, Problem> {
    host::regenerate(id)
}

/// Revokes an invitation; doing so twice is fine. `not-found`, `settled` (it was used).
pub fn revoke(id: &str) -> Result<(), Problem> {
    host::revoke(id)
}
