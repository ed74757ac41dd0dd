//! The plugin's own SQLite database.
//!
//! Read with [`query`], write with [`batch`] (or [`execute`] for one statement); [`transaction`](Transaction::begin) is
//! for the rare write that must read first and decide in code. Rows are decoded from the host's buffer without copying:
//!
//! ```
//! use galley_sdk::prelude::*;
//! use galley_sdk::testing::TestHost;
//!
//! let plugin = Plugin::new("demo", "1.0.0")
//!     .migration(1, "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)")
//!     .publishes("demo/written", r#"{ "type": "string" }"#);
//! let host = TestHost::new(plugin);
//! host.run(|| -> Result<(), Problem> {
//!     sql::batch()
//!         .step("INSERT INTO notes (text) VALUES (?1)", params!["one"])
//!         .step("UPDATE notes SET text = ?2 WHERE text = ?1", params!["one", "two"])
//!         .expect(1)
//!         .publish("demo/written", &"two")
//!         .run()?;
//!
//!     let rows = sql::query("SELECT id, text FROM notes", params![])?;
//!     let notes: Vec<(i64, &str)> = rows.all()?; // `&str` borrows from `rows`
//!     assert_eq!(notes, [(1, "two")]);
//!
//!     assert_eq!(sql::one::<(String,)>("SELECT text FROM notes WHERE id = ?1", params![5])?, None);
//!     Ok(())
//! })
//! .unwrap();
//! assert_eq!(host.published()[0].topic, "demo/written");
//! ```

mod batch;
#[cfg(target_arch = "wasm32")]
pub(crate) mod borrowing;
mod cell;
mod rows;
mod statement;
mod transaction;
mod value;

pub use batch::{Batch, batch};
pub use cell::{Cell, FromCell};
pub use rows::{FromRow, Row, Rows};
pub use transaction::Transaction;
pub use value::Value;

use crate::error::Problem;
use crate::host;

/// Runs one read-only statement (`refused` otherwise).
pub fn query<'a>(sql: &str, params: impl AsRef<[Value<'a>]>) -> Result<Rows, Problem> {
    host::sql::query(sql, params.as_ref()).map(Rows::new)
}

/// Reads all rows into owned values.
pub fn all<'a, T: for<'r> FromRow<'r>>(sql: &str, params: impl AsRef<[Value<'a>]>) -> Result<Vec<T>, Problem> {
    query(sql, params)?.all()
}

/// Reads the first row, `None` when there is none.
pub fn one<'a, T: for<'r> FromRow<'r>>(sql: &str, params: impl AsRef<[Value<'a>]>) -> Result<Option<T>, Problem> {
    query(sql, params)?.one()
}

/// Runs one statement and answers the number of rows it changed. Durable when it returns.
pub fn execute<'a>(sql: &str, params: impl AsRef<[Value<'a>]>) -> Result<u64, Problem> {
    host::sql::execute(sql, params.as_ref())
}
