//! The event outbox. Events are rows, written in the transaction of the change they announce; each slot has a cursor.
//!
//! An event waits until every slot that subscribes to its topic has taken it. Events that no slot waits for are deleted.

use galley_manifest::HOST_TOPICS;

use super::subscriptions::Subscriptions;
use super::{Core, CoreError, Lease, Subject, leases, set_aside};
use crate::storage::engine::{Row, Rows};
use crate::storage::id::now_ms;
use crate::storage::sqlite::StorageError;

/// The most events of one slot that may wait.
pub const MAX_WAITING: u64 = 10_000;

/// The most bytes of data that the waiting events of one slot may have.
pub const MAX_WAITING_BYTES: u64 = 16 << 20;

/// The publisher of the host's own events. No slot has this name.
const HOST: &str = "";

/// The topic of a row as it is now. Until version 1 of the contract slots published words; a word counts as its publisher's.
const TOPIC: &str = "CASE WHEN publisher = '' OR topic LIKE '%/%' THEN topic ELSE publisher || '/' || topic END";

/// Its word, where a slot published it.
const WORD: &str = "CASE WHEN publisher = '' THEN NULL WHEN topic LIKE '%/%' THEN substr(topic, length(publisher) + 2)
                    ELSE topic END";

/// Which events can have nothing before them that is still to come, where several servers publish: those of transactions before the
/// oldest one that is under way in this database. Ids alone are given before the transactions end, in whatever order. Transactions
/// of other databases of the same PostgreSQL publish nothing here, however long they take.
const HORIZON: &str = "(WITH elsewhere AS MATERIALIZED (
        SELECT transactionid FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE locktype = 'transactionid' AND granted
        AND datid <> (SELECT oid FROM pg_database WHERE datname = current_database()))
    SELECT CAST(CAST(coalesce(
        (SELECT min(xact) FROM pg_snapshot_xip(pg_current_snapshot()) AS running (xact)
            WHERE NOT EXISTS (SELECT 1 FROM elsewhere WHERE transactionid = CAST(running.xact AS xid))),
        pg_snapshot_xmax(pg_current_snapshot())) AS TEXT) AS BIGINT))";

/// Which events a slot (`?1`) has not taken, where several servers publish.
const AHEAD: &str =
    "NOT EXISTS (SELECT 1 FROM cursors WHERE slot = ?1 AND (last_xact, last_id) >= (events.xact, events.id))";

/// Events that no cursor awaits.
fn delete_taken() -> String {
    format!(
        "DELETE FROM events WHERE NOT EXISTS (SELECT 1 FROM cursors
             WHERE (cursors.last_xact, cursors.last_id) < (events.xact, events.id) AND {})",
        awaited()
    )
}

/// Whether the slot of a cursor awaits an event.
pub(super) fn awaited() -> String {
    awaits("cursors.topics", TOPIC, WORD)
}

/// Whether subscriptions, a JSON array of texts, hold a topic, or its word, as components of the contract's version 0.1
/// subscribe to it. The host's topics are no words: who awaits a word cannot be told a slot's event for the host's, nor the
/// other way round.
///
/// A topic has no character that JSON escapes, so the array holds it if and only if its text holds it in quotation marks.
/// That is read by every engine, and quicker than taking the array apart for each event.
fn awaits(topics: &str, topic: &str, word: &str) -> String {
    let hosts = HOST_TOPICS.map(|topic| format!("'{topic}'")).join(", ");
    let holds = |text: &str| format!("replace({topics}, '\"' || ({text}) || '\"', '') <> {topics}");
    let (is_topic, is_word) = (holds(topic), holds(word));
    format!("({is_topic} OR ({is_word} AND ({word}) NOT LIKE '%/%' AND ({word}) NOT IN ({hosts})))")
}

/// An event to publish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// `SLOT/WORD`; a word where a component of the contract's version 0.1 published it.
    pub topic: String,
    /// JSON.
    pub data: String,
}

/// A published event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Grows with each event.
    pub id: i64,
    /// A word for the host's, `SLOT/WORD` for a slot's.
    pub topic: String,
    /// The slot that published it; `None` for the host.
    pub source: Option<String>,
    /// JSON.
    pub data: String,
    /// How often its delivery to the slot failed.
    pub attempts: u32,
}

