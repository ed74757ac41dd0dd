//! Tokens of people at the code host: sealed bytes, one row for each account.

use crate::core::{Core, CoreError};
use crate::storage::id::now_ms;

impl Core {
    /// The sealed token of an account.
    pub async fn code_host_token(&self, account: &str) -> Result<Option<Vec<u8>>, CoreError> {
        let account = account.to_owned();
        let sql = "SELECT sealed FROM code_host_tokens WHERE user_id = ?1";
        self.database
            .read(move |rows| Ok(rows.fetch_optional(sql, [&account], |row| row.get(0))?))
            .await
    }

    /// Stores the sealed token of an account, in place of the one before.
    pub async fn keep_code_host_token(&self, account: &str, sealed: Vec<u8>) -> Result<(), CoreError> {
        let account = account.to_owned();
        self.database
            .write(move |rows| {
                let sql = "INSERT INTO code_host_tokens (user_id, sealed, updated_at) VALUES (?1, ?2, ?3)
                           ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed, updated_at = excluded.updated_at";
                rows.execute(sql, (&account, &sealed, now_ms()))?;
                Ok(())
            })
            .await
    }

    /// Deletes the token of an account, if it is still this one.
    pub async fn forget_code_host_token(&self, account: &str, sealed: Vec<u8>) -> Result<(), CoreError> {
        let account = account.to_owned();
        self.database
            .write(move |rows| {
                let sql = "DELETE FROM code_host_tokens WHERE user_id = ?1 AND sealed = ?2";
                rows.execute(sql, (&account, &sealed))?;
                Ok(())
            })
            .await
    }
}
