//! Builds: a durable queue of repositories to be turned into trees of files, and the confined processes that do it.
//!
//! `projects` stores the queue. This module runs the queued builds: it clones the repository with a token that only
//! the environment of `git fetch` holds, runs the repository's commands in a sandbox with a fixed list of variables, and
//! reads their output with the reader of uploads. It does not know what the output is for: the slot that enqueued the
//! build gets the event `build-finished` and takes the output.
//!
//! Two hidden subcommands of the program belong to this module: `galley build-step` ([`sandbox`]), the parent of every
//! process of a build, and `galley build-pack` ([`package`]).

mod cancel;
mod checkout;
mod confinement;
mod environment;
mod folder;
mod job;
mod output;
pub mod package;
mod remarks;
mod request;
mod running;
pub mod sandbox;
mod step;
mod transcript;
mod trees;
mod unwritten;
mod watch;
mod worker;
mod writer;

use std::sync::{Arc, OnceLock};

use tokio::sync::Notify;

pub use request::{Request, Source};
pub use transcript::Ring;
pub use trees::TreeError;

use crate::codehost::CodeHostApp;
use crate::config::Config;
use crate::core::{Core, CoreError, Topic};
use crate::projects::{Enqueued, QueuedBuild};
use crate::storage::logs::{LogStore, Logs};
use crate::storage::sites::{SiteStore, TreeStore};
use confinement::Confinement;
use running::{Running, StopHandle};
use transcript::Transcript;
use trees::Trees;

/// The queue of one server.
pub struct Builds {
    config: Arc<Config>,
    core: Arc<Core>,
    sites: SiteStore,
    logs: Logs,
    app: Option<Arc<CodeHostApp>>,
    ring: Arc<Ring>,
    enqueued: Arc<Notify>,
    running: Running,
    /// How the commands of builds are confined on this machine; determined once.
    confinement: OnceLock<Confinement>,
    /// The output of successful builds, until they are forgotten.
    trees: Trees,
}

/// The parts of the server that builds use.
pub struct Dependencies {
    /// What the operator configured.
    pub config: Arc<Config>,
    /// The queue's rows.
    pub core: Arc<Core>,
    /// Where output is staged.
    pub sites: SiteStore,
    /// The logs of builds.
    pub logs: Logs,
    /// Where output waits until it is taken, where servers share an object store.
    pub trees: Option<TreeStore>,
    /// The code-host app that opens repositories. Without one, nothing is built.
    pub app: Option<Arc<CodeHostApp>>,
    /// Wakes the clients that watch a log.
    pub ring: Arc<Ring>,
}

impl Builds {
    /// The queue; nothing runs until [`Builds::work`].
    pub fn new(dependencies: Dependencies) -> Self {
        let enqueued = Arc::new(Notify::new());
        if let Some(wakes) = dependencies.core.wakes() {
            let enqueued = enqueued.clone();
            wakes.hear(Topic::Builds, move |_| enqueued.notify_waiters());
        }
        Self {
            config: dependencies.config,
            core: dependencies.core,
            sites: dependencies.sites,
            logs: dependencies.logs,
            app: dependencies.app,
            ring: dependencies.ring,
            enqueued,
            running: Running::default(),
            confinement: OnceLock::new(),
            trees: Trees::new(dependencies.trees),
        }
    }

    /// Whether there is a code-host app whose repositories could be built.
    pub fn is_configured(&self) -> bool {
        self.app.is_some()
    }

    /// Determines how builds can be confined on this machine, and logs what cannot be confined. Blocks while it runs a
    /// test process.
    pub fn warn(&self) {
        match self.config.builds.concurrency {
            _ if !self.is_configured() => {}
            0 if self.is_shared() => tracing::info!("this server builds nothing: SERVICE_BUILD_CONCURRENCY is 0"),
            0 => tracing::warn!("builds wait for ever: SERVICE_BUILD_CONCURRENCY is 0, and there is no other server"),
            _ => self.confinement().report(),
        }
    }

    /// Whether other servers build, too.
    fn is_shared(&self) -> bool {
        self.logs.files().is_none()
    }

    fn confinement(&self) -> &Confinement {
        self.confinement.get_or_init(|| Confinement::find(&self.config))
    }

    /// Queues a checked request. [`CoreError::NotFound`] for a missing project.
    pub async fn enqueue(&self, slot: &str, id: &str, project: &str, request: &Request) -> Result<Enqueued, CoreError> {
        let spec = serde_json::json!(request).to_string();
        let enqueued = self.core.enqueue_build(slot, id, project, spec).await?;
        if enqueued == Enqueued::Queued {
            // A client that hears of the queued build may watch its log at once.
            if let Err(error) = self.logs.create(slot, id).await {
                tracing::error!("the log of the build {id} cannot be made: {error}");
            }
            self.enqueued.notify_waiters();
            if let Some(wakes) = self.core.wakes() {
                wakes.wake(Topic::Builds, "");
            }
        }
        Ok(enqueued)
    }

    /// The log of a build that runs here.
    fn transcript(&self, build: &QueuedBuild, handle: &StopHandle) -> Transcript {
        match self.logs.files() {
            Some(files) => self.file(files, build),
            None => Transcript::in_rows(handle.unwritten.clone()),
        }
    }

    /// The log of a build of a server alone.
    fn file(&self, files: &LogStore, build: &QueuedBuild) -> Transcript {
        Transcript::open(files.clone(), &build.slot, &build.id, self.ring.clone())
    }
}
