//! Places that are held, as one server knows them. A server asks the others before the first place of a name, and near the bound. What is
//! taken at the same moment may exceed the bound, by an eighth for each server at most.

use std::collections::{HashMap, HashSet};

use galley_postgres::Value;
use serde_json::json;
use tokio::sync::oneshot;

use super::margin::is_far_from;

/// Says how many places this server (`?2`) holds of each name, and answers how many all others hold that are there.
pub(super) const PUT: &str = "
    WITH new AS MATERIALIZED (
        SELECT name, taken FROM jsonb_to_recordset(CAST(?1 AS JSONB)) AS new (name TEXT, taken BIGINT)),
    left_ AS (DELETE FROM places USING new WHERE places.server = ?2 AND places.name = new.name AND new.taken = 0),
    held AS (INSERT INTO places (name, server, taken) SELECT name, ?2, taken FROM new WHERE taken > 0
        ON CONFLICT (name, server) DO UPDATE SET taken = excluded.taken)
    SELECT name, CAST(coalesce((SELECT sum(places.taken) FROM places JOIN servers ON servers.id = places.server
        WHERE places.name = new.name AND places.server <> ?2
        AND servers.ends_at > extract(epoch FROM statement_timestamp()) * 1000), 0) AS BIGINT) FROM new";

type Asker = oneshot::Sender<i64>;

/// The places of one name.
#[derive(Default)]
struct Held {
    /// How many this server holds.
    own: u32,
    /// How many of them the others know of.
    sent: u32,
    /// How many the others hold, as the last exchange said; `None` before the first.
    elsewhere: Option<i64>,
    /// Those of `own` whose takers wait for an exchange.
    askers: Vec<Asker>,
}

/// The places of one server.
#[derive(Default)]
pub(super) struct Places {
    held: HashMap<String, Held>,
    /// The names to exchange.
    changed: HashSet<String>,
}

/// What an exchange says.
pub(super) struct Batch(HashMap<String, (u32, Vec<Asker>)>);

impl Places {
    /// Takes a place. With an answer it is good only if the answer, how many are held then, is within the bound.
    pub fn take(&mut self, name: &str, max: u32) -> Option<oneshot::Receiver<i64>> {
        self.changed.insert(name.to_owned());
        let held = self.held.entry(name.to_owned()).or_default();
        let unsent = held.own.saturating_sub(held.sent);
        let known = held.elsewhere.map(|elsewhere| elsewhere + i64::from(held.sent));
        let is_free = known.is_some_and(|known| is_far_from(max, known, unsent));
        held.own += 1;
        if is_free {
            return None;
        }
        let (asker, answer) = oneshot::channel();
        held.askers.push(asker);
        Some(answer)
    }

    /// Gives a place back.
    pub fn leave(&mut self, name: &str) {
        if let Some(held) = self.held.get_mut(name) {
            held.own = held.own.saturating_sub(1);
            self.changed.insert(name.to_owned());
        }
    }

    /// Says everything with the next exchange: the others have forgotten it.
    pub fn all_changed(&mut self) {
        self.changed.extend(self.held.keys().cloned());
    }

    /// What is to be said; `None` when there is nothing.
    pub fn begin(&mut self) -> Option<Batch> {
        let changed = std::mem::take(&mut self.changed);
        let said = changed.into_iter().filter_map(|name| {
            let held = self.held.get_mut(&name)?;
            let said = (held.own, std::mem::take(&mut held.askers));
            Some((name, said))
        });
        let batch = Batch(said.collect());
        (!batch.0.is_empty()).then_some(batch)
    }

    /// What was said, as the rows of [`PUT`] say; `None` when it was not.
    pub fn end(&mut self, batch: Batch, rows: Option<&[Vec<Value>]>) {
        let mut batch = batch.0;
        for row in rows.unwrap_or_default() {
            let [Value::Text(name), Value::Integer(elsewhere)] = &row[..] else {
                continue;
            };
            let Some((own, askers)) = batch.remove(name) else {
                continue;
            };
            if let Some(held) = self.held.get_mut(name) {
                (held.sent, held.elsewhere) = (own, Some(*elsewhere));
                if (held.own, held.sent) == (0, 0) {
                    self.held.remove(name);
                }
            }
            let all = elsewhere + i64::from(own);
            let first = all - i64::try_from(askers.len()).unwrap_or(i64::MAX) + 1;
            for (rank, asker) in (first..).zip(askers) {
                // Whoever asked may have gone away, and has left the place then.
                let _ = asker.send(rank);
            }
        }
        self.changed.extend(batch.into_keys());
    }
}

impl Batch {
    /// As the statement reads it.
    pub fn json(&self) -> String {
        let said = |(name, (own, _)): (&String, &(u32, Vec<Asker>))| json!({ "name": name, "taken": own });
        json!(self.0.iter().map(said).collect::<Vec<_>>()).to_string()
    }
}
