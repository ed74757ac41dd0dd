//! PostgreSQL as a Galley server uses it. What statements look like, which values they have, what failures mean and how
//! transactions end is written here once, for the server and for the SDK's test harness. The database of a plugin's slot is in
//! [`slot`].
//!
//! Deliberately absent: translations of SQL other than `?N` to `$N`.

mod address;
mod autocommit;
mod blocking;
mod bounds;
mod channel;
mod database;
mod failure;
mod hold;
mod hosts;
mod lexical;
mod migrations;
mod open;
mod placeholders;
mod probe;
mod pulse;
mod receipt;
mod requirements;
mod session;
pub mod slot;
mod text;
mod tls;
mod turn;
mod value;

pub use address::Address;
pub use autocommit::Autocommit;
pub use blocking::connect;
pub use bounds::Bounds;
pub use channel::{Channel, Heard};
pub use database::Database;
pub use failure::Failure;
pub use hold::Hold;
pub use migrations::{MigrationError, Step};
pub use open::OpenError;
pub use placeholders::{BadPlaceholder, with_dollars};
pub use probe::Probe;
pub use requirements::{Remark, Unfit};
pub use session::Session;
pub use text::{restored, stored};
pub use turn::{Turn, Wait};
pub use value::Value;

#[cfg(test)]
mod tests;
