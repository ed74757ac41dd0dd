//! Which servers are there. One that says nothing for a while is gone, and holds nothing any more.

use std::collections::HashSet;
use std::time::Duration;

use galley_postgres::{Autocommit, Failure, Value};

/// How often a server says that it is there.
pub(super) const BEAT: Duration = Duration::from_secs(2);

/// How long a server counts as there after it has said so, in milliseconds, as the statements below have it.
pub const PRESENCE: i64 = 6_000;

/// Says that this server (`?1`) is there for six seconds, and answers who was there before.
const SAY: &str = "
    WITH now AS (SELECT CAST(extract(epoch FROM statement_timestamp()) * 1000 AS BIGINT) AS ms),
    said AS (INSERT INTO servers (id, ends_at) SELECT ?1, ms + 6000 FROM now
        ON CONFLICT (id) DO UPDATE SET ends_at = excluded.ends_at)
    SELECT id FROM servers, now WHERE ends_at > ms";

/// Forgets servers that are gone, what they held, and windows that are over for a while. When a server said last that it was there is
/// told of it for longer.
const FORGET: &str = "
    WITH now AS (SELECT CAST(extract(epoch FROM statement_timestamp()) * 1000 AS BIGINT) AS ms),
    gone AS (DELETE FROM servers USING now WHERE ends_at < ms RETURNING servers.id, servers.ends_at),
    seen AS (UPDATE nodes SET seen_at = gone.ends_at - 6000 FROM gone WHERE nodes.server = gone.id),
    left_ AS (DELETE FROM places WHERE server NOT IN (SELECT id FROM servers)),
    codes AS (DELETE FROM view_codes USING now WHERE ends_at < ms)
    DELETE FROM uses WHERE name IN (
        SELECT name FROM uses, now WHERE ends_at < ms - 10000 FOR UPDATE OF uses SKIP LOCKED)";

/// The servers that this one knows of.
#[derive(Default)]
pub(super) struct Presence {
    known: HashSet<String>,
}

/// What a server learns when it says that it is there.
pub(super) struct News {
    /// The others took it for gone.
    pub was_gone: bool,
    /// One of the others is gone.
    pub is_one_gone: bool,
}

impl Presence {
    /// Says that the server is there.
    pub async fn beat(&mut self, connection: &mut Autocommit, server: &str) -> Result<News, Failure> {
        let rows = connection.ask(SAY, &[server.into()]).await?;
        let there = rows.into_iter().filter_map(|row| match row.into_iter().next() {
            Some(Value::Text(id)) => Some(id),
            _ => None,
        });
        let there: HashSet<String> = there.collect();
        let news = News {
            was_gone: !there.contains(server),
            is_one_gone: self.known.iter().any(|known| known != server && !there.contains(known)),
        };
        self.known = there;
        // What is not forgotten now is forgotten with the next beat, and counts no more all the same.
        let _ = connection.ask(FORGET, &[]).await;
        Ok(news)
    }
}
