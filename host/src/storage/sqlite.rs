//! One SQLite file: a writer thread that commits in groups, and a pool of readers.
//!
//! Reads run on the calling thread (a few microseconds each). Writes go to one thread, which runs all that are waiting
//! in one transaction and syncs once: each is durable when its future resolves, and none sees another's failure.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use tokio::sync::oneshot;

use super::restrict;

/// The most writes that share one commit.
const MAX_GROUP: usize = 128;
/// How long one migration that is not the host's may take.
pub const MIGRATION_TIMEOUT: Duration = Duration::from_secs(60);
/// Idle read connections kept open.
const MAX_IDLE_READERS: usize = 8;

/// What can go wrong with a database file.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// SQLite refused a statement or could not read or write its file.
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A group's commit failed; none of its writes happened. Holds SQLite's message.
    #[error("the write could not be committed: {0}")]
    Commit(String),
    /// The writer is gone: the server is stopping, or the write itself panicked.
    #[error("the database is not available")]
    Gone,
    /// The file holds a later schema than this program knows.
    #[error("{} has schema version {found}, this program knows {known}: start the newer program, or restore a backup", path.display())]
    TooNew {
        /// The database file.
        path: PathBuf,
        /// Its `user_version`.
        found: u32,
        /// The last migration known here.
        known: u32,
    },
    /// A migration failed; the file is as it was before it.
    #[error("migration {version} of {} failed: {source}", path.display())]
    Migration {
        /// The database file.
        path: PathBuf,
        /// The migration's number.
        version: u32,
        /// SQLite's error.
        source: rusqlite::Error,
    },
}

/// One step of a schema. Versions run 1, 2, 3 …; a released one is never changed.
#[derive(Debug, Clone)]
pub struct Migration {
    /// 1 for the first.
    pub version: u32,
    /// Any number of statements.
    pub sql: Cow<'static, str>,
}

/// A hook that prepares each new connection (limits, authorizer).
pub type Configure = fn(&mut Connection) -> rusqlite::Result<()>;

/// An open database file. Dropping it ends the writer thread after the writes that were handed over.
pub struct Database {
    has_virtual_tables: bool,
    path: PathBuf,
    configure: Configure,
    readers: Mutex<Vec<Connection>>,
    jobs: mpsc::Sender<Box<dyn Job>>,
}

impl Database {
    /// Opens or creates the file and brings it to the last migration. `configure` prepares every connection before its
    /// first use.
    pub fn open(path: &Path, migrations: &[Migration], configure: Configure) -> Result<Self, StorageError> {
        Self::start(path, configure, |writer| {
            migrate(path, writer, migrations, Connection::execute_batch)
        })
    }

    /// The same for SQL that is not the host's: `host_tables` (any number of statements that may run again) is the
    /// host's own part of the schema; the migrations run restricted, with [`MIGRATION_TIMEOUT`] each.
    pub fn open_restricted(path: &Path, host_tables: &str, migrations: &[Migration]) -> Result<Self, StorageError> {
        Self::start(path, restrict::prepare, |writer| {
            writer.execute_batch(host_tables)?;
            migrate(path, writer, migrations, |connection, sql| {
                let deadline = Instant::now() + MIGRATION_TIMEOUT;
                restrict::migrating(deadline, || connection.execute_batch(sql))?;
                restrict::check_schema(connection)
            })
        })
    }

    fn start(
        path: &Path,
        configure: Configure,
        prepare: impl FnOnce(&mut Connection) -> Result<(), StorageError>,
    ) -> Result<Self, StorageError> {
        let mut writer = connect(path)?;
        configure(&mut writer)?;
        prepare(&mut writer)?;
        let has_virtual_tables = restrict::has_virtual_tables(&writer)?;
        let (jobs, inbox) = mpsc::channel();
        let name = path
            .file_stem()
            .map_or_else(|| "db".into(), |stem| stem.to_string_lossy().into_owned());
        std::thread::Builder::new()
            .name(format!("write-{name}"))
            .spawn(move || write_loop(writer, inbox))
            .map_err(|error| StorageError::Commit(error.to_string()))?;
        Ok(Self {
            has_virtual_tables,
            path: path.to_owned(),
            configure,
            readers: Mutex::new(Vec::new()),
            jobs,
        })
    }

