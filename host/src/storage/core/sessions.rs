//! Browser sessions. Only the hash of a session's secret is stored.

use std::time::Duration;

use rusqlite::OptionalExtension;

use super::accounts::COLUMNS;
use super::{Account, Core, CoreError};
use crate::storage::id::{hash_secret, new_secret, now_ms};

/// How long a session lives after it was last used.
pub const SESSION_LENGTH: Duration = Duration::from_secs(30 * 24 * 3600);
/// How often using a session is written down.
const RENEWED_EVERY: Duration = Duration::from_secs(3600);

impl Core {
    /// Opens a session; the secret is known to nobody but the receiver of this answer. [`CoreError::Removed`] when there
    /// is no active account with this id.
    pub async fn create_session(&self, user_id: &str) -> Result<String, CoreError> {
        self.begin_session(user_id, None).await
    }

    /// Opens a session, and ends the one with the secret `ended` in the same step.
    pub async fn begin_session(&self, user_id: &str, ended: Option<String>) -> Result<String, CoreError> {
        let secret = new_secret();
        let (hash, user) = (hash_secret(&secret), user_id.to_owned());
        let ended = ended.map(|secret| hash_secret(&secret));
        self.database
            .write(move |connection| {
                let now = now_ms();
                // A session that began after the account's removal would come back to life with the account.
                let sql = "INSERT INTO sessions (secret_hash, user_id, created_at, expires_at)
                           SELECT ?1, id, ?3, ?4 FROM accounts WHERE id = ?2 AND removed = 0";
                let values = (&hash, &user, now, now + SESSION_LENGTH.as_millis() as i64);
                if connection.execute(sql, values)? == 0 {
                    return Err(CoreError::Removed);
                }
                let sql = "DELETE FROM sessions WHERE expires_at < ?1 OR secret_hash = ?2";
                connection.execute(sql, (now, &ended))?;
                Ok(())
            })
            .await?;
        Ok(secret)
    }

    /// The account of a live session, and whether the session is due to be renewed. Looked up by hash: what the time of
    /// the look-up tells is about a hash, not about the secret.
    pub fn session(&self, secret: &str) -> Result<Option<(Account, bool)>, CoreError> {
        let hash = hash_secret(secret);
        let sql = format!(
            "SELECT {COLUMNS}, sessions.expires_at FROM sessions JOIN accounts ON accounts.id = user_id
             WHERE secret_hash = ?1 AND expires_at > ?2 AND removed = 0"
        );
        let now = now_ms();
        self.database.read(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let found = statement.query_row((&hash, now), |row| {
                let used = row.get::<_, i64>(6)? - SESSION_LENGTH.as_millis() as i64;
                Ok((Account::from_row(row)?, now - used > RENEWED_EVERY.as_millis() as i64))
            });
            Ok(found.optional()?)
        })
    }

    /// Lets a session live its full length from now on.
    pub async fn renew_session(&self, secret: &str) -> Result<(), CoreError> {
        let hash = hash_secret(secret);
        self.database
            .write(move |connection| {
                let until = now_ms() + SESSION_LENGTH.as_millis() as i64;
                connection.execute(
                    "UPDATE sessions SET expires_at = ?2 WHERE secret_hash = ?1",
                    (&hash, until),
                )?;
                Ok(())
            })
            .await
    }

    /// Ends a session; a missing one is fine.
    pub async fn end_session(&self, secret: &str) -> Result<(), CoreError> {
        let hash = hash_secret(secret);
        self.database
            .write(move |connection| {
                connection.execute("DELETE FROM sessions WHERE secret_hash = ?1", [&hash])?;
                Ok(())
            })
            .await
    }
}
