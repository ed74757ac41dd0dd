//! Browser sessions. Only the hash of a session's secret is stored.

use std::time::Duration;

use super::Account;
use super::account::COLUMNS;
use crate::core::{Core, CoreError};
use crate::storage::engine::{Row, Rows};
use crate::storage::id::{hash_secret, new_secret, now_ms};
use crate::storage::sqlite::StorageError;

/// How long a session lives after it was last used.
pub const SESSION_LENGTH: Duration = Duration::from_secs(30 * 24 * 3600);
/// How often the use of a session is recorded.
const RENEWED_EVERY: Duration = Duration::from_secs(3600);
/// Length of a session's id, in hexadecimal digits.
const ID_LENGTH: usize = 20;

/// A live session, as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Names the session to its owner. It is derived from the stored hash, and no credential.
    pub id: String,
    /// The browser in words; `None` where nothing is known of it.
    pub browser: Option<String>,
    /// When it began, in milliseconds since 1970.
    pub created_at: i64,
    /// When it was last used, in milliseconds since 1970, exact to [`RENEWED_EVERY`].
    pub last_seen_at: i64,
}

impl Session {
    /// The id of the session with this secret.
    pub fn id_of(secret: &str) -> String {
        id_of_hash(&hash_secret(secret))
    }

    fn from_row(row: &Row<'_>) -> Result<Self, StorageError> {
        let (hash, ends): (String, i64) = (row.get(0)?, row.get(3)?);
        Ok(Self {
            id: id_of_hash(&hash),
            browser: row.get(1)?,
            created_at: row.get(2)?,
            last_seen_at: used_at(ends),
        })
    }
}

fn id_of_hash(hash: &str) -> String {
    hash_secret(hash)[..ID_LENGTH].to_owned()
}

/// When a session was last used that ends at this time.
fn used_at(ends: i64) -> i64 {
    ends - SESSION_LENGTH.as_millis() as i64
}

impl Core {
    /// Opens a session and returns its secret, which is stored nowhere. [`CoreError::Removed`] when there
    /// is no active account with this id.
    pub async fn create_session(&self, user_id: &str) -> Result<String, CoreError> {
        self.begin_session(user_id, None, &[]).await
    }

    /// Opens a session of a browser (in words), and ends those with the secrets `ended` in the same step.
    pub async fn begin_session(
        &self,
        user_id: &str,
        browser: Option<String>,
        ended: &[&str],
    ) -> Result<String, CoreError> {
        let secret = new_secret();
        let (hash, user) = (hash_secret(&secret), user_id.to_owned());
        let ended = hashes(ended);
        self.database
            .write(move |rows| {
                let now = now_ms();
                // A session that began after the account's removal would come back to life with the account.
                let sql = "INSERT INTO sessions (secret_hash, user_id, created_at, expires_at, browser)
                           SELECT ?1, id, ?3, ?4, ?5 FROM accounts WHERE id = ?2 AND removed = 0";
                let values = (&hash, &user, now, now + SESSION_LENGTH.as_millis() as i64, &browser);
                if rows.execute(sql, values)? == 0 {
                    return Err(CoreError::Removed);
                }
                rows.execute("DELETE FROM sessions WHERE expires_at < ?1", [now])?;
                delete(rows, &ended)
            })
            .await?;
        Ok(secret)
    }

    /// The account of a live session, and whether the session is due to be renewed. Looked up by hash, so that the
    /// time of the look-up reveals nothing about the secret.
    pub async fn session(&self, secret: &str) -> Result<Option<(Account, bool)>, CoreError> {
        let found = self.live_session(hash_secret(secret)).await?;
        Ok(found.map(|(account, ends)| (account, now_ms() - used_at(ends) > RENEWED_EVERY.as_millis() as i64)))
    }

    /// Lets a session live its full length from now on.
    pub async fn renew_session(&self, secret: &str) -> Result<(), CoreError> {
        let hash = hash_secret(secret);
        self.database
            .write(move |rows| {
                let until = now_ms() + SESSION_LENGTH.as_millis() as i64;
                rows.execute(
                    "UPDATE sessions SET expires_at = ?2 WHERE secret_hash = ?1",
                    (&hash, until),
                )?;
                Ok(())
            })
            .await
    }

    /// The account of a live session, by the hash that is stored of its secret.
    pub async fn session_account(&self, hash: &str) -> Result<Option<Account>, CoreError> {
        Ok(self.live_session(hash.to_owned()).await?.map(|(account, _)| account))
    }

    /// A live session: its account, and when it ends.
    async fn live_session(&self, hash: String) -> Result<Option<(Account, i64)>, CoreError> {
        let sql = format!(
            "SELECT {COLUMNS}, sessions.expires_at FROM sessions JOIN accounts ON accounts.id = user_id
             WHERE secret_hash = ?1 AND expires_at > ?2 AND removed = 0"
        );
        let read = |row: &Row<'_>| Ok((Account::from_row(row)?, row.get(6)?));
        self.database
            .read(move |rows| Ok(rows.fetch_optional(&sql, (&hash, now_ms()), read)?))
            .await
    }

    /// Ends sessions; missing ones are fine.
    pub async fn end_sessions(&self, secrets: &[&str]) -> Result<(), CoreError> {
        let ended = hashes(secrets);
        self.database.write(move |rows| delete(rows, &ended)).await
    }

    /// The live sessions of an account, the one that was used last first.
    pub async fn sessions_of(&self, user_id: &str) -> Result<Vec<Session>, CoreError> {
        let user = user_id.to_owned();
        self.database.read(move |rows| live_sessions(rows, &user)).await
    }

    /// Ends one session of an account. [`CoreError::NotFound`] when the account has no live session with this id.
    pub async fn end_session_of(&self, user_id: &str, id: &str) -> Result<(), CoreError> {
        let (user, id) = (user_id.to_owned(), id.to_owned());
        self.database
            .write(move |rows| {
                let sql = "SELECT secret_hash FROM sessions WHERE user_id = ?1";
                let hashes: Vec<String> = rows.fetch_all(sql, [&user], |row| row.get(0))?;
                let hash = hashes.into_iter().find(|hash| id_of_hash(hash) == id);
                delete(rows, &[hash.ok_or(CoreError::NotFound)?])
            })
            .await
    }

    /// Ends every session of an account.
    pub async fn end_sessions_of(&self, user_id: &str) -> Result<(), CoreError> {
        let user = user_id.to_owned();
        self.database
            .write(move |rows| {
                rows.execute("DELETE FROM sessions WHERE user_id = ?1", [&user])?;
                Ok(())
            })
            .await
    }
}

fn live_sessions(rows: &mut Rows<'_>, user_id: &str) -> Result<Vec<Session>, CoreError> {
    let sql = "SELECT secret_hash, browser, created_at, expires_at FROM sessions
               WHERE user_id = ?1 AND expires_at > ?2 ORDER BY expires_at DESC, created_at DESC, secret_hash";
    Ok(rows.fetch_all(sql, (user_id, now_ms()), Session::from_row)?)
}

fn hashes(secrets: &[&str]) -> Vec<String> {
    secrets.iter().map(|secret| hash_secret(secret)).collect()
}

fn delete(rows: &mut Rows<'_>, hashes: &[String]) -> Result<(), CoreError> {
    for hash in hashes {
        rows.execute("DELETE FROM sessions WHERE secret_hash = ?1", [hash])?;
    }
    Ok(())
}
