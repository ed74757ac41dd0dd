//! All slots and their plugins.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use wasmtime::Engine;
use wasmtime::component::Linker;

use super::cache::{Cache, sha256};
use super::inspect::{self, InspectError};
use super::instances::Instances;
use super::lock::{Bundle, Entry, Isolation, Lock, LockError};
use super::manifest::{self, Manifest, Method};
use super::plugin::Plugin;
use crate::capabilities::{self, Call, Grants, Services, SlotState, State, events};
use crate::storage::low_priority::Threads;
use crate::storage::reads::Reads;
use crate::storage::sqlite::{Database, Migration};

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
}

/// The slots of a server, as they are now.
#[derive(Default)]
pub struct Registry {
    /// One for each enabled slot, by name.
    pub slots: Vec<Slot>,
}

/// One enabled slot.
pub struct Slot {
    /// Its approval.
    pub entry: Entry,
    /// Its plugin.
    pub status: SlotStatus,
}

/// The plugin of a slot.
pub enum SlotStatus {
    /// A plugin that serves.
    Ready(Arc<Plugin>),
    /// A plugin that could not be loaded. Its routes answer 503 with the slot's name.
    Failed {
        /// The reason, as a sentence.
        reason: String,
        /// Its manifest, when it is known from an earlier load.
        manifest: Option<Manifest>,
    },
}

/// Why the server cannot start with these plugins.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// The approvals cannot be read.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// Two slots want one route.
    #[error(
        "the plugins `{first}` and `{second}` both claim {route}: disable one of them with `galley plugins disable SLOT`"
    )]
    Collision {
        /// The slot that was first.
        first: String,
        /// The other.
        second: String,
        /// Method and path.
        route: String,
    },
    /// A slot wants a path of the host.
    #[error(
        "the plugin `{slot}` claims {path}, which is the server's own: disable it with `galley plugins disable {slot}`"
    )]
    OwnPath {
        /// The slot.
        slot: String,
        /// The path.
        path: String,
    },
    /// The engine, the linker or a folder failed.
    #[error("plugins cannot be loaded: {0}")]
    Engine(String),
}

/// Why one plugin does not serve.
#[derive(Debug, thiserror::Error)]
enum LoadError {
    #[error(transparent)]
    Inspect(#[from] InspectError),
    #[error("its file {0} is not the one that was approved: `galley plugins approve {0}` if it should be")]
    Changed(String),
    #[error("it fills the slot `{0}`")]
    OtherSlot(String),
    #[error("it asks for more than was approved ({0}): `galley plugins approve` if it should have that")]
    Wishes(String),
    #[error("{0}")]
    Other(String),
}

impl Loader {
    /// Links the contract. `own_paths` are the host's own, with `{}` for their parameters: no plugin can claim one.
    pub fn new(
        services: Arc<Services>,
        engine: Engine,
        own_paths: &'static [&'static str],
    ) -> Result<Self, RegistryError> {
        let failed = |error: &dyn std::fmt::Display| RegistryError::Engine(error.to_string());
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
        })
    }

    /// Loads all enabled plugins, in parallel. Plugins of `before` whose approval has not changed are kept.
    pub async fn load(self: &Arc<Self>, before: &Registry) -> Result<Registry, RegistryError> {
        let bundle = Bundle::read(&self.plugins_dir)?;
        let mut lock = Lock::read(&self.data_dir)?;
        if lock.follow(&bundle) {
            lock.write(&self.data_dir)?;
        }
        self.mention_strays(&lock);
        let enabled = lock.plugins.into_iter().filter(|entry| entry.enabled);
        let loading: Vec<_> = enabled
            .map(|entry| {
                if let Some(plugin) = before.unchanged(&entry) {
                    return (entry, Err(plugin));
                }
                let (loader, own) = (self.clone(), entry.clone());
                (entry, Ok(tokio::task::spawn_blocking(move || loader.plugin(&own))))
            })
            .collect();
        let mut registry = Registry::default();
        for (entry, loading) in loading {
            let loaded = match loading {
                Err(plugin) => {
                    registry.slots.push(Slot {
                        entry,
                        status: SlotStatus::Ready(plugin),
                    });
                    continue;
                }
                Ok(task) => task
                    .await
                    .unwrap_or_else(|error| Err(LoadError::Other(error.to_string()))),
            };
            let started = match loaded {
                Ok(plugin) => start(plugin).await,
                Err(error) => Err(error),
            };
            let status = match started {
                Ok(plugin) => SlotStatus::Ready(plugin),
                Err(error) => {
                    let reason = error.to_string();
                    tracing::error!(
                        slot = entry.slot,
                        "the plugin `{}` does not serve: {reason}",
                        entry.slot
                    );
                    SlotStatus::Failed {
                        reason,
                        manifest: self.known_manifest(&entry, &bundle),
                    }
                }
            };
            registry.slots.push(Slot { entry, status });
        }
        registry.check_collisions(self.own_paths)?;
        Ok(registry)
    }

    fn plugin(&self, entry: &Entry) -> Result<Arc<Plugin>, LoadError> {
        let path = self.plugins_dir.join(&entry.file);
        let wasm = std::fs::read(path).map_err(|error| InspectError::Unreadable(entry.file.clone(), error))?;
        let hash = sha256(&wasm);
        if hash != entry.sha256 {
            return Err(LoadError::Changed(entry.file.clone()));
        }
        let inspected = inspect::inspect_bytes(&self.engine, &self.cache, &entry.file, &wasm, hash)?;
        let manifest = inspected.built.manifest;
        if manifest.slot != entry.slot {
            return Err(LoadError::OtherSlot(manifest.slot));
        }
        if let Some(host) = manifest.hosts.iter().find(|host| !entry.hosts.contains(host)) {
            return Err(LoadError::Wishes(format!("the host {host}")));
        }
        let other = |error: &dyn std::fmt::Display| LoadError::Other(error.to_string());
        let database = self.database(&manifest).map_err(|error| other(&error))?;
        let state = Arc::new(SlotState {
            name: entry.slot.clone(),
            grants: Grants::of(entry.imports.iter().map(String::as_str)),
            hosts: entry.hosts.clone(),
            limits: entry.limits,
            database,
            reads: Reads::default(),
            transactions: Threads::new(1),
            relay: tokio::sync::Mutex::new(()),
            services: self.services.clone(),
            counters: Default::default(),
        });
        let pre = self
            .linker
            .instantiate_pre(&inspected.component)
            .map_err(|error| other(&format!("{error:#}")))?;
        let reuse = entry.isolation == Isolation::Reuse;
        let instances = Instances::new(pre, reuse).map_err(|error| other(&error))?;
        let permits = tokio::sync::Semaphore::new(entry.limits.concurrency.max(1) as usize);
        Ok(Arc::new(Plugin {
            manifest,
            state,
            from_cache: inspected.from_cache,
            instances,
            permits,
        }))
    }

    fn database(&self, manifest: &Manifest) -> Result<Option<Arc<Database>>, Box<dyn std::error::Error>> {
        if manifest.migrations.is_empty() {
            return Ok(None);
        }
        let folder = self.data_dir.join("slots");
        std::fs::create_dir_all(&folder)?;
        let steps = manifest.migrations.iter();
        let migrations: Vec<_> = steps
            .map(|step| Migration {
                version: step.version,
                sql: step.sql.clone().into(),
            })
            .collect();
        let path = folder.join(format!("{}.db", manifest.slot));
        Ok(Some(Arc::new(Database::open_restricted(
            &path,
            events::TABLES,
            &migrations,
        )?)))
    }

    /// The manifest of a plugin that does not load, from when it was last described.
    fn known_manifest(&self, entry: &Entry, bundle: &Bundle) -> Option<Manifest> {
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
            if name.ends_with(".wasm") && !lock.plugins.iter().any(|entry| entry.file == name) {
                tracing::info!("{name} is not approved and not loaded: `galley plugins approve {name}` loads it");
            }
        }
    }
}

