//! An open file: reads on a pool of connections, and writes that are handed to the writer thread.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use tokio::sync::oneshot;

use super::error::StorageError;
use super::migration::{Migration, migrate};
use super::staged::{Stage, Transaction};
use super::writer::{Job, Write, write_loop};
use crate::storage::disk::free_space;

/// How long one migration that is not the host's may take.
pub const MIGRATION_TIMEOUT: Duration = Duration::from_secs(60);
/// How long the host's own statement on a restricted connection may take.
const HOST_TIMEOUT: Duration = Duration::from_secs(2);
/// SQLite's page, in bytes.
const PAGE: u64 = 4_096;
/// A disk with so many bytes left is not full.
const MIN_FREE: u64 = 32 << 20;
/// Idle read connections kept open.
const MAX_IDLE_READERS: usize = 8;

/// A hook that prepares each new connection (limits, authorizer).
pub type Configure = fn(&mut Connection) -> rusqlite::Result<()>;

/// An open database file. Dropping it ends the writer thread after the writes that were handed over.
pub struct Database {
    has_virtual_tables: bool,
    counts_writes: bool,
    /// Whether `stage` may hold a transaction; what comes after [`Database::promote`] need not look there.
    is_staged: AtomicBool,
    stage: Arc<Mutex<Stage>>,
    /// What the writer thread takes its work from, until there is one.
    inbox: Mutex<Option<mpsc::Receiver<Box<dyn Job>>>>,
    path: PathBuf,
    configure: Configure,
    readers: Mutex<Vec<Connection>>,
    /// The most pages of the file; 0 where nothing was set.
    max_pages: AtomicU32,
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

    fn start(
        path: &Path,
        configure: Configure,
        prepare: impl FnOnce(&mut Connection) -> Result<(), StorageError>,
    ) -> Result<Self, StorageError> {
        let mut writer = Self::writer(path, configure)?;
        prepare(&mut writer)?;
        Self::with_writer(path, configure, writer, false)
    }

    /// A prepared connection to the file, which is made when there is none.
    fn writer(path: &Path, configure: Configure) -> Result<Connection, StorageError> {
        galley_sql::watch_memory();
        let mut writer = connect(path)?;
        configure(&mut writer)?;
        Ok(writer)
    }

    /// A connection for changing the schema of a plugin's file, restricted where its statements run.
    pub fn restricted_writer(path: &Path) -> Result<Connection, StorageError> {
        Self::writer(path, galley_sql::prepare)
    }

    /// A database for the statements of a plugin, with a connection of [`Database::restricted_writer`]. When that is in a
    /// transaction, reads and writes are parts of it until [`promote`](Self::promote); dropping the database rolls it back.
    /// With `counts_writes` the caller counts its writes ([`counts_writes`](Self::counts_writes)).
    pub fn restricted(path: &Path, writer: Connection, counts_writes: bool) -> Result<Self, StorageError> {
        Self::with_writer(path, galley_sql::prepare, writer, counts_writes)
    }

    fn with_writer(
        path: &Path,
        configure: Configure,
        writer: Connection,
        counts_writes: bool,
    ) -> Result<Self, StorageError> {
        let has_virtual_tables = galley_sql::has_virtual_tables(&writer)?;
        let (jobs, inbox) = mpsc::channel();
        let is_staged = !writer.is_autocommit();
        let database = Self {
            has_virtual_tables,
            counts_writes,
            is_staged: AtomicBool::new(is_staged),
            stage: Arc::default(),
            inbox: Mutex::new(Some(inbox)),
            path: path.to_owned(),
            configure,
            readers: Mutex::new(Vec::new()),
            max_pages: AtomicU32::new(0),
            jobs,
        };
        match is_staged {
            true => *database.stage.lock() = Stage::Here(Box::new(writer)),
            false => database.start_writer(writer)?,
        }
        Ok(database)
    }

    fn start_writer(&self, writer: Connection) -> Result<(), StorageError> {
        let Some(inbox) = self.inbox.lock().take() else {
            return Ok(());
        };
        let stem = self.path.file_stem();
        let name = stem.map_or_else(|| "db".into(), |stem| stem.to_string_lossy().into_owned());
        std::thread::Builder::new()
            .name(format!("write-{name}"))
            .spawn(move || write_loop(writer, inbox, &name))
            .map_err(|error| StorageError::Commit(error.to_string()))?;
        Ok(())
    }

