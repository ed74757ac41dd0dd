//! From the approvals to plugins that serve.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arc_swap::ArcSwap;
use galley_manifest::{HostRule, Publisher};
use parking_lot::Mutex;
use tokio::task::spawn_blocking;
use wasmtime::Engine;
use wasmtime::component::{InstancePre, Linker};

use super::artifacts;
use super::cache::{self, Cache};
use super::claims::{ClaimError, Claims};
use super::engine::MAX_INSTANCES;
use super::entry::{Entry, Isolation};
use super::gate::{Gate, SWAP_TIMEOUT, Stopped};
use super::inspect::{self, InspectError, Inspected};
use super::instances::Instances;
use super::lock::{Bundle, Lock, LockError};
use super::manifest::{self, Manifest};
use super::opened::{Opened, StartError, Started};
use super::places::Places;
use super::plugin::Plugin;
use super::pool::Pool;
use super::registry::{Registry, Slot, SlotStatus};
use super::slow_lane::SlowLane;
use crate::capabilities::{self, Counters, Grants, OutboundRate, Services, SlotState, State, events};
use crate::config::pause::{self, Step};
use crate::storage::low_priority::Threads;
use crate::storage::reads::Reads;
use crate::storage::slot_data::{self, DataError};
use crate::storage::sqlite::Database;

/// Loads plugins: the engine, the linker, the folders.
pub struct Loader {
    /// The engine.
    pub engine: Engine,
    /// Compiled components and manifests.
    pub cache: Cache,
    linker: Linker<State>,
    services: Arc<Services>,
    plugins_dir: PathBuf,
    data_dir: PathBuf,
    own_paths: &'static [&'static str],
    pool: Arc<Pool>,
    slow_lane: Arc<SlowLane>,
    /// By slot. A counter that began again at 0 with each swap would hide the first failures after it.
    counters: Mutex<HashMap<String, Arc<Counters>>>,
    /// By slot.
    gates: Mutex<HashMap<String, Arc<Gate<Plugin>>>>,
}

/// The slots after a load.
pub struct Loaded {
    /// The slots.
    pub registry: Registry,
    /// Calls of slots whose data changed: they wait until these plugins serve.
    pub stopped: Vec<Stopped>,
}

/// Why no plugin can be loaded at all.
#[derive(Debug, thiserror::Error)]
pub enum LoaderError {
    /// The approvals cannot be read.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The engine, the linker or a folder failed.
    #[error("plugins cannot be loaded: {0}")]
    Engine(String),
}

/// Why one plugin does not serve.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Its file is not one for this host.
    #[error(transparent)]
    Inspect(#[from] InspectError),
    /// Its file is another one than the approved.
    #[error("its file {0} is not the one that was approved: `galley plugins approve {0}` if it should be")]
    Changed(String),
    /// It is for this other slot.
    #[error("it fills the slot `{0}`")]
    OtherSlot(String),
    /// It asks for more than the operator approved.
    #[error("it asks for more than was approved ({0}): `galley plugins approve` if it should have that")]
    NotApproved(String),
    /// Its routes are another's.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// It cannot use the data that are there.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Its start failed, or the change of its data did.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Something else failed.
    #[error("{0}")]
    Other(String),
}

impl LoadError {
    fn other(error: &dyn std::fmt::Display) -> Self {
        Self::Other(error.to_string())
    }
}

/// A plugin on its way.
enum Stage {
    /// It serves already and did not change.
    Serving(Arc<Plugin>),
    /// It was read and linked; nothing of it has run but `describe`.
    Linked(Box<Linked>),
    /// It does not serve.
    Refused(LoadError),
}

struct Linked {
    inspected: Inspected,
    pre: InstancePre<State>,
}

