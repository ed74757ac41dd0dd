//! Short statements that are transactions of their own, on a connection of their own: each costs one round trip and no thread.

use std::collections::HashMap;
use std::time::Duration;

use tokio::task::AbortHandle;
use tokio_postgres::{Client, Row, Statement};

use crate::address::Address;
use crate::failure::Failure;
use crate::placeholders::with_dollars;
use crate::value::{self, Value};

/// How long an answer may take, with a new connection if one is needed.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(1_500);

/// A connection for statements that are asked again and again. They wait for each other.
pub struct Autocommit {
    address: Address,
    open: Option<Open>,
}

/// A connection, and the statements that are prepared on it.
struct Open {
    client: Client,
    prepared: HashMap<&'static str, Statement>,
    /// The task that speaks with the server.
    connection: AbortHandle,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

impl Autocommit {
    pub(crate) fn new(address: Address) -> Self {
        Self { address, open: None }
    }

    /// The rows of one statement with parameters `?1`, `?2` …, within 1.5 s. It is asked twice when the connection was lost before
    /// the answer came, so doing it twice must be harmless.
    pub async fn ask(&mut self, sql: &'static str, parameters: &[Value]) -> Result<Vec<Vec<Value>>, Failure> {
        let rows = tokio::time::timeout(ANSWER_TIMEOUT, self.answer(sql, parameters)).await;
        let rows = rows.unwrap_or_else(|_| Err(Failure::Unavailable("it did not answer in time".to_owned())));
        if rows.is_err() {
            self.open = None;
        }
        rows?.iter().map(value::columns).collect()
    }

    async fn answer(&mut self, sql: &'static str, parameters: &[Value]) -> Result<Vec<Row>, Failure> {
        if let Some(open) = &mut self.open {
            match open.ask(sql, parameters).await {
                // It may have ended long ago, while nobody asked.
                Err(Failure::Unavailable(_)) => {}
                answered => return answered,
            }
        }
        self.open = None;
        let (client, connection) = self.address.connect(ANSWER_TIMEOUT).await?;
        let open = self.open.insert(Open {
            client,
            prepared: HashMap::new(),
            connection,
        });
        open.ask(sql, parameters).await
    }
}

impl Open {
    async fn ask(&mut self, sql: &'static str, parameters: &[Value]) -> Result<Vec<Row>, Failure> {
        let statement = match self.prepared.get(sql) {
            Some(statement) => statement,
            None => {
                let statement = self.client.prepare(&with_dollars(sql)?).await?;
                self.prepared.entry(sql).or_insert(statement)
            }
        };
        Ok(self.client.query(statement, &value::borrowed(parameters)).await?)
    }
}
