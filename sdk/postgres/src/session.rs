//! A connection, as closures of transactions see it: statements that wait for their answers.

use std::collections::HashMap;

use tokio::runtime::Handle;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row, Statement};

use crate::failure::Failure;
use crate::placeholders::with_dollars;
use crate::value::Value;

/// Statements that a connection keeps prepared.
const MAX_STATEMENTS: usize = 64;

/// A connection. Its methods wait, on a thread that may.
pub struct Session {
    client: Client,
    runtime: Handle,
    prepared: HashMap<String, Statement>,
    /// The last failure of a statement, which its transaction does not outlive.
    failure: Option<Failure>,
}

impl Session {
    pub(crate) fn new(client: Client, runtime: Handle) -> Self {
        Self {
            client,
            runtime,
            prepared: HashMap::new(),
            failure: None,
        }
    }

    /// The rows of one statement with parameters `?1`, `?2` …
    pub fn query(&mut self, sql: &str, parameters: &[Value]) -> Result<Vec<Vec<Value>>, Failure> {
        let answer = self.run(sql, |client, runtime, statement| {
            let rows = runtime.block_on(client.query(statement, &borrowed(parameters)))?;
            rows.iter().map(columns).collect()
        });
        self.noting(answer)
    }

    /// Runs one statement. Returns the number of rows that it changed.
    pub fn execute(&mut self, sql: &str, parameters: &[Value]) -> Result<u64, Failure> {
        let answer = self.run(sql, |client, runtime, statement| {
            Ok(runtime.block_on(client.execute(statement, &borrowed(parameters)))?)
        });
        self.noting(answer)
    }

    fn run<T>(
        &mut self,
        sql: &str,
        run: impl FnOnce(&Client, &Handle, &Statement) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let statement = match self.prepared.get(sql) {
            Some(statement) => statement.clone(),
            None => {
                let statement = self.runtime.block_on(self.client.prepare(&with_dollars(sql)?))?;
                if self.prepared.len() == MAX_STATEMENTS {
                    self.prepared.clear();
                }
                self.prepared.insert(sql.to_owned(), statement.clone());
                statement
            }
        };
        run(&self.client, &self.runtime, &statement)
    }

    /// Statements without parameters, as they are.
    pub(crate) fn batch(&mut self, sql: &str) -> Result<(), Failure> {
        Ok(self.runtime.block_on(self.client.batch_execute(sql))?)
    }

    /// The id of the transaction under way; `None` when it has changed nothing.
    pub(crate) fn transaction_id(&mut self) -> Result<Option<String>, Failure> {
        let rows = self.query("SELECT pg_current_xact_id_if_assigned()::text", &[])?;
        Ok(text(rows))
    }

    /// What became of a transaction; `None` when the server has forgotten it.
    pub(crate) fn transaction_status(&mut self, id: &str) -> Result<Option<String>, Failure> {
        let rows = self.query("SELECT pg_xact_status(?1::text::xid8)", &[id.into()])?;
        Ok(text(rows))
    }

    /// Why the transaction under way cannot be committed, as far as it is known.
    pub(crate) fn take_failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    fn noting<T>(&mut self, answer: Result<T, Failure>) -> Result<T, Failure> {
        if let Err(failure) = &answer {
            self.failure = Some(failure.clone());
        }
        answer
    }
}

fn borrowed(parameters: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    parameters.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

fn columns(row: &Row) -> Result<Vec<Value>, Failure> {
    (0..row.len()).map(|at| Ok(row.try_get(at)?)).collect()
}

fn text(rows: Vec<Vec<Value>>) -> Option<String> {
    match rows.into_iter().next()?.into_iter().next()? {
        Value::Text(text) => Some(text),
        _ => None,
    }
}