impl Loader {
    /// Links the contract. `own_paths` are the host's own, with `{}` for their parameters: no plugin can claim one.
    pub fn new(
        services: Arc<Services>,
        engine: Engine,
        own_paths: &'static [&'static str],
    ) -> Result<Self, LoaderError> {
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
            services,
            plugins_dir,
            data_dir,
            own_paths,
            pool: Pool::new(MAX_INSTANCES),
            slow_lane: Arc::default(),
            counters: Mutex::default(),
            gates: Mutex::default(),
        })
    }

    /// The places for the instances of all plugins.
    pub fn pool(&self) -> Arc<Pool> {
        self.pool.clone()
    }

    /// Loads all enabled plugins, in parallel. Plugins of `before` whose approval has not changed are kept; where another
    /// one is approved and cannot serve, the one before goes on.
    pub async fn load(self: &Arc<Self>, before: &Registry) -> Result<Loaded, LoaderError> {
        let bundle = Bundle::read(&self.plugins_dir)?;
        let (lock, followed) = self.approvals(&bundle)?;
        self.mention_strays(&lock);
        let enabled: Vec<Entry> = lock.plugins.into_iter().filter(|entry| entry.enabled).collect();

        let reading: Vec<_> = enabled
            .iter()
            .map(|entry| match before.unchanged(entry) {
                Some(plugin) => {
                    plugin.follow(entry);
                    Err(plugin)
                }
                None => {
                    let (loader, entry) = (self.clone(), entry.clone());
                    Ok(spawn_blocking(move || loader.read(&entry)))
                }
            })
            .collect();
        let mut stages = Vec::new();
        for reading in reading {
            stages.push(match reading {
                Err(plugin) => Stage::Serving(plugin),
                Ok(task) => match task.await.unwrap_or_else(|error| Err(LoadError::other(&error))) {
                    Ok(linked) => Stage::Linked(Box::new(linked)),
                    Err(error) => Stage::Refused(error),
                },
            });
        }
        let mut claims = Claims::new(self.own_paths);
        settle(&enabled, &mut stages, before, &mut claims, &Places::of(&bundle));

        let opening: Vec<_> = enabled
            .iter()
            .zip(stages)
            .map(|(entry, stage)| match stage {
                Stage::Serving(plugin) => Err(Ok(plugin)),
                Stage::Refused(error) => Err(Err(error)),
                Stage::Linked(linked) => {
                    let open = self.clone().open(entry.clone(), *linked, before);
                    Ok(tokio::spawn(open))
                }
            })
            .collect();
        let mut slots = Vec::new();
        let mut stopped = Vec::new();
        for (entry, opening) in enabled.into_iter().zip(opening) {
            let loaded = match opening {
                Err(settled) => settled,
                Ok(task) => match task.await.unwrap_or_else(|error| Err(LoadError::other(&error))) {
                    Ok(opened) => match start(opened).await {
                        Ok((plugin, calls)) => {
                            stopped.extend(calls);
                            Ok(plugin)
                        }
                        Err(error) => Err(error),
                    },
                    Err(error) => Err(error),
                },
            };
            let slot = match loaded {
                Ok(plugin) => Slot {
                    entry,
                    status: SlotStatus::Ready(plugin),
                    problem: None,
                    start_failed: false,
                },
                Err(error) => self.fall_back(entry, &error, before, &bundle, &mut claims),
            };
            slots.push(slot);
        }
        let registry = Registry {
            slots,
            followed: Some(followed),
        };
        Ok(Loaded { registry, stopped })
    }

    /// Loads the plugin of one slot beside the others, which stay as they are, and starts it. Whatever fails leaves everything as it
    /// was, and so does dropping the answer.
    pub async fn load_one(self: &Arc<Self>, entry: &Entry, before: &Registry) -> Result<Started, LoadError> {
        let mut claims = Claims::new(self.own_paths);
        for other in before.slots.iter().filter(|other| other.entry.slot != entry.slot) {
            if let Some(manifest) = other.manifest() {
                // They have their routes side by side already.
                let _ = claims.take(&other.entry.slot, manifest);
            }
        }
        let bundle = Bundle::read(&self.plugins_dir).map_err(|error| LoadError::other(&error))?;
        let (loader, wanted) = (self.clone(), entry.clone());
        let linked = on_thread(move || loader.read(&wanted)).await?;
        claims.take(&entry.slot, &linked.inspected.built.manifest)?;
        Places::of(&bundle).check(&linked.inspected)?;
        let opened = self.clone().open(entry.clone(), linked, before).await?;
        Ok(opened.start().await?)
    }

    /// The slots as [`load_one`](Self::load_one) needs them where no server runs: their routes are known, nothing is loaded.
    pub fn apart(&self, lock: &Lock) -> Result<Registry, LoaderError> {
        let bundle = Bundle::read(&self.plugins_dir)?;
        let enabled = lock.plugins.iter().filter(|entry| entry.enabled);
        let slots = enabled.map(|entry| Slot {
            status: SlotStatus::Failed {
                manifest: self.known_manifest(entry, &bundle).map(Box::new),
            },
            problem: None,
            start_failed: false,
            entry: entry.clone(),
        });
        Ok(Registry {
            slots: slots.collect(),
            followed: None,
        })
    }

    /// Reads an artifact of the data folder. Nothing of it runs but `describe`.
    pub fn inspect(&self, sha256: &str, name: &str) -> Result<Inspected, InspectError> {
        let path = artifacts::path(&self.data_dir, sha256);
        let wasm = std::fs::read(path).map_err(|error| InspectError::Unreadable(name.to_owned(), error))?;
        self.inspect_bytes(name, &wasm)
    }

    /// The same for an artifact that is not stored yet.
    pub fn inspect_bytes(&self, name: &str, wasm: &[u8]) -> Result<Inspected, InspectError> {
        let hash = cache::sha256(wasm);
        let inspected = inspect::inspect_bytes(&self.engine, &self.cache, name, wasm, hash)?;
        inspect::link(&self.linker, &inspected.component)?;
        Ok(inspected)
    }

    /// The approvals, those of the build included, and what came with the program.
    pub fn known(&self) -> Result<(Lock, Bundle), LoaderError> {
        let bundle = Bundle::read(&self.plugins_dir)?;
        let (lock, _) = self.approvals(&bundle)?;
        Ok((lock, bundle))
    }

    /// The folder of the data.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// The folder of the plugins that came with the program.
    pub fn plugins_dir(&self) -> &Path {
        &self.plugins_dir
    }

    /// The host's services.
    pub fn services(&self) -> &Arc<Services> {
        &self.services
    }

    /// The approvals, those of the build included, and the text of the file they stand in.
    fn approvals(&self, bundle: &Bundle) -> Result<(Lock, String), LoaderError> {
        let _held = Lock::hold(&self.data_dir)?;
        let mut lock = Lock::read(&self.data_dir)?;
        if lock.follow(bundle) {
            lock.write(&self.data_dir)?;
        }
        artifacts::sweep(&self.data_dir, &lock.artifacts());
        Ok((lock, Lock::text(&self.data_dir)?.unwrap_or_default()))
    }

    /// Reads and links the approved file. Nothing of it runs but `describe`.
    fn read(&self, entry: &Entry) -> Result<Linked, LoadError> {
        let (path, name) = (entry.path(&self.plugins_dir, &self.data_dir), entry.name());
        let wasm = std::fs::read(path).map_err(|error| InspectError::Unreadable(name.to_owned(), error))?;
        let hash = cache::sha256(&wasm);
        if hash != entry.sha256 {
            return Err(LoadError::Changed(name.to_owned()));
        }
        pause::block_at(Step::Read);
        let inspected = inspect::inspect_bytes(&self.engine, &self.cache, name, &wasm, hash)?;
        let manifest = &inspected.built.manifest;
        if manifest.slot != entry.slot {
            return Err(LoadError::OtherSlot(manifest.slot.clone()));
        }
        let mut hosts = manifest.hosts.iter().map(HostRule::approval);
        if let Some(host) = hosts.find(|host| !entry.hosts.contains(host)) {
            return Err(LoadError::NotApproved(format!("the host {host}")));
        }
        pause::block_at(Step::Link);
        let pre = inspect::link(&self.linker, &inspected.component)?;
        Ok(Linked { inspected, pre })
    }

    /// Prepares its data. When they change under the plugin that serves, its writes wait meanwhile.
    fn open(
        self: Arc<Self>,
        entry: Entry,
        linked: Linked,
        before: &Registry,
    ) -> impl Future<Output = Result<Opened, LoadError>> + Send + use<> {
        let gate = self.gates.lock().entry(entry.slot.clone()).or_default().clone();
        let folder = slot_data::folder(&self.data_dir);
        // Nobody waits where nothing serves.
        let is_serving = before.plugin(&entry.slot).is_some();
        let in_use = before.slot(&entry.slot).and_then(Slot::manifest);
        let in_use = in_use.map(|manifest| manifest.schema_name().to_owned());
        on_thread(move || {
            let manifest = linked.inspected.built.manifest.clone();
            let schema = manifest::schema(&manifest);
            let of = slot_data::Of {
                folder: &folder,
                slot: &entry.slot,
                in_use: in_use.as_deref(),
                choice: entry.data,
            };
            let mut stopped = None;
            let plan = slot_data::plan(of, &schema)?;
            if is_serving && plan.stops_writes() {
                let stopping = tokio::runtime::Handle::current().block_on(gate.stop_writes());
                let mut stopping = stopping.ok_or(StartError::Busy)?;
                if plan.stops_reads() && !tokio::runtime::Handle::current().block_on(stopping.stop_all()) {
                    return Err(StartError::Busy.into());
                }
                stopped = Some(stopping);
            }
            let limit = is_serving.then_some(SWAP_TIMEOUT);
            let prepared = slot_data::prepare(of, &schema, events::TABLES, limit)?;
            let plugin = self.plugin(&entry, linked, prepared.database.clone(), gate)?;
            Ok(Opened {
                plugin,
                prepared,
                stopped,
            })
        })
    }

    /// The plugin of an approval, with its data.
    fn plugin(
        &self,
        entry: &Entry,
        linked: Linked,
        database: Option<Arc<Database>>,
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
            reads: Reads::default(),
            transactions: Threads::new(1),
            relay: tokio::sync::Mutex::new(()),
            services: self.services.clone(),
            counters: self.counters.lock().entry(entry.slot.clone()).or_default().clone(),
            outbound: OutboundRate::default(),
        });
        let reuse = entry.isolation == Isolation::Reuse;
        let instances = Instances::new(pre, reuse, self.pool.clone()).map_err(|error| LoadError::other(&error))?;
        let read = (manifest, inspected.from_cache);
        state.set_limits(entry.limits);
        let lane = self.slow_lane.clone();
        Ok(Arc::new(Plugin::new(read, state, instances, gate, lane)))
    }

    /// What serves instead of a plugin that cannot: the one before, or answers that name the slot.
    fn fall_back(
        &self,
        entry: Entry,
        error: &LoadError,
        before: &Registry,
        bundle: &Bundle,
        claims: &mut Claims,
    ) -> Slot {
        let slot = entry.slot.as_str();
        let status = match before.plugin(slot) {
            Some(plugin) if claims.take(slot, &plugin.manifest).is_ok() => {
                let version = &plugin.manifest.version;
                tracing::error!(
                    slot,
                    "the plugin `{slot}` {} does not serve, and {version} goes on: {error}",
                    entry.version
                );
                SlotStatus::Ready(plugin.clone())
            }
            _ => {
                tracing::error!(slot, "the plugin `{slot}` does not serve: {error}");
                let manifest = match error {
                    LoadError::Claim(_) => None,
                    _ => self.known_manifest(&entry, bundle),
                };
                let manifest = manifest.filter(|manifest| claims.take(slot, manifest).is_ok());
                SlotStatus::Failed {
                    manifest: manifest.map(Box::new),
                }
            }
        };
        Slot {
            problem: Some(error.to_string()),
            start_failed: matches!(error, LoadError::Start(StartError::Failed(_))),
            entry,
            status,
        }
    }

    /// The manifest of a plugin that does not load, from when it was last described.
    pub fn known_manifest(&self, entry: &Entry, bundle: &Bundle) -> Option<Manifest> {
        let described = self
            .cache
            .manifest(&entry.sha256)
            .and_then(|json| manifest::parse(&json).ok());
        let built = || bundle.plugins.iter().find(|built| built.manifest.slot == entry.slot);
        described.or_else(|| built().map(|built| built.manifest.clone()))
    }

    fn mention_strays(&self, lock: &Lock) {
        let Ok(files) = std::fs::read_dir(&self.plugins_dir) else {
            return;
        };
        for file in files.flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            if name.ends_with(".wasm") && !lock.plugins.iter().any(|entry| entry.file.as_ref() == Some(&name)) {
                tracing::info!("{name} is not approved and not loaded: `galley plugins approve {name}` loads it");
            }
        }
    }
}

