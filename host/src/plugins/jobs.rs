//! Running the jobs of plugins when they are due: one at a time in a slot, also over restarts.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use galley_manifest::Job;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;

use super::delivery::work_of;
use super::plugin::{CallError, Plugin};
use super::registry::Registry;
use super::schedule::Schedule;
use crate::capabilities::Call;
use crate::capabilities::counters::count;
use crate::capabilities::objects;
use crate::core::{Core, CoreError, Work};
use crate::storage::id::now_ms;

/// How long it is waited at once: the clock of the machine can be set meanwhile.
const LOOK: Duration = Duration::from_secs(60);
/// The pause before another try when the plugin had no place for a job, or the database could not be read.
const RETRY: Duration = Duration::from_secs(1);
/// The end of the year 9999, for a job whose times are over.
const NEVER: i64 = 253_402_300_799_000;

/// The jobs of all slots that serve.
#[derive(Default)]
pub struct Jobs(Mutex<HashMap<String, Running>>);

/// The jobs of one plugin.
struct Running {
    plugin: Weak<Plugin>,
    /// Turns true when no further job begins.
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Jobs {
    /// Runs the jobs of these plugins from now on. A job that runs for a plugin before goes on; those of its successor begin
    /// after it.
    pub async fn follow(&self, core: &Arc<Core>, registry: &Registry) {
        let mut running = self.0.lock().await;
        let mut before = std::mem::take(&mut *running);
        for plugin in registry.ready().filter(|plugin| has_jobs(core, plugin)) {
            let slot = plugin.state.name.clone();
            let plugin = Arc::downgrade(plugin);
            let old = match before.remove(&slot) {
                Some(old) if old.plugin.ptr_eq(&plugin) && !old.task.is_finished() => {
                    running.insert(slot, old);
                    continue;
                }
                old => old,
            };
            let (stop, stopped) = watch::channel(false);
            let (core, served) = (core.clone(), plugin.clone());
            let task = tokio::spawn(async move {
                if let Some(old) = old {
                    let _ = old.stop.send(true);
                    let _ = old.task.await;
                }
                run(core, served, stopped).await;
            });
            running.insert(slot, Running { plugin, stop, task });
        }
        for (_, old) in before {
            let _ = old.stop.send(true);
        }
        for plugin in registry.ready().filter(|plugin| !has_jobs(core, plugin)) {
            forget(core, &plugin.state.name).await;
        }
    }

    /// Ends all. A run that is cut short begins again after the next start.
    pub async fn stop(&self) {
        for (_, running) in self.0.lock().await.drain() {
            running.task.abort();
        }
    }
}

/// The jobs of a plugin that run here: a server alone has none of a cluster's.
fn jobs<'p>(core: &Core, plugin: &'p Plugin) -> impl Iterator<Item = &'p Job<String>> {
    let is_shared = core.is_shared();
    plugin.manifest.jobs.iter().filter(move |job| is_shared || !job.cluster)
}

fn has_jobs(core: &Core, plugin: &Plugin) -> bool {
    jobs(core, plugin).next().is_some()
}

/// Forgets the jobs of a plugin before, where one without jobs serves.
async fn forget(core: &Core, slot: &str) {
    let forgotten = match core.next_job(slot).await {
        Ok(None) => Ok(()),
        Ok(Some(_)) => core.keep_jobs(slot, Vec::new()).await,
        Err(error) => Err(error),
    };
    if let Err(error) = forgotten {
        tracing::warn!(slot, "the jobs of a plugin before cannot be forgotten: {error}");
    }
}

