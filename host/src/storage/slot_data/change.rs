//! Doing what a plan says, so that it can be undone until the plugin has started.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::before::Before;
use super::error::DataError;
use super::plan::{Plan, plan};
use super::{Of, Schema, copies, labels};
use crate::config::pause::{self, Step};
use crate::storage::durable;
use crate::storage::slot;
use crate::storage::sqlite::{Database, MIGRATION_TIMEOUT, StorageError, is_interrupted, overwrite_database};

/// Data that a plugin can start with. Dropped without [`commit`](Self::commit), they are as they were before.
pub struct Prepared {
    /// `None` for a plugin without migrations, and once it was committed.
    pub database: Option<slot::Database>,
    /// What was done.
    pub plan: Plan,
    undo: Option<Undo>,
    /// What the data take the place of, on PostgreSQL.
    before: Option<Before>,
}

/// What brings the data back, besides the transaction that is rolled back.
enum Undo {
    /// The content before, and its file.
    Restore { from: PathBuf, to: PathBuf },
    /// A file that was made.
    Delete(PathBuf),
}

/// Brings a slot's data to what the schema needs. `host_tables` are further tables of the host. With `limit` the slot's writers
/// wait, for so long at most; without it nobody waits.
pub fn prepare(
    of: Of<'_>,
    schema: &Schema<'_>,
    host_tables: &str,
    limit: Option<Duration>,
) -> Result<Prepared, DataError> {
    let plan = plan(of, schema)?;
    let change = Change {
        of,
        schema,
        host_tables,
        until: limit.map(|limit| Instant::now() + limit),
        limit: limit.unwrap_or(MIGRATION_TIMEOUT),
    };
    durable::private_folder(of.folder).map_err(|error| DataError::Io(of.folder.to_owned(), error))?;
    if let Plan::Return { path, to, .. } = &plan {
        let before = copies::file(of.folder, of.slot, schema.name, *to);
        overwrite_database(&before, path).map_err(|error| DataError::Copy(before, error))?;
        return prepare(of, schema, host_tables, limit);
    }
    let mut undo = None;
    let database = match &plan {
        Plan::Nothing | Plan::Return { .. } => None,
        Plan::Use { path } => Some(change.open(path)?),
        Plan::Begin { path, to } => Some(change.steps(path, 0, *to)?),
        Plan::Migrate { path, from, to } | Plan::Undo { path, from, to } => Some(change.steps(path, *from, *to)?),
        Plan::Restore { path, from, to, .. } => {
            let before = change.copy(path, *from)?;
            change.put_back(path, *from, *to)?;
            undo = Some(Undo::Restore {
                from: before,
                to: path.clone(),
            });
            Some(change.open(path)?)
        }
        Plan::Adopt {
            path,
            source,
            schema,
            version,
        } => {
            undo = Some(change.adopt(path, source, schema, *version)?);
            Some(change.open(path)?)
        }
    };
    pause::block_at(Step::Migrate);
    Ok(Prepared {
        database: database.map(slot::Database::from),
        plan,
        undo,
        before: None,
    })
}

/// Makes a file in which all of a schema's steps ran, for rows that come from elsewhere.
pub fn make(path: &Path, slot: &str, schema: &Schema<'_>, host_tables: &str) -> Result<(), DataError> {
    let of = Of {
        folder: path.parent().unwrap_or(Path::new(".")),
        slot,
        in_use: None,
        choice: None,
    };
    let change = Change {
        of,
        schema,
        host_tables,
        until: None,
        limit: MIGRATION_TIMEOUT,
    };
    let writer = change.writer(path)?;
    writer.execute_batch("BEGIN IMMEDIATE")?;
    change.run_from(&writer, 0)?;
    writer.execute_batch("COMMIT")?;
    Ok(writer.close().map_err(|(_, error)| StorageError::from(error))?)
}

impl Prepared {
    /// Data on PostgreSQL: what was done to them is uncommitted.
    pub(super) fn on_postgres(database: galley_postgres::slot::Database, before: Option<Before>) -> Self {
        let mut prepared = Self::nothing();
        prepared.database = Some(database.into());
        prepared.before = before;
        prepared
    }

