//! From an approved file to a plugin with its data.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use galley_manifest::{Engine as DatabaseEngine, HostRule, Publisher};
use parking_lot::Mutex;
use tokio::task::spawn_blocking;
use wasmtime::Engine;
use wasmtime::component::{InstancePre, Linker};

use super::approvals::Approvals;
use super::cache::{self, Cache};
use super::components::Components;
use super::engine::MAX_INSTANCES;
use super::entry::{Entry, Isolation};
use super::gate::{Gate, SWAP_TIMEOUT, Stopped};
use super::inspect::{self, InspectError, Inspected};
use super::instances::Instances;
use super::load_error::{LoadError, LoaderError};
use super::lock::Bundle;
use super::manifest::{self, Manifest};
use super::opened::{Opened, StartError};
use super::plugin::Plugin;
use super::pool::Pool;
use super::registry::{Registry, Slot};
use super::shared_data;
use super::slow_lane::SlowLane;
use crate::capabilities::{self, Counters, Grants, OutboundRate, Services, SlotState, State, events};
use crate::config::ClusterConfig;
use crate::config::pause::{self, Step};
use crate::storage::low_priority::Threads;
use crate::storage::reads::Reads;
use crate::storage::slot::Database;
use crate::storage::slot_data::{self, Prepared};

/// Makes plugins: the engine, the linker, the folders, and what all plugins of a slot share one after the other.
pub struct Factory {
    engine: Engine,
    /// Compiled components and manifests.
    cache: Cache,
    linker: Linker<State>,
    /// The components that the approvals name.
    pub components: Components,
    /// The host's services.
    pub services: Arc<Services>,
    /// The folder of the plugins that came with the program.
    pub plugins_dir: PathBuf,
    /// The folder of the data.
    pub data_dir: PathBuf,
    /// The places for the instances of all plugins.
    pub pool: Arc<Pool>,
    slow_lane: Arc<SlowLane>,
    /// By slot. A counter that began again at 0 with each swap would hide the first failures after it.
    counters: Mutex<HashMap<String, Arc<Counters>>>,
    /// By slot.
    gates: Mutex<HashMap<String, Arc<Gate<Plugin>>>>,
}

/// A plugin that was read and linked.
pub struct Linked {
    /// What it says of itself.
    pub inspected: Inspected,
    pre: InstancePre<State>,
}

/// A plugin whose data are about to be prepared.
struct Opening {
    entry: Entry,
    linked: Linked,
    gate: Arc<Gate<Plugin>>,
    is_serving: bool,
    /// What the plugin before says of itself.
    in_use: Option<Manifest>,
    /// The plugin before, where its data may be elsewhere.
    before: Option<Arc<SlotState>>,
    /// The number of the approvals that servers share.
    approvals: i64,
}

impl Opening {
    fn of<'o>(&'o self, folder: &'o Path) -> slot_data::Of<'o> {
        slot_data::Of {
            folder,
            slot: &self.entry.slot,
            in_use: self.in_use.as_ref().map(|manifest| manifest.schema_name()),
            choice: self.entry.data,
        }
    }

    /// How long the slot's writers may wait.
    fn limit(&self) -> Option<Duration> {
        self.is_serving.then_some(SWAP_TIMEOUT)
    }
}

impl Factory {
    /// Links the contract.
    pub fn new(services: Arc<Services>, engine: Engine) -> Result<Self, LoaderError> {
        let failed = |error: &dyn std::fmt::Display| LoaderError::Engine(error.to_string());
        let mut linker = Linker::new(&engine);
        capabilities::link(&mut linker).map_err(|error| failed(&error))?;
        let data_dir = services.config.data_dir.clone();
        let cache = Cache::open(&data_dir, &engine).map_err(|error| failed(&error))?;
        let plugins_dir = services.config.plugins_dir.clone();
        Ok(Self {
            engine,
            cache,
            linker,
            components: Components::of(&services),
            services,
            plugins_dir,
            data_dir,
            pool: Pool::new(MAX_INSTANCES),
            slow_lane: Arc::default(),
            counters: Mutex::default(),
            gates: Mutex::default(),
        })
    }

    /// The approvals of its plugins.
    pub fn approvals(&self) -> Approvals {
        Approvals::of(&self.services, &self.components, &self.cache)
    }

