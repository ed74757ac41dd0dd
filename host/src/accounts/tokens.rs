//! Personal access tokens, `tok_<id>_<secret>`. Only the hash of the secret is stored.

use serde_json::json;

use super::account::{self, COLUMNS};
use super::{Account, Actor, audit};
use crate::core::{Core, CoreError};
use crate::storage::engine::Row;
use crate::storage::id::{hash_secret, new_id, new_secret, now_ms};
use crate::storage::sqlite::StorageError;

/// Most live tokens of one account.
pub const MAX_LIVE: u32 = 50;

/// A token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Opaque; a part of the token itself.
    pub id: String,
    /// For people.
    pub name: String,
    /// The scope `read`.
    pub can_read: bool,
    /// The scope `write`.
    pub can_write: bool,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970; written at most every half minute.
    pub last_used_at: Option<i64>,
    /// Milliseconds since 1970; `None` for a token that does not expire.
    pub expires_at: Option<i64>,
}

/// What a new token needs.
#[derive(Debug, Clone)]
pub struct NewToken {
    /// The owner.
    pub user_id: String,
    /// For people.
    pub name: String,
    /// The scope `read`.
    pub can_read: bool,
    /// The scope `write`.
    pub can_write: bool,
    /// Milliseconds since 1970.
    pub expires_at: Option<i64>,
}

/// The stored record that a bearer is compared with.
#[derive(Debug, Clone)]
pub struct TokenRecord {
    /// Hex SHA-256 of the secret.
    pub secret_hash: String,
    /// Its owner.
    pub account: Account,
    /// The token.
    pub token: Token,
}

impl Token {
    fn from_row(row: &Row<'_>, at: usize) -> Result<Self, StorageError> {
        Ok(Self {
            id: row.get(at)?,
            name: row.get(at + 1)?,
            can_read: row.get(at + 2)?,
            can_write: row.get(at + 3)?,
            created_at: row.get(at + 4)?,
            last_used_at: row.get(at + 5)?,
            expires_at: row.get(at + 6)?,
        })
    }
}

const FIELDS: &str = "tokens.id, tokens.name, tokens.can_read, tokens.can_write, tokens.created_at,
    tokens.last_used_at, tokens.expires_at";

impl Core {
    /// Makes a token: its record, and its plaintext. [`CoreError::TooMany`] at 50 live ones.
    pub async fn create_token(&self, new: NewToken) -> Result<(Token, String), CoreError> {
        let secret = new_secret();
        let hash = hash_secret(&secret);
        let token = Token {
            id: new_id(),
            name: new.name,
            can_read: new.can_read,
            can_write: new.can_write,
            created_at: now_ms(),
            last_used_at: None,
            expires_at: new.expires_at,
        };
        let (stored, user) = (token.clone(), new.user_id);
        self.database
            .write(move |rows| {
                let sql = "SELECT count(*) FROM tokens WHERE user_id = ?1 AND coalesce(expires_at, ?2) >= ?2";
                let live: u32 = rows.fetch_one(sql, (&user, stored.created_at), |row| row.get(0))?;
                if live >= MAX_LIVE {
                    return Err(CoreError::TooMany);
                }
                // One that was made after the account's removal would come to life with the account.
                let sql =
                    "INSERT INTO tokens (id, user_id, name, secret_hash, can_read, can_write, created_at, expires_at)
                           SELECT ?1, id, ?3, ?4, ?5, ?6, ?7, ?8 FROM accounts WHERE id = ?2 AND removed = 0";
                let t = &stored;
                let values = (
                    &t.id,
                    &user,
                    &t.name,
                    &hash,
                    t.can_read,
                    t.can_write,
                    t.created_at,
                    t.expires_at,
                );
                match rows.execute(sql, values)? {
                    0 => Err(CoreError::Removed),
                    _ => Ok(()),
                }
            })
            .await?;
        let plaintext = format!("tok_{}_{secret}", token.id);
        Ok((token, plaintext))
    }

    /// The record of a token that has not expired and whose owner is active.
    pub async fn token(&self, id: &str) -> Result<Option<TokenRecord>, CoreError> {
        let sql = format!(
            "SELECT {COLUMNS}, {FIELDS}, tokens.secret_hash FROM tokens JOIN accounts ON accounts.id = user_id
             WHERE tokens.id = ?1 AND coalesce(expires_at, ?2) >= ?2 AND removed = 0"
        );
        let id = id.to_owned();
        let record = |row: &Row<'_>| {
            Ok(TokenRecord {
                account: Account::from_row(row)?,
                token: Token::from_row(row, 6)?,
                secret_hash: row.get(13)?,
            })
        };
        self.database
            .read(move |rows| Ok(rows.fetch_optional(&sql, (&id, now_ms()), record)?))
            .await
    }

    /// The tokens of an account, oldest first, expired ones too.
    pub async fn tokens(&self, user_id: &str) -> Result<Vec<Token>, CoreError> {
        let sql = format!("SELECT {FIELDS} FROM tokens WHERE user_id = ?1 ORDER BY created_at, id");
        let user = user_id.to_owned();
        self.database
            .read(move |rows| Ok(rows.fetch_all(&sql, [&user], |row| Token::from_row(row, 0))?))
            .await
    }

    /// Revokes a token of this account. [`CoreError::NotFound`] for a missing one and for another account's.
    pub async fn revoke_token(&self, user_id: &str, id: &str) -> Result<(), CoreError> {
        let (user, id) = (user_id.to_owned(), id.to_owned());
        self.database
            .write(move |rows| {
                match rows.execute("DELETE FROM tokens WHERE id = ?1 AND user_id = ?2", [&id, &user])? {
                    0 => Err(CoreError::NotFound),
                    _ => Ok(()),
                }
            })
            .await
    }

    /// Revokes every token of an account, removed or not; how many there were. [`CoreError::NotFound`] when there is no
    /// such account.
    pub async fn revoke_tokens_of(&self, actor: &Actor, user_id: &str) -> Result<u32, CoreError> {
        let (actor, user) = (actor.clone(), user_id.to_owned());
        self.database
            .write(move |rows| {
                let account = account::with_id(rows, &user)?.ok_or(CoreError::NotFound)?;
                let sql = "SELECT count(*) FROM tokens WHERE user_id = ?1";
                let count: u32 = rows.fetch_one(sql, [&user], |row| row.get(0))?;
                let details = json!({ "email": account.email, "count": count });
                audit::record(rows, &actor, "tokens-revoked", &user, details)?;
                rows.execute("DELETE FROM tokens WHERE user_id = ?1", [&user])?;
                Ok(count)
            })
            .await
    }

    /// Records that a token was used now.
    pub async fn token_used(&self, id: &str) -> Result<(), CoreError> {
        let id = id.to_owned();
        self.database
            .write(move |rows| {
                rows.execute("UPDATE tokens SET last_used_at = ?2 WHERE id = ?1", (&id, now_ms()))?;
                Ok(())
            })
            .await
    }
}
