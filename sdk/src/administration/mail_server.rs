//! The mail server. Its password can be set and never read.
//!
//! ```
//! use galley_sdk::administration::mail_server;
//! use galley_sdk::prelude::*;
//! use galley_sdk::testing::TestHost;
//!
//! fn source() -> Result<Json<String>> {
//!     Ok(Json(mail_server::get()?.source))
//! }
//!
//! let route = get("/api/v1/source", source).guard(Guard::instance_admin());
//! let host = TestHost::new(Plugin::new("demo", "1.0.0").route(route));
//! assert_eq!(host.get("/api/v1/source").as_admin().send().json(), "none");
//! ```

pub use crate::bindings::galley::administration::mail_server::{Server, Status, Trial};

use crate::error::Problem;
use crate::host::administration::mail_server as host;

/// The mail server in force.
pub fn get() -> Result<Status, Problem> {
    host::get()
}

/// Uses this mail server from now on. `set-by-environment`, and `bad-server`, whose message names the field and says
/// what it must be.
pub fn set(server: &Server) -> Result<Status, Problem> {
    host::set(server)
}

/// Sends a test mail to the caller's own address, or to `to` for a caller without one, and waits at most 5 seconds for
/// the mail server. `not-configured`, `bad-to`.
pub fn test(to: Option<&str>) -> Result<Trial, Problem> {
    host::test(to)
}

/// Removes the mail server and its password: no mail is sent from now on. `set-by-environment`.
pub fn clear() -> Result<(), Problem> {
    host::clear()
}