    /// Whether other servers serve the same plugins.
    pub fn is_shared(&self) -> bool {
        self.components.is_shared()
    }

    /// Reads a staged artifact. Nothing of it runs but `describe`.
    pub fn inspect(&self, sha256: &str, name: &str) -> Result<Inspected, InspectError> {
        let unreadable = |error| InspectError::Unreadable(name.to_owned(), error);
        let path = self.components.staged(sha256).map_err(unreadable)?;
        let hash = inspect::hash(name, &path)?;
        let inspected = inspect::inspect_file(&self.engine, &self.cache, name, &path, hash)?;
        inspect::link(&self.linker, &inspected.component)?;
        Ok(inspected)
    }

    /// The same for an artifact that is not stored yet.
    pub fn inspect_bytes(&self, name: &str, wasm: &[u8]) -> Result<Inspected, InspectError> {
        let hash = cache::sha256(wasm);
        let inspected = inspect::inspect_bytes(&self.engine, &self.cache, name, wasm, hash)?;
        inspect::link(&self.linker, &inspected.component)?;
        Ok(inspected)
    }

    /// Reads and links the approved file. Nothing of it runs but `describe`.
    pub fn read(&self, entry: &Entry) -> Result<Linked, LoadError> {
        let name = entry.name();
        let unreadable = |error| InspectError::Unreadable(name.to_owned(), error);
        let path = self.components.find(entry).map_err(unreadable)?;
        let hash = inspect::hash(name, &path)?;
        if hash != entry.sha256 {
            return Err(LoadError::Changed(name.to_owned()));
        }
        pause::block_at(Step::Read);
        let inspected = inspect::inspect_file(&self.engine, &self.cache, name, &path, hash)?;
        let manifest = &inspected.built.manifest;
        if manifest.slot != entry.slot {
            return Err(LoadError::OtherSlot(manifest.slot.clone()));
        }
        let has_data = !manifest.migrations.is_empty();
        if self.services.config.cluster.is_some() && has_data && !manifest.runs_on(DatabaseEngine::Postgres) {
            return Err(LoadError::OtherEngine);
        }
        let mut hosts = manifest.hosts.iter().map(HostRule::approval);
        if let Some(host) = hosts.find(|host| !entry.hosts.contains(host)) {
            return Err(LoadError::NotApproved(format!("the host {host}")));
        }
        pause::block_at(Step::Link);
        let pre = inspect::link(&self.linker, &inspected.component)?;
        Ok(Linked { inspected, pre })
    }

    /// Prepares its data. When they change under the plugin that serves, its writes wait meanwhile. Servers that share the approvals say
    /// which ones it is for.
    pub fn open(
        self: Arc<Self>,
        entry: Entry,
        linked: Linked,
        before: &Registry,
        approvals: i64,
    ) -> impl Future<Output = Result<Opened, LoadError>> + Send + use<> {
        let in_use = before.slot(&entry.slot).and_then(Slot::manifest);
        let opening = Opening {
            gate: self.gates.lock().entry(entry.slot.clone()).or_default().clone(),
            // Nobody waits where nothing serves.
            is_serving: before.plugin(&entry.slot).is_some(),
            in_use: in_use.cloned(),
            before: before.plugin(&entry.slot).map(|plugin| plugin.state.clone()),
            approvals,
            entry,
            linked,
        };
        async move {
            match self.services.config.cluster.clone() {
                None => on_thread(move || self.open_files(opening)).await,
                Some(cluster) => self.open_shared(opening, &cluster).await,
            }
        }
    }

    /// The same with the data in files of this server's.
    fn open_files(&self, opening: Opening) -> Result<Opened, LoadError> {
        let manifest = opening.linked.inspected.built.manifest.clone();
        let schema = manifest::schema(&manifest);
        let folder = slot_data::folder(&self.data_dir);
        let of = opening.of(&folder);
        let mut stopped = None;
        let plan = slot_data::plan(of, &schema)?;
        if opening.is_serving && plan.stops_writes() {
            let runtime = tokio::runtime::Handle::current();
            let mut stopping = runtime.block_on(opening.gate.stop_writes()).ok_or(StartError::Busy)?;
            if plan.stops_reads() && !runtime.block_on(stopping.stop_all()) {
                return Err(StartError::Busy.into());
            }
            stopped = Some(stopping);
        }
        let prepared = slot_data::prepare(of, &schema, events::TABLES, opening.limit())?;
        self.opened(opening, prepared, stopped)
    }

