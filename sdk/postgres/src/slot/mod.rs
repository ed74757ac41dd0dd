//! The database of a plugin's slot: a database and a role of its own, which reach nothing else.
//!
//! [`provision`](Provision::run) makes the two. [`Database::open`] brings the data to a plugin's schema, and leaves the steps
//! uncommitted until the plugin has started. Afterwards a plugin's statements run there within the contract's bounds
//! (`wit/deps/galley-sql`): what they may do, how long they may take, how large their answers may be, and which code says what
//! went wrong.
//!
//! # What a plugin's statement may do
//! It is a list of what is allowed, which is held twice.
//!
//! 1. Before a statement is sent it is read ([`Checked`]): its kind is one of a few; whatever it calls by name has its name on a list;
//!    names of the catalog and of the host's tables stand nowhere in it; and writings that could be read in two ways are refused
//!    (`E'…'`, `U&…`, `$…`). This holds on every PostgreSQL, also where the server's role is no superuser. In PostgreSQL's grammar
//!    a function is called as `name(…)`, by an operator, by a cast, by a column's default and the like that were written as
//!    statements before, or as the attribute of a row. Operators, casts and types of one's own cannot be made by what is allowed,
//!    the built-in ones reach nothing, and what takes any row as its only argument neither.
//! 2. The role may do nothing outside of its database, is no superuser, and has no right to files or to other roles. Where the
//!    server's role is a superuser, the functions that wait, lock, notify, set or read beyond tables are taken from everybody in
//!    that database, languages too (`provision.rs`).

mod allow;
mod bounds;
mod cache;
mod checked;
mod closing;
mod connection;
mod copies;
mod database;
mod failure;
mod gauge;
mod generation;
mod group;
mod labels;
mod moving;
mod pool;
mod provision;
mod rows;
mod schema;
mod settings;
mod settle;
mod stage;
mod steps;
mod tables;
mod tokens;
mod transaction;
mod words;
mod work;

pub use bounds::Bounds;
pub use checked::{Checked, Kind, check_all};
pub use closing::Closing;
pub use database::{Database, Opened};
pub use failure::Failure;
pub use labels::{Label, Labels};
pub use provision::Provision;
pub use schema::{Change, SchemaError};
pub use steps::{Adoption, Approval, Migration, Schema, Wanted};
pub use transaction::Transaction;
pub use work::{Event, Step};

#[cfg(test)]
mod tests;