    /// Nothing, for a plugin without data.
    pub fn nothing() -> Self {
        Self {
            database: None,
            plan: Plan::Nothing,
            undo: None,
            before: None,
        }
    }

    /// Whether they take the place of others, in a cluster.
    pub fn replaces(&self) -> bool {
        self.before.is_some()
    }

    /// Makes the change last.
    pub fn commit(mut self) -> Result<(), DataError> {
        // First: a write that comes in between would be in the data before alone. Whoever is killed in between has done nothing that the next
        // start of the approved plugin does not do again.
        if let Some(before) = self.before.take() {
            before.close()?;
        }
        if let Some(database) = self.database.take()
            && let Err(error) = database.promote()
        {
            database.abandon();
            return Err(error.into());
        }
        self.undo = None;
        if let Plan::Use { path } | Plan::Restore { path, .. } = &self.plan
            && labels::read(path)
                .map_err(StorageError::from)?
                .is_some_and(|labels| labels.came_from.is_some())
        {
            labels::mark_came_from(path, 0).map_err(StorageError::from)?;
        }
        Ok(())
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        if let Some(database) = self.database.take() {
            database.abandon();
        }
        let undone = match self.undo.take() {
            None => Ok(()),
            Some(Undo::Restore { from, to }) => {
                overwrite_database(&from, &to).map_err(|error| DataError::Copy(from, error))
            }
            Some(Undo::Delete(path)) => copies::discard(&path),
        };
        if let Err(error) = undone {
            tracing::error!("a change of a slot's data could not be undone: {error}");
        }
    }
}

/// A change under way.
struct Change<'c> {
    of: Of<'c>,
    schema: &'c Schema<'c>,
    host_tables: &'c str,
    until: Option<Instant>,
    /// The time until `until`, for people.
    limit: Duration,
}

