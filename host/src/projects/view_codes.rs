//! Codes that let a browser read a project on its own origin, where several servers use the database: any of them takes a code, and
//! one of them once. Only hashes are stored; the clock is the database's.

use crate::core::{CLOCK, Core, CoreError};
use crate::storage::engine::Rows;
use crate::storage::id::new_secret;

impl Core {
    /// Stores the hash of a code that grants the rights of a session, given by its hash, on a project for `length` milliseconds.
    /// `false` when that session had `max` codes for it within that time, redeemed ones among them.
    pub async fn keep_view_code(
        &self,
        hash: String,
        session: &str,
        project: &str,
        length: i64,
        max: usize,
    ) -> Result<bool, CoreError> {
        let (session, project) = (session.to_owned(), project.to_owned());
        let count =
            format!("SELECT count(*) FROM view_codes WHERE session = ?1 AND project = ?2 AND ends_at > {CLOCK}");
        let insert =
            format!("INSERT INTO view_codes (hash, session, project, ends_at) VALUES (?1, ?2, ?3, {CLOCK} + ?4)");
        self.database
            .write(move |rows| {
                let codes: i64 = rows.fetch_one(&count, [&session, &project], |row| row.get(0))?;
                let is_kept = usize::try_from(codes).is_ok_and(|codes| codes < max);
                if is_kept {
                    rows.execute(&insert, (&hash, &session, &project, length))?;
                }
                Ok(is_kept)
            })
            .await
    }

    /// Spends a code, also when it does not fit: the session's hash, when the code is good for this project.
    pub async fn spend_view_code(&self, hash: &str, project: &str) -> Result<Option<String>, CoreError> {
        let (hash, project) = (hash.to_owned(), project.to_owned());
        let delete =
            format!("DELETE FROM view_codes WHERE hash = ?1 RETURNING session, project, ends_at, ends_at > {CLOCK}");
        self.database
            .write(move |rows: &mut Rows<'_>| {
                let spent = rows.fetch_optional(&delete, [&hash], |row| {
                    Ok((
                        row.get::<String>(0)?,
                        row.get::<String>(1)?,
                        row.get::<i64>(2)?,
                        row.get::<bool>(3)?,
                    ))
                })?;
                let Some((session, of, ends_at, is_valid)) = spent else {
                    return Ok(None);
                };
                // Kept under a name that no code has: it still counts, which ends a browser's redirect loop.
                let sql = "INSERT INTO view_codes (hash, session, project, ends_at) VALUES (?1, ?2, ?3, ?4)";
                rows.execute(sql, (format!("spent {}", new_secret()), &session, &of, ends_at))?;
                Ok((is_valid && of == project).then_some(session))
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::testing::{Opened, two};

    const MINUTE: i64 = 60_000;
    const MAX_CODES: usize = 10;

    async fn keep(core: &Core, code: &str, project: &str, length: i64) -> bool {
        let kept = core.keep_view_code(code.to_owned(), "session", project, length, MAX_CODES);
        kept.await.unwrap()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_code_is_good_once_for_its_project_at_any_server_until_it_ends() {
        let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
        assert!(keep(&one, "a", "p", MINUTE).await);
        let spent = (0..10).map(|number| [&one, &two][number % 2].spend_view_code("a", "p"));
        let spent = futures_util::future::join_all(spent).await;
        let good = spent
            .iter()
            .filter(|spent| matches!(spent, Ok(Some(session)) if session == "session"))
            .count();
        assert_eq!(good, 1, "{spent:?}");
        assert!(keep(&one, "b", "p", MINUTE).await && keep(&one, "c", "p", 0).await);
        assert_eq!(two.spend_view_code("b", "other").await.unwrap(), None);
        assert_eq!(
            two.spend_view_code("b", "p").await.unwrap(),
            None,
            "it is spent all the same"
        );
        assert_eq!(two.spend_view_code("c", "p").await.unwrap(), None, "it is over");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_browser_that_keeps_no_cookie_is_stopped_whichever_server_it_asks() {
        let (Opened { core: one, home: _one }, Opened { core: two, home: _two }) = two().await;
        for number in 0..MAX_CODES {
            let code = number.to_string();
            assert!(keep([&one, &two][number % 2], &code, "p", MINUTE).await);
            assert!(two.spend_view_code(&code, "p").await.unwrap().is_some());
        }
        assert!(!keep(&one, "more", "p", MINUTE).await && !keep(&two, "more", "p", MINUTE).await);
        assert!(keep(&one, "more", "q", MINUTE).await);
    }
}
