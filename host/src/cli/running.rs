//! The plugins that serve: their routes, deliveries and metrics, and following the approvals while the server runs.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use tokio::task::JoinSet;

use super::signals::Signals;
use crate::http::plugin_routes::RouteContext;
use crate::http::{self, App, Serving};
use crate::plugins::approvals::{Approvals, Edition};
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
/// a signal ends the server.
pub async fn follow_until(operations: &Operations, signals: &mut Signals) {
    let changes = operations.services().core.approvals();
    let mut follower = Follower::new(operations);
    loop {
        let is_asked = tokio::select! {
            reload = signals.reload() => match reload {
                true => true,
                false => return,
            },
            () = changes.changed() => false,
            () = tokio::time::sleep(LOOK) => false,
        };
        let known = changes.known();
        // A plugin can compile for a minute: the server can be stopped meanwhile.
        tokio::select! {
            () = signals.stop() => return,
            () = follower.look(is_asked) => {}
        }
        changes.follow(known);
    }
}

/// What a server knows of the approvals between two looks.
struct Follower<'a> {
    operations: &'a Operations,
    /// The approvals that could not be followed. A file is compared by its content: it can change while a change is applied, and
    /// within one tick of a file's time.
    tried: Option<Edition>,
    retries: Retries,
    /// The slots whose failed starts are noted. Not held: an operation waits until nobody has the plugin before.
    noted: Weak<Registry>,
}

impl<'a> Follower<'a> {
    fn new(operations: &'a Operations) -> Self {
        Self {
            operations,
            tried: None,
            retries: Retries::default(),
            noted: Weak::new(),
        }
    }

    /// Looks once; `is_asked`: also at what failed before.
    async fn look(&mut self, is_asked: bool) {
        let operations = self.operations;
        let changed = match operations.unfollowed().await {
            Ok(changed) => changed,
            // The checks of requests say that the database is away.
            Err(error) if error.is_passing() => return,
            Err(error) => {
                tracing::error!("{error}");
                return;
            }
        };
        self.note_failed_starts(&operations.present());
        let due = self.retries.due(Instant::now()).join(", ");
        let again = match (is_asked, due.as_str()) {
            (true, _) => Some("SIGHUP: the plugins are looked at again".to_owned()),
            (false, "") if changed.is_none() && operations.present().is_superseded() => {
                Some("a slot's data were changed for another plugin: it is opened anew".to_owned())
            }
            (false, "") => None,
            (false, slots) => Some(format!("what failed is tried again: {slots}")),
        };
        if again.is_none() && (changed.is_none() || changed == self.tried) {
            return;
        }
        self.tried = match operations.follow(again.as_deref()).await {
            Ok(()) => None,
            Err(error) => {
                tracing::error!("the approvals cannot be followed: {error}");
                // What waiting mends is tried again.
                changed.filter(|_| !is_passing(&error))
            }
        };
    }

    /// Notes the starts that failed when the slots changed since the last ones.
    fn note_failed_starts(&mut self, present: &Arc<Registry>) {
        if self.noted.as_ptr() == Arc::as_ptr(present) {
            return;
        }
        let failed = present.slots.iter().filter(|slot| slot.start_failed);
        self.retries
            .note(failed.map(|slot| slot.entry.slot.as_str()), Instant::now());
        self.noted = Arc::downgrade(present);
    }
}