/// Runs the jobs of one plugin until it is told to stop.
async fn run(core: Arc<Core>, plugin: Weak<Plugin>, mut stop: watch::Receiver<bool>) {
    let Some(slot) = plugin.upgrade().map(|plugin| plugin.state.name.clone()) else {
        return;
    };
    let (mut is_kept, mut work) = (false, Work::new(core.clone(), work_of(&slot)));
    while !*stop.borrow() {
        let pause = match step(&core, &plugin, &mut is_kept, &mut work).await {
            Ok(Some(pause)) => pause,
            Ok(None) => return,
            Err(error) if error.is_passing() || error.is_in_doubt() => {
                error.tell(&format!("jobs of `{slot}` cannot be read or written now"));
                RETRY
            }
            Err(error) => {
                tracing::error!(
                    slot,
                    "the jobs of the plugin `{slot}` cannot be read or written: {error}"
                );
                RETRY
            }
        };
        tokio::select! {
            _ = stop.changed() => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Runs what is due, and answers how long to wait; `None` when there is nothing to do any more. The plugin is not held while
/// it waits: a swap waits for it.
async fn step(
    core: &Core,
    plugin: &Weak<Plugin>,
    is_kept: &mut bool,
    work: &mut Work,
) -> Result<Option<Duration>, CoreError> {
    let Some(plugin) = plugin.upgrade() else {
        return Ok(None);
    };
    let slot = plugin.state.name.as_str();
    if !*is_kept {
        keep(core, &plugin).await?;
        *is_kept = true;
    }
    let Some((name, due)) = core.next_job(slot).await? else {
        return Ok(None);
    };
    let now = now_ms();
    if due > now {
        let wait = Duration::from_millis((due - now).unsigned_abs());
        return Ok(Some(wait.min(LOOK)));
    }
    if work.lease().await?.is_none() {
        // Another server runs it.
        return Ok(Some(RETRY));
    }
    run_one(core, &plugin, work, (&name, due)).await
}

/// Keeps when the jobs of the manifest are due.
async fn keep(core: &Core, plugin: &Plugin) -> Result<(), CoreError> {
    let now = now_ms();
    let jobs = jobs(core, plugin).filter_map(|job| {
        let first = Schedule::of(job).ok()?.next(now, now)?;
        Some((job.name.clone(), job.when(), first))
    });
    core.keep_jobs(&plugin.state.name, jobs.collect()).await
}

async fn run_one(
    core: &Core,
    plugin: &Arc<Plugin>,
    work: &mut Work,
    (name, due): (&str, i64),
) -> Result<Option<Duration>, CoreError> {
    let slot = plugin.state.name.as_str();
    let Some(job) = jobs(core, plugin).find(|job| job.name == name) else {
        // The slot was filled by another plugin meanwhile, whose jobs these are.
        return Ok(None);
    };
    let pass = plugin.pass(true).await;
    if pass.instead.is_some() {
        return Ok(None);
    }
    core.refresh().await?;
    let call = Call::system(format!("job-{name}-{due}"), &plugin.state.limits());
    let run = objects::Job {
        name: name.to_owned(),
        due: due.unsigned_abs(),
    };
    let failed = match work.during(plugin.run_job(call, run)).await {
        Ok(Ok(())) => None,
        // It never reached the plugin.
        Err(CallError::Tripped(wait)) => return Ok(Some(wait.max(RETRY))),
        Err(CallError::Busy) => return Ok(Some(RETRY)),
        Ok(Err(problem)) => Some(problem.message),
        Err(error) => Some(error.to_string()),
    };
    drop(pass);
    let now = now_ms();
    let next = Schedule::of(job).ok().and_then(|schedule| schedule.next(due, now));
    core.job_ended(slot, name, (now, next.unwrap_or(NEVER)), failed.as_deref())
        .await?;
    match failed {
        None => {
            count(&plugin.state.counters.jobs);
            tracing::debug!(slot, "the job `{name}` of the plugin `{slot}` ran");
        }
        Some(reason) => {
            count(&plugin.state.counters.failed_jobs);
            let when = job.when();
            tracing::error!(
                slot,
                "the job `{name}` of the plugin `{slot}` failed, and runs again {when}: {reason}"
            );
        }
    }
    Ok(Some(Duration::ZERO))
}
