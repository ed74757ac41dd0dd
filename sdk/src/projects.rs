//! The projects of the instance, read-only.
//!
//! ```
//! use galley_sdk::testing::TestHost;
//! use galley_sdk::{Plugin, projects};
//!
//! let host = TestHost::new(Plugin::new("demo", "1.0.0"));
//! host.project("p1");
//! assert_eq!(host.run(|| projects::get("p1")).expect("it exists").slug, "p1");
//! assert!(host.run(|| projects::get("p2")).is_none());
//! ```

pub use crate::bindings::galley::projects::projects::Project;

use crate::host;

/// An action on a project, each with its own right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Look at it.
    Read,
    /// Write remarks.
    Comment,
    /// Change it.
    Manage,
}

/// The project with this id; `None` when it does not exist or the current caller may not read it.
pub fn get(id: &str) -> Option<Project> {
    host::projects::get(id)
}

/// Whether the current caller may do `action` to the project. False for an unknown project.
pub fn may(id: &str, action: Action) -> bool {
    let action = match action {
        Action::Read => "read",
        Action::Comment => "comment",
        Action::Manage => "manage",
    };
    host::projects::may(id, action)
}

/// Whether the account is on the project's access list. False for an unknown project or account.
pub fn is_listed(id: &str, user_id: &str) -> bool {
    host::projects::is_listed(id, user_id)
}
