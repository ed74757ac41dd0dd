//! Who may call a route. The host checks it before the handler runs and answers 401, 403 and the 404 of a project that
//! may not be read.
//!
//! ```
//! use galley_sdk::Guard;
//!
//! let guard = Guard::project_comment().message("Sign in to comment on this project");
//! assert_eq!(
//!     serde_json::to_value(guard).unwrap(),
//!     serde_json::json!({ "kind": "project:comment", "message": "Sign in to comment on this project" }),
//! );
//! ```

pub use galley_manifest::{Guard, GuardKind, ProjectSource};
