//! Short statements that are transactions of their own, on a connection of their own: each costs one round trip and no thread.

use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::time::Duration;

use tokio_postgres::{Client, Error, Row, Statement};

use crate::address::{Address, Spoken};
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
    line: Line,
}

/// What is spoken with the server, by whoever asks: a task of its own would have to be woken with each question and each answer.
/// `None` once it has ended.
struct Line(Option<Box<Spoken>>);

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
        let (client, connection) = self.address.open(ANSWER_TIMEOUT).await?;
        let open = self.open.insert(Open {
            client,
            prepared: HashMap::new(),
            line: Line(Some(Box::new(connection))),
        });
        open.ask(sql, parameters).await
    }
}

impl Open {
    async fn ask(&mut self, sql: &'static str, parameters: &[Value]) -> Result<Vec<Row>, Failure> {
        let statement = match self.prepared.get(sql) {
            Some(statement) => statement,
            None => {
                let sql_with_dollars = with_dollars(sql)?;
                let statement = self.line.answer(self.client.prepare(&sql_with_dollars)).await?;
                self.prepared.entry(sql).or_insert(statement)
            }
        };
        let parameters = value::borrowed(parameters);
        Ok(self.line.answer(self.client.query(statement, &parameters)).await?)
    }
}

impl Line {
    /// Speaks with the server until what was asked is answered. When the line has ended, the client's error says why.
    async fn answer<T>(&mut self, asked: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let mut asked = pin!(asked);
        poll_fn(|context| {
            let answer = asked.as_mut().poll(context);
            if answer.is_ready() {
                return answer;
            }
            if let Some(connection) = &mut self.0
                && Pin::new(connection).poll(context).is_ready()
            {
                self.0 = None;
            }
            asked.as_mut().poll(context)
        })
        .await
    }
}
