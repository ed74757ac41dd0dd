//! What the servers of one database have in common: the id of the instance, and the key that its secrets are sealed with.

use std::sync::Arc;

use super::{Core, CoreError};
use crate::storage::engine::{Database, Rows};
use crate::storage::id::new_id;
use crate::storage::seal::Sealer;

/// The row of the instance's id.
pub(super) const ID: &str = "id";
/// The row of [`CONSTANT`], sealed with the cluster's key.
pub(super) const PROOF: &str = "proof";
/// The purpose that it is sealed for.
const PURPOSE: &str = "the cluster's key";
/// What every server of a cluster can open.
const CONSTANT: &[u8] = b"galley";

impl Core {
    /// Whether other servers use the database, too.
    pub fn is_shared(&self) -> bool {
        self.freshness.is_some()
    }

    /// Whether the database of several servers answers, and has not acknowledged a change for long: no standby follows, most of all.
    pub fn is_stuck(&self) -> bool {
        self.database.is_stuck()
    }

    /// The database, where other servers use it, too.
    pub fn shared_database(&self) -> Option<Arc<Database>> {
        self.is_shared().then(|| self.database.clone())
    }

    /// What this start of the server is called among those of the database. A later start has another name.
    pub(crate) fn server(&self) -> &str {
        &self.server
    }

    /// Joins the servers of the database, or begins with them, and answers the instance's id. [`CoreError::OtherKey`] when the
    /// others have another key: then nothing that one sealed could be opened by the other.
    pub async fn join(&self, sealer: Arc<Sealer>) -> Result<String, CoreError> {
        self.database.write(move |rows| join(rows, &sealer)).await
    }
}

/// The same in a transaction.
pub(super) fn join(rows: &mut Rows<'_>, sealer: &Sealer) -> Result<String, CoreError> {
    match value(rows, PROOF)? {
        Some(proof) => check(sealer, &proof)?,
        None => put(
            rows,
            PROOF,
            sealer.seal(PURPOSE, CONSTANT).map_err(|_| CoreError::OtherKey)?,
        )?,
    }
    match value(rows, ID)? {
        Some(id) => Ok(String::from_utf8_lossy(&id).into_owned()),
        None => {
            let id = new_id();
            put(rows, ID, id.clone().into_bytes())?;
            Ok(id)
        }
    }
}

/// Checks a key by what was sealed with the cluster's.
pub(super) fn check(sealer: &Sealer, proof: &[u8]) -> Result<(), CoreError> {
    match sealer.unseal(PURPOSE, proof) {
        Ok(opened) if opened == CONSTANT => Ok(()),
        _ => Err(CoreError::OtherKey),
    }
}

fn value(rows: &mut Rows<'_>, name: &str) -> Result<Option<Vec<u8>>, CoreError> {
    let sql = "SELECT value FROM cluster WHERE name = ?1";
    Ok(rows.fetch_optional(sql, [name], |row| row.get(0))?)
}

fn put(rows: &mut Rows<'_>, name: &str, value: Vec<u8>) -> Result<(), CoreError> {
    rows.execute("INSERT INTO cluster (name, value) VALUES (?1, ?2)", (name, value))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::testing::{Opened, on_each_engine};

    on_each_engine! {
        servers_that_join_have_one_key_and_one_id,
    }

    async fn servers_that_join_have_one_key_and_one_id(Opened { core, home }: Opened) {
        let of = |byte: u8| Arc::new(Sealer::with_key([byte; 32]));
        let id = core.join(of(1)).await.unwrap();
        assert_eq!(core.join(of(1)).await.unwrap(), id);
        assert!(matches!(core.join(of(2)).await, Err(CoreError::OtherKey)));
        drop(core);
        let core = home.open().await.unwrap();
        assert!(matches!(core.join(of(2)).await, Err(CoreError::OtherKey)));
        assert_eq!(core.join(of(1)).await.unwrap(), id);
    }
}
