//! Which server runs a build, where several use the database. A build is claimed once, by a server that has a free place for it,
//! which renews the claim while the build runs. A build whose claim has ended is failed by whichever server notices.
//!
//! What the server that had it writes later is refused: the claim names the start of a server, and ended builds have none.

use std::time::Duration;

use super::builds::{BuildEnd, COLUMNS, QueuedBuild, from_row, publish_end};
use crate::core::{CLOCK, Core, CoreError};
use crate::storage::engine::Rows;
use crate::storage::logs::{Appended, rows as logs};

/// How long a claim lasts without being renewed: the longest time for which a build counts as running whose server was killed. A
/// database that changes its leader is away for most of it.
pub const CLAIM_LENGTH: Duration = Duration::from_secs(15);

/// The builds that have not ended, as one server sees them.
#[derive(Debug, Default)]
pub struct Course {
    /// Whether one waits for a place.
    pub is_any_queued: bool,
    /// Those that this server holds: place in the queue, and why the build is to be cancelled, if it is.
    pub own: Vec<(i64, Option<String>)>,
    /// Those whose claims have ended, whoever held them.
    pub expired: Vec<QueuedBuild>,
}

impl Core {
    /// Claims the oldest queued build.
    pub(super) async fn claim_build(&self) -> Result<Option<QueuedBuild>, CoreError> {
        // Looked at first: servers that find nothing are in nobody's way.
        let queued = |rows: &mut Rows<'_>| {
            let sql = "SELECT EXISTS (SELECT 1 FROM builds WHERE state = 'queued')";
            Ok::<bool, CoreError>(rows.fetch_one(sql, (), |row| row.get(0))?)
        };
        if !self.database.read(queued).await? {
            return Ok(None);
        }
        let sql = format!(
            "UPDATE builds SET state = 'running', holder = ?1, ends_at = {CLOCK} + ?2
             WHERE seq = (SELECT seq FROM builds WHERE state = 'queued' ORDER BY seq LIMIT 1 FOR UPDATE SKIP LOCKED)
             RETURNING {COLUMNS}"
        );
        let holder = self.server().to_owned();
        self.database
            .write(move |rows| Ok(rows.fetch_optional(&sql, (&holder, length()), from_row)?))
            .await
    }

    /// Claims this build, when it waits.
    pub(super) async fn claim_waiting_build(&self, slot: &str, id: &str) -> Result<Option<QueuedBuild>, CoreError> {
        let sql = format!(
            "UPDATE builds SET state = 'running', holder = ?3, ends_at = {CLOCK} + ?4
             WHERE slot = ?1 AND id = ?2 AND state = 'queued' RETURNING {COLUMNS}"
        );
        let (slot, id, holder) = (slot.to_owned(), id.to_owned(), self.server().to_owned());
        self.database
            .write(move |rows| Ok(rows.fetch_optional(&sql, (&slot, &id, &holder, length()), from_row)?))
            .await
    }

    /// Ends a build that this server holds: as cancelled when another server wants that. One that it does not hold any more is left
    /// alone.
    pub(super) async fn end_claimed_build(&self, build: &QueuedBuild, end: BuildEnd) -> Result<(), CoreError> {
        let (build, holder) = (build.clone(), self.server().to_owned());
        let write = move |rows: &mut Rows<'_>| match finish(rows, &build, &holder, &end)? {
            Some(end) => publish_end(rows, &build, &end),
            None => Ok(()),
        };
        self.announce(write).await
    }

    /// Renews the claims of this server on builds, given by their places in the queue.
    pub async fn renew_builds(&self, builds: Vec<i64>) -> Result<(), CoreError> {
        let sql =
            format!("UPDATE builds SET ends_at = {CLOCK} + ?3 WHERE seq = ?1 AND holder = ?2 AND state = 'running'");
        let holder = self.server().to_owned();
        let write = move |rows: &mut Rows<'_>| {
            for seq in &builds {
                rows.execute(&sql, (*seq, &holder, length()))?;
            }
            Ok(())
        };
        self.database.write(write).await
    }

    /// The builds that have not ended.
    pub async fn course_of_builds(&self) -> Result<Course, CoreError> {
        let sql = format!(
            "SELECT {COLUMNS}, state = 'queued', coalesce(holder, '') = ?1, ends_at < {CLOCK}, cancelled
             FROM builds WHERE state <> 'ended' ORDER BY seq"
        );
        let holder = self.server().to_owned();
        let read = move |rows: &mut Rows<'_>| {
            let mut course = Course::default();
            let all = rows.fetch_all(&sql, [&holder], |row| {
                Ok((from_row(row)?, row.get(5)?, row.get(6)?, row.get(7)?, row.get(8)?))
            })?;
            for (build, is_queued, is_own, is_expired, cancelled) in all {
                if is_queued {
                    course.is_any_queued = true;
                    continue;
                }
                if is_own {
                    course.own.push((build.seq, cancelled));
                }
                if is_expired {
                    course.expired.push(build);
                }
            }
            Ok::<_, CoreError>(course)
        };
        self.database.read(read).await
    }

    /// Wants a running build of the slot to be cancelled by the server that runs it: however it goes on, it ends as cancelled.
    /// `false` when it does not run.
    pub async fn want_cancelled(&self, slot: &str, id: &str, reason: &str) -> Result<bool, CoreError> {
        let sql =
            "UPDATE builds SET cancelled = coalesce(cancelled, ?3) WHERE slot = ?1 AND id = ?2 AND state = 'running'";
        let wanted = [slot.to_owned(), id.to_owned(), reason.to_owned()];
        self.database
            .write(move |rows| Ok(rows.execute(sql, wanted.each_ref())? > 0))
            .await
    }

    /// Fails a build whose claim has ended, which its log says. `false` when it was renewed, or somebody else ended it.
    pub async fn end_expired_build(&self, build: &QueuedBuild, reason: &str) -> Result<bool, CoreError> {
        let (build, failed) = (build.clone(), BuildEnd::failed(reason));
        let sql = format!(
            "UPDATE builds SET state = 'ended', holder = NULL
             WHERE seq = ?1 AND state = 'running' AND ends_at < {CLOCK} RETURNING cancelled"
        );
        let write = move |rows: &mut Rows<'_>| {
            let ended: Option<Option<String>> = rows.fetch_optional(&sql, [build.seq], |row| row.get(0))?;
            let Some(cancelled) = ended else { return Ok(false) };
            let end = cancelled.map_or_else(|| failed.clone(), |reason| BuildEnd::cancelled(&reason));
            say(rows, &build, &end)?;
            publish_end(rows, &build, &end)?;
            Ok(true)
        };
        self.announce(write).await
    }

    /// Adds to the log of a build that this server holds. Answers how long the log is then; `None` when it takes no more.
    /// [`CoreError::Superseded`] when this server does not hold the build any more.
    pub async fn append_to_build_log(&self, build: &QueuedBuild, text: String) -> Result<Option<u64>, CoreError> {
        let (build, holder) = (build.clone(), self.server().to_owned());
        let write = move |rows: &mut Rows<'_>| {
            let sql = "SELECT EXISTS (SELECT 1 FROM builds WHERE seq = ?1 AND holder = ?2 AND state = 'running')";
            if !rows.fetch_one(sql, (build.seq, &holder), |row| row.get(0))? {
                return Err(CoreError::Superseded);
            }
            Ok(match logs::append(rows, &build.slot, &build.id, &text)? {
                Appended::To(bytes) => Some(bytes),
                Appended::Closed | Appended::TooLarge => None,
            })
        };
        self.database.write(write).await
    }

    /// How long the log of a build is.
    pub async fn build_log_bytes(&self, build: &QueuedBuild) -> Result<u64, CoreError> {
        let build = build.clone();
        let read = move |rows: &mut Rows<'_>| {
            let log = logs::find(rows, &build.slot, &build.id)?;
            Ok(log.map_or(0, |log| log.bytes))
        };
        self.database.read(read).await
    }

    /// The object that holds the output of a build of the slot.
    pub async fn built_tree(&self, slot: &str, id: &str) -> Result<Option<String>, CoreError> {
        let sql = "SELECT tree FROM builds WHERE slot = ?1 AND id = ?2 AND state = 'ended'";
        let build = [slot.to_owned(), id.to_owned()];
        let read = move |rows: &mut Rows<'_>| {
            let tree: Option<Option<String>> = rows.fetch_optional(sql, build.each_ref(), |row| row.get(0))?;
            Ok(tree.flatten())
        };
        self.database.read(read).await
    }

    /// The output of a build is a version now: nobody takes it again.
    pub async fn spend_built_tree(&self, slot: &str, id: &str) -> Result<(), CoreError> {
        let sql = "UPDATE builds SET tree = NULL WHERE slot = ?1 AND id = ?2";
        let build = [slot.to_owned(), id.to_owned()];
        let write = move |rows: &mut Rows<'_>| {
            rows.execute(sql, build.each_ref())?;
            Ok(())
        };
        self.database.write(write).await
    }

    /// The objects that hold the output of builds.
    pub async fn built_trees(&self) -> Result<Vec<String>, CoreError> {
        let sql = "SELECT tree FROM builds WHERE tree IS NOT NULL";
        self.database
            .read(|rows| Ok(rows.fetch_all(sql, (), |row| row.get(0))?))
            .await
    }
}

