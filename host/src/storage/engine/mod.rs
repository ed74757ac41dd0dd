//! A database as the rooms above use it, whatever runs its statements: transactions, and in them statements with parameters and
//! rows of a few types ([`Rows`]). What is written on it names no engine, and what must differ between engines stands here.
//!
//! Behind it is a SQLite file ([`sqlite`](super::sqlite)), or a PostgreSQL that several servers share. Statements are written as both read them:
//! parameters `?1`, `?2` …, booleans compared with 0, conflicts by `ON CONFLICT`, names that PostgreSQL reserves in quotation
//! marks. Only schemas are rewritten.

mod database;
mod parameters;
mod postgres;
mod progress;
mod row;
mod rows;
mod schema;
mod shared;
mod value;

pub use database::Database;
pub use galley_postgres::{Autocommit, Channel, Heard};
pub use parameters::Parameters;
pub use row::Row;
pub use rows::Rows;
pub use shared::{Shared, Watch, away};
pub use value::{FromValue, ToValue, Value};

#[cfg(test)]
mod tests;
