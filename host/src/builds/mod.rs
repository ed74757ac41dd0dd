//! Builds: a durable queue of repositories to be turned into trees of files, and the confined processes that do it.
//!
//! The rows of the queue are `storage::core`'s. This room runs what stands in it: it clones with a token that only git's
//! environment holds, runs the commands of the repository with a list of variables and a folder of their own, and packs
//! what they leave through the reader of uploads. What becomes of the tree is not known here: whoever enqueued the build
//! hears `build-finished` and takes it.
//!
//! Two hidden subcommands of the program belong to it: `galley build-step` ([`sandbox`]), the parent of every process
//! of a build, and `galley build-pack` ([`package`]).

mod cancel;
mod checkout;
mod confinement;
mod environment;
mod folder;
mod job;
pub mod package;
mod remarks;
mod request;
mod running;
pub mod sandbox;
mod step;
mod transcript;
mod worker;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use tokio::sync::Notify;

pub use request::{Request, Source};
pub use transcript::Ring;

use crate::codehost::CodeHostApp;
use crate::config::Config;
use crate::storage::core::{Core, CoreError, Enqueued, QueuedBuild};
use crate::storage::logs::LogStore;
use crate::storage::sites::{SiteStore, StagedTree};
use confinement::Confinement;
use running::Running;
use transcript::Transcript;

/// The queue of one server.
pub struct Builds {
    config: Arc<Config>,
    core: Arc<Core>,
    sites: SiteStore,
    logs: LogStore,
    app: Option<Arc<CodeHostApp>>,
    ring: Arc<Ring>,
    enqueued: Notify,
    running: Running,
    /// What holds the commands of builds, found out once.
    confinement: OnceLock<Confinement>,
    /// The output of builds that ended well, by slot and id, until it is taken.
    trees: Mutex<HashMap<(String, String), StagedTree>>,
}

/// The parts of the server that builds use.
pub struct Dependencies {
    /// What the operator configured.
    pub config: Arc<Config>,
    /// The queue's rows.
    pub core: Arc<Core>,
    /// Where output is staged.
    pub sites: SiteStore,
    /// Where builds write down what they say.
    pub logs: LogStore,
    /// Who opens repositories; without, nothing is built.
    pub app: Option<Arc<CodeHostApp>>,
    /// Who wakes the clients that watch a log.
    pub ring: Arc<Ring>,
}

impl Builds {
    /// The queue; nothing runs until [`Builds::work`].
    pub fn new(dependencies: Dependencies) -> Self {
        Self {
            config: dependencies.config,
            core: dependencies.core,
            sites: dependencies.sites,
            logs: dependencies.logs,
            app: dependencies.app,
            ring: dependencies.ring,
            enqueued: Notify::new(),
            running: Running::default(),
            confinement: OnceLock::new(),
            trees: Mutex::default(),
        }
    }

    /// Whether there is a code-host app whose repositories could be built.
    pub fn is_configured(&self) -> bool {
        self.app.is_some()
    }

    /// Finds out what can hold the commands of builds, and says at boot what does not. Blocks for the time of a process.
    pub fn warn(&self) {
        if self.is_configured() {
            self.confinement().report();
        }
    }

    fn confinement(&self) -> &Confinement {
        self.confinement.get_or_init(|| Confinement::find(&self.config))
    }

    /// Queues a checked request. [`CoreError::NotFound`] for a missing project.
    pub async fn enqueue(&self, slot: &str, id: &str, project: &str, request: &Request) -> Result<Enqueued, CoreError> {
        let spec = serde_json::json!(request).to_string();
        let enqueued = self.core.enqueue_build(slot, id, project, spec).await?;
        if enqueued == Enqueued::Queued {
            // Whoever hears that the build is queued may watch its log at once.
            if let Err(error) = self.logs.create(slot, id) {
                tracing::error!("the log of the build {id} cannot be made: {error}");
            }
            self.enqueued.notify_waiters();
        }
        Ok(enqueued)
    }

    /// The output of a build that ended well, once.
    pub fn take_tree(&self, slot: &str, id: &str) -> Option<StagedTree> {
        self.trees.lock().remove(&(slot.to_owned(), id.to_owned()))
    }

    /// Takes back what was taken and not used, unless the build was forgotten meanwhile.
    pub fn give_back(&self, slot: &str, id: &str, tree: StagedTree) {
        if self.core.build_state(slot, id).is_ok_and(|state| state.is_some()) {
            self.trees.lock().insert((slot.to_owned(), id.to_owned()), tree);
        }
    }

    /// Forgets an ended build and its output.
    pub async fn forget(&self, slot: &str, id: &str) -> Result<(), CoreError> {
        drop(self.take_tree(slot, id));
        self.core.forget_build(slot, id).await
    }

    fn keep(&self, build: &QueuedBuild, tree: StagedTree) {
        self.trees.lock().insert((build.slot.clone(), build.id.clone()), tree);
    }

    fn transcript(&self, build: &QueuedBuild) -> Transcript {
        Transcript::open(self.logs.clone(), &build.slot, &build.id, self.ring.clone())
    }
}
