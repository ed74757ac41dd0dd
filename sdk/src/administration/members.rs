//! The accounts of the instance.
//!
//! ```
//! use galley_sdk::administration::members;
//! use galley_sdk::prelude::*;
//! use galley_sdk::testing::TestHost;
//!
//! fn promote(Path(user): Path<String>) -> Result<Json<String>> {
//!     Ok(Json(members::set_role(&user, "editor")?.role))
//! }
//!
//! let route = post("/api/v1/promote/{user}", promote).guard(Guard::instance_admin());
//! let host = TestHost::new(Plugin::new("demo", "1.0.0").route(route));
//! let vic = host.account("vic@example.com");
//! let path = format!("/api/v1/promote/{}", vic.id);
//! assert_eq!(host.post(&path).as_admin().send().json(), "editor");
//! assert_eq!(host.post(&path).as_user(&vic).send().status, 403);
//! ```

pub use crate::bindings::galley::administration::members::{Link, Member};

use crate::error::Problem;
use crate::host::administration::members as host;

/// Every account, removed ones too, oldest first.
pub fn all() -> Result<Vec<Member>, Problem> {
    host::all()
}

/// Changes a role, from the account's next request on. `not-found`, `bad-role`, `last-admin`.
pub fn set_role(id: &str, role: &str) -> Result<Member, Problem> {
    host::set_role(id, role)
}

/// Removes an account: its sessions and tokens end at once. Removing a removed one is fine. `not-found`, `last-admin`.
pub fn remove(id: &str) -> Result<(), Problem> {
    host::remove(id)
}

/// Brings a removed account back; restoring an active one is fine. `not-found`.
pub fn restore(id: &str) -> Result<Member, Problem> {
    host::restore(id)
}

/// Makes a link that signs the account in once, within 24 hours. `not-found`, `removed`.
pub fn sign_in_link(id: &str) -> Result<Link, Problem> {
    host::sign_in_link(id)
}

/// Deletes every personal access token of an account; answers how many there were. `not-found`.
pub fn revoke_tokens(id: &str) -> Result<u32, Problem> {
    host::revoke_tokens(id)
}
