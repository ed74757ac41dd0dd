//! `galley:events`: durable events that plugins publish.
//!
//! Events of a transaction are stored in the slot's own database first and moved to the outbox afterwards, so that an event
//! exists if and only if its write does. After a crash between the two it is moved again: delivery is at least once.

use std::sync::Arc;

use rusqlite::Connection;

use super::contract::galley::events::events::{Event, Host};
use super::rows::SqlError;
use super::state::{granted, or_problem};
use super::{Problem, SlotState, State, internal, problem};
use crate::storage::core::NewEvent;
use crate::storage::sqlite::StorageError;

/// The host's tables in a slot's database.
pub const TABLES: &str = "CREATE TABLE IF NOT EXISTS _galley_events
    (id INTEGER PRIMARY KEY, topic TEXT NOT NULL, data TEXT NOT NULL) STRICT";

const MAX_DATA: usize = 64 << 10;

/// Checks the contract's bounds.
pub fn check(events: &[Event]) -> Result<(), Problem> {
    for event in events {
        let plain = event
            .topic
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if event.topic.is_empty() || event.topic.len() > 64 || !plain {
            return Err(problem("bad-topic", "A topic is 1 to 64 of a-z, 0-9 and `-`."));
        }
        if event.data.len() > MAX_DATA {
            return Err(problem("too-large", format!("An event has at most {MAX_DATA} bytes.")));
        }
    }
    Ok(())
}

/// Stores events in the connection's current transaction.
pub fn keep(connection: &Connection, events: &[Event]) -> Result<(), SqlError> {
    for event in events {
        connection
            .prepare_cached("INSERT INTO _galley_events (topic, data) VALUES (?1, ?2)")?
            .execute([&event.topic, &event.data])?;
    }
    Ok(())
}

/// Moves stored events to the outbox, in the background.
pub fn relay_soon(slot: &Arc<SlotState>) {
    let slot = slot.clone();
    tokio::spawn(async move {
        if let Err(error) = relay(&slot).await {
            tracing::error!(slot = slot.name, "events wait in the plugin's database: {error}");
        }
    });
}

/// Moves stored events to the outbox, in order. Also run at boot, for the events a crash left behind.
pub async fn relay(slot: &SlotState) -> Result<(), StorageError> {
    let Some(database) = &slot.database else { return Ok(()) };
    let _one_at_a_time = slot.relay.lock().await;
    let kept = database.read::<Vec<(i64, String, String)>, StorageError>(|connection| {
        let mut statement = connection.prepare_cached("SELECT id, topic, data FROM _galley_events ORDER BY id")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    })?;
    let Some(last) = kept.last().map(|(id, _, _)| *id) else {
        return Ok(());
    };
    let events = kept
        .into_iter()
        .map(|(_, topic, data)| NewEvent { topic, data })
        .collect();
    slot.services
        .core
        .publish(events)
        .await
        .map_err(|error| StorageError::Commit(error.to_string()))?;
    database
        .write::<_, StorageError>(move |connection| {
            connection.execute("DELETE FROM _galley_events WHERE id <= ?1", [last])?;
            Ok(())
        })
        .await
}

impl Host for State {
    async fn publish(&mut self, events: Vec<Event>) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Events);
        or_problem!(check(&events));
        if events.is_empty() {
            return Ok(Ok(()));
        }
        let events = events
            .into_iter()
            .map(|event| NewEvent {
                topic: event.topic,
                data: event.data,
            })
            .collect();
        let published = self.slot.services.core.publish(events).await;
        Ok(published.map_err(|error| internal("an event could not be published", &error)))
    }
}
