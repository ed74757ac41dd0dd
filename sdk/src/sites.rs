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

pub use crate::bindings::galley::sites::sites::{Entry, Hit, Version};

use crate::error::Problem;
use crate::host;

/// An unpacked tree that is not a version yet. It is gone after the call, unless it is published.
#[derive(Debug)]
pub struct Tree(host::sites::Tree);

impl Tree {
    pub(crate) fn from_host(tree: host::sites::Tree) -> Tree {
        Tree(tree)
    }

    /// Number of files.
    pub fn files(&self) -> u32 {
        self.0.files()
    }

    /// Bytes of all files together.
    pub fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    /// The size of one file, `None` when there is no such file.
    pub fn stat(&self, path: &str) -> Option<u64> {
        self.0.stat(path)
    }

    /// Files in path order, starting behind `after`, at most `max` (bounded to 1,000).
    pub fn entries(&self, after: Option<&str>, max: u32) -> Vec<Entry> {
        self.0.entries(after, max)
    }

    /// At most `len` bytes (bounded to 1 MiB) from `offset`; empty at the end. `not-found` when there is no such file.
    pub fn read(&self, path: &str, offset: u64, len: u32) -> Result<Vec<u8>, Problem> {
        self.0.read(path, offset, len)
    }

    /// Finds a regular expression (linear time, on bytes, no look-around) in the files whose path ends with one of
    /// `suffixes`, in path order, at most `max` hits (bounded to 1,000). `bad-pattern` when it does not compile.
    pub fn search(&self, suffixes: &[&str], pattern: &str, max: u32) -> Result<Vec<Hit>, Problem> {
        let suffixes: Vec<String> = suffixes.iter().map(|&suffix| suffix.into()).collect();
        self.0.search(&suffixes, pattern, max)
    }

    /// Stores the tree as `version` of `project`, durably, and makes it live in the same step: all or nothing across
    /// crashes. `not-found` (no such project), `exists` (the project has such a version), `gone` (published before),
    /// `denied` (the caller may not manage the project).
    pub fn publish(self, project: &str, version: &str) -> Result<(), Problem> {
        self.0.publish(project, version)
    }
}

/// The stored versions of a project, oldest first. `not-found` when there is no such project.
pub fn versions(project: &str) -> Result<Vec<Version>, Problem> {
    host::sites::versions(project)
}

/// The id of the live version, `None` when nothing is live. `not-found` when there is no such project.
pub fn live(project: &str) -> Result<Option<String>, Problem> {
    host::sites::live(project)
}

/// Makes a stored version live. Activating the live version is fine. `not-found`, `denied`.
pub fn activate(project: &str, version: &str) -> Result<(), Problem> {
    host::sites::activate(project, version)
}

/// Deletes a stored version that is not live. Removing a missing one is fine. `live`, `denied`.
pub fn remove(project: &str, version: &str) -> Result<(), Problem> {
    host::sites::remove(project, version)
}
