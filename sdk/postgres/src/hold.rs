//! A lock that nobody else gets while it is held, and that ends with its holder.

use crate::database::Database;
use crate::failure::Failure;
use crate::session::Session;
use crate::value::Value;

/// A lock. Dropped, it is free.
pub struct Hold {
    _session: Session,
}

impl Database {
    /// Takes the advisory lock of this number, on a connection of its own; `None` while somebody else holds it.
    pub async fn hold(&self, lock: i64) -> Result<Option<Hold>, Failure> {
        let mut session = self.connect().await?;
        let taking = tokio::task::spawn_blocking(move || {
            let taken = session.query("SELECT pg_try_advisory_lock(?1)", &[lock.into()])?;
            let is_taken = matches!(taken.first().and_then(|row| row.first()), Some(Value::Integer(1)));
            Ok(is_taken.then_some(Hold { _session: session }))
        });
        taking.await.map_err(|error| Failure::Statement(error.to_string()))?
    }
}
