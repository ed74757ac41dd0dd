//! The event outbox. Events are rows, written in the transaction of the change they announce; each slot has a cursor.

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
        let write = move |connection: &mut Connection| {
            let mut events = events.iter();
            events.try_for_each(|event| insert(connection, &event.topic, &event.data))
        };
        self.change(write, |memory, ()| memory.published.notify_waiters()).await
    }

    /// Creates the cursor of a slot if it is missing. A new cursor starts after everything published so far.
    pub async fn start_cursor(&self, slot: &str) -> Result<(), CoreError> {
        let slot = slot.to_owned();
        self.database
            .write(move |connection| {
                let sql = "INSERT INTO cursors (slot, last_id) VALUES (?1, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0))
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

    /// Deletes the events that every cursor has behind it, and first the cursors of slots that are not among these. A
    /// slot without a cursor subscribes to nothing; without any cursor nothing is kept.
    pub async fn prune_events(&self, slots: Vec<String>) -> Result<(), CoreError> {
        self.database
            .write(move |connection| {
                let marks = vec!["?"; slots.len()].join(", ");
                let sql = format!("DELETE FROM cursors WHERE slot NOT IN ({marks})");
                connection.execute(&sql, params_from_iter(&slots))?;
                let sql = "DELETE FROM events WHERE id <= coalesce((SELECT min(last_id) FROM cursors), ?1)";
                connection.execute(sql, [i64::MAX])?;
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