    /// Commits what is staged; the database is an ordinary one then. Without anything staged nothing happens.
    pub fn promote(&self) -> Result<(), StorageError> {
        let mut stage = self.stage.lock();
        match std::mem::take(&mut *stage) {
            Stage::Over => Ok(()),
            Stage::Here(connection) => {
                let committed = connection.execute_batch("COMMIT");
                committed.map_err(|error| StorageError::Commit(error.to_string()))?;
                self.start_writer(*connection)?;
                self.is_staged.store(false, Ordering::Release);
                Ok(())
            }
            gone => {
                *stage = gone;
                Err(StorageError::Commit(
                    "a statement of the start was interrupted, which undid the whole transaction".to_owned(),
                ))
            }
        }
    }

    /// Rolls back what is staged: from now on the database refuses reads and writes. Without anything staged nothing happens.
    pub fn abandon(&self) {
        let mut stage = self.stage.lock();
        if !matches!(*stage, Stage::Over) {
            *stage = Stage::Lost;
        }
    }

    /// Whether writes are to be counted, because a copy of the file may come back. Those of a start that is not over are not.
    pub fn counts_writes(&self) -> bool {
        self.counts_writes && !self.is_staged.load(Ordering::Acquire)
    }

    /// Runs a read on this thread, at once.
    pub fn read<T, E: From<StorageError>>(&self, read: impl FnOnce(&mut Connection) -> Result<T, E>) -> Result<T, E> {
        let mut read = Some(read);
        if self.is_staged.load(Ordering::Acquire)
            && let Some(answer) = self
                .stage
                .lock()
                .read(|connection| read.take().map(|read| read(connection)))
        {
            return answer?.unwrap_or_else(|| Err(StorageError::Gone.into()));
        }
        let Some(read) = read else {
            return Err(StorageError::Gone.into());
        };
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

    /// Runs a write, as [`engine::Database::write`](crate::storage::engine::Database::write) says. The closure runs again when
    /// another write of its group lost the shared transaction.
    pub async fn write<T, E>(&self, write: impl FnMut(&mut Connection) -> Result<T, E> + Send + 'static) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        self.write_then(write, |_| ()).await
    }

    /// The same with a step behind it, which runs on the writer's thread.
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
        let (job, answer) = Write::new(write, then);
        let mut job: Box<dyn Job> = Box::new(job);
        if self.is_staged.load(Ordering::Acquire) {
            match self.stage.lock().write(job) {
                Some(unstaged) => job = unstaged,
                None => return Ok(answer),
            }
        }
        self.jobs.send(job).map_err(|_| StorageError::Gone)?;
        Ok(answer)
    }

    /// Begins a transaction that spans more than one call, and waits so long for the file's writers.
    pub fn begin(&self, wait: Duration) -> Result<Transaction, StorageError> {
        if self.is_staged.load(Ordering::Acquire)
            && let Some(transaction) = Transaction::inside(&self.stage)?
        {
            return Ok(transaction);
        }
        let mut connection = connect(&self.path)?;
        (self.configure)(&mut connection)?;
        set_max_pages(&connection, self.max_pages.load(Ordering::Relaxed))?;
        Transaction::begin(connection, wait)
    }

    /// Bounds the file, from the next write on. One that is larger stays as it is and does not grow.
    pub fn set_max_bytes(&self, bytes: u64) -> Result<(), StorageError> {
        let pages = u32::try_from(bytes / PAGE).unwrap_or(u32::MAX).max(1);
        if self.max_pages.swap(pages, Ordering::Relaxed) == pages {
            return Ok(());
        }
        let write = move |connection: &mut Connection| set_max_pages(connection, pages).map_err(StorageError::from);
        // It is in force for the writes behind it: nobody waits for it.
        self.hand_over(write, |()| ()).map(drop)
    }

    /// Whether a write that found no room found none because of [`set_max_bytes`](Self::set_max_bytes): the disk has some.
    pub fn is_bounded(&self) -> bool {
        let free = self.path.parent().and_then(free_space);
        self.max_pages.load(Ordering::Relaxed) > 0 && free.is_none_or(|free| free >= MIN_FREE)
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

fn set_max_pages(connection: &Connection, pages: u32) -> rusqlite::Result<()> {
    match pages {
        0 => Ok(()),
        pages => galley_sql::by_host(Instant::now() + HOST_TIMEOUT, || {
            connection.pragma_update(None, "max_page_count", pages)
        }),
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
