//! Uses in windows of a minute, as one server knows them.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use galley_postgres::Value;
use serde_json::json;
use tokio::sync::oneshot;

use super::margin::is_far_from;

/// The window in which uses are counted. It begins with the first use.
const WINDOW: Duration = Duration::from_secs(60);

/// Adds uses, and answers for each name how many there are of all servers, and for how many milliseconds they count. Names are taken
/// in their order, so that two servers do not wait for each other.
pub(super) const ADD: &str = "
    INSERT INTO uses AS kept (name, uses, ends_at)
    SELECT name, uses, CAST(extract(epoch FROM statement_timestamp()) * 1000 AS BIGINT) + 60000
    FROM jsonb_to_recordset(CAST(?1 AS JSONB)) AS new (name TEXT, uses BIGINT) ORDER BY name
    ON CONFLICT (name) DO UPDATE SET
        uses = excluded.uses + CASE WHEN kept.ends_at > excluded.ends_at - 60000 THEN kept.uses ELSE 0 END,
        ends_at = CASE WHEN kept.ends_at > excluded.ends_at - 60000 THEN kept.ends_at ELSE excluded.ends_at END
    RETURNING name, uses, ends_at - CAST(extract(epoch FROM statement_timestamp()) * 1000 AS BIGINT)";

/// How a bound holds over all servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// Each use is counted by all before it is made.
    Exact,
    /// Uses at once may exceed the bound, by an eighth for each server beside the first.
    Near,
}

/// A use that was counted by all.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use {
    /// Which one it is in its window.
    pub rank: i64,
    /// For how long it counts.
    pub rest: Duration,
}

type Asker = oneshot::Sender<Use>;

/// What to do with a use.
pub(super) enum Decision {
    /// It is counted.
    Taken,
    /// There were enough; wait so long.
    Refused(Duration),
    /// The next exchange counts it.
    Ask(oneshot::Receiver<Use>),
}

/// A window that began.
struct Window {
    until: Instant,
    /// The uses of all servers, as the last exchange said.
    known: i64,
    /// Uses of this server since.
    unsent: u32,
    /// Those that an exchange is adding.
    sending: u32,
    askers: Vec<Asker>,
}

/// The windows of one server.
#[derive(Default)]
pub(super) struct Uses {
    windows: HashMap<String, Window>,
    /// The names to exchange.
    changed: HashSet<String>,
}

/// What an exchange adds.
pub(super) struct Batch {
    began: Instant,
    names: HashMap<String, (u32, Vec<Asker>)>,
}

impl Uses {
    /// Decides about a use.
    pub fn decide(&mut self, name: &str, most: u32, precision: Precision, now: Instant) -> Decision {
        let window = self.window(name, now);
        if window.used() >= i64::from(most) {
            return Decision::Refused(window.until.saturating_duration_since(now));
        }
        if precision == Precision::Near && is_far_from(most, window.known, window.unsent + window.sending) {
            window.unsent += 1;
            self.changed.insert(name.to_owned());
            return Decision::Taken;
        }
        let (asker, answer) = oneshot::channel();
        window.askers.push(asker);
        self.changed.insert(name.to_owned());
        Decision::Ask(answer)
    }

    /// Decides by what is known here, when no exchange answered.
    pub fn decide_alone(&mut self, name: &str, most: u32, now: Instant) -> Result<(), Duration> {
        let window = self.window(name, now);
        if window.used() >= i64::from(most) {
            return Err(window.until.saturating_duration_since(now));
        }
        window.unsent += 1;
        self.changed.insert(name.to_owned());
        Ok(())
    }

    fn window(&mut self, name: &str, now: Instant) -> &mut Window {
        let window = self.windows.entry(name.to_owned()).or_insert_with(|| Window::new(now));
        if now >= window.until {
            let askers = std::mem::take(&mut window.askers);
            *window = Window {
                askers,
                ..Window::new(now)
            };
        }
        window
    }

    /// What is to be added; `None` when there is nothing.
    pub fn begin(&mut self, began: Instant) -> Option<Batch> {
        let changed = std::mem::take(&mut self.changed);
        let added = changed.into_iter().filter_map(|name| {
            let window = self.windows.get_mut(&name)?;
            // A waiting client that hung up made its attempt all the same.
            let askers = std::mem::take(&mut window.askers);
            window.sending = std::mem::take(&mut window.unsent);
            (window.sending > 0 || !askers.is_empty()).then_some((name, (window.sending, askers)))
        });
        let names: HashMap<_, _> = added.collect();
        (!names.is_empty()).then_some(Batch { began, names })
    }

    /// What was added, as the rows of [`ADD`] say; `None` when it was not.
    pub fn end(&mut self, batch: Batch, rows: Option<&[Vec<Value>]>) {
        let Batch { began, mut names } = batch;
        for row in rows.unwrap_or_default() {
            let [Value::Text(name), Value::Integer(uses), Value::Integer(rest)] = &row[..] else {
                continue;
            };
            let rest = Duration::from_millis(rest.unsigned_abs());
            let Some((sent, askers)) = names.remove(name) else {
                continue;
            };
            if let Some(window) = self.windows.get_mut(name) {
                window.known = *uses;
                window.sending = window.sending.saturating_sub(sent);
                window.until = began + rest;
            }
            let first = uses - i64::try_from(askers.len()).unwrap_or(i64::MAX) + 1;
            for (rank, asker) in (first..).zip(askers) {
                // Whoever asked may have gone away.
                let _ = asker.send(Use { rank, rest });
            }
        }
        // The others learn by the end of their askers that nobody counted them.
        for (name, (sent, _)) in names {
            if let Some(window) = self.windows.get_mut(&name) {
                window.unsent += std::mem::take(&mut window.sending).min(sent);
                self.changed.insert(name);
            }
        }
    }

    /// Forgets the windows that are over.
    pub fn tidy(&mut self, now: Instant) {
        self.windows
            .retain(|_, window| window.until > now || !window.askers.is_empty());
    }
}

impl Window {
    fn new(now: Instant) -> Self {
        Self {
            until: now + WINDOW,
            known: 0,
            unsent: 0,
            sending: 0,
            askers: Vec::new(),
        }
    }

    fn used(&self) -> i64 {
        self.known + i64::from(self.unsent) + i64::from(self.sending)
    }
}

impl Batch {
    /// As the statement reads it.
    pub fn json(&self) -> String {
        let uses = |(name, (sent, askers)): (&String, &(u32, Vec<Asker>))| json!({ "name": name, "uses": u64::from(*sent) + askers.len() as u64 });
        json!(self.names.iter().map(uses).collect::<Vec<_>>()).to_string()
    }
}
