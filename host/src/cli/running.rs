//! The plugins that serve, and following the approvals while the server runs.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use super::signals::Signals;
use crate::http::plugin_routes::RouteContext;
use crate::http::{self, App};
use crate::plugins::delivery::deliver;
use crate::plugins::loader::Loader;
use crate::plugins::lock::Lock;
use crate::plugins::registry::Registry;

/// How often `plugins.lock` is checked for changes.
const LOOK: Duration = Duration::from_secs(1);

/// The plugins that serve, with their routes and deliveries.
pub struct Running {
    app: Arc<App>,
    context: RouteContext,
    registry: Registry,
    deliveries: JoinSet<()>,
}

impl Running {
    /// The registry's plugins; [`apply`](Self::apply) makes them serve.
    pub fn new(app: Arc<App>, context: RouteContext, registry: Registry) -> Self {
        Self {
            app,
            context,
            registry,
            deliveries: JoinSet::new(),
        }
    }

    /// Applies changes of `plugins.lock`, and looks at it again on SIGHUP, until a signal ends the server. The file is
    /// compared by its content: it can change while a change is applied, and within one tick of a file's time.
    pub async fn follow_until(&mut self, loader: &Arc<Loader>, signals: &mut Signals) {
        let mut tried = self.registry.followed.clone();
        loop {
            let is_asked = tokio::select! {
                reload = signals.reload() => match reload {
                    true => true,
                    false => return,
                },
                () = tokio::time::sleep(LOOK) => false,
            };
            let now = match Lock::text(&self.app.config.data_dir) {
                Ok(text) => Some(text.unwrap_or_default()),
                Err(error) => {
                    tracing::error!("{error}");
                    continue;
                }
            };
            if now == tried && !is_asked {
                continue;
            }
            tracing::info!(
                "{}",
                if is_asked {
                    "SIGHUP: the plugins are looked at again"
                } else {
                    "plugins.lock changed"
                }
            );
            // A plugin can compile for a minute: the server can be stopped meanwhile.
            let is_followed = tokio::select! {
                () = signals.stop() => return,
                is_followed = self.reload(loader) => is_followed,
            };
            tried = if is_followed {
                self.registry.followed.clone()
            } else {
                now
            };
        }
    }

    /// Ends the deliveries of events.
    pub async fn stop(&mut self) {
        self.deliveries.shutdown().await;
    }

    /// Puts the registry's routes in place and delivers events to its plugins.
    pub async fn apply(&mut self) -> anyhow::Result<()> {
        self.deliveries.shutdown().await;
        for plugin in self
            .registry
            .ready()
            .filter(|plugin| !plugin.manifest.subscriptions.is_empty())
        {
            let topics = &plugin.manifest.subscriptions;
            self.app.core.start_cursor(&plugin.state.name, topics).await?;
            self.deliveries.spawn(deliver(self.app.core.clone(), plugin.clone()));
        }
        // Disabled slots too: events wait until they are enabled again.
        let known = Lock::read(&self.app.config.data_dir)?.plugins;
        let known = known.into_iter().map(|entry| entry.slot).collect();
        self.app.core.prune_events(known).await?;
        let failing = self.registry.slots.iter().filter(|slot| slot.problem.is_some());
        self.app.set_slots(
            self.registry.ready().map(|plugin| plugin.state.clone()).collect(),
            failing.map(|slot| slot.entry.slot.clone()).collect(),
        );
        self.app
            .set_router(http::router(self.app.clone(), &self.registry, &self.context));
        Ok(())
    }

    /// Loads what changed. `false` when the approvals cannot be followed; the plugins then stay as they were, and the log
    /// says why.
    async fn reload(&mut self, loader: &Arc<Loader>) -> bool {
        let loaded = match loader.load(&self.registry).await {
            Ok(registry) => {
                self.registry = registry;
                self.apply().await
            }
            Err(error) => Err(error.into()),
        };
        match loaded {
            Ok(()) => {
                tracing::info!("{} slots are enabled", self.registry.slots.len());
                true
            }
            Err(error) => {
                tracing::error!("the approvals cannot be followed: {error}");
                false
            }
        }
    }
}
