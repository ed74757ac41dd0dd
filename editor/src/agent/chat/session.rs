//! One session as it lives: its newest turns, what pages are told, and what waits for an answer.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::{Notify, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::file::{Kept, Place, Record};
use super::pictures;
use super::state::{Shown, State, title_of};
use super::stream::{Stream, Told};
use super::turn::{Choice, Item, Spent, Status, ToolStatus, Turn, What};
use crate::models::Message;

/// Hears of a session by its name when its status is another.
pub(super) type Heard = Arc<dyn Fn(&str, &'static str) + Send + Sync>;

/// One session.
pub struct Session {
    pub(super) id: String,
    place: Place,
    ceiling: Option<f64>,
    state: Mutex<State>,
    stream: Stream,
    /// Rings when its status is another.
    changed: Heard,
    /// Whether the running turn shall stop.
    stop: Mutex<CancellationToken>,
    /// Rings when a turn is over.
    over: Notify,
}

/// Whether a turn began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begun {
    /// It did.
    Now,
    /// It is there already.
    Before,
    /// Another one runs.
    Busy,
}

impl Session {
    pub(super) fn new(id: &str, place: Place, kept: Kept, ceiling: Option<f64>, changed: Heard) -> Session {
        Session {
            id: id.to_owned(),
            place,
            ceiling,
            state: Mutex::new(State {
                title: kept.title,
                created_at: kept.created_at,
                archived: kept.archived,
                archived_cost: kept.archived_cost,
                turns: kept.turns,
                approvals: HashMap::new(),
                allowed: HashSet::new(),
                told_status: "idle",
                deleted: false,
            }),
            stream: Stream::new(),
            changed,
            stop: Mutex::default(),
            over: Notify::new(),
        }
    }

    /// Its name.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// As pages see it.
    #[must_use]
    pub fn shown(&self) -> Shown {
        self.state.lock().show(&self.id, self.ceiling)
    }

    /// Turns before one, or the newest, the oldest first; whether there are older ones; and the number of the last event in it.
    ///
    /// # Errors
    /// When the archive cannot be read.
    pub fn page(&self, before: Option<&str>, limit: usize) -> io::Result<(Vec<Turn>, bool, u64)> {
        let (mut turns, archived, seq) = {
            let state = self.state.lock();
            let turns: Vec<Turn> = state.turns.iter().map(|(turn, _)| turn.clone()).collect();
            (turns, state.archived, self.stream.seq())
        };
        let place = |turns: &[Turn]| match before {
            None => Some(turns.len()),
            Some(id) => turns.iter().position(|turn| turn.id == id),
        };
        let is_whole = archived == 0 || place(&turns).is_none_or(|end| end < limit);
        if is_whole && archived > 0 {
            let known: HashSet<String> = turns.iter().map(|turn| turn.id.clone()).collect();
            let mut all = self.place.read_archive()?;
            // A crash may have left some in both.
            all.retain(|turn| !known.contains(&turn.id));
            all.append(&mut turns);
            turns = all;
        }
        let end = place(&turns).unwrap_or(0);
        let start = end.saturating_sub(limit);
        let more = start > 0 || !is_whole;
        turns.truncate(end);
        Ok((turns.split_off(start), more, seq))
    }

    /// A turn by its id, of the newest ones.
    #[must_use]
    pub fn turn(&self, id: &str) -> Option<Turn> {
        let state = self.state.lock();
        state
            .turns
            .iter()
            .find(|(turn, _)| turn.id == id)
            .map(|(turn, _)| turn.clone())
    }

    /// What was said in the turns before, for a model.
    pub(super) fn said(&self) -> Vec<(String, Vec<Message>)> {
        let state = self.state.lock();
        state
            .turns
            .iter()
            .map(|(turn, said)| (turn.id.clone(), said.clone()))
            .collect()
    }

