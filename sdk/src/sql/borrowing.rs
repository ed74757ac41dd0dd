//! `galley:sql` with parameters that are borrowed. The bindings of everything else own what they pass on, which costs a copy of
//! each text.

use super::Value;
use crate::error::Problem;

mod bindings {
    #![allow(missing_docs, unsafe_code, clippy::all, dead_code)]
    // Generated: undocumented in places, unsafe by nature, and not in our style.

    wit_bindgen::generate!({
        path: "../wit",
        inline: "package galley:sdk-statements; world statements { import galley:sql/sql@1.0.0; }",
        world: "galley:sdk-statements/statements",
        ownership: Borrowing { duplicate_if_necessary: false },
        generate_all,
        with: { "galley:errors/errors@1.0.0": crate::bindings::galley::errors::errors },
    });
}

use bindings::galley::sql::sql;

/// The most parameters that need no memory of their own on their way.
const MAX_INLINE: usize = 8;

/// Gives the parameters to `run` as the contract has them.
fn lowered<T>(params: &[Value<'_>], run: impl FnOnce(&[sql::Value<'_>]) -> T) -> T {
    let mut few = [const { sql::Value::Null }; MAX_INLINE];
    match few.get_mut(..params.len()) {
        Some(few) => {
            few.iter_mut()
                .zip(params)
                .for_each(|(slot, value)| *slot = lower(value));
            run(few)
        }
        None => run(&params.iter().map(lower).collect::<Vec<_>>()),
    }
}

fn lower<'v>(value: &'v Value<'_>) -> sql::Value<'v> {
    match value {
        Value::Null => sql::Value::Null,
        Value::Integer(number) => sql::Value::Integer(*number),
        Value::Real(number) => sql::Value::Real(*number),
        Value::Text(text) => sql::Value::Text(text),
        Value::Blob(bytes) => sql::Value::Blob(bytes),
    }
}

pub(crate) fn query(sql: &str, params: &[Value<'_>]) -> Result<Vec<u8>, Problem> {
    lowered(params, |params| sql::query(sql, params))
}

pub(crate) fn execute(sql: &str, params: &[Value<'_>]) -> Result<u64, Problem> {
    lowered(params, |params| sql::execute(sql, params))
}

pub(crate) use crate::bindings::galley::sql::sql::batch;

/// An open transaction.
#[derive(Debug)]
pub(crate) struct Transaction(sql::Transaction);

impl Transaction {
    pub(crate) fn begin() -> Result<Transaction, Problem> {
        sql::Transaction::begin().map(Transaction)
    }

    pub(crate) fn query(&self, sql: &str, params: &[Value<'_>]) -> Result<Vec<u8>, Problem> {
        lowered(params, |params| self.0.query(sql, params))
    }

    pub(crate) fn execute(&self, sql: &str, params: &[Value<'_>]) -> Result<u64, Problem> {
        lowered(params, |params| self.0.execute(sql, params))
    }

    pub(crate) fn commit(&self) -> Result<(), Problem> {
        self.0.commit()
    }
}
