//! Browser sessions. Only the hash of a session's secret is stored.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension};

use super::accounts::COLUMNS;
use super::{Account, Core, CoreError};
use crate::storage::id::{hash_secret, new_secret, now_ms};

/// How long a session lives after it was last used.
pub const SESSION_LENGTH: Duration = Duration::from_secs(30 * 24 * 3600);
/// How often the use of a session is recorded.
const RENEWED_EVERY: Duration = Duration::from_secs(3600);

impl Core {
    /// Opens a session and returns its secret, which is stored nowhere. [`CoreError::Removed`] when there
    /// is no active account with this id.
    pub async fn create_session(&self, user_id: &str) -> Result<String, CoreError> {
        self.begin_session(user_id, &[]).await
    }

    /// Opens a session, and ends those with the secrets `ended` in the same step.
    pub async fn begin_session(&self, user_id: &str, ended: &[&str]) -> Result<String, CoreError> {
        let secret = new_secret();
        let (hash, user) = (hash_secret(&secret), user_id.to_owned());
        let ended = hashes(ended);
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
                connection.execute("DELETE FROM sessions WHERE expires_at < ?1", [now])?;
                delete(connection, &ended)
            })
            .await?;
        Ok(secret)
    }

    /// The account of a live session, and whether the session is due to be renewed. Looked up by hash, so that the
    /// time of the look-up reveals nothing about the secret.
    pub fn session(&self, secret: &str) -> Result<Option<(Account, bool)>, CoreError> {
        let found = self.live_session(&hash_secret(secret))?;
        Ok(found.map(|(account, ends)| {
            let used = ends - SESSION_LENGTH.as_millis() as i64;
            (account, now_ms() - used > RENEWED_EVERY.as_millis() as i64)
        }))
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

    /// The account of a live session, by the hash that is stored of its secret.
    pub fn session_account(&self, hash: &str) -> Result<Option<Account>, CoreError> {
        Ok(self.live_session(hash)?.map(|(account, _)| account))
    }

    /// A live session: its account, and when it ends.
    fn live_session(&self, hash: &str) -> Result<Option<(Account, i64)>, CoreError> {
        let sql = format!(
            "SELECT {COLUMNS}, sessions.expires_at FROM sessions JOIN accounts ON accounts.id = user_id
             WHERE secret_hash = ?1 AND expires_at > ?2 AND removed = 0"
        );
        self.database.read(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let found = statement.query_row((hash, now_ms()), |row| Ok((Account::from_row(row)?, row.get(6)?)));
            Ok(found.optional()?)
        })
    }

    /// Ends sessions; missing ones are fine.
    pub async fn end_sessions(&self, secrets: &[&str]) -> Result<(), CoreError> {
        let ended = hashes(secrets);
        self.database.write(move |connection| delete(connection, &ended)).await
    }

    /// Ends every session of an account.
    pub async fn end_sessions_of(&self, user_id: &str) -> Result<(), CoreError> {
        let user = user_id.to_owned();
        self.database
            .write(move |connection| {
                connection.execute("DELETE FROM sessions WHERE user_id = ?1", [&user])?;
                Ok(())
            })
            .await
    }
}

fn hashes(secrets: &[&str]) -> Vec<String> {
    secrets.iter().map(|secret| hash_secret(secret)).collect()
}

fn delete(connection: &Connection, hashes: &[String]) -> Result<(), CoreError> {
    let mut statement = connection.prepare_cached("DELETE FROM sessions WHERE secret_hash = ?1")?;
    for hash in hashes {
        statement.execute([hash])?;
    }
    Ok(())
}
