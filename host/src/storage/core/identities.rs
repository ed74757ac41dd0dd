//! Accounts of other services that stand for accounts here.

use rusqlite::{Connection, OptionalExtension};

use super::accounts::COLUMNS;
use super::{Account, CoreError};
use crate::storage::id::now_ms;

/// Somebody, as another service knows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Which service, such as `codehost`.
    pub provider: String,
    /// The service's own id of the person, which never changes: the key.
    pub subject: String,
    /// What the person is called there, which may change.
    pub login: String,
}

/// The account an identity stands for.
pub(super) fn account(connection: &Connection, identity: &Identity) -> Result<Option<Account>, CoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM identities JOIN accounts ON accounts.id = user_id WHERE provider = ?1 AND subject = ?2"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let found = statement.query_row((&identity.provider, &identity.subject), Account::from_row);
    Ok(found.optional()?)
}

/// Lets an identity stand for an account from now on; a known one keeps its account and gets its present login.
pub(super) fn link(connection: &Connection, identity: &Identity, user_id: &str) -> Result<(), CoreError> {
    let sql = "INSERT INTO identities (provider, subject, login, user_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
               ON CONFLICT (provider, subject) DO UPDATE SET login = excluded.login";
    let Identity {
        provider,
        subject,
        login,
    } = identity;
    connection.execute(sql, (provider, subject, login, user_id, now_ms()))?;
    Ok(())
}
