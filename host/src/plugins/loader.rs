//! From the approvals to plugins that serve.

use std::path::Path;
use std::sync::Arc;

use wasmtime::Engine;

use super::approvals::{Approvals, Known};
use super::beside;
use super::claims::Claims;
use super::entry::Entry;
use super::factory::Factory;
use super::gate::Stopped;
use super::load_error::{LoadError, LoaderError};
use super::lock::{Bundle, Lock};
use super::opened::{Opened, Started};
use super::places::Places;
use super::plugin::Plugin;
use super::registry::{Registry, Slot, SlotStatus};
use super::settle::{Stage, fall_back, settle};
use crate::capabilities::Services;

/// Loads the plugins that the approvals name.
pub struct Loader {
    factory: Arc<Factory>,
    approvals: Approvals,
    own_paths: &'static [&'static str],
}

/// The slots after a load.
pub struct Loaded {
    /// The slots.
    pub registry: Registry,
    /// Calls of slots whose data changed: they wait until these plugins serve.
    pub stopped: Vec<Stopped>,
}

impl Loader {
    /// Links the contract. `own_paths` are the host's own, with `{}` for their parameters: no plugin can claim one.
    pub fn new(
        services: Arc<Services>,
        engine: Engine,
        own_paths: &'static [&'static str],
    ) -> Result<Self, LoaderError> {
        let factory = Arc::new(Factory::new(services, engine)?);
        let approvals = factory.approvals();
        Ok(Self {
            factory,
            approvals,
            own_paths,
        })
    }

    /// What it loads.
    pub fn approvals(&self) -> &Approvals {
        &self.approvals
    }

    /// Reads and prepares plugins.
    pub fn factory(&self) -> &Arc<Factory> {
        &self.factory
    }

    /// Loads all enabled plugins, in parallel. Plugins of `before` whose approval has not changed are kept; where another
    /// one is approved and cannot serve, the one before goes on.
    pub async fn load(self: &Arc<Self>, before: &Registry) -> Result<Loaded, LoaderError> {
        let Known { lock, bundle, edition } = self.known().await?;
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
                    let (factory, entry) = (self.factory.clone(), entry.clone());
                    Ok(beside::spawn(before.serves(), move || factory.read(&entry)))
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
        settle(&enabled, &mut stages, before, &mut claims, &self.places(&bundle));

        let opening: Vec<_> = enabled
            .iter()
            .zip(stages)
            .map(|(entry, stage)| match stage {
                Stage::Serving(plugin) => Err(Ok(plugin)),
                Stage::Refused(error) => Err(Err(error)),
                Stage::Linked(linked) => {
                    let open = self
                        .factory
                        .clone()
                        .open(entry.clone(), *linked, before, edition.number());
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
                Err(error) => fall_back(&self.factory, entry, &error, before, &bundle, &mut claims),
            };
            slots.push(slot);
        }
        let registry = Registry {
            slots,
            followed: Some(edition),
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
        let bundle = Bundle::read(self.plugins_dir()).map_err(|error| LoadError::other(&error))?;
        let (factory, wanted) = (self.factory.clone(), entry.clone());
        let reading = beside::spawn(before.serves(), move || factory.read(&wanted));
        let linked = reading.await.unwrap_or_else(|error| Err(LoadError::other(&error)))?;
        claims.take(&entry.slot, &linked.inspected.built.manifest)?;
        self.places(&bundle).check_approved(entry, &linked.inspected)?;
        // It is written down under the next number, or not at all.
        let next = before.followed.as_ref().map_or(0, |followed| followed.number() + 1);
        // Boxes: whoever waits for this is deep in its own calls, and each holds room for all of it.
        let opened = Box::pin(self.factory.clone().open(entry.clone(), linked, before, next)).await?;
        Ok(Box::pin(opened.start()).await?)
    }

    /// The slots as [`load_one`](Self::load_one) needs them where no server runs: their routes are known, nothing is loaded.
    pub fn apart(&self, lock: &Lock) -> Result<Registry, LoaderError> {
        let bundle = Bundle::read(self.plugins_dir())?;
        let enabled = lock.plugins.iter().filter(|entry| entry.enabled);
        let slots = enabled.map(|entry| Slot {
            status: SlotStatus::Failed {
                manifest: self.factory.known_manifest(entry, &bundle).map(Box::new),
                told: None,
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

    /// The approvals, those of the build included, and what came with the program.
    pub async fn known(&self) -> Result<Known, LoaderError> {
        let bundle = Bundle::read(self.plugins_dir())?;
        Ok(self.approvals.follow(bundle).await?)
    }

    /// The folder of the data.
    pub fn data_dir(&self) -> &Path {
        &self.factory.data_dir
    }

    /// The folder of the plugins that came with the program.
    pub fn plugins_dir(&self) -> &Path {
        &self.factory.plugins_dir
    }

    /// The host's services.
    pub fn services(&self) -> &Arc<Services> {
        &self.factory.services
    }

    /// The places of the slots. Another server's program may come with routes that this one's does not know.
    fn places(&self, bundle: &Bundle) -> Places {
        match self.approvals.is_shared() {
            true => Places::shared(bundle),
            false => Places::of(bundle),
        }
    }

    fn mention_strays(&self, lock: &Lock) {
        let Ok(files) = std::fs::read_dir(self.plugins_dir()) else {
            return;
        };
        for file in files.flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            if name.ends_with(".wasm") && !lock.plugins.iter().any(|entry| entry.file.as_ref() == Some(&name)) {
                match self.approvals.is_shared() {
                    false => tracing::info!(
                        "{name} is not approved and not loaded: `galley plugins approve {name}` loads it"
                    ),
                    true => tracing::info!("{name} is not approved and not loaded: `galley plugins install` loads it"),
                }
            }
        }
    }
}

/// Starts a plugin, and makes the change of its data last.
async fn start(opened: Opened) -> Result<(Arc<Plugin>, Option<Stopped>), LoadError> {
    Ok(opened.start().await?.commit().await?)
}