impl Core {
    /// Publishes events of a slot, all or none, durably.
    pub async fn publish(&self, slot: &str, events: Vec<NewEvent>) -> Result<(), CoreError> {
        let slot = slot.to_owned();
        let write = move |rows: &mut Rows<'_>| {
            let mut events = events.iter();
            events.try_for_each(|event| insert_of(rows, &slot, &event.topic, &event.data))
        };
        self.announce(write).await
    }

    /// Whether a slot may publish `count` more events with `bytes` of data: [`MAX_WAITING`] and [`MAX_WAITING_BYTES`].
    pub async fn has_room_for_events(&self, slot: &str, count: u64, bytes: u64) -> Result<bool, CoreError> {
        let fits =
            |(kept, kept_bytes): (u64, u64)| kept + count <= MAX_WAITING && kept_bytes + bytes <= MAX_WAITING_BYTES;
        if fits(self.kept_events(slot).await?) {
            return Ok(true);
        }
        self.prune_taken_events().await?;
        Ok(fits(self.kept_events(slot).await?))
    }

    /// Whether any slot, also a disabled one, is subscribed to a topic of `slot`.
    pub async fn is_awaited(&self, slot: &str, topic: &str) -> Result<bool, CoreError> {
        if self.freshness().is_some() {
            self.refresh().await?;
            return Ok(self.memory.subscriptions.read().await_topic(slot, topic));
        }
        let subscriptions = self.database.read(Subscriptions::load).await?;
        Ok(subscriptions.await_topic(slot, topic))
    }

    /// The number of stored events of a slot, and their bytes of data.
    async fn kept_events(&self, slot: &str) -> Result<(u64, u64), CoreError> {
        let slot = slot.to_owned();
        let sql = "SELECT count(*), coalesce(sum(octet_length(data)), 0) FROM events WHERE publisher = ?1";
        let count = |row: &Row<'_>| Ok((row.get::<i64>(0)? as u64, row.get::<i64>(1)? as u64));
        self.database
            .read(move |rows| Ok(rows.fetch_one(sql, [&slot], count)?))
            .await
    }

    /// Creates the cursor of a slot if it is missing, and stores the topics that the slot subscribes to. A new cursor starts
    /// after everything published so far.
    pub async fn start_cursor(&self, slot: &str, topics: &[String]) -> Result<(), CoreError> {
        let slot = slot.to_owned();
        let topics = serde_json::json!(topics).to_string();
        let begin = match self.freshness() {
            None => "0, coalesce((SELECT max(id) FROM events), 0)".to_owned(),
            // What is under way is still to be published.
            Some(_) => format!("{HORIZON} - 1, {}", i64::MAX),
        };
        let sql = format!(
            "INSERT INTO cursors (slot, last_xact, last_id, topics) SELECT ?1, {begin}, ?2
             WHERE NOT EXISTS (SELECT 1 FROM cursors WHERE slot = ?1)"
        );
        let write = move |rows: &mut Rows<'_>| {
            if rows.execute(&sql, [&slot, &topics])? == 0 {
                rows.execute("UPDATE cursors SET topics = ?2 WHERE slot = ?1", [&slot, &topics])?;
            }
            Ok(())
        };
        self.change(write, |()| Subject::Subscriptions, |_, ()| {}).await
    }

    /// The event that a slot gets next: one that the operator wants delivered once more, or the first of these topics behind
    /// the slot's cursor.
    pub async fn next_event(&self, slot: &str, topics: &[String]) -> Result<Option<Event>, CoreError> {
        if topics.is_empty() {
            return Ok(None);
        }
        let (behind, order) = match self.freshness() {
            None => (
                "id > coalesce((SELECT last_id FROM cursors WHERE slot = ?1), 0)".to_owned(),
                "id",
            ),
            Some(_) => (format!("xact < {HORIZON} AND {AHEAD}"), "xact, id"),
        };
        let sql = format!(
            "SELECT id, {TOPIC}, data,
                 coalesce((SELECT attempts FROM failed_deliveries WHERE slot = ?1 AND event_id = events.id), 0), publisher
             FROM events WHERE {behind} AND {} ORDER BY {order} LIMIT 1",
            awaits("?2", TOPIC, WORD)
        );
        let (slot, topics) = (slot.to_owned(), serde_json::json!(topics).to_string());
        self.database
            .read(move |rows| {
                if let Some(event) = retried(rows, &slot)? {
                    return Ok(Some(event));
                }
                Ok(rows.fetch_optional(&sql, [&slot, &topics], event_of)?)
            })
            .await
    }

    /// Moves the slot's cursor behind an event it took. [`CoreError::Superseded`] when another server delivers to it meanwhile.
    pub async fn acknowledge(&self, lease: &Lease, slot: &str, id: i64) -> Result<(), CoreError> {
        let (lease, slot) = (lease.clone(), slot.to_owned());
        self.database
            .write(move |rows| {
                leases::require(rows, &lease)?;
                set_aside::move_cursor(rows, &slot, id)?;
                set_aside::forget(rows, &slot, id)?;
                Ok(())
            })
            .await
    }

    /// Deletes the events that no cursor needs.
    pub async fn prune_taken_events(&self) -> Result<(), CoreError> {
        let delete = |rows: &mut Rows<'_>| {
            rows.execute(&delete_taken(), ())?;
            Ok(())
        };
        self.database.write(delete).await
    }

    /// Whether any event is kept.
    pub async fn has_events(&self) -> Result<bool, CoreError> {
        self.database
            .read(|rows| Ok(rows.fetch_one("SELECT EXISTS (SELECT 1 FROM events)", (), |row| row.get(0))?))
            .await
    }
}

