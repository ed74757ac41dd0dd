//! How much work is queued, for the metrics.

use super::{Core, CoreError};
use crate::storage::engine::Row;

/// The numbers of queued items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// Queued builds.
    pub builds: u32,
    /// Running builds.
    pub running_builds: u32,
    /// Mails that are not sent yet.
    pub mails: u32,
    /// Events that some slot has not taken yet.
    pub events: u32,
}

impl Core {
    /// Counts the queued items.
    pub async fn waiting(&self) -> Result<Waiting, CoreError> {
        let sql = "SELECT (SELECT count(*) FROM builds WHERE state = 'queued'),
                          (SELECT count(*) FROM builds WHERE state = 'running'),
                          (SELECT count(*) FROM mails WHERE state = 'waiting'),
                          (SELECT count(*) FROM events WHERE EXISTS
                              (SELECT 1 FROM cursors WHERE (last_xact, last_id) < (events.xact, events.id)))";
        let waiting = |row: &Row<'_>| {
            Ok(Waiting {
                builds: row.get(0)?,
                running_builds: row.get(1)?,
                mails: row.get(2)?,
                events: row.get(3)?,
            })
        };
        self.database
            .read(move |rows| Ok(rows.fetch_one(sql, (), waiting)?))
            .await
    }
}
