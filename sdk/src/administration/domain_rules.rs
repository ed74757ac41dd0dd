//! Email domains whose people get an account when they sign in.
//!
//! ```
//! use galley_sdk::administration::domain_rules::{self, Rule};
//! use galley_sdk::prelude::*;
//! use galley_sdk::testing::TestHost;
//!
//! fn admit(Path(domain): Path<String>) -> Result<Json<bool>> {
//!     Ok(Json(domain_rules::put(&Rule { domain, role: "viewer".into() })?))
//! }
//!
//! let route = put("/api/v1/admit/{domain}", admit).guard(Guard::instance_admin());
//! let host = TestHost::new(Plugin::new("demo", "1.0.0").route(route));
//! assert_eq!(host.put("/api/v1/admit/example.com").as_admin().send().json(), true);
//! assert_eq!(host.put("/api/v1/admit/example.com").as_admin().send().json(), false);
//! ```

pub use crate::bindings::galley::administration::domain_rules::Rule;

use crate::error::Problem;
use crate::host::administration::domain_rules as host;

/// Every rule, by domain.
pub fn all() -> Result<Vec<Rule>, Problem> {
    host::all()
}

/// Sets the rule of a domain; answers whether the domain had none. `bad-domain` (not lower-case, an `@`, no `.`, …),
/// `bad-role`.
pub fn put(rule: &Rule) -> Result<bool, Problem> {
    host::put(rule)
}

/// Removes the rule of a domain. Accounts it made stay. `not-found`.
pub fn remove(domain: &str) -> Result<(), Problem> {
    host::remove(domain)
}