/// Ends a build that this server holds, and answers how it ended: as cancelled when another server wants that. `None` when it does
/// not hold it any more.
fn finish(
    rows: &mut Rows<'_>,
    build: &QueuedBuild,
    holder: &str,
    end: &BuildEnd,
) -> Result<Option<BuildEnd>, CoreError> {
    let sql = "UPDATE builds SET state = 'ended', holder = NULL, tree = CASE WHEN cancelled IS NULL THEN ?3 END
               WHERE seq = ?1 AND state = 'running' AND holder = ?2 RETURNING cancelled";
    let ended: Option<Option<String>> = rows.fetch_optional(sql, (build.seq, holder, &end.tree), |row| row.get(0))?;
    let Some(cancelled) = ended else { return Ok(None) };
    match cancelled {
        Some(reason) if !end.is_cancelled() => {
            let commit = end.commit.clone();
            let end = BuildEnd {
                commit,
                ..BuildEnd::cancelled(&reason)
            };
            say(rows, build, &end)?;
            Ok(Some(end))
        }
        _ => Ok(Some(end.clone())),
    }
}

/// Says in the log of a build why it ended, in the transaction of its end.
fn say(rows: &mut Rows<'_>, build: &QueuedBuild, end: &BuildEnd) -> Result<(), CoreError> {
    let line = format!("{}\n", end.reason.as_deref().unwrap_or_default());
    // One that takes no more ends without it.
    logs::append(rows, &build.slot, &build.id, &line)?;
    Ok(())
}

/// [`CLAIM_LENGTH`], for a statement.
fn length() -> i64 {
    i64::try_from(CLAIM_LENGTH.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
