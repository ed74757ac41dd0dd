//! A connection, as closures of transactions see it: statements that wait for their answers.

use std::cell::Cell;
use std::collections::HashMap;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::AbortHandle;
use tokio_postgres::error::Severity;
use tokio_postgres::{Client, SimpleQueryMessage, Statement};

use crate::address::Address;
use crate::bounds::Bounds;
use crate::failure::Failure;
use crate::placeholders::with_dollars;
use crate::receipt::{self, Receipt};
use crate::value::{Value, borrowed, columns};

/// The table of receipts.
pub(crate) const RECEIPTS: &str = "galley_receipts";
/// Statements that a connection keeps prepared.
const MAX_STATEMENTS: usize = 64;
/// How long an answer may be on its way once the server has stopped a statement at its bound.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// A connection. Its methods wait, on a thread that may.
pub struct Session {
    client: Client,
    /// The task that speaks with the server.
    connection: AbortHandle,
    address: Address,
    /// How often the server had been found away when it was made.
    losses: u64,
    runtime: Handle,
    bounds: Bounds,
    /// Whether the server ended it, or an answer did not come in time: the next one may belong to what was asked before.
    is_lost: Cell<bool>,
    prepared: HashMap<String, Statement>,
    /// Whether the database has receipts, once it was asked.
    has_receipts: Option<bool>,
    /// The last failure of a statement, which its transaction does not outlive.
    failure: Option<Failure>,
}

impl Session {
    pub(crate) fn new((client, connection): (Client, AbortHandle), address: &Address, bounds: Bounds) -> Self {
        Self {
            client,
            connection,
            losses: address.losses(),
            address: address.clone(),
            runtime: Handle::current(),
            bounds,
            is_lost: Cell::new(false),
            prepared: HashMap::new(),
            has_receipts: None,
            failure: None,
        }
    }

    /// The rows of one statement with parameters `?1`, `?2` …
    pub fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Vec<Value>>, Failure> {
        let answer = self.prepared(sql).and_then(|statement| {
            let rows = self.answer(self.client.query(&statement, &borrowed(parameters)))?;
            rows.iter().map(columns).collect()
        });
        self.noting(answer)
    }

    /// Runs one statement. Returns the number of rows that it changed.
    pub fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64, Failure> {
        let answer = self
            .prepared(sql)
            .and_then(|statement| self.answer(self.client.execute(&statement, &borrowed(parameters))));
        self.noting(answer)
    }

    /// How many columns the rows of a statement have; 0 for one without rows. It is prepared, and not run.
    pub fn columns(&mut self, sql: &str) -> Result<usize, Failure> {
        let answer = self.prepared(sql).map(|statement| statement.columns().len());
        self.noting(answer)
    }

    fn prepared(&mut self, sql: &str) -> Result<Statement, Failure> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let text = with_dollars(sql)?;
        let statement = self.answer(self.client.prepare(&text))?;
        if self.prepared.len() == MAX_STATEMENTS {
            self.prepared.clear();
        }
        self.prepared.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// Statements without parameters, as they are.
    pub fn batch(&mut self, sql: &str) -> Result<(), Failure> {
        self.answer(self.client.batch_execute(sql))
    }

    /// Commits. No bound of the server's holds here: it may wait for standbys without end, and when it is told to stop waiting
    /// it answers that it has committed. So the client's clock ends this, and tells the server nothing.
    pub(crate) fn commit(&mut self) -> Result<(), Failure> {
        self.batch_within(self.bounds.commit, "COMMIT")
    }

    /// The same within a time of its own.
    pub(crate) fn batch_within(&mut self, timeout: Duration, sql: &str) -> Result<(), Failure> {
        self.wait(timeout, self.client.batch_execute(sql))
    }

    /// Waits for the answer to a statement, which the server bounds.
    fn answer<T>(&self, work: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T, Failure> {
        self.wait(self.bounds.statement + ANSWER_TIMEOUT, work)
    }

    fn wait<T>(
        &self,
        timeout: Duration,
        work: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Failure> {
        let patient = async { tokio::time::timeout(timeout, self.address.patiently(work)).await };
        let failure = match self.runtime.block_on(patient) {
            Ok(Ok(Ok(answer))) => return Ok(answer),
            Ok(Ok(Err(error))) if !ends_connection(&error) => return Err(error.into()),
            Ok(Ok(Err(error))) => error.into(),
            Ok(Err(away)) => away,
            Err(_) => Failure::Unavailable("it did not answer in time".to_owned()),
        };
        self.is_lost.set(true);
        Err(failure)
    }

    /// The first column of a statement's first row, without preparing it.
    pub(crate) fn ask(&mut self, sql: &str) -> Result<Option<String>, Failure> {
        let answer = self.answer(self.client.simple_query(sql))?;
        let first = answer.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row.get(0).map(str::to_owned)),
            _ => None,
        });
        Ok(first.flatten())
    }

    /// Leaves the receipt of the transaction under way; `None` when it has changed nothing. In a database that no server opened with
    /// a schema there are none, and the transaction is known by its id alone.
    pub(crate) fn leave_receipt(&mut self) -> Result<Option<Receipt>, Failure> {
        let has_receipts = match self.has_receipts {
            Some(has_receipts) => has_receipts,
            None => {
                let found = self.ask(&format!("SELECT to_regclass('{RECEIPTS}')"))?;
                *self.has_receipts.insert(found.is_some())
            }
        };
        let answer = match has_receipts {
            true => self.query(&receipt::leave_if_changed(RECEIPTS), &[])?,
            false => self.query("SELECT pg_current_xact_id_if_assigned()::text", &[])?,
        };
        Ok(text(answer).map(|answer| Receipt::of(&answer)))
    }

    /// Why the transaction under way cannot be committed, as far as it is known.
    pub(crate) fn take_failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.is_lost.get() || self.client.is_closed()
    }

    /// Whether it may be to a machine that is gone: the server was found away since it was made.
    pub(crate) fn is_old(&self) -> bool {
        self.losses != self.address.losses()
    }

    fn noting<T>(&mut self, answer: Result<T, Failure>) -> Result<T, Failure> {
        if let Err(failure) = &answer {
            self.failure = Some(failure.clone());
        }
        answer
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.is_lost.get() {
            // It would wait for the answer that nobody waits for any more.
            self.connection.abort();
        }
    }
}

/// Whether nothing comes on the connection behind this error.
fn ends_connection(error: &tokio_postgres::Error) -> bool {
    match error.as_db_error() {
        Some(found) => matches!(found.parsed_severity(), Some(Severity::Fatal | Severity::Panic)),
        None => error.is_closed() || std::error::Error::source(error).is_some_and(|cause| cause.is::<std::io::Error>()),
    }
}

fn text(rows: Vec<Vec<Value>>) -> Option<String> {
    match rows.into_iter().next()?.into_iter().next()? {
        Value::Text(text) => Some(text),
        _ => None,
    }
}
