//! When the jobs of plugins are due, and how their last runs ended.

use super::{Core, CoreError};
use crate::storage::engine::{Row, Rows};
use crate::storage::sqlite::StorageError;

/// The longest reason that is kept, in characters.
const MAX_REASON: usize = 500;

/// A job of a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptJob {
    /// Its name in the manifest.
    pub name: String,
    /// When it runs, for people.
    pub schedule: String,
    /// When it is due, in milliseconds since 1970.
    pub due_at: i64,
    /// When its last run ended.
    pub ran_at: Option<i64>,
    /// Runs that failed in a row.
    pub failures: u32,
    /// Why the last run failed.
    pub reason: Option<String>,
}

impl Core {
    /// Keeps the jobs of a slot, given as name, schedule and when it is due first, and forgets its others. A job that is known
    /// with the same schedule stays due when it was.
    pub async fn keep_jobs(&self, slot: &str, jobs: Vec<(String, String, i64)>) -> Result<(), CoreError> {
        let slot = slot.to_owned();
        self.database
            .write(move |rows| {
                let sql = "SELECT name FROM jobs WHERE slot = ?1";
                let known: Vec<String> = rows.fetch_all(sql, [&slot], |row| row.get(0))?;
                for name in known
                    .iter()
                    .filter(|known| jobs.iter().all(|(name, ..)| name != *known))
                {
                    rows.execute("DELETE FROM jobs WHERE slot = ?1 AND name = ?2", [&slot, name])?;
                }
                let sql = "INSERT INTO jobs (slot, name, schedule, due_at) VALUES (?1, ?2, ?3, ?4)
                           ON CONFLICT (slot, name) DO UPDATE SET schedule = excluded.schedule, due_at = excluded.due_at
                           WHERE jobs.schedule <> excluded.schedule";
                for (name, schedule, due_at) in &jobs {
                    rows.execute(sql, (&slot, name, schedule, due_at))?;
                }
                Ok(())
            })
            .await
    }

    /// The job of a slot that is due first: its name, and when that is.
    pub async fn next_job(&self, slot: &str) -> Result<Option<(String, i64)>, CoreError> {
        let slot = slot.to_owned();
        let sql = "SELECT name, due_at FROM jobs WHERE slot = ?1 ORDER BY due_at, name LIMIT 1";
        self.database
            .read(move |rows| Ok(rows.fetch_optional(sql, [&slot], |row| Ok((row.get(0)?, row.get(1)?)))?))
            .await
    }

    /// The jobs of a slot by name.
    pub async fn jobs(&self, slot: &str) -> Result<Vec<KeptJob>, CoreError> {
        let slot = slot.to_owned();
        let sql = "SELECT name, schedule, due_at, ran_at, failures, reason FROM jobs WHERE slot = ?1 ORDER BY name";
        let job = |row: &Row<'_>| {
            Ok(KeptJob {
                name: row.get(0)?,
                schedule: row.get(1)?,
                due_at: row.get(2)?,
                ran_at: row.get(3)?,
                failures: row.get(4)?,
                reason: row.get(5)?,
            })
        };
        self.database
            .read(move |rows| Ok(rows.fetch_all(sql, [&slot], job)?))
            .await
    }

    /// Notes that a run ended at `now`, why it failed if it did, and when the job is due again.
    pub async fn job_ended(
        &self,
        slot: &str,
        name: &str,
        (now, due_at): (i64, i64),
        reason: Option<&str>,
    ) -> Result<(), CoreError> {
        let (slot, name) = (slot.to_owned(), name.to_owned());
        let reason = reason.map(|reason| reason.chars().take(MAX_REASON).collect::<String>());
        self.database
            .write(move |rows| {
                let sql = "UPDATE jobs SET due_at = ?3, ran_at = ?4, reason = ?5,
                           failures = CASE WHEN ?6 = 0 THEN 0 ELSE failures + 1 END
                           WHERE slot = ?1 AND name = ?2";
                rows.execute(sql, (&slot, &name, due_at, now, &reason, reason.is_some()))?;
                Ok(())
            })
            .await
    }
}

/// Forgets the jobs of all slots but these.
pub(super) fn prune(rows: &mut Rows<'_>, slots: &[String]) -> Result<(), StorageError> {
    let known: Vec<String> = rows.fetch_all("SELECT DISTINCT slot FROM jobs", (), |row| row.get(0))?;
    for gone in known.iter().filter(|known| !slots.contains(known)) {
        rows.execute("DELETE FROM jobs WHERE slot = ?1", [gone])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::core::testing::{Opened, on_each_engine};

    on_each_engine! {
        a_job_stays_due_until_it_ran,
    }

    async fn a_job_stays_due_until_it_ran(Opened { core, .. }: Opened) {
        let job = |name: &str, schedule: &str, due| (name.to_owned(), schedule.to_owned(), due);
        let jobs = vec![job("tidy", "every 1h", 50), job("mail", "every 1d", 40)];
        core.keep_jobs("notes", jobs).await.unwrap();
        // The same again, as after a start: what is due stays due.
        let jobs = vec![job("tidy", "every 1h", 90), job("mail", "every 2d", 80)];
        core.keep_jobs("notes", jobs).await.unwrap();
        assert_eq!(core.next_job("notes").await.unwrap(), Some(("tidy".to_owned(), 50)));
        core.job_ended("notes", "tidy", (60, 100), Some("it rained"))
            .await
            .unwrap();
        assert_eq!(core.next_job("notes").await.unwrap(), Some(("mail".to_owned(), 80)));
        let tidy = core.jobs("notes").await.unwrap().pop().unwrap();
        assert_eq!(
            (tidy.failures, tidy.reason.as_deref(), tidy.ran_at),
            (1, Some("it rained"), Some(60))
        );
        core.job_ended("notes", "tidy", (100, 150), None).await.unwrap();
        let tidy = core.jobs("notes").await.unwrap().pop().unwrap();
        assert_eq!((tidy.failures, tidy.reason), (0, None));
        core.keep_jobs("notes", vec![job("mail", "every 2d", 1)]).await.unwrap();
        assert_eq!(core.jobs("notes").await.unwrap().len(), 1);
        core.prune_slots(vec!["other".to_owned()]).await.unwrap();
        assert_eq!(core.next_job("notes").await.unwrap(), None);
    }
}
