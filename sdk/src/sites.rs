//! Trees of files that are served to browsers as a project's prototype. A version is an immutable tree under a project; at
//! most one version of a project is live.
//!
//! ```
//! use galley_sdk::prelude::*;
//! use galley_sdk::sites;
//! use galley_sdk::testing::TestHost;
//!
//! fn upload(project: ProjectId, upload: Upload) -> Result<Json<u32>> {
//!     let files = upload.tree.files();
//!     upload.tree.publish(&project, "v1")?;
//!     assert_eq!(sites::live(&project)?.as_deref(), Some("v1"));
//!     Ok(Json(files))
//! }
//!
//! let route = post("/api/v1/projects/{project}/demo", upload).guard(Guard::project_manage());
//! let host = TestHost::new(Plugin::new("demo", "1.0.0").route(route));
//! host.project("p1");
//! let answer = host.post("/api/v1/projects/p1/demo").as_admin().archive(&[("index.html", "<h1>Hello</h1>")]).send();
//! assert_eq!(answer.json(), 1);
//! ```

pub use crate::bindings::galley::sites::versions::Version;
pub use crate::files::{Entry, Hit, Tree};

use crate::error::Problem;
use crate::host;

/// The stored versions of a project, oldest first. `not-found` when there is no such project.
pub fn versions(project: &str) -> Result<Vec<Version>, Problem> {
    host::versions::all(project)
}

/// The id of the live version, `None` when nothing is live. `not-found` when there is no such project.
pub fn live(project: &str) -> Result<Option<String>, Problem> {
    host::versions::live(project)
}

/// Makes a stored version live. Activating the live version is fine. `not-found`, `denied`.
pub fn activate(project: &str, version: &str) -> Result<(), Problem> {
    host::publishing::activate(project, version)
}

/// Deletes a stored version that is not live. Removing a missing one is fine. `live`, `denied`.
pub fn remove(project: &str, version: &str) -> Result<(), Problem> {
    host::publishing::remove(project, version)
}
