//! Bringing a slot's data to what a plugin's schema needs, by whoever starts first. The steps stay uncommitted: the plugin's start
//! is a part of the same transaction.
//!
//! Deliberately absent: copies from before an update, and taking over another schema's data. A step that ran is undone by its way
//! back, or not at all.

use std::time::Duration;

use thiserror::Error;
use tokio::time::Instant;

use super::checked::several;
use super::connection::Connection;
use super::failure::Failure;
use super::generation::{self, GROW};
use super::labels::{self, HOST_TABLES, HOST_TIMEOUT, Labels, hash};
use super::settle::RECEIPTS;
use super::steps::Schema;
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
        "the data have version {from} of the schema `{schema}`, the plugin knows {to}; there is no step back: take the newer \
         plugin, or restore a backup"
    )]
    NoWayBack {
        /// The schema.
        schema: String,
        /// The version of the data.
        from: u32,
        /// The plugin's.
        to: u32,
    },
    /// A step failed.
    #[error("{what} of the schema `{schema}` failed, and the data are as before: {source}")]
    Step {
        /// The schema.
        schema: String,
        /// "step 2", or "the way back from step 2".
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
    /// The labels could not be read or written.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl Schema {
    /// What data with these labels need.
    pub(super) fn change_of(&self, labels: &Labels) -> Result<Change, SchemaError> {
        let (from, to) = (labels.version(), self.version());
        if let Some(theirs) = labels.name.clone().filter(|name| *name != self.name) {
            return Err(SchemaError::Foreign {
                own: self.name.clone(),
                theirs,
                version: from,
            });
        }
        self.check_steps(labels)?;
        if from < to {
            return Ok(Change::Migrated(from, to));
        }
        // A step may be compatible with an older one, and the step before it not.
        let later = || labels.steps.range(to + 1..).map(|(_, label)| label);
        if later().all(|step| step.compatible <= to) {
            return Ok(Change::Used);
        }
        match later().all(|step| step.down.is_some()) {
            true => Ok(Change::Undone(from, to)),
            false => Err(SchemaError::NoWayBack {
                schema: self.name.clone(),
                from,
                to,
            }),
        }
    }

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
    pub schema: &'c Schema,
    pub until: Instant,
    /// The time until `until`, for people.
    pub limit: Duration,
}

impl Changing<'_> {
    /// Runs what the data need. Nothing is committed.
    pub async fn run(&self, connection: &mut Connection) -> Result<Change, SchemaError> {
        let tables = [HOST_TABLES, generation::TABLE, &receipt::table(RECEIPTS)].join(";");
        connection.batch(&tables, Instant::now() + HOST_TIMEOUT).await?;
        let labels = Labels::read(connection).await?;
        let change = self.schema.change_of(&labels)?;
        if change != Change::Used {
            connection.batch(GROW, Instant::now() + HOST_TIMEOUT).await?;
        }
        match change {
            Change::Used => {}
            Change::Migrated(from, _) => {
                for step in self.schema.steps.iter().filter(|step| step.version > from) {
                    self.step(connection, || format!("step {}", step.version), &step.sql)
                        .await?;
                    labels::ran(connection, self.schema, step).await?;
                }
            }
            Change::Undone(_, to) => {
                for (version, label) in labels.steps.range(to + 1..).rev() {
                    let down = label.down.as_deref().unwrap_or_default();
                    self.step(connection, || format!("the way back from step {version}"), down)
                        .await?;
                    labels::undone(connection, *version).await?;
                }
            }
        }
        Ok(change)
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
        statements.await.map_err(|source| match source {
            Failure::Interrupted => SchemaError::TooSlow {
                schema: self.schema.name.clone(),
                what: what(),
                seconds: self.limit.as_secs(),
            },
            source if source.code().is_none() => SchemaError::Failed(source),
            source => SchemaError::Step {
                schema: self.schema.name.clone(),
                what: what(),
                source,
            },
        })
    }
}