    /// Runs a read on this thread, on a connection that cannot write. Meant for short, indexed statements.
    pub fn read<T, E: From<StorageError>>(&self, read: impl FnOnce(&mut Connection) -> Result<T, E>) -> Result<T, E> {
        let pooled = self.readers.lock().pop();
        let mut connection = match pooled {
            Some(connection) => connection,
            None => self.reader()?,
        };
        let answer = read(&mut connection);
        let mut readers = self.readers.lock();
        if readers.len() < MAX_IDLE_READERS {
            readers.push(connection);
        }
        answer
    }

    /// Runs a write in a transaction of its own, durable when this resolves. The closure may run again when another
    /// write of its group lost the shared transaction, so it must have no effect but on the connection; an `Err`
    /// undoes what it did.
    pub async fn write<T, E>(&self, write: impl FnMut(&mut Connection) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        self.write_then(write, |_| ()).await
    }

    /// The same with a step behind it: `then` runs once, on the writer's thread, when the write is durable and before
    /// this resolves. Steps run in the order of the commits, and also when the asker has gone away meanwhile: what is
    /// held in memory beside the file can follow it. It must be short.
    pub async fn write_then<T, E>(
        &self,
        write: impl FnMut(&mut Connection) -> Result<T, E> + Send + 'static,
        then: impl FnOnce(&T) + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let answer = self.hand_over(write, then)?;
        answer.await.map_err(|_| StorageError::Gone)?
    }

    /// The same for a thread outside the async runtime; blocks until the write is durable.
    pub fn write_blocking<T, E>(
        &self,
        write: impl FnMut(&mut Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let answer = self.hand_over(write, |_| ())?;
        answer.blocking_recv().map_err(|_| StorageError::Gone)?
    }

    fn hand_over<T, E>(
        &self,
        write: impl FnMut(&mut Connection) -> Result<T, E> + Send + 'static,
        then: impl FnOnce(&T) + Send + 'static,
    ) -> Result<oneshot::Receiver<Result<T, E>>, StorageError>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = Write {
            write,
            then,
            result: None,
            reply,
        };
        self.jobs.send(Box::new(job)).map_err(|_| StorageError::Gone)?;
        Ok(answer)
    }

    /// A connection of its own that may write, for a transaction that spans more than one call.
    pub fn connection(&self) -> Result<Connection, StorageError> {
        let mut connection = connect(&self.path)?;
        (self.configure)(&mut connection)?;
        Ok(connection)
    }

