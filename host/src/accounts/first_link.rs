//! The links that make the first account, where several servers use the database: each logs one of its own when it starts, and one of
//! them is good once, at any of them. Only hashes are stored.

use super::account::any;
use crate::core::{Core, CoreError};
use crate::storage::engine::Rows;

impl Core {
    /// Stores the hash of a link's token.
    pub async fn keep_first_link(&self, hash: String) -> Result<(), CoreError> {
        self.database
            .write(move |rows| {
                rows.execute("INSERT INTO first_links (hash) VALUES (?1)", [&hash])?;
                Ok(())
            })
            .await
    }

    /// Whether the link whose token has this hash is good: none is once there is an account.
    pub async fn has_first_link(&self, hash: &str) -> Result<bool, CoreError> {
        let hash = hash.to_owned();
        self.database.read(move |rows| has(rows, &hash)).await
    }

    /// Spends the link, and those of the other servers with it: true for one caller only.
    pub async fn spend_first_link(&self, hash: &str) -> Result<bool, CoreError> {
        let hash = hash.to_owned();
        self.database
            .write(move |rows| {
                let is_good = has(rows, &hash)?;
                if is_good {
                    rows.execute("DELETE FROM first_links", ())?;
                }
                Ok(is_good)
            })
            .await
    }

    /// Forgets all links.
    pub async fn forget_first_links(&self) -> Result<(), CoreError> {
        self.database
            .write(|rows| {
                rows.execute("DELETE FROM first_links", ())?;
                Ok(())
            })
            .await
    }
}

fn has(rows: &mut Rows<'_>, hash: &str) -> Result<bool, CoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM first_links WHERE hash = ?1)";
    Ok(rows.fetch_one(sql, [hash], |row| row.get(0))? && !any(rows)?)
}

#[cfg(test)]
mod tests {
    use crate::core::testing::{Opened, on_each_engine, two};

    on_each_engine! {
        a_link_is_good_once_and_not_beside_an_account,
    }

    async fn a_link_is_good_once_and_not_beside_an_account(Opened { core, .. }: Opened) {
        for hash in ["one", "two"] {
            core.keep_first_link(hash.to_owned()).await.unwrap();
        }
        assert!(core.has_first_link("one").await.unwrap() && !core.has_first_link("other").await.unwrap());
        assert!(!core.spend_first_link("other").await.unwrap());
        assert!(core.spend_first_link("two").await.unwrap());
        for hash in ["one", "two"] {
            assert!(!core.spend_first_link(hash).await.unwrap() && !core.has_first_link(hash).await.unwrap());
        }
        core.keep_first_link("three".to_owned()).await.unwrap();
        let ana = core.create_first_account("ana@x.org".into(), "Ana".into());
        ana.await.unwrap();
        assert!(!core.spend_first_link("three").await.unwrap() && !core.has_first_link("three").await.unwrap());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn of_all_servers_and_links_one_is_spent_once() {
        let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
        for hash in ["one", "two"] {
            one.keep_first_link(hash.to_owned()).await.unwrap();
        }
        let spends = (0..20).map(|number| [&one, &two][number % 2].spend_first_link(["one", "two"][number / 2 % 2]));
        let spent = futures_util::future::join_all(spends).await;
        // Whoever was in the way of too many others is told so, and has spent nothing.
        let good = spent.iter().filter(|spent| matches!(spent, Ok(true))).count();
        assert_eq!(good, 1, "{spent:?}");
    }
}