/// Moves the events that a crash left behind to the outbox, then runs the plugin's start handler.
async fn start(plugin: Arc<Plugin>) -> Result<Arc<Plugin>, LoadError> {
    let state = &plugin.state;
    events::relay(state)
        .await
        .map_err(|error| LoadError::Other(error.to_string()))?;
    match plugin
        .start(Call::system(format!("start-{}", state.name), &state.limits))
        .await
    {
        Ok(Ok(())) => Ok(plugin),
        Ok(Err(problem)) => Err(LoadError::Other(format!("its start failed: {}", problem.message))),
        Err(error) => Err(LoadError::Other(format!("its start failed: {error}"))),
    }
}

impl Registry {
    fn unchanged(&self, entry: &Entry) -> Option<Arc<Plugin>> {
        let same = self.slots.iter().find(|slot| slot.entry == *entry)?;
        match &same.status {
            SlotStatus::Ready(plugin) => Some(plugin.clone()),
            SlotStatus::Failed { .. } => None,
        }
    }

    /// The plugins that serve.
    pub fn ready(&self) -> impl Iterator<Item = &Arc<Plugin>> {
        self.slots.iter().filter_map(|slot| match &slot.status {
            SlotStatus::Ready(plugin) => Some(plugin),
            SlotStatus::Failed { .. } => None,
        })
    }

    /// The plugin of a slot, if it serves.
    pub fn plugin(&self, slot: &str) -> Option<&Arc<Plugin>> {
        self.ready().find(|plugin| plugin.state.name == slot)
    }

    fn check_collisions(&self, own_paths: &[&str]) -> Result<(), RegistryError> {
        let mut claimed: HashMap<(Method, String), &str> = HashMap::new();
        for slot in &self.slots {
            let manifest = match &slot.status {
                SlotStatus::Ready(plugin) => Some(&plugin.manifest),
                SlotStatus::Failed { manifest, .. } => manifest.as_ref(),
            };
            for route in manifest.iter().flat_map(|manifest| &manifest.routes) {
                if own_paths.contains(&route.shape().as_str()) {
                    return Err(RegistryError::OwnPath {
                        slot: slot.entry.slot.clone(),
                        path: route.path.clone(),
                    });
                }
                if let Some(first) = claimed.insert((route.method, route.shape()), &slot.entry.slot) {
                    return Err(RegistryError::Collision {
                        first: first.to_owned(),
                        second: slot.entry.slot.clone(),
                        route: format!("{} {}", route.method, route.path),
                    });
                }
            }
        }
        Ok(())
    }
}
