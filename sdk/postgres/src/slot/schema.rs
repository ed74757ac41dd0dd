//! Bringing a slot's data to what a plugin needs, by whoever starts first. What is done stays uncommitted: the plugin's start is a part of the
//! same transaction, and so are the copy from before and the rows that are taken over.

use std::time::Duration;

use thiserror::Error;
use tokio::time::Instant;

use super::bounds::Bounds;
use super::checked::several;
use super::closing::Closing;
use super::connection::Connection;
use super::failure::Failure;
use super::generation::{self, begin_edition, edition};
use super::labels::{self, HOST_TABLES, Labels, hash, soon};
use super::moving::{Source, fill};
use super::settle::RECEIPTS;
use super::steps::{Adoption, Approval, Schema, Wanted};
use super::{copies, tables};
use crate::receipt;

/// What was done to the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// They are used as they are.
    Used,
    /// Steps ran: from the first version, 0 for none, to the second.
    Migrated(u32, u32),
    /// Steps were undone: from the first version to the second.
    Undone(u32, u32),
    /// The copy from before the steps came back: from the first version to the second.
    Restored(u32, u32),
    /// Another schema's data of this version were taken over.
    TakenOver(u32),
}

/// Why a slot's data cannot be used by a plugin. The data are as they were.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SchemaError {
    /// They are another schema's.
    #[error("its schema is `{own}`, and the slot has data of `{theirs}` (version {version})")]
    Foreign {
        /// The plugin's schema.
        own: String,
        /// The schema of the data.
        theirs: String,
        /// The version of the data.
        version: u32,
    },
    /// A step is not the one that ran.
    #[error(
        "step {version} of the schema `{schema}` was changed: the data were made by the one with the SHA-256 {was}, the \
         plugin has {is}. A published step stays as it is: put the change into a further step, or give the schema another \
         name"
    )]
    ChangedStep {
        /// The schema.
        schema: String,
        /// The step.
        version: u32,
        /// Hex SHA-256 of the step that ran.
        was: String,
        /// Hex SHA-256 of the plugin's.
        is: String,
    },
    /// The data are newer, and nothing leads back.
    #[error(
        "the data have version {from} of the schema `{schema}`, the plugin knows {to}; there is neither a step back nor a \
         copy from before: take the newer plugin, or restore a backup"
    )]
    NoWayBack {
        /// The schema.
        schema: String,
        /// The version of the data.
        from: u32,
        /// The plugin's.
        to: u32,
    },
    /// Going back loses what was written since the update.
    #[error("going back from version {from} to {to} of the schema `{schema}` loses {writes} writes")]
    LosesWrites {
        /// The schema.
        schema: String,
        /// The version of the data.
        from: u32,
        /// The version of the copy.
        to: u32,
        /// How many writes were made since the copy.
        writes: u64,
    },
    /// The data that were to be taken over are others by now.
    #[error("the data of `{0}` were changed meanwhile: try again")]
    Changed(String),
    /// Later approvals changed the data.
    #[error("its data were changed for later approvals, which this server follows in a moment")]
    Superseded,
    /// A step failed.
    #[error("{what} of the schema `{schema}` failed, and the data are as before: {source}")]
    Step {
        /// The schema.
        schema: String,
        /// "step 2", "the way back from step 2", "the copy" or "taking over `notes`".
        what: String,
        /// Why.
        source: Failure,
    },
    /// The steps take longer than the slot's writers may wait.
    #[error("{what} of the schema `{schema}` took longer than the {seconds} s that it has")]
    TooSlow {
        /// The schema.
        schema: String,
        /// As for [`SchemaError::Step`].
        what: String,
        /// The bound.
        seconds: u64,
    },
    /// The database did not answer the host in time.
    #[error("its database did not answer in time, and the data are as before: try again in a moment")]
    Late,
    /// The labels could not be read or written.
    #[error(transparent)]
    Failed(Failure),
}

impl From<Failure> for SchemaError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Interrupted => Self::Late,
            failure => Self::Failed(failure),
        }
    }
}

impl Wanted {
    /// What data with these labels need.
    pub(super) fn change_of(&self, labels: &Labels) -> Result<Change, SchemaError> {
        if let Some(adoption) = self.adoption.as_ref().filter(|_| !self.is_in_use(labels)) {
            return Ok(Change::TakenOver(adoption.version));
        }
        let schema = &self.schema;
        let (from, to) = (labels.version(), schema.version());
        if let Some(theirs) = labels.name.clone().filter(|name| *name != schema.name) {
            return Err(SchemaError::Foreign {
                own: schema.name.clone(),
                theirs,
                version: from,
            });
        }
        schema.check_steps(labels)?;
        if from < to {
            return Ok(Change::Migrated(from, to));
        }
        // A step may be compatible with an older one, and the step before it not.
        let later = || labels.steps.range(to + 1..).map(|(_, label)| label);
        if later().all(|step| step.compatible <= to) {
            return Ok(Change::Used);
        }
        if later().all(|step| step.down.is_some()) {
            return Ok(Change::Undone(from, to));
        }
        match labels.copies.get(&to) {
            Some(writes) if *writes == 0 || self.loses_writes => Ok(Change::Restored(from, to)),
            Some(writes) => Err(SchemaError::LosesWrites {
                schema: schema.name.clone(),
                from,
                to,
                writes: *writes,
            }),
            None => Err(SchemaError::NoWayBack {
                schema: schema.name.clone(),
                from,
                to,
            }),
        }
    }

