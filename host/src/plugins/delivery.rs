//! Delivering events from the outbox to the slots that subscribed: in order, at least once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::plugin::{CallError, Plugin};
use crate::capabilities::Call;
use crate::capabilities::objects::Delivery;
use crate::core::{Core, CoreError, Work};

/// The first pause after a failed attempt; each further one doubles it.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// The shortest time between two deletions of delivered events.
const PRUNE_PAUSE: Duration = Duration::from_secs(10);
/// How soon it is looked again for events of other servers; each further look doubles it. One of a transaction that overlaps others
/// comes a moment after its wake, and a server that ended right after it published has woken nobody.
const FIRST_LOOK_TIMEOUT: Duration = Duration::from_millis(20);
/// The longest time between two looks.
const MAX_LOOK_TIMEOUT: Duration = Duration::from_secs(1);
/// How often it is looked whether the server that delivers to a slot is gone.
const ELSEWHERE_PAUSE: Duration = Duration::from_secs(1);
/// The pause while the database is away.
const AWAY_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// Delivers to one plugin until the task is aborted.
pub async fn deliver(core: Arc<Core>, plugin: Arc<Plugin>) {
    let slot = plugin.state.name.clone();
    let mut work = Work::new(core.clone(), work_of(&slot));
    let mut pruned: Option<Instant> = None;
    let mut look = FIRST_LOOK_TIMEOUT;
    loop {
        // Created before the look-up, so that an event published in between is not missed.
        let bell = core.event_bell().notified();
        match step(&core, &plugin, &mut work).await {
            Ok(Step::Done) => look = FIRST_LOOK_TIMEOUT,
            Ok(Step::Nothing) => {
                if pruned.is_none_or(|at| at.elapsed() >= PRUNE_PAUSE) {
                    pruned = Some(Instant::now());
                    if let Err(error) = prune(&core).await {
                        error.tell("events that were delivered cannot be deleted");
                    }
                }
                match core.freshness() {
                    None => bell.await,
                    Some(_) => {
                        look = match tokio::time::timeout(look, bell).await {
                            Ok(()) => FIRST_LOOK_TIMEOUT,
                            Err(_) => (look * 2).min(MAX_LOOK_TIMEOUT),
                        };
                    }
                }
            }
            Ok(Step::Later(pause)) => tokio::time::sleep(pause).await,
            Ok(Step::Elsewhere) => tokio::time::sleep(ELSEWHERE_PAUSE).await,
            Err(CoreError::Superseded) => tracing::warn!(slot, "another server delivers the events of this slot now"),
            Err(error) if error.is_passing() || error.is_in_doubt() => {
                error.tell(&format!("events of `{slot}` cannot be read or acknowledged now"));
                tokio::time::sleep(AWAY_PAUSE).await;
            }
            Err(error) => {
                tracing::error!(slot, "events cannot be read: {error}");
                tokio::time::sleep(MAX_PAUSE).await;
            }
        }
    }
}

/// Deletes what was delivered to everybody who awaits it.
async fn prune(core: &Core) -> Result<(), CoreError> {
    if core.has_events().await? {
        core.prune_taken_events().await?;
    }
    Ok(())
}

enum Step {
    /// Another server delivers to the slot.
    Elsewhere,
    /// There is no event for the slot.
    Nothing,
    /// It took one, or one was set aside: the next one is due.
    Done,
    /// The same one comes again after a pause.
    Later(Duration),
}

/// The name of what one server at a time does for a slot.
pub fn work_of(slot: &str) -> String {
    format!("slot/{slot}")
}

async fn step(core: &Core, plugin: &Arc<Plugin>, work: &mut Work) -> Result<Step, CoreError> {
    let slot = plugin.state.name.as_str();
    let pass = plugin.pass(true).await;
    if pass.instead.is_some() {
        // Its own deliveries begin at once.
        return Ok(Step::Nothing);
    }
    let Some(lease) = work.lease().await? else {
        return Ok(Step::Elsewhere);
    };
    // What the plugin asks the host for is not older than the event.
    core.refresh().await?;
    let Some(event) = core.next_event(slot, &plugin.manifest.subscriptions).await? else {
        return Ok(Step::Nothing);
    };
    let (id, topic) = (event.id, event.topic.clone());
    let attempt = event.attempts + 1;
    let call = Call::system(format!("event-{id}"), &plugin.state.limits());
    let reason = match work.during(plugin.receive(call, Delivery { event, attempt })).await {
        Ok(Ok(())) => {
            core.acknowledge(&lease, slot, id).await?;
            return Ok(Step::Done);
        }
        // It never reached the plugin.
        Err(CallError::Tripped(wait)) => return Ok(Step::Later(wait.max(FIRST_PAUSE))),
        Err(CallError::Busy) => return Ok(Step::Later(FIRST_PAUSE)),
        Ok(Err(problem)) => problem.message,
        Err(error) => error.to_string(),
    };
    if core.delivery_failed(&lease, slot, id, &reason).await? {
        tracing::error!(
            slot,
            "the event {id} (`{topic}`) failed {attempt} times and is set aside, `galley plugins events {slot}` shows it: {reason}"
        );
        return Ok(Step::Done);
    }
    let pause = pause(attempt);
    tracing::warn!(
        slot,
        "an event was not taken and comes again in {} ms: {reason}",
        pause.as_millis()
    );
    Ok(Step::Later(pause))
}

fn pause(attempt: u32) -> Duration {
    FIRST_PAUSE
        .saturating_mul(1 << attempt.saturating_sub(1).min(16))
        .min(MAX_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_stay_bounded() {
        assert_eq!(pause(1), FIRST_PAUSE);
        assert_eq!(pause(2), 2 * FIRST_PAUSE);
        assert_eq!(pause(1_000), MAX_PAUSE);
    }
}
