//! `galley:sql`, on the plugin's database.

use std::cell::Cell;
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
    database.begin()?;
    let done = database.steps(steps);
    match done.is_ok() {
        true => database.commit()?,
        false => database.roll_back()?,
    }
    if done.is_ok() {
        world::with(|world| world.published.extend_from_slice(publish));
    }
    done
}

/// An open transaction.
pub(crate) struct Transaction {
    database: Rc<Database>,
    is_open: Cell<bool>,
}

impl Transaction {
    pub(crate) fn begin() -> Result<Transaction, Problem> {
        let database = database();
        database.begin()?;
        let is_open = Cell::new(true);
        Ok(Transaction { database, is_open })
    }

    pub(crate) fn query(&self, sql: &str, params: &[Value<'_>]) -> Result<Vec<u8>, Problem> {
        self.database.query(sql, params)
    }

    pub(crate) fn execute(&self, sql: &str, params: &[Value<'_>]) -> Result<u64, Problem> {
        self.database.execute(sql, params)
    }

    pub(crate) fn commit(&self) -> Result<(), Problem> {
        self.database.commit()?;
        self.is_open.set(false);
        Ok(())
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if self.is_open.get() && !std::thread::panicking() {
            // Nothing can be done about a failure here, and an in-memory database has none.
            let _ = self.database.roll_back();
        }
    }
}

impl std::fmt::Debug for Transaction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Transaction")
    }
}