    /// Whether the data came into use for this very approval already.
    fn is_in_use(&self, labels: &Labels) -> bool {
        let approval = self.approval.as_ref();
        approval.is_some_and(|approval| labels.used_for.as_ref() == Some(&approval.name))
    }

    /// Whether a change makes the data others than the plugin can use that serves now.
    fn is_end_of_edition(&self, change: Change) -> bool {
        match change {
            Change::Used => false,
            Change::Migrated(from, _) => {
                // Each step is compatible with itself.
                let oldest = |version: u32| self.schema.compatible.min(version);
                let new = self.schema.steps.iter().filter(|step| step.version > from);
                self.serving
                    .is_none_or(|serving| new.map(|step| oldest(step.version)).any(|oldest| oldest > serving))
            }
            Change::Undone(..) | Change::Restored(..) | Change::TakenOver(_) => true,
        }
    }
}

impl Schema {
    /// Each step that ran and that the plugin knows is the plugin's.
    fn check_steps(&self, labels: &Labels) -> Result<(), SchemaError> {
        for step in &self.steps {
            let is = hash(&step.sql);
            if let Some(label) = labels.steps.get(&step.version).filter(|label| label.sha256 != is) {
                return Err(SchemaError::ChangedStep {
                    schema: self.name.clone(),
                    version: step.version,
                    was: label.sha256.clone(),
                    is,
                });
            }
        }
        Ok(())
    }
}

/// A change under way, in a transaction that holds the slot's lock.
pub struct Changing<'c> {
    pub wanted: &'c Wanted,
    pub bounds: Bounds,
    pub until: Instant,
    /// The time until `until`, for people.
    pub limit: Duration,
}

/// What was done, and is not committed.
pub struct Changed {
    pub change: Change,
    /// The edition of the data.
    pub edition: i64,
    /// The data that were taken over.
    pub closing: Option<Closing>,
    /// Whether they come into use in place of others.
    pub replaces: bool,
}

