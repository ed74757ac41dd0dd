//! `galley:events`: durable events that plugins publish.
//!
//! Events of a transaction are stored in the slot's own database first and moved to the outbox afterwards, so that an event
//! exists if and only if its write does. After a crash between the two it is moved again: delivery is at least once. In a cluster any
//! server moves them, each event once.

use std::sync::Arc;

use galley_manifest::HOST_TOPICS;
use galley_postgres::slot::Failure;
use wasmtime::component::Resource;

use super::contract::galley::events::events::Host;
use super::contract::galley::events::types::{self, Event};
use super::handles::{DeliveryHandle, stale};
use super::objects::Delivery;
use super::rows::SqlError;
use super::state::{granted, or_problem};
use super::{Problem, SlotState, State, problem, statements, unexpected};
use crate::core::NewEvent;
use crate::storage::slot::Database;
use crate::storage::sqlite::StorageError;

/// The host's tables in a slot's database.
pub const TABLES: &str = "CREATE TABLE IF NOT EXISTS _galley_events
    (id INTEGER PRIMARY KEY, topic TEXT NOT NULL, data TEXT NOT NULL) STRICT";

impl State {
    /// Checks the contract's bounds ([`CallEvents`](galley_manifest::CallEvents)), and counts the events for the bounds of the call.
    ///
    /// Answers those that some slot is subscribed to; the others are dropped, which saves their way through two databases.
    pub(super) async fn may_publish(&mut self, events: Vec<Event>) -> Result<Vec<Event>, Problem> {
        if events.is_empty() {
            return Ok(events);
        }
        let topics_and_data = || events.iter().map(|event| (event.topic.as_str(), event.data.as_str()));
        let published = self.call.published.add(&self.slot.publisher, topics_and_data());
        published.map_err(|error| problem(error.code, error.message))?;
        let slot = &self.slot;
        let core = &slot.services.core;
        let mut awaited = Vec::new();
        for event in events {
            match core.is_awaited(&slot.name, &event.topic).await {
                Ok(true) => awaited.push(event),
                Ok(false) => {}
                Err(error) => return Err(unexpected("the subscriptions cannot be read", &error)),
            }
        }
        if awaited.is_empty() {
            return Ok(awaited);
        }
        let bytes: usize = awaited.iter().map(|event| event.topic.len() + event.data.len()).sum();
        let room = core.has_room_for_events(&slot.name, awaited.len() as u64, bytes as u64);
        match room.await {
            Ok(true) => Ok(awaited),
            Ok(false) => Err(SqlError::Backlog.into_problem()),
            Err(error) => Err(unexpected("the waiting events cannot be counted", &error)),
        }
    }
}

/// Moves stored events to the outbox, in the background.
pub fn relay_soon(slot: &Arc<SlotState>) {
    let slot = slot.clone();
    tokio::spawn(async move {
        if let Err(error) = relay(&slot).await {
            error.tell(&slot.name, "events wait in the plugin's database");
        }
    });
}

/// Moves stored events to the outbox, in order. Also run at boot, for the events a crash left behind.
pub async fn relay(slot: &SlotState) -> Result<(), SqlError> {
    let Some(database) = &slot.database else { return Ok(()) };
    let _one_at_a_time = slot.relay.lock().await;
    let kept = statements::events(database).await?;
    let Some(last) = kept.last().map(|(id, _)| *id) else {
        return Ok(());
    };
    // None of the host's topics is kept since publishing them is refused; a file may be older than that.
    let events = kept
        .into_iter()
        .filter(|(_, event)| !HOST_TOPICS.contains(&event.topic.as_str()))
        .map(|(id, event)| (id, new_event(event)));
    let core = &slot.services.core;
    let published = match database {
        Database::Sqlite(_) => core.publish(&slot.name, events.map(|(_, event)| event).collect()).await,
        // Another server may do the same at this moment.
        Database::Postgres(_) => core.relay(&slot.name, &slot.schema, events.collect()).await,
    };
    published.map_err(|error| StorageError::Commit(error.to_string()))?;
    match statements::forget_events(database, last).await {
        // They stay there until somebody opens it again, and are known to be published.
        Err(SqlError::Postgres(Failure::Superseded)) => Ok(()),
        forgotten => forgotten,
    }
}

fn new_event(event: Event) -> NewEvent {
    NewEvent {
        topic: event.topic,
        data: event.data,
    }
}

impl Host for State {
    async fn publish(&mut self, events: Vec<Event>) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Events);
        let events = or_problem!(self.may_publish(events).await);
        if events.is_empty() {
            return Ok(Ok(()));
        }
        let events = events.into_iter().map(new_event).collect();
        let published = self.slot.services.core.publish(&self.slot.name, events).await;
        Ok(published.map_err(|error| unexpected("an event could not be published", &error)))
    }
}

impl State {
    /// Gives the call its event; the answer is the handle that the guest borrows.
    pub fn begin_delivery(&mut self, delivery: Delivery) -> wasmtime::Result<Resource<DeliveryHandle>> {
        let number = self.handles.number()?;
        self.call.delivery = Some((number, delivery));
        Ok(Resource::new_borrow(number))
    }

    fn delivery(&mut self, handle: &Resource<DeliveryHandle>) -> wasmtime::Result<&Delivery> {
        self.enter()?;
        match &self.call.delivery {
            Some((number, delivery)) if *number == handle.rep() => Ok(delivery),
            _ => Err(stale()),
        }
    }
}

impl types::HostDelivery for State {
    fn id(&mut self, delivery: Resource<DeliveryHandle>) -> wasmtime::Result<u64> {
        Ok(self.delivery(&delivery)?.event.id as u64)
    }

    fn topic(&mut self, delivery: Resource<DeliveryHandle>) -> wasmtime::Result<String> {
        Ok(self.delivery(&delivery)?.event.topic.clone())
    }

    fn source(&mut self, delivery: Resource<DeliveryHandle>) -> wasmtime::Result<Option<String>> {
        Ok(self.delivery(&delivery)?.event.source.clone())
    }

    fn data(&mut self, delivery: Resource<DeliveryHandle>) -> wasmtime::Result<String> {
        Ok(self.delivery(&delivery)?.event.data.clone())
    }

    fn attempt(&mut self, delivery: Resource<DeliveryHandle>) -> wasmtime::Result<u32> {
        Ok(self.delivery(&delivery)?.attempt)
    }

    fn drop(&mut self, _delivery: Resource<DeliveryHandle>) -> wasmtime::Result<()> {
        Ok(())
    }
}

impl types::Host for State {}