impl Change<'_> {
    /// Opens data that have the right version.
    fn open(&self, path: &Path) -> Result<Database, DataError> {
        let writer = self.writer(path)?;
        let mut labels = labels::of(&writer)?;
        if labels.name.is_none() {
            writer.execute_batch("BEGIN IMMEDIATE")?;
            labels::fill(&writer, self.schema, labels.version)?;
            writer.execute_batch("COMMIT")?;
            labels = labels::of(&writer)?;
        }
        Ok(Database::restricted(path, writer, !labels.copies.is_empty())?)
    }

    /// Runs steps in a transaction that stays open.
    fn steps(&self, path: &Path, from: u32, to: u32) -> Result<Database, DataError> {
        let writer = self.writer(path)?;
        writer.execute_batch("BEGIN IMMEDIATE")?;
        let labels = labels::of(&writer)?;
        if labels.version != from {
            return Err(DataError::Changed(path.to_owned()));
        }
        if labels.name.is_none() {
            labels::fill(&writer, self.schema, from)?;
        }
        if from > 0 {
            self.copy(path, from)?;
            labels::copied(&writer, from)?;
        }
        if from < to {
            self.run_from(&writer, from)?;
        }
        for version in (to + 1..=from).rev() {
            let label = labels.steps.get(&version);
            let down = label.and_then(|label| label.down.as_deref());
            let no_way_back = || DataError::NoWayBack {
                schema: self.schema.name.to_owned(),
                from,
                to,
            };
            self.run(
                &writer,
                || format!("the way back from step {version}"),
                down.ok_or_else(no_way_back)?,
            )?;
            labels::undone(&writer, version)?;
        }
        copies::prune(self.of.folder, self.of.slot, self.schema.name);
        let counts_writes = from > 0 || !labels.copies.is_empty();
        Ok(Database::restricted(path, writer, counts_writes)?)
    }

    /// Puts the copy of a version in the place of the data, and a note into it: until the change is committed, a server that was
    /// killed has the plugin from before, and gives it its data back ([`Plan::Return`]).
    fn put_back(&self, path: &Path, from: u32, to: u32) -> Result<(), DataError> {
        let copy = copies::file(self.of.folder, self.of.slot, self.schema.name, to);
        let draft = copies::draft(path);
        copies::make(&copy, &draft, None)?;
        labels::mark_came_from(&draft, from).map_err(StorageError::from)?;
        overwrite_database(&draft, path).map_err(|error| DataError::Copy(copy, error))?;
        copies::discard(&draft)
    }

    /// Makes the plugin's file of a copy of another schema's. What was there is kept as a copy of its own.
    fn adopt(&self, path: &Path, source: &Path, schema: &str, version: u32) -> Result<Undo, DataError> {
        let draft = copies::draft(path);
        copies::make(source, &draft, self.until)?;
        let writer = self.writer(&draft)?;
        writer.execute_batch("BEGIN IMMEDIATE")?;
        writer.execute("DELETE FROM main._galley_copies", [])?;
        labels::copied(&writer, labels::TAKEN_OVER)?;
        let mut adoptions = self.schema.adopts.iter();
        let adoption = adoptions.find(|adoption| adoption.takes(schema, version));
        match adoption.and_then(|adoption| adoption.sql()) {
            None => {
                labels::fill(&writer, self.schema, version)?;
                self.run_from(&writer, version)?;
            }
            Some(sql) => {
                labels::fill(&writer, self.schema, 0)?;
                self.run_from(&writer, 0)?;
                self.run(&writer, || format!("taking over `{schema}`"), sql)?;
            }
        }
        writer.execute_batch("COMMIT")?;
        // Without a write-ahead log it is one file, which can be renamed.
        writer.pragma_update(None, "journal_mode", "delete")?;
        writer.close().map_err(|(_, error)| StorageError::from(error))?;
        if let Some(own) = labels::read(path).map_err(StorageError::from)? {
            let before = self.copy(path, own.version)?;
            overwrite_database(&draft, path).map_err(|error| DataError::Copy(draft.clone(), error))?;
            copies::discard(&draft)?;
            return Ok(Undo::Restore {
                from: before,
                to: path.to_owned(),
            });
        }
        let io = |error| DataError::Io(path.to_owned(), error);
        std::fs::rename(&draft, path).map_err(io)?;
        durable::sync_folder(self.of.folder).map_err(io)?;
        Ok(Undo::Delete(path.to_owned()))
    }

    /// A connection that may change the schema, with the host's tables in the file.
    fn writer(&self, path: &Path) -> Result<Connection, DataError> {
        let writer = Database::restricted_writer(path)?;
        writer.execute_batch(self.host_tables)?;
        writer.execute_batch(labels::HOST_TABLES)?;
        Ok(writer)
    }

    /// Copies the data before they change.
    fn copy(&self, path: &Path, version: u32) -> Result<PathBuf, DataError> {
        let copy = copies::file(self.of.folder, self.of.slot, self.schema.name, version);
        match copies::make(path, &copy, self.until) {
            Err(DataError::Copy(_, error)) if is_interrupted(&error) => Err(self.too_slow("the copy".to_owned())),
            made => made.map(|()| copy),
        }
    }

    /// Runs the steps behind a version.
    fn run_from(&self, writer: &Connection, version: u32) -> Result<(), DataError> {
        for step in self.schema.steps.iter().filter(|step| step.version > version) {
            self.run(writer, || format!("step {}", step.version), &step.sql)?;
            labels::ran(writer, self.schema, step)?;
        }
        Ok(())
    }

    /// Runs statements of the plugin.
    fn run(&self, writer: &Connection, what: impl Fn() -> String, sql: &str) -> Result<(), DataError> {
        let deadline = Instant::now() + MIGRATION_TIMEOUT;
        let deadline = self.until.map_or(deadline, |until| deadline.min(until));
        let ran = galley_sql::migrating(deadline, || writer.execute_batch(sql));
        let ran = ran.and_then(|()| galley_sql::check_schema(writer));
        ran.map_err(|source| match is_interrupted(&source) {
            true => self.too_slow(what()),
            false => DataError::Step {
                schema: self.schema.name.to_owned(),
                what: what(),
                source,
            },
        })
    }

    fn too_slow(&self, what: String) -> DataError {
        DataError::TooSlow {
            schema: self.schema.name.to_owned(),
            what,
            seconds: self.limit.as_secs(),
        }
    }
}
