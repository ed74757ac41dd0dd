//! Events that a slot does not take. One that failed often enough, for long enough, is set aside for the operator, and the
//! events behind it go on.

use super::{Core, CoreError, Lease, leases};
use crate::storage::engine::{Row, Rows};
use crate::storage::id::now_ms;
use crate::storage::sqlite::StorageError;

/// With fewer failures an event is not set aside.
pub const MIN_FAILURES: u32 = 10;
/// An event that fails for a shorter time, in milliseconds, is not set aside.
pub const MIN_FAILING_MS: i64 = 60 * 60 * 1_000;
/// The most characters of a reason that are kept.
const MAX_REASON: usize = 1_000;

/// An event that was set aside.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetAside {
    /// The event's number.
    pub id: i64,
    /// Its topic.
    pub topic: String,
    /// JSON.
    pub data: String,
    /// How often its delivery failed.
    pub attempts: u32,
    /// Milliseconds since 1970: when it was published.
    pub published_at: i64,
    /// Milliseconds since 1970: when it was set aside.
    pub set_aside_at: i64,
    /// Why it was not taken the last time.
    pub reason: String,
    /// Whether it is about to be delivered once more.
    pub is_retried: bool,
}

impl Core {
    /// Notes that a slot did not take an event. Answers whether it is set aside now; then the next event is due.
    /// [`CoreError::Superseded`] when another server delivers to the slot meanwhile.
    pub async fn delivery_failed(&self, lease: &Lease, slot: &str, id: i64, reason: &str) -> Result<bool, CoreError> {
        let lease = lease.clone();
        let (slot, reason) = (slot.to_owned(), reason.chars().take(MAX_REASON).collect::<String>());
        self.database
            .write(move |rows| {
                leases::require(rows, &lease)?;
                let sql = "INSERT INTO failed_deliveries
                               (slot, event_id, publisher, topic, data, published_at, attempts, failing_since, reason)
                           SELECT ?1, id, publisher, topic, data, created_at, 1, CAST(?3 AS BIGINT), ?4
                               FROM events WHERE id = ?2
                           UNION ALL SELECT slot, event_id, publisher, topic, data, published_at, 1, CAST(?3 AS BIGINT), ?4
                               FROM failed_deliveries WHERE slot = ?1 AND event_id = ?2
                               AND NOT EXISTS (SELECT 1 FROM events WHERE id = ?2)
                           ON CONFLICT (slot, event_id) DO UPDATE SET
                               attempts = failed_deliveries.attempts + 1, reason = excluded.reason, is_retried = 0";
                let now = now_ms();
                rows.execute(sql, (&slot, id, now, &reason))?;
                let sql = "UPDATE failed_deliveries SET set_aside_at = coalesce(set_aside_at, ?3)
                           WHERE slot = ?1 AND event_id = ?2
                           AND (set_aside_at IS NOT NULL OR (attempts >= ?4 AND failing_since <= ?5))";
                let values = (&slot, id, now, MIN_FAILURES, now - MIN_FAILING_MS);
                let is_set_aside = rows.execute(sql, values)? > 0;
                if is_set_aside {
                    move_cursor(rows, &slot, id)?;
                }
                Ok(is_set_aside)
            })
            .await
    }

    /// The events of a slot that were set aside, oldest first.
    pub async fn set_aside(&self, slot: &str) -> Result<Vec<SetAside>, CoreError> {
        let sql = "SELECT event_id, topic, data, attempts, published_at, set_aside_at, reason, is_retried
                   FROM failed_deliveries WHERE slot = ?1 AND set_aside_at IS NOT NULL ORDER BY event_id";
        let slot = slot.to_owned();
        let event = |row: &Row<'_>| {
            Ok(SetAside {
                id: row.get(0)?,
                topic: row.get(1)?,
                data: row.get(2)?,
                attempts: row.get(3)?,
                published_at: row.get(4)?,
                set_aside_at: row.get(5)?,
                reason: row.get(6)?,
                is_retried: row.get(7)?,
            })
        };
        self.database
            .read(move |rows| Ok(rows.fetch_all(sql, [&slot], event)?))
            .await
    }

    /// How many events were set aside, by slot; slots without any are left out.
    pub async fn count_set_aside(&self) -> Result<Vec<(String, u64)>, CoreError> {
        let sql = "SELECT slot, count(*) FROM failed_deliveries WHERE set_aside_at IS NOT NULL GROUP BY slot";
        self.database
            .read(|rows| Ok(rows.fetch_all(sql, (), |row| Ok((row.get(0)?, row.get::<i64>(1)? as u64)))?))
            .await
    }

    /// Delivers an event that was set aside once more, behind nobody; `false` when there is none with this number. If it fails
    /// again it stays set aside.
    pub async fn retry_set_aside(&self, slot: &str, id: i64) -> Result<bool, CoreError> {
        let slot = slot.to_owned();
        let sql = "UPDATE failed_deliveries SET is_retried = 1
                   WHERE slot = ?1 AND event_id = ?2 AND set_aside_at IS NOT NULL";
        let write = move |rows: &mut Rows<'_>| Ok(rows.execute(sql, (&slot, id))? > 0);
        self.announce(write).await
    }

    /// Forgets an event that was set aside; `false` when there is none with this number.
    pub async fn drop_set_aside(&self, slot: &str, id: i64) -> Result<bool, CoreError> {
        let slot = slot.to_owned();
        let sql = "DELETE FROM failed_deliveries WHERE slot = ?1 AND event_id = ?2 AND set_aside_at IS NOT NULL";
        self.database
            .write(move |rows| Ok(rows.execute(sql, (&slot, id))? > 0))
            .await
    }
}

