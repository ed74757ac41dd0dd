//! `galley:sql`'s transaction: a write lock that is held while plugin code runs, for at most 250 ms.

use std::time::{Duration, Instant};

use wasmtime::component::Resource;

use super::contract::galley::sql::sql::{HostTransaction, Value};
use super::handles::TransactionHandle;
use super::rows::SqlError;
use super::state::{granted, or_problem};
use super::statements::Transaction;
use super::{Problem, State};

/// How long a transaction may hold the write lock.
pub const TRANSACTION_TIMEOUT: Duration = Duration::from_millis(250);

impl HostTransaction for State {
    async fn begin(&mut self) -> wasmtime::Result<Result<Resource<TransactionHandle>, Problem>> {
        granted!(self, Sql);
        let _in_sql = self.call.in_sql.run();
        let database = or_problem!(self.database());
        let until = self.call.deadline.min(Instant::now() + TRANSACTION_TIMEOUT);
        let open = Transaction::begin(database, until).await;
        let open = or_problem!(open.map_err(SqlError::into_problem));
        Ok(Ok(self.handles.insert(open)?))
    }

    async fn query(
        &mut self,
        handle: Resource<TransactionHandle>,
        sql: String,
        params: Vec<Value>,
    ) -> wasmtime::Result<Result<Vec<u8>, Problem>> {
        granted!(self, Sql);
        let _in_sql = self.call.in_sql.run();
        let open = self.handles.get::<Transaction, _>(&handle)?.clone();
        let threads = (&self.slot.transactions, self.slot.name.as_str());
        let ran = open.query(threads, sql, params).await;
        Ok(ran.map_err(|error| error.of_write(&self.slot)))
    }

    async fn execute(
        &mut self,
        handle: Resource<TransactionHandle>,
        sql: String,
        params: Vec<Value>,
    ) -> wasmtime::Result<Result<u64, Problem>> {
        granted!(self, Sql);
        let _in_sql = self.call.in_sql.run();
        let open = self.handles.get::<Transaction, _>(&handle)?.clone();
        let threads = (&self.slot.transactions, self.slot.name.as_str());
        let ran = open.execute(threads, sql, params).await;
        Ok(ran.map_err(|error| error.of_write(&self.slot)))
    }

    async fn commit(&mut self, handle: Resource<TransactionHandle>) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Sql);
        let _in_sql = self.call.in_sql.run();
        let open = self.handles.get::<Transaction, _>(&handle)?.clone();
        let ended = open.commit().await;
        Ok(ended.map_err(|error| error.of_write(&self.slot)))
    }

    async fn drop(&mut self, handle: Resource<TransactionHandle>) -> wasmtime::Result<()> {
        self.handles.forget(&handle);
        Ok(())
    }
}
