//! Builds, which the host runs: a repository becomes a tree of files. A durable queue, and an event when a build has ended.
//!
//! ```
//! use galley_sdk::builds::{self, BuildFinished, Request, Source};
//! use galley_sdk::prelude::*;
//! use galley_sdk::testing::TestHost;
//!
//! fn finished(event: Event<BuildFinished>) -> Result<()> {
//!     let build = event.data;
//!     if build.ok {
//!         builds::take_tree(&build.build_id)?.publish(&build.project_id, &build.build_id)?;
//!     }
//!     Ok(builds::forget(&build.build_id)?)
//! }
//!
//! let host = TestHost::new(Plugin::new("demo", "1.0.0").on("build-finished", finished));
//! host.project("p1");
//! let source = Source {
//!     installation_id: 7,
//!     owner: "octo".into(),
//!     name: "shop".into(),
//!     branch: "main".into(),
//!     commit: None,
//! };
//! host.run(|| builds::enqueue(&Request::new("b1", "p1", source)).unwrap());
//! host.build_ends("b1", Ok(&[("index.html", "<h1>Hello</h1>")])).unwrap();
//! assert!(host.project("p1").versions()[0].live);
//! ```

use serde::Deserialize;

pub use crate::bindings::galley::builds::builds::{Conditions, Request, Source};

use crate::error::Problem;
use crate::host;
use crate::sites::Tree;

/// The data of the host's `build-finished`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BuildFinished {
    /// The id of the build and of its log.
    pub build_id: String,
    /// The project it was for.
    pub project_id: String,
    /// The slot that enqueued it. Every subscribed slot gets the event of every build.
    pub slot: String,
    /// Whether the build succeeded, so that [`take_tree`] has its output.
    pub ok: bool,
    /// Why it failed, in a sentence that the log has, too.
    pub reason: Option<String>,
    /// The commit that was built; `None` when the repository could not be cloned.
    pub commit_sha: Option<String>,
    /// [`CANCELLED`], [`NOT_NEWEST`], or nothing for every other end.
    pub code: Option<String>,
}

/// The code of a build that was cancelled.
pub const CANCELLED: &str = "cancelled";
/// The code of a build whose condition [`Conditions::only_newest`] did not hold.
pub const NOT_NEWEST: &str = "not-newest";

impl Request {
    /// A build with the default commands and output folder.
    pub fn new(id: impl Into<String>, project: impl Into<String>, source: Source) -> Request {
        Request {
            id: id.into(),
            project: project.into(),
            source,
            install_command: String::new(),
            build_command: String::new(),
            output_dir: String::new(),
        }
    }
}

/// Queues a build, durably. `unconfigured`, `running` (the message is the id of the project's build that is queued or
/// running), `exists`, `bad-request`, `not-found`, `denied`.
pub fn enqueue(request: &Request) -> Result<(), Problem> {
    host::builds::enqueue(request)
}

/// [`enqueue`] with conditions: which repository is meant, whatever it is called by then, and whether its commit must still
/// be the newest of the branch.
pub fn enqueue_with(request: &Request, conditions: Conditions) -> Result<(), Problem> {
    host::builds::enqueue_with(request, conditions)
}

/// Cancels a build of this slot that is queued or running; the reason goes to its log. `false` when there is no such
/// build, or it ended before. `bad-request` (a reason of more than one line or 200 bytes), `denied`.
pub fn cancel(id: &str, reason: &str) -> Result<bool, Problem> {
    host::builds::cancel(id, reason)
}

/// The id of the project's build that is queued or running, if there is one. `unconfigured`.
pub fn running(project: &str) -> Result<Option<String>, Problem> {
    host::builds::running(project)
}

/// The state of a build of this slot: `queued`, `running` or `ended`; `None` when it enqueued no such build, or has forgotten
/// it.
pub fn state(id: &str) -> Result<Option<String>, Problem> {
    host::builds::state(id)
}

/// The output of a build of this slot that ended well. When it is not published by the end of the call, it can be taken
/// again. `gone` when it was published or forgotten before, when the build failed, or when the server was restarted since.
pub fn take_tree(id: &str) -> Result<Tree, Problem> {
    host::builds::take_tree(id).map(Tree::from_host)
}

/// Forgets an ended build of this slot, with its output.
pub fn forget(id: &str) -> Result<(), Problem> {
    host::builds::forget(id)
}