impl Changing<'_> {
    /// Runs what the data need. Nothing is committed.
    pub async fn run(&self, connection: &mut Connection) -> Result<Changed, SchemaError> {
        let host_tables = [
            HOST_TABLES,
            copies::TABLES,
            generation::TABLE,
            &receipt::table(RECEIPTS),
        ]
        .join(";");
        connection.batch(&host_tables, soon()).await?;
        let labels = Labels::read(connection).await?;
        let change = self.wanted.change_of(&labels)?;
        let found = connection.batch(generation::LOOK, soon()).await?;
        let mut edition = edition(found.and_then(|found| found.parse().ok()).unwrap_or_default());
        if change != Change::Used {
            connection.batch(generation::CHANGE, soon()).await?;
        }
        let is_taken_over = matches!(change, Change::TakenOver(_));
        let mut replaces = is_taken_over;
        if let Some(Approval { number, name }) = &self.wanted.approval {
            if *number < edition {
                return Err(SchemaError::Superseded);
            }
            replaces |= self.wanted.replaces && !self.wanted.is_in_use(&labels);
            if replaces || self.wanted.is_end_of_edition(change) {
                connection.batch(&begin_edition(*number), soon()).await?;
                edition = *number;
            }
            if replaces {
                labels::came_into_use(connection, name, is_taken_over).await?;
            }
        }
        let closing = self.change(connection, change, &labels).await?;
        Ok(Changed {
            change,
            edition,
            closing,
            replaces,
        })
    }

    async fn change(
        &self,
        connection: &mut Connection,
        change: Change,
        labels: &Labels,
    ) -> Result<Option<Closing>, SchemaError> {
        match change {
            Change::Used => {}
            Change::Migrated(from, _) => {
                self.copy(connection, from, true).await?;
                self.run_from(connection, from).await?;
            }
            Change::Undone(from, to) => {
                self.copy(connection, from, false).await?;
                for (version, label) in labels.steps.range(to + 1..).rev() {
                    let down = label.down.as_deref().unwrap_or_default();
                    self.step(connection, || format!("the way back from step {version}"), down)
                        .await?;
                    labels::undone(connection, *version).await?;
                }
                copies::close_behind(connection, to).await?;
            }
            Change::Restored(from, to) => {
                self.copy(connection, from, false).await?;
                self.make_room(connection).await?;
                labels::undone(connection, to + 1).await?;
                self.make_tables(connection, &self.wanted.schema, to).await?;
                let put_back = copies::put_back(connection, to, self.until).await;
                put_back.map_err(|failure| self.failed(format!("the copy of version {to}"), failure))?;
                copies::close_behind(connection, to).await?;
            }
            Change::TakenOver(_) => {
                let adoption = self.wanted.adoption.as_ref();
                let adoption = adoption.expect("nothing else is taken over");
                return self.take_over(connection, adoption, labels.version()).await.map(Some);
            }
        }
        Ok(None)
    }

    /// Makes the data of a copy of another schema's. What was there is kept as a copy of its own.
    async fn take_over(
        &self,
        connection: &mut Connection,
        adoption: &Adoption,
        own: u32,
    ) -> Result<Closing, SchemaError> {
        let Adoption {
            source,
            schema,
            version,
            sql,
        } = adoption;
        let what = || format!("taking over `{}`", schema.name);
        let mut closing = Closing::begin(source, self.bounds).await?;
        let theirs = closing.connection();
        let labels = Labels::look(theirs).await?;
        let is_theirs = labels.name.as_ref() == Some(&schema.name) && labels.version() == *version;
        if !is_theirs || *version > schema.version() {
            return Err(SchemaError::Changed(schema.name.clone()));
        }
        let (found, numbers) = (tables::of(theirs).await?, tables::numbers(theirs).await?);
        theirs.batch_until("SELECT 1", self.until).await?;
        self.copy(connection, own, false).await?;
        copies::close_behind(connection, 0).await?;
        self.make_room(connection).await?;
        self.make_tables(connection, schema, *version).await?;
        let filled = fill(connection, &found, &numbers, Source::There(theirs), self.until).await;
        filled.map_err(|failure| self.failed(what(), failure))?;
        match sql {
            None => {
                labels::fill(connection, &self.wanted.schema, *version).await?;
                self.run_from(connection, *version).await?;
            }
            Some(sql) => {
                labels::fill(connection, &self.wanted.schema, 0).await?;
                self.run_from(connection, 0).await?;
                self.step(connection, what, sql).await?;
            }
        }
        Ok(closing)
    }

    /// Copies the data before they change, if there are any.
    async fn copy(&self, connection: &mut Connection, version: u32, is_way_back: bool) -> Result<(), SchemaError> {
        if version == 0 {
            return Ok(());
        }
        let made = copies::make(connection, version, is_way_back, self.until).await;
        made.map_err(|failure| self.failed("the copy".to_owned(), failure))
    }

    /// Removes the tables that are there.
    async fn make_room(&self, connection: &mut Connection) -> Result<(), SchemaError> {
        let removed = tables::remove(connection, self.until).await;
        removed.map_err(|failure| self.failed("removing the tables".to_owned(), failure))
    }

    /// Makes the tables of a version of a schema. Nothing is labelled.
    async fn make_tables(&self, connection: &mut Connection, schema: &Schema, version: u32) -> Result<(), SchemaError> {
        for step in schema.steps.iter().filter(|step| step.version <= version) {
            self.step(
                connection,
                || format!("step {} of `{}` again", step.version, schema.name),
                &step.sql,
            )
            .await?;
        }
        Ok(())
    }

    /// Runs the steps behind a version.
    async fn run_from(&self, connection: &mut Connection, version: u32) -> Result<(), SchemaError> {
        let schema = &self.wanted.schema;
        for step in schema.steps.iter().filter(|step| step.version > version) {
            self.step(connection, || format!("step {}", step.version), &step.sql)
                .await?;
            labels::ran(connection, schema, step).await?;
        }
        Ok(())
    }

    /// Runs statements of the plugin.
    async fn step(&self, connection: &mut Connection, what: impl Fn() -> String, sql: &str) -> Result<(), SchemaError> {
        let statements = async {
            for statement in several(sql)? {
                let left = self.until.saturating_duration_since(Instant::now());
                connection.run_as_it_is(&statement, left).await?;
            }
            Ok(())
        };
        statements.await.map_err(|source| self.failed(what(), source))
    }

    fn failed(&self, what: String, source: Failure) -> SchemaError {
        match source {
            Failure::Interrupted => SchemaError::TooSlow {
                schema: self.wanted.schema.name.clone(),
                what,
                seconds: self.limit.as_secs(),
            },
            source if source.code().is_none() => SchemaError::Failed(source),
            source => SchemaError::Step {
                schema: self.wanted.schema.name.clone(),
                what,
                source,
            },
        }
    }
}