/// The event that the operator wants delivered once more.
fn retried(rows: &mut Rows<'_>, slot: &str) -> Result<Option<Event>, StorageError> {
    let sql = format!(
        "SELECT event_id, {TOPIC}, data, attempts, publisher FROM failed_deliveries
         WHERE slot = ?1 AND is_retried <> 0 ORDER BY event_id LIMIT 1"
    );
    rows.fetch_optional(&sql, [slot], event_of)
}

/// An event of the columns id, topic, data, attempts, publisher.
fn event_of(row: &Row<'_>) -> Result<Event, StorageError> {
    let publisher: String = row.get(4)?;
    Ok(Event {
        id: row.get(0)?,
        topic: row.get(1)?,
        data: row.get(2)?,
        attempts: row.get(3)?,
        source: Some(publisher).filter(|publisher| publisher != HOST),
    })
}

/// Deletes the cursors of slots that are not among these, and then the events that no cursor needs. A slot without a cursor is
/// subscribed to nothing. Answers whether there was one.
pub(super) fn prune(rows: &mut Rows<'_>, slots: &[String]) -> Result<bool, StorageError> {
    let mut deleted = 0;
    let sql = "SELECT slot FROM cursors UNION SELECT slot FROM failed_deliveries";
    let known: Vec<String> = rows.fetch_all(sql, (), |row| row.get(0))?;
    for gone in known.iter().filter(|known| !slots.contains(known)) {
        deleted += rows.execute("DELETE FROM cursors WHERE slot = ?1", [gone])?;
        rows.execute("DELETE FROM failed_deliveries WHERE slot = ?1", [gone])?;
    }
    let sql = "DELETE FROM failed_deliveries WHERE set_aside_at IS NULL AND event_id NOT IN (SELECT id FROM events)";
    rows.execute(sql, ())?;
    rows.execute(&delete_taken(), ())?;
    Ok(deleted > 0)
}

/// Publishes an event of the host in the transaction of the change.
pub(crate) fn insert(rows: &mut Rows<'_>, topic: &str, data: &str) -> Result<(), CoreError> {
    insert_of(rows, HOST, topic, data)
}

pub(super) fn insert_of(rows: &mut Rows<'_>, publisher: &str, topic: &str, data: &str) -> Result<(), CoreError> {
    let sql = match rows.is_shared() {
        false => "INSERT INTO events (publisher, topic, data, created_at) VALUES (?1, ?2, ?3, ?4)",
        true => {
            "INSERT INTO events (publisher, topic, data, created_at, xact)
             VALUES (?1, ?2, ?3, ?4, CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT))"
        }
    };
    let values = (publisher, topic, data, now_ms());
    rows.execute(sql, values)?;
    Ok(())
}

#[cfg(test)]
impl Core {
    /// [`Self::next_event`], and again while one is there that a transaction which just ended, of whatever database, still holds back.
    /// Deliveries do the same.
    pub async fn coming_event(&self, slot: &str, topics: &[String]) -> Result<Option<Event>, CoreError> {
        let ahead = format!(
            "SELECT EXISTS (SELECT 1 FROM events WHERE {AHEAD} AND {})",
            awaits("?2", TOPIC, WORD)
        );
        let (name, awaited) = (slot.to_owned(), serde_json::json!(topics).to_string());
        let is_coming = move |rows: &mut Rows<'_>| {
            Ok::<_, CoreError>(rows.fetch_one(&ahead, [&name, &awaited], |row| row.get::<bool>(0))?)
        };
        loop {
            let event = self.next_event(slot, topics).await?;
            let is_settled = event.is_some() || self.freshness().is_none();
            if is_settled || !self.database.read(is_coming.clone()).await? {
                return Ok(event);
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }
}
