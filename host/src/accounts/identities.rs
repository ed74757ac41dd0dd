//! Identities at other services, each linked to an account here.

use super::Account;
use super::account::COLUMNS;
use crate::core::CoreError;
use crate::storage::engine::Rows;
use crate::storage::id::now_ms;

/// A person's identity at another service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The service, such as `codehost`.
    pub provider: String,
    /// The service's own id of the person, which never changes: the key.
    pub subject: String,
    /// The person's login there, which may change.
    pub login: String,
}

/// The account that an identity is linked to.
pub(super) fn account(rows: &mut Rows<'_>, identity: &Identity) -> Result<Option<Account>, CoreError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM identities JOIN accounts ON accounts.id = user_id WHERE provider = ?1 AND subject = ?2"
    );
    let values = (&identity.provider, &identity.subject);
    Ok(rows.fetch_optional(&sql, values, Account::from_row)?)
}

/// Links an identity to an account. A linked identity keeps its account; only its login is updated.
pub(super) fn link(rows: &mut Rows<'_>, identity: &Identity, user_id: &str) -> Result<(), CoreError> {
    let sql = "INSERT INTO identities (provider, subject, login, user_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
               ON CONFLICT (provider, subject) DO UPDATE SET login = excluded.login";
    let Identity {
        provider,
        subject,
        login,
    } = identity;
    rows.execute(sql, (provider, subject, login, user_id, now_ms()))?;
    Ok(())
}
