//! One statement that is asked again and again, on a connection of its own and without a transaction.

use std::time::Duration;

use tokio::task::AbortHandle;
use tokio_postgres::{Client, Statement};

use crate::address::Address;
use crate::failure::Failure;

/// How long an answer may take, with a new connection if one is needed.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(1_500);

/// A statement that answers one integer. It costs one round trip and no thread.
pub struct Probe {
    address: Address,
    sql: &'static str,
    open: Option<Open>,
}

/// A connection on which the statement is prepared.
struct Open {
    client: Client,
    statement: Statement,
    /// The task that speaks with the server.
    connection: AbortHandle,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

impl Probe {
    pub(crate) fn new(address: Address, sql: &'static str) -> Self {
        Self {
            address,
            sql,
            open: None,
        }
    }

    /// What the statement answers now.
    pub async fn ask(&mut self) -> Result<i64, Failure> {
        let answered = tokio::time::timeout(ANSWER_TIMEOUT, self.answer()).await;
        let answered = answered.unwrap_or_else(|_| Err(Failure::Unavailable("it did not answer in time".to_owned())));
        if answered.is_err() {
            self.open = None;
        }
        answered
    }

    async fn answer(&mut self) -> Result<i64, Failure> {
        if let Some(open) = &self.open {
            match open.ask().await {
                // It may have ended long ago, while nobody asked.
                Err(Failure::Unavailable(_)) => {}
                answered => return answered,
            }
        }
        self.open = None;
        let (client, connection) = self.address.connect(ANSWER_TIMEOUT).await?;
        let statement = client.prepare(self.sql).await?;
        let open = self.open.insert(Open {
            client,
            statement,
            connection,
        });
        open.ask().await
    }
}

impl Open {
    async fn ask(&self) -> Result<i64, Failure> {
        let row = self.client.query_one(&self.statement, &[]).await?;
        Ok(row.try_get(0)?)
    }
}
