//! The plugins that serve: their routes, deliveries and metrics, and following the approvals while the server runs.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use tokio::task::JoinSet;

use super::signals::Signals;
use crate::http::plugin_routes::RouteContext;
use crate::http::{self, App, Serving};
use crate::plugins::approvals::Approvals;
use crate::plugins::delivery::deliver;
use crate::plugins::jobs::Jobs;
use crate::plugins::operations::{Front, Operations, Put, is_passing};
use crate::plugins::registry::Registry;
use crate::plugins::relay;
use crate::plugins::retries::Retries;

/// How often the approvals are checked for changes.
const LOOK: Duration = Duration::from_secs(1);

/// The routes and deliveries of the plugins that serve.
pub struct Running {
    app: Arc<App>,
    context: RouteContext,
    approvals: Approvals,
    deliveries: Mutex<JoinSet<()>>,
    jobs: Jobs,
}

impl Front for Arc<Running> {
    fn put<'a>(&'a self, registry: &'a Registry) -> Put<'a> {
        Box::pin(self.apply(registry))
    }
}

impl Running {
    /// Nothing serves yet.
    pub fn new(app: Arc<App>, context: RouteContext, approvals: Approvals) -> Self {
        Self {
            app,
            context,
            approvals,
            deliveries: Mutex::default(),
            jobs: Jobs::default(),
        }
    }

    /// Ends the deliveries of events, and jobs.
    pub async fn stop(&self) {
        self.jobs.stop().await;
        self.deliveries.lock().await.shutdown().await;
    }

    /// Puts the registry's routes in place and delivers events to its plugins.
    async fn apply(&self, registry: &Registry) -> anyhow::Result<()> {
        // Calls that waited at a gate go on in these plugins, whatever becomes of the rest: only they know the data.
        for plugin in registry.ready() {
            plugin.gate.serve(plugin);
        }
        let mut deliveries = self.deliveries.lock().await;
        deliveries.shutdown().await;
        for plugin in registry
            .ready()
            .filter(|plugin| !plugin.manifest.subscriptions.is_empty())
        {
            let topics = &plugin.manifest.subscriptions;
            self.app.core.start_cursor(&plugin.state.name, topics).await?;
            deliveries.spawn(deliver(self.app.core.clone(), plugin.clone()));
        }
        for plugin in registry.ready().filter(|plugin| relay::is_needed(plugin)) {
            deliveries.spawn(relay::relay(plugin.clone()));
        }
        self.approvals.prune().await?;
        self.jobs.follow(&self.app.core, registry).await;
        let failing = registry.slots.iter().filter(|slot| slot.problem.is_some());
        // Not on a thread of the runtime: many routes take milliseconds, and requests wait there.
        let (app, slots, context) = (self.app.clone(), registry.clone(), self.context.clone());
        let router = tokio::task::spawn_blocking(move || http::router(app, &slots, &context)).await?;
        self.app.serve(Serving {
            router,
            slots: registry.ready().cloned().collect(),
            failing: failing.map(|slot| slot.entry.slot.clone()).collect(),
        });
        Ok(())
    }
}

/// Applies changes of the approvals that others made, looks at them again on SIGHUP, and tries starts that failed again, until
/// a signal ends the server. A file is compared by its content: it can change while a change is applied, and within one
/// tick of a file's time.
pub async fn follow_until(operations: &Operations, signals: &mut Signals) {
    let mut tried = None;
    let mut retries = Retries::default();
    // Not held: an operation waits until nobody has the plugin before.
    let mut noted: Weak<Registry> = Weak::new();
    loop {
        let is_asked = tokio::select! {
            reload = signals.reload() => match reload {
                true => true,
                false => return,
            },
            () = tokio::time::sleep(LOOK) => false,
        };
        let looked = tokio::select! {
            () = signals.stop() => return,
            looked = operations.unfollowed() => looked,
        };
        let changed = match looked {
            Ok(changed) => changed,
            // The checks of requests say that the database is away.
            Err(error) if error.is_passing() => continue,
            Err(error) => {
                tracing::error!("{error}");
                continue;
            }
        };
        note_failed_starts(&operations.present(), &mut noted, &mut retries);
        let due = retries.due(Instant::now()).join(", ");
        let again = match (is_asked, due.as_str()) {
            (true, _) => Some("SIGHUP: the plugins are looked at again".to_owned()),
            (false, "") => None,
            (false, slots) => Some(format!("what failed is tried again: {slots}")),
        };
        if again.is_none() && (changed.is_none() || changed == tried) {
            continue;
        }
        // A plugin can compile for a minute: the server can be stopped meanwhile.
        let followed = tokio::select! {
            () = signals.stop() => return,
            followed = operations.follow(again.as_deref()) => followed,
        };
        tried = match followed {
            Ok(()) => None,
            Err(error) => {
                tracing::error!("the approvals cannot be followed: {error}");
                // What waiting mends is tried again.
                changed.filter(|_| !is_passing(&error))
            }
        };
    }
}

/// Notes the starts that failed when the slots changed since they were `noted`.
fn note_failed_starts(present: &Arc<Registry>, noted: &mut Weak<Registry>, retries: &mut Retries) {
    if noted.as_ptr() == Arc::as_ptr(present) {
        return;
    }
    let failed = present.slots.iter().filter(|slot| slot.start_failed);
    retries.note(failed.map(|slot| slot.entry.slot.as_str()), Instant::now());
    *noted = Arc::downgrade(present);
}
