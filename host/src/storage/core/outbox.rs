//! The event outbox: events are rows, written with the change they tell of, and each slot has a cursor over them.

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, params_from_iter};

use super::{Core, CoreError};
use crate::storage::id::now_ms;

/// An event to publish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// A kebab-case word.
    pub topic: String,
    /// JSON.
    pub data: String,
}

/// A published event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Grows with each event.
    pub id: i64,
    /// A kebab-case word.
    pub topic: String,
    /// JSON.
    pub data: String,
}

impl Core {
    /// Publishes events, all or none, durably.
    pub async fn publish(&self, events: Vec<NewEvent>) -> Result<(), CoreError> {
        self.database
            .write(move |connection| {
                events
                    .iter()
                    .try_for_each(|event| insert(connection, &event.topic, &event.data))
            })
            .await?;
        self.published.notify_waiters();
        Ok(())
    }

    /// Makes sure a slot has a cursor: a new one starts behind everything published so far.
    pub async fn start_cursor(&self, slot: &str) -> Result<(), CoreError> {
        let slot = slot.to_owned();
        self.database
            .write(move |connection| {
                let sql = "INSERT INTO cursors (slot, last_id) VALUES (?1, (SELECT coalesce(max(id), 0) FROM events))
                           ON CONFLICT DO NOTHING";
                connection.execute(sql, [&slot])?;
                Ok(())
            })
            .await
    }

    /// The first event of these topics behind the slot's cursor.
    pub fn next_event(&self, slot: &str, topics: &[String]) -> Result<Option<Event>, CoreError> {
        if topics.is_empty() {
            return Ok(None);
        }
        let marks = vec!["?"; topics.len()].join(", ");
        let sql = format!(
            "SELECT id, topic, data FROM events
             WHERE id > coalesce((SELECT last_id FROM cursors WHERE slot = ?), 0) AND topic IN ({marks})
             ORDER BY id LIMIT 1"
        );
        let values = std::iter::once(slot)
            .chain(topics.iter().map(String::as_str))
            .map(|v| Value::from(v.to_owned()));
        self.database.read(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let event = statement.query_row(params_from_iter(values), |row| {
                Ok(Event {
                    id: row.get(0)?,
                    topic: row.get(1)?,
                    data: row.get(2)?,
                })
            });
            Ok(event.optional()?)
        })
    }

    /// Moves the slot's cursor behind an event it took.
    pub async fn acknowledge(&self, slot: &str, id: i64) -> Result<(), CoreError> {
        let slot = slot.to_owned();
        self.database
            .write(move |connection| {
                let sql = "INSERT INTO cursors (slot, last_id) VALUES (?1, ?2)
                           ON CONFLICT (slot) DO UPDATE SET last_id = max(last_id, excluded.last_id)";
                connection.execute(sql, (&slot, id))?;
                Ok(())
            })
            .await
    }

    /// Deletes the events that every one of these slots has behind it. A slot without a cursor keeps all.
    pub async fn prune_events(&self, slots: Vec<String>) -> Result<(), CoreError> {
        self.database
            .write(move |connection| {
                let mut done = i64::MAX;
                for slot in &slots {
                    let sql = "SELECT last_id FROM cursors WHERE slot = ?1";
                    let last: Option<i64> = connection.query_row(sql, [slot], |row| row.get(0)).optional()?;
                    done = done.min(last.unwrap_or(0));
                }
                connection.execute("DELETE FROM events WHERE id <= ?1", [done])?;
                Ok(())
            })
            .await
    }
}

pub(super) fn insert(connection: &Connection, topic: &str, data: &str) -> Result<(), CoreError> {
    let sql = "INSERT INTO events (topic, data, created_at) VALUES (?1, ?2, ?3)";
    connection.prepare_cached(sql)?.execute((topic, data, now_ms()))?;
    Ok(())
}