    /// The same with the data in the database of the cluster.
    async fn open_shared(self: Arc<Self>, opening: Opening, cluster: &ClusterConfig) -> Result<Opened, LoadError> {
        let manifest = opening.linked.inspected.built.manifest.clone();
        let mut stopped = None;
        let prepared = match manifest.schema_version() {
            0 => Prepared::nothing(),
            _ => {
                let filled_before = opening.entry.before.first();
                let filled_before = filled_before.and_then(|filling| self.described(&filling.sha256));
                let request = shared_data::Request {
                    entry: &opening.entry,
                    approvals: opening.approvals,
                    manifest: &manifest,
                    in_use: opening.in_use.as_ref(),
                    before: filled_before.as_ref(),
                };
                let data = Box::pin(shared_data::Data::of(&self.services, cluster, &request)).await?;
                let stops = Box::pin(data.stops()).await?;
                if opening.is_serving && stops.writes {
                    let mut stopping = opening.gate.stop_writes().await.ok_or(StartError::Busy)?;
                    if stops.reads && !stopping.stop_all().await {
                        return Err(StartError::Busy.into());
                    }
                    stopped = Some(stopping);
                }
                Box::pin(data.prepare(opening.limit())).await?
            }
        };
        on_thread(move || self.opened(opening, prepared, stopped)).await
    }

    fn opened(&self, opening: Opening, prepared: Prepared, stopped: Option<Stopped>) -> Result<Opened, LoadError> {
        let Opening {
            entry,
            linked,
            gate,
            before,
            ..
        } = opening;
        Ok(Opened {
            before: before.filter(|_| prepared.replaces()),
            plugin: self.plugin(&entry, linked, prepared.database.clone(), gate)?,
            prepared,
            stopped,
        })
    }

    /// The plugin of an approval, with its data.
    fn plugin(
        &self,
        entry: &Entry,
        linked: Linked,
        database: Option<Database>,
        gate: Arc<Gate<Plugin>>,
    ) -> Result<Arc<Plugin>, LoadError> {
        let Linked { inspected, pre } = linked;
        let manifest = inspected.built.manifest;
        let state = Arc::new(SlotState {
            name: entry.slot.clone(),
            publisher: Publisher {
                slot: entry.slot.clone(),
                topics: (!inspected.is_0_1).then(|| {
                    let publishes = manifest.publishes.iter();
                    publishes.map(|publication| publication.topic.clone()).collect()
                }),
            },
            grants: Grants::of(entry.imports.iter().map(String::as_str)),
            hosts: manifest.hosts.clone(),
            settings: manifest.settings.clone(),
            chosen: ArcSwap::from_pointee(entry.chosen()),
            limits: ArcSwap::from_pointee(entry.limits),
            database,
            schema: manifest.schema_name().to_owned(),
            reads: Reads::default(),
            transactions: Threads::new(1),
            relay: tokio::sync::Mutex::new(()),
            services: self.services.clone(),
            counters: self.counters.lock().entry(entry.slot.clone()).or_default().clone(),
            outbound: OutboundRate::default(),
        });
        let reuse = entry.isolation == Isolation::Reuse;
        let instances = Instances::new(pre, reuse, self.pool.clone()).map_err(|error| LoadError::other(&error))?;
        let read = (manifest, inspected.assets, inspected.from_cache);
        state.set_limits(entry.limits);
        let lane = self.slow_lane.clone();
        Ok(Arc::new(Plugin::new(read, state, instances, gate, lane)))
    }

    /// The manifest of a component, from when it was last described.
    fn described(&self, sha256: &str) -> Option<Manifest> {
        self.cache.manifest(sha256).and_then(|json| manifest::parse(&json).ok())
    }

    /// The manifest of a plugin that does not load, from when it was last described.
    pub fn known_manifest(&self, entry: &Entry, bundle: &Bundle) -> Option<Manifest> {
        let described = self.described(&entry.sha256);
        let built = || bundle.plugins.iter().find(|built| built.manifest.slot == entry.slot);
        described.or_else(|| built().map(|built| built.manifest.clone()))
    }
}

/// Runs blocking work on a thread of its own.
async fn on_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, LoadError> + Send + 'static,
) -> Result<T, LoadError> {
    spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(LoadError::other(&error)))
}