    /// Another title.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn rename(&self, title: &str) -> io::Result<()> {
        let title = title.to_owned();
        self.place.append(&[Record::Title { title: title.clone() }])?;
        self.state.lock().title = title;
        self.tell_session();
        Ok(())
    }

    /// A turn begins: on disk first, unless it did already or another one runs.
    pub(super) fn begin(&self, turn: Turn) -> io::Result<Begun> {
        let mut state = self.state.lock();
        if state.deleted {
            return Err(io::Error::other("the session was deleted"));
        }
        if state.turns.iter().any(|(known, _)| known.id == turn.id) {
            return Ok(Begun::Before);
        }
        if state.running().is_some() {
            return Ok(Begun::Busy);
        }
        let mut records = vec![Record::Turn {
            turn: Box::new(turn.clone()),
        }];
        if state.turns.is_empty() && state.archived == 0 && state.title.is_empty() {
            let title = title_of(&turn.text);
            records.push(Record::Title { title: title.clone() });
            state.title = title;
        }
        self.place.append(&records)?;
        let told = json!({ "turn": turn });
        state.turns.push((turn, Vec::new()));
        *self.stop.lock() = CancellationToken::new();
        self.stream.tell("turn", &told);
        drop(state);
        self.tell_session();
        Ok(Begun::Now)
    }

    /// Changes the running turn, and tells it with all of its items.
    pub(super) fn change(&self, change: impl FnOnce(&mut Turn)) {
        let mut state = self.state.lock();
        let Some(turn) = state.running() else { return };
        change(turn);
        self.stream.tell("turn", &json!({ "turn": turn }));
        drop(state);
        self.tell_session();
    }

    /// Changes what the running turn cost, and tells the session only.
    pub(super) fn spend(&self, cost: Spent) {
        if let Some(turn) = self.state.lock().running() {
            turn.cost = cost;
        }
        self.tell_session();
    }

    /// Adds an item to the running turn; gives its number.
    pub(super) fn add(&self, what: What) -> usize {
        let mut state = self.state.lock();
        // Something of a turn that is over came too late.
        let Some(turn) = state.running() else { return usize::MAX };
        let n = turn.items.len();
        let item = Item { n, what };
        self.stream.tell("item", &json!({ "turn": turn.id, "item": item }));
        turn.items.push(item);
        n
    }

    /// Changes an item of the running turn.
    pub(super) fn update(&self, n: usize, change: impl FnOnce(&mut What)) {
        let mut state = self.state.lock();
        let Some(turn) = state.running() else { return };
        let Some(item) = turn.items.get_mut(n) else { return };
        change(&mut item.what);
        let told = json!({ "turn": turn.id, "item": item });
        self.stream.tell("item", &told);
    }

    /// More of a text of the running turn.
    pub(super) fn more(&self, n: usize, more: &str) {
        if more.is_empty() {
            return;
        }
        let mut state = self.state.lock();
        let Some(turn) = state.running() else { return };
        let Some(item) = turn.items.get_mut(n) else { return };
        if let What::Text { text } | What::Thinking { text } = &mut item.what {
            text.push_str(more);
        }
        self.stream
            .tell("delta", &json!({ "turn": turn.id, "n": n, "text": more }));
    }

    /// The running turn is over: on disk first, then everybody is told, then old turns are archived.
    pub(super) fn end(&self, messages: Vec<Message>, max_turns: usize, change: impl FnOnce(&mut Turn)) {
        let mut state = self.state.lock();
        state.approvals.clear();
        let Some((turn, said)) = state.turns.last_mut() else {
            return;
        };
        change(turn);
        for item in &mut turn.items {
            if let What::Tool { status, detail, .. } = &mut item.what
                && *status == ToolStatus::Running
            {
                *status = ToolStatus::Failed;
                *detail = Some("It was stopped.".to_owned());
            }
        }
        let record = Record::Turn {
            turn: Box::new(turn.clone()),
        };
        let told = json!({ "turn": turn });
        let said_record = Record::Messages {
            turn: turn.id.clone(),
            messages: messages.clone(),
        };
        *said = messages;
        if !state.deleted {
            if let Err(error) = self.place.append(&[record, said_record]) {
                tracing::error!(session = %self.id, %error, "the end of a turn could not be written");
            }
            if state.turns.len() > max_turns {
                match self.archive(&mut state, max_turns) {
                    Ok(()) => {}
                    Err(error) => tracing::error!(session = %self.id, %error, "old turns could not be archived"),
                }
            }
        }
        self.stream.tell("turn", &told);
        drop(state);
        self.tell_session();
        self.over.notify_waiters();
    }

    fn archive(&self, state: &mut State, max_turns: usize) -> io::Result<()> {
        self.place.archive_past(max_turns)?;
        let over = state.turns.len().saturating_sub(max_turns);
        for (turn, _) in state.turns.drain(..over) {
            state.archived += 1;
            state.archived_cost += turn.cost;
        }
        Ok(())
    }

    /// All edits of a turn were taken back, or it is known that a step came to it.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn mark_undone(&self, id: &str) -> io::Result<Option<Turn>> {
        let mut state = self.state.lock();
        let Some((turn, _)) = state.turns.iter_mut().find(|(turn, _)| turn.id == id) else {
            return Ok(None);
        };
        turn.undone = true;
        let turn = turn.clone();
        self.place.append(&[Record::Turn {
            turn: Box::new(turn.clone()),
        }])?;
        self.stream.tell("turn", &json!({ "turn": turn }));
        Ok(Some(turn))
    }

    /// Stops the running turn; whether there is one.
    pub fn stop(&self) -> bool {
        let running = self.is_running();
        if running {
            self.stop.lock().cancel();
            self.state.lock().approvals.clear();
        }
        running
    }

    /// Waits until no turn runs.
    pub async fn stopped(&self) {
        loop {
            let over = self.over.notified();
            if !self.is_running() {
                return;
            }
            over.await;
        }
    }

    /// Is cancelled when the running turn shall stop.
    pub(super) fn stopping(&self) -> CancellationToken {
        self.stop.lock().clone()
    }

    pub(super) fn is_running(&self) -> bool {
        let state = self.state.lock();
        state.turns.last().is_some_and(|(turn, _)| !turn.status.is_over())
    }

    /// What is waited for by an approval: it is asked, and answered once.
    pub(super) fn ask(&self, id: &str, what: What) -> oneshot::Receiver<Choice> {
        let (answer, answered) = oneshot::channel();
        let mut state = self.state.lock();
        let Some(turn) = state.running() else { return answered };
        let n = turn.items.len();
        turn.items.push(Item { n, what });
        turn.status = Status::Waiting;
        let told = json!({ "turn": turn });
        state.approvals.insert(id.to_owned(), (n, answer));
        self.stream.tell("turn", &told);
        drop(state);
        self.tell_session();
        answered
    }

    /// Answers an approval; whether one with this id and this choice waits.
    pub fn answer(&self, id: &str, choice: Choice) -> bool {
        let mut state = self.state.lock();
        let Some((n, _)) = state.approvals.get(id) else {
            return false;
        };
        let n = *n;
        let Some((turn, _)) = state.turns.last_mut() else {
            return false;
        };
        let Some(What::Approval { choices, answer, .. }) = turn.items.get_mut(n).map(|item| &mut item.what) else {
            return false;
        };
        if !choices.contains(&choice) {
            return false;
        }
        *answer = Some(choice);
        let told = json!({ "turn": turn.id, "item": turn.items[n] });
        self.stream.tell("item", &told);
        let waits = state.approvals.remove(id);
        let is_last = state.approvals.is_empty();
        drop(state);
        if is_last {
            self.change(|turn| {
                if turn.status == Status::Waiting {
                    turn.status = Status::Running;
                }
            });
        }
        waits.is_some_and(|(_, waits)| waits.send(choice).is_ok())
    }

    /// Whether the user allowed this for the session.
    pub(super) fn allows(&self, what: &str) -> bool {
        self.state.lock().allowed.contains(what)
    }

    pub(super) fn allow(&self, what: &str) {
        self.state.lock().allowed.insert(what.to_owned());
    }

    /// Keeps a picture of what an edit is about, `before` or `after` it; gives its path in the API.
    pub(super) fn keep_picture(&self, edit: &str, side: &str, picture: &[u8]) -> io::Result<String> {
        let state = self.state.lock();
        if state.deleted {
            return Err(io::Error::other("the session was deleted"));
        }
        let name = pictures::keep(&self.place.pictures(), edit, side, picture)?;
        Ok(format!("/api/editor/chat/sessions/{}/pictures/{name}", self.id))
    }

    /// A picture by its name, as PNG; `None` where there is none any more.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn picture(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        pictures::read(&self.place.pictures(), name)
    }

    /// Deletes its files. Nothing is written any more.
    ///
    /// # Errors
    /// When they cannot be deleted.
    pub(super) fn delete(&self) -> io::Result<()> {
        self.stop();
        let mut state = self.state.lock();
        state.deleted = true;
        self.place.delete()?;
        self.stream.tell("deleted", &json!({}));
        Ok(())
    }

    /// What pages read first: the session and its newest turn.
    #[must_use]
    pub fn snapshot(&self) -> (u64, Value) {
        let state = self.state.lock();
        let turn = state.turns.last().map(|(turn, _)| turn);
        let seq = self.stream.seq();
        (
            seq,
            json!({ "session": state.show(&self.id, self.ceiling), "turn": turn, "seq": seq }),
        )
    }

    /// Whether it was deleted; nothing is told of it after that.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.state.lock().deleted
    }

    /// What came after a number; `None` where that is not known.
    #[must_use]
    pub fn after(&self, seq: u64) -> Option<Vec<Told>> {
        self.stream.after(seq)
    }

    /// Rings at each event.
    #[must_use]
    pub fn bell(&self) -> watch::Receiver<u64> {
        self.stream.bell()
    }

    fn tell_session(&self) {
        let mut state = self.state.lock();
        let shown = state.show(&self.id, self.ceiling);
        let status = shown.status;
        self.stream.tell("session", &json!({ "session": shown }));
        let is_new = std::mem::replace(&mut state.told_status, status) != status;
        drop(state);
        if is_new {
            (self.changed)(&self.id, status);
        }
    }
}
