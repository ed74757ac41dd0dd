//! `galley:sql`, on an in-memory SQLite database.

use std::rc::Rc;

use crate::bindings::galley::sql::sql::Step;
use crate::error::Problem;
use crate::events::Published;
use crate::sql::Value;
use crate::testing::database::Database;
use crate::testing::world;

fn database() -> Rc<Database> {
    world::with(|world| world.database.clone())
}

pub(crate) fn query(sql: &str, params: &[Value<'_>]) -> Result<Vec<u8>, Problem> {
    database().query(sql, params)
}

pub(crate) fn execute(sql: &str, params: &[Value<'_>]) -> Result<u64, Problem> {
    database().execute(sql, params)
}

pub(crate) fn batch(steps: &[Step], publish: &[Published]) -> Result<Vec<Vec<u8>>, Problem> {
    let database = database();
    super::small::events::check(publish)?;
    database.by_host("BEGIN IMMEDIATE")?;
    let done = database.steps(steps);
    match done.is_ok() {
        true => database.by_host("COMMIT")?,
        // A statement that was stopped has rolled back already.
        false if database.has_open_transaction() => database.by_host("ROLLBACK")?,
        false => {}
    }
    if done.is_ok() {
        world::with(|world| world.published.extend_from_slice(publish));
    }
    done
}

/// An open transaction.
pub(crate) struct Transaction {
    database: Rc<Database>,
}

impl Transaction {
    pub(crate) fn begin() -> Result<Transaction, Problem> {
        let database = database();
        database.by_host("BEGIN IMMEDIATE")?;
        Ok(Transaction { database })
    }

    pub(crate) fn query(&self, sql: &str, params: &[Value<'_>]) -> Result<Vec<u8>, Problem> {
        self.database.query(sql, params)
    }

    pub(crate) fn execute(&self, sql: &str, params: &[Value<'_>]) -> Result<u64, Problem> {
        self.database.execute(sql, params)
    }

    pub(crate) fn commit(&self) -> Result<(), Problem> {
        self.database.by_host("COMMIT")
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if self.database.has_open_transaction() {
            // Nothing can be done about a failure here, and an in-memory database has none.
            let _ = self.database.by_host("ROLLBACK");
        }
    }
}

impl std::fmt::Debug for Transaction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Transaction")
    }
}
