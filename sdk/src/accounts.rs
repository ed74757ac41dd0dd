//! The accounts of the instance, read-only.
//!
//! ```
//! use galley_sdk::testing::TestHost;
//! use galley_sdk::{Plugin, accounts};
//!
//! let host = TestHost::new(Plugin::new("demo", "1.0.0"));
//! let ann = host.account("ann@example.com");
//! let found = host.run(|| accounts::find(" Ann@Example.com ")).unwrap();
//! assert_eq!(found.expect("an account").id, ann.id);
//! ```

pub use crate::bindings::galley::accounts::accounts::Account;

use crate::error::Problem;
use crate::host;

/// The account with this id, `None` when there is none.
pub fn get(id: &str) -> Result<Option<Account>, Problem> {
    host::accounts::get(id)
}

/// The account with this email address (compared trimmed and lower-case), `None` when there is none.
pub fn find(email: &str) -> Result<Option<Account>, Problem> {
    host::accounts::find(email)
}
