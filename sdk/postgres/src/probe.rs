//! One statement that is asked again and again, on a connection of its own and without a transaction.

use crate::address::Address;
use crate::autocommit::Autocommit;
use crate::failure::Failure;
use crate::value::Value;

/// A statement that answers one integer. It costs one round trip and no thread.
pub struct Probe {
    connection: Autocommit,
    sql: &'static str,
}

impl Probe {
    pub(crate) fn new(address: Address, sql: &'static str) -> Self {
        Self {
            connection: Autocommit::new(address),
            sql,
        }
    }

    /// What the statement answers now.
    pub async fn ask(&mut self) -> Result<i64, Failure> {
        let rows = self.connection.ask(self.sql, &[]).await?;
        match rows.first().and_then(|row| row.first()) {
            Some(Value::Integer(number)) => Ok(*number),
            other => Err(Failure::Statement(format!("it answered no integer: {other:?}"))),
        }
    }
}