    /// Whether the file had virtual tables when it was opened; only migrations make them.
    pub fn has_virtual_tables(&self) -> bool {
        self.has_virtual_tables
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn reader(&self) -> Result<Connection, StorageError> {
        let mut connection = connect(&self.path)?;
        (self.configure)(&mut connection)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    }
}

fn connect(path: &Path) -> Result<Connection, StorageError> {
    // One thread at a time uses a connection, so SQLite need not lock it.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    // Plans do not depend on the values that are bound. Otherwise SQLite, which is built with statistics, parses many a
    // cached statement again each time a value is bound to it: a third of the time of a list.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    // FULL: in WAL mode anything less may lose acknowledged commits when the power fails.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// `run` runs each migration's own statements.
fn migrate(
    path: &Path,
    connection: &mut Connection,
    migrations: &[Migration],
    run: impl Fn(&Connection, &str) -> rusqlite::Result<()>,
) -> Result<(), StorageError> {
    let found: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = migrations.last().map_or(0, |last| last.version);
    if found > known {
        return Err(StorageError::TooNew {
            path: path.to_owned(),
            found,
            known,
        });
    }
    for migration in migrations.iter().filter(|migration| migration.version > found) {
        let step = (|| {
            let transaction = connection.transaction()?;
            run(&transaction, &migration.sql)?;
            transaction.pragma_update(None, "user_version", migration.version)?;
            transaction.commit()
        })();
        step.map_err(|source| StorageError::Migration {
            path: path.to_owned(),
            version: migration.version,
            source,
        })?;
    }
    Ok(())
}

/// A queued write. It is run, perhaps twice, and then told the result of the commit.
trait Job: Send {
    /// Runs the write, and answers whether its changes are kept.
    fn run(&mut self, connection: &mut Connection) -> bool;
    fn finish(self: Box<Self>, commit: Result<(), String>);
}

struct Write<T, E, F, N> {
    write: F,
    then: N,
    result: Option<Result<T, E>>,
    reply: oneshot::Sender<Result<T, E>>,
}

impl<T, E, F, N> Job for Write<T, E, F, N>
where
    T: Send,
    E: From<StorageError> + Send,
    F: FnMut(&mut Connection) -> Result<T, E> + Send,
    N: FnOnce(&T) + Send,
{
    fn run(&mut self, connection: &mut Connection) -> bool {
        let write = &mut self.write;
        let result = catch_unwind(AssertUnwindSafe(|| write(connection)));
        let result = result.unwrap_or_else(|_| Err(StorageError::Gone.into()));
        let stays = result.is_ok();
        self.result = Some(result);
        stays
    }

    fn finish(self: Box<Self>, commit: Result<(), String>) {
        let Self {
            then, result, reply, ..
        } = *self;
        let answer = match (result, commit) {
            (Some(Ok(_)), Err(message)) => Err(StorageError::Commit(message).into()),
            (Some(Ok(value)), Ok(())) => {
                // A panic in a step must not end the writer thread.
                let _ = catch_unwind(AssertUnwindSafe(|| then(&value)));
                Ok(value)
            }
            (Some(Err(error)), _) => Err(error),
            (None, _) => Err(StorageError::Gone.into()),
        };
        // The caller may have gone away; its write is committed all the same.
        let _ = reply.send(answer);
    }
}

fn write_loop(mut connection: Connection, inbox: mpsc::Receiver<Box<dyn Job>>) {
    while let Ok(first) = inbox.recv() {
        let waiting = std::iter::once(first)
            .chain(inbox.try_iter().take(MAX_GROUP - 1))
            .collect();
        run_group(&mut connection, waiting);
    }
}

/// Runs the jobs in one transaction. A statement that is interrupted, or finds the disk full, makes SQLite roll back
/// the whole transaction: then that job is answered, and the others run again without it.
fn run_group(connection: &mut Connection, mut group: Vec<Box<dyn Job>>) {
    'again: loop {
        if let Err(error) = connection.execute_batch("BEGIN IMMEDIATE") {
            return finish(group, Err(error.to_string()));
        }
        let mut at = 0;
        while at < group.len() {
            let savepoint = connection.execute_batch("SAVEPOINT job");
            let stays = savepoint.is_ok() && group[at].run(connection);
            if connection.is_autocommit() {
                group
                    .remove(at)
                    .finish(Err("the transaction was rolled back".to_owned()));
                continue 'again;
            }
            let end = if stays {
                "RELEASE job"
            } else {
                "ROLLBACK TO job; RELEASE job"
            };
            if connection.execute_batch(end).is_err() && connection.is_autocommit() {
                group
                    .remove(at)
                    .finish(Err("the transaction was rolled back".to_owned()));
                continue 'again;
            }
            at += 1;
        }
        let commit = connection.execute_batch("COMMIT").map_err(|error| error.to_string());
        if commit.is_err() && !connection.is_autocommit() {
            let _ = connection.execute_batch("ROLLBACK");
        }
        return finish(group, commit);
    }
}

fn finish(group: Vec<Box<dyn Job>>, commit: Result<(), String>) {
    for job in group {
        job.finish(commit.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn open(folder: &Path) -> Database {
        let first = Migration {
            version: 1,
            sql: "CREATE TABLE t (n INTEGER PRIMARY KEY)".into(),
        };
        Database::open(&folder.join("t.db"), &[first], |_| Ok(())).unwrap()
    }

    fn count(database: &Database) -> i64 {
        database
            .read::<_, StorageError>(|c| Ok(c.query_row("SELECT count(*) FROM t", [], |r| r.get(0))?))
            .unwrap()
    }

    #[tokio::test]
    async fn a_failing_write_does_not_touch_its_neighbours() {
        let folder = tempfile::tempdir().unwrap();
        let database = Arc::new(open(folder.path()));
        let writes = (0..200).map(|n| {
            let database = database.clone();
            tokio::spawn(async move {
                database
                    .write::<_, StorageError>(move |c| {
                        // 150 and up collide with rows that exist by then, or make the lower one collide.
                        c.execute("INSERT INTO t VALUES (?1)", [n % 150])?;
                        Ok(())
                    })
                    .await
                    .is_ok()
            })
        });
        let mut stored = 0;
        for write in writes.collect::<Vec<_>>() {
            stored += i64::from(write.await.unwrap());
        }
        assert_eq!((stored, count(&database)), (150, 150));
    }

    #[tokio::test]
    async fn an_interrupted_write_does_not_undo_the_others_of_its_group() {
        let folder = tempfile::tempdir().unwrap();
        let database = Arc::new(open(folder.path()));
        let endless =
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) INSERT INTO t SELECT n + 1000 FROM c";
        let tasks: Vec<_> = (0..20)
            .map(|n| {
                let database = database.clone();
                tokio::spawn(async move {
                    database
                        .write::<_, StorageError>(move |c| {
                            if n % 5 != 0 {
                                c.execute("INSERT INTO t VALUES (?1)", [n])?;
                                return Ok(());
                            }
                            let started = std::time::Instant::now();
                            c.progress_handler(1000, Some(move || started.elapsed() > Duration::from_millis(20)))?;
                            let answer = c.execute(endless, []);
                            c.progress_handler(0, None::<fn() -> bool>)?;
                            Ok(answer.map(|_| ())?)
                        })
                        .await
                        .is_ok()
                })
            })
            .collect();
        let mut stored = 0;
        for task in tasks {
            stored += i64::from(task.await.unwrap());
        }
        assert_eq!((stored, count(&database)), (16, 16));
    }

    #[tokio::test]
    async fn the_step_behind_a_write_runs_although_the_asker_has_gone() {
        let folder = tempfile::tempdir().unwrap();
        let database = open(folder.path());
        let (started, has_started) = mpsc::channel();
        let (ran, has_run) = mpsc::channel();
        let write = database.write_then::<_, StorageError>(
            move |c| {
                let _ = started.send(());
                std::thread::sleep(Duration::from_millis(50));
                Ok(c.execute("INSERT INTO t VALUES (7)", [])?)
            },
            move |changed| {
                let _ = ran.send(*changed);
            },
        );
        let mut write = Box::pin(write);
        assert!(futures_util::poll!(&mut write).is_pending());
        has_started.recv().unwrap();
        drop(write);
        assert_eq!(has_run.recv_timeout(Duration::from_secs(5)), Ok(1));
        assert_eq!(count(&database), 1);
    }

    #[tokio::test]
    async fn no_step_runs_behind_a_write_that_failed() {
        let folder = tempfile::tempdir().unwrap();
        let database = open(folder.path());
        let (ran, has_run) = mpsc::channel();
        let failed = database.write_then::<usize, StorageError>(
            |_| Err(StorageError::Gone),
            move |_| {
                let _ = ran.send(());
            },
        );
        assert!(failed.await.is_err());
        assert!(has_run.recv().is_err());
    }

    #[test]
    fn a_reader_cannot_write() {
        let folder = tempfile::tempdir().unwrap();
        let database = open(folder.path());
        let answer = database.read::<_, StorageError>(|c| Ok(c.execute("INSERT INTO t VALUES (1)", [])?));
        assert!(answer.is_err());
    }

    #[test]
    fn a_file_from_the_future_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        drop(open(folder.path()));
        let answer = Database::open(&folder.path().join("t.db"), &[], |_| Ok(()));
        assert!(matches!(answer, Err(StorageError::TooNew { found: 1, known: 0, .. })));
    }
}