/// Forgets the failures of an event that was taken.
pub(super) fn forget(rows: &mut Rows<'_>, slot: &str, id: i64) -> Result<(), StorageError> {
    let sql = "DELETE FROM failed_deliveries WHERE slot = ?1 AND event_id = ?2";
    rows.execute(sql, (slot, id))?;
    Ok(())
}

/// Moves the slot's cursor behind an event.
pub(super) fn move_cursor(rows: &mut Rows<'_>, slot: &str, id: i64) -> Result<(), StorageError> {
    // An event that is gone was taken by everybody who awaits it.
    let sql = "INSERT INTO cursors (slot, last_xact, last_id) SELECT ?1, xact, id FROM events WHERE id = ?2
               ON CONFLICT (slot) DO UPDATE SET last_xact = excluded.last_xact, last_id = excluded.last_id
               WHERE (cursors.last_xact, cursors.last_id) < (excluded.last_xact, excluded.last_id)";
    rows.execute(sql, (slot, id))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::NewEvent;
    use crate::core::testing::{Opened, on_each_engine};

    on_each_engine! {
        ten_failures_over_an_hour_set_an_event_aside_and_the_next_one_comes,
        an_hour_with_few_failures_is_not_enough_and_success_forgets_them,
        the_operator_retries_and_drops,
    }

    async fn publish(core: &Core, count: i32) -> [String; 1] {
        let topics = ["topic".to_owned()];
        core.start_cursor("slot", &topics).await.unwrap();
        let event = |number: i32| NewEvent {
            topic: "topic".into(),
            data: number.to_string(),
        };
        core.publish("some", (1..=count).map(event).collect()).await.unwrap();
        topics
    }

    /// An hour passes for everything that fails.
    async fn an_hour_passes(core: &Core) {
        let sql = "UPDATE failed_deliveries SET failing_since = failing_since - ?1";
        let write = |rows: &mut Rows<'_>| Ok(rows.execute(sql, [MIN_FAILING_MS])?);
        core.database.write::<_, CoreError>(write).await.unwrap();
    }

    async fn ten_failures_over_an_hour_set_an_event_aside_and_the_next_one_comes(Opened { core, .. }: Opened) {
        let topics = publish(&core, 2).await;
        let next = async || core.coming_event("slot", &topics).await.unwrap();
        for failures in 0..MIN_FAILURES + 5 {
            let event = next().await.unwrap();
            assert_eq!((event.id, event.attempts), (1, failures));
            assert!(
                !core
                    .delivery_failed(&Lease::alone(), "slot", 1, "not yet")
                    .await
                    .unwrap()
            );
        }
        an_hour_passes(&core).await;
        assert!(core.delivery_failed(&Lease::alone(), "slot", 1, "never").await.unwrap());
        assert_eq!(next().await.unwrap().id, 2);
        let aside = core.set_aside("slot").await.unwrap();
        assert_eq!(aside.len(), 1);
        assert_eq!(
            (aside[0].id, aside[0].data.as_str(), aside[0].reason.as_str()),
            (1, "1", "never")
        );
        assert_eq!(core.count_set_aside().await.unwrap(), [("slot".to_owned(), 1)]);
    }

    async fn an_hour_with_few_failures_is_not_enough_and_success_forgets_them(Opened { core, .. }: Opened) {
        let topics = publish(&core, 1).await;
        for _ in 1..MIN_FAILURES {
            assert!(!core.delivery_failed(&Lease::alone(), "slot", 1, "no").await.unwrap());
            an_hour_passes(&core).await;
        }
        core.acknowledge(&Lease::alone(), "slot", 1).await.unwrap();
        assert_eq!(core.coming_event("slot", &topics).await.unwrap(), None);
        assert_eq!(core.set_aside("slot").await.unwrap(), []);
    }

    async fn the_operator_retries_and_drops(Opened { core, .. }: Opened) {
        let topics = publish(&core, 3).await;
        for id in [1, 2] {
            for _ in 0..MIN_FAILURES {
                core.delivery_failed(&Lease::alone(), "slot", id, "no").await.unwrap();
            }
            an_hour_passes(&core).await;
            assert!(core.delivery_failed(&Lease::alone(), "slot", id, "no").await.unwrap());
        }
        // It is kept here when the outbox has it no more.
        core.prune_taken_events().await.unwrap();
        let next = async || core.coming_event("slot", &topics).await.unwrap().map(|event| event.id);
        assert_eq!(next().await, Some(3));
        assert!(core.retry_set_aside("slot", 1).await.unwrap());
        assert_eq!(next().await, Some(1));
        assert!(
            core.delivery_failed(&Lease::alone(), "slot", 1, "still no")
                .await
                .unwrap()
        );
        assert_eq!(next().await, Some(3));
        assert_eq!(core.set_aside("slot").await.unwrap()[0].reason, "still no");
        assert!(core.retry_set_aside("slot", 2).await.unwrap());
        core.acknowledge(&Lease::alone(), "slot", 2).await.unwrap();
        assert_eq!(next().await, Some(3));
        assert!(core.drop_set_aside("slot", 1).await.unwrap());
        assert_eq!(core.set_aside("slot").await.unwrap(), []);
        assert!(!core.drop_set_aside("slot", 1).await.unwrap() && !core.retry_set_aside("slot", 3).await.unwrap());
    }
}
