//! A database as the rooms above use it, whatever runs its statements: transactions, and in them statements with parameters and
//! rows of a few types ([`Rows`]). What is written on it names no engine, and what must differ between engines stands here.
//!
//! Today one engine is behind it, a SQLite file ([`sqlite`](super::sqlite)). Statements are written as both SQLite and PostgreSQL
//! read them wherever there is such a way: parameters `?1`, `?2` …, booleans compared with 0, conflicts by `ON CONFLICT`.

mod database;
mod parameters;
mod row;
mod rows;
mod value;

pub use database::Database;
pub use parameters::Parameters;
pub use row::Row;
pub use rows::Rows;
pub use value::{FromValue, ToValue, Value};

#[cfg(test)]
mod tests;