/// Runs blocking work, which may be a minute of compiling, on a thread of its own.
async fn on_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, LoadError> + Send + 'static,
) -> Result<T, LoadError> {
    spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(LoadError::other(&error)))
}

/// Starts a plugin, and makes the change of its data last.
async fn start(opened: Opened) -> Result<(Arc<Plugin>, Option<Stopped>), LoadError> {
    Ok(opened.start().await?.commit().await?)
}

/// Gives each slot its routes. Who serves already comes first, then what came with the program; a slot that cannot have its
/// routes is refused, and the others serve.
fn settle(entries: &[Entry], stages: &mut [Stage], before: &Registry, claims: &mut Claims, places: &Places) {
    // What goes on when its successor fails keeps its routes until the successor serves.
    for plugin in before.ready() {
        let slot = &plugin.state.name;
        if entries.iter().any(|entry| entry.slot == *slot) {
            // They had their routes side by side before.
            let _ = claims.take(slot, &plugin.manifest);
        }
    }
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&index| !entries[index].bundled);
    for index in order {
        let Stage::Linked(linked) = &stages[index] else {
            continue;
        };
        let taken = places
            .check(&linked.inspected)
            .and_then(|()| claims.take(&entries[index].slot, &linked.inspected.built.manifest));
        if let Err(error) = taken {
            stages[index] = Stage::Refused(error.into());
        }
    }
}
