//! A turn at work: what it may use, what it was allowed, and how it tells of itself. Everything that leaves it, to a model, to disk
//! or to a page, is without known secrets.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::{OnceCell, watch};
use tokio_util::sync::CancellationToken;

use super::camera::{Camera, Shot};
use super::desk::Desk;
use super::session::Session;
use super::turn::{About, By as Whose, Choice, Level, Spent, What};
use crate::agent::fence::Fence;
use crate::agent::gate::Gate;
use crate::agent::goal::Working;
use crate::agent::mcp::{Approved, Described, Pool};
use crate::config::ReadRoot;
use crate::config::servers::Server;
use crate::config::turn::Turn as Settings;
use crate::models::{Cost, Message, Rates, Secrets, Usage};
use crate::review::Surface;
use crate::workspace::{By, Committed};

/// How long a turn may work. While the user is asked the clock stands.
pub(super) const TURN_TIMEOUT: Duration = Duration::from_secs(600);
/// Uses of tools in a turn.
pub(super) const MAX_CALLS: usize = 30;

/// What a turn is made of.
pub(super) struct Parts {
    pub(super) session: Arc<Session>,
    pub(super) turn: String,
    pub(super) desk: Arc<dyn Desk>,
    pub(super) gate: Gate,
    pub(super) roots: Vec<ReadRoot>,
    pub(super) review: Surface,
    /// Looks at what is changed.
    pub(super) camera: Camera,
    /// The page the user sees.
    pub(super) page: Option<String>,
    /// The stamp of the element that the user selected first.
    pub(super) selected: Option<String>,
    pub(super) settings: Settings,
    pub(super) pool: Arc<Pool>,
    pub(super) approved: Arc<Approved>,
    pub(super) secrets: Secrets,
    pub(super) fence: Fence,
    /// The name of the model.
    pub(super) model: String,
    pub(super) rates: Rates,
    pub(super) stop: CancellationToken,
}

/// One turn at work.
pub(super) struct Work {
    parts: Parts,
    /// Servers that may be used in this turn.
    pub(super) servers: Mutex<BTreeMap<String, Server>>,
    /// Tools of those that answered.
    pub(super) ready: Mutex<BTreeMap<String, Vec<Described>>>,
    /// How many servers are starting.
    pub(super) starting: watch::Sender<usize>,
    /// The page that is looked at after proposals.
    pub(super) watched: OnceCell<Option<Arc<Working>>>,
    pub(super) edits: Mutex<Vec<String>>,
    pub(super) cost: Mutex<Spent>,
    calls: AtomicUsize,
    approvals: AtomicU64,
    begun: Instant,
    waited: Mutex<Duration>,
}

impl Deref for Work {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl Work {
    pub(super) fn new(parts: Parts) -> Work {
        Work {
            parts,
            servers: Mutex::default(),
            ready: Mutex::default(),
            starting: watch::Sender::new(0),
            watched: OnceCell::new(),
            edits: Mutex::default(),
            cost: Mutex::default(),
            calls: AtomicUsize::new(0),
            approvals: AtomicU64::new(1),
            begun: Instant::now(),
            waited: Mutex::default(),
        }
    }

    /// Counts a use of a tool; whether it is within the limit.
    pub(super) fn may_call(&self) -> bool {
        self.calls.fetch_add(1, Ordering::SeqCst) < MAX_CALLS
    }

    /// What is left of the turn's time.
    pub(super) fn time_left(&self) -> Duration {
        let worked = self.begun.elapsed().saturating_sub(*self.waited.lock());
        TURN_TIMEOUT.saturating_sub(worked)
    }

    /// Who makes its steps.
    pub(super) fn by(&self) -> By {
        By {
            session: self.session.id().to_owned(),
            turn: Some(self.turn.clone()),
            model: self.model.clone(),
        }
    }

    /// Roots that can be read besides the prototype, with what they hold.
    pub(super) fn described_roots(&self) -> Vec<(String, String)> {
        let roots = self.roots.iter();
        roots
            .map(|root| (root.name.clone(), root.description.clone().unwrap_or_default()))
            .collect()
    }

    /// A text without secrets.
    pub(super) fn hide(&self, text: &str) -> String {
        self.secrets.hide(text).into_owned()
    }

    /// An item of the turn.
    pub(super) fn add(&self, what: What) -> usize {
        self.session.add(self.clean(what))
    }

    /// Something people should know.
    pub(super) fn notice(&self, level: Level, code: &str, words: impl Into<String>) {
        let (code, words) = (code.to_owned(), words.into());
        self.add(What::Notice { level, code, words });
    }

    /// A step of the history that this turn made, and what was seen before it.
    pub(super) fn edited(&self, edit_id: &str, title: &str, files: Value, by: Whose, shot: Option<Shot>) {
        self.edits.lock().push(edit_id.to_owned());
        let item = self.add(What::Edit {
            edit_id: edit_id.to_owned(),
            title: title.to_owned(),
            files,
            by,
            before: None,
            after: None,
        });
        if let Some(shot) = shot {
            shot.after(edit_id.to_owned(), item);
        }
    }

    /// The same where the gate made it.
    pub(super) fn proposed(&self, done: &Committed, title: &str, shot: Option<Shot>) {
        let files = self.desk.diff(done);
        self.edited(&done.id, title, files, Whose::Propose, shot);
    }

    /// Asks the user; `None` when the turn is stopped. `key` names what is allowed where the answer holds for longer.
    pub(super) async fn ask(
        &self,
        about: About,
        key: &str,
        title: String,
        detail: String,
        choices: &[Choice],
    ) -> Option<Choice> {
        if choices.contains(&Choice::Session) && self.session.allows(key) {
            return Some(Choice::Session);
        }
        let number = self.approvals.fetch_add(1, Ordering::SeqCst);
        let id = format!("{}-{number}", self.turn);
        let what = What::Approval {
            approval: id.clone(),
            about,
            title,
            detail,
            choices: choices.to_vec(),
            answer: None,
        };
        let asked = Instant::now();
        let answered = self.session.ask(&id, self.clean(what));
        let answer = tokio::select! {
            answer = answered => answer.ok(),
            () = self.stop.cancelled() => None,
        };
        *self.waited.lock() += asked.elapsed();
        if answer == Some(Choice::Session) {
            self.session.allow(key);
        }
        answer
    }

    /// What a call of the model took, beside what the turn cost before it.
    pub(super) fn spent(&self, before: Spent, usage: &Usage) {
        self.add_cost(before, usage, self.rates.cost(usage));
    }

    /// The same where it is known what the call cost.
    pub(super) fn add_cost(&self, before: Spent, usage: &Usage, cost: Cost) {
        let mut spent = before;
        spent += Spent {
            usd: cost.usd,
            sure: !cost.estimated,
            input: usage.input,
            output: usage.output,
            cache_read: usage.cache_read,
            cache_write: usage.cache_write,
        };
        *self.cost.lock() = spent;
        self.session.spend(spent);
    }

    /// What is said to a model or kept, without secrets; verbatim where there are none.
    pub(super) fn without_secrets(&self, message: Message) -> Message {
        let value = serde_json::to_value(&message).map(|value| self.secrets.hide_in(value));
        value.and_then(serde_json::from_value).unwrap_or(message)
    }

    fn clean(&self, what: What) -> What {
        let value = serde_json::to_value(&what).map(|value| self.secrets.hide_in(value));
        value.and_then(serde_json::from_value).unwrap_or(what)
    }
}
