//! What is known of a session, under one lock.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use tokio::sync::oneshot;

use super::turn::{Choice, FailedBy, Spent, Status, Turn, TurnFailure};
use crate::models::Message;

/// A session as pages see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// Names it.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// In milliseconds since 1970.
    pub created_at: u64,
    /// When its newest turn began.
    pub updated_at: u64,
    /// `idle`, `running`, `waiting` or `failed`.
    pub status: &'static str,
    /// The running turn.
    pub turn: Option<String>,
    /// Turns, the archive's included.
    pub turns: usize,
    /// What all of them cost.
    pub cost: Spent,
    /// What they may cost together.
    pub ceiling_usd: Option<f64>,
}

/// What is known of a session.
pub(super) struct State {
    pub(super) title: String,
    pub(super) created_at: u64,
    pub(super) archived: usize,
    pub(super) archived_cost: Spent,
    pub(super) turns: Vec<(Turn, Vec<Message>)>,
    pub(super) approvals: HashMap<String, (usize, oneshot::Sender<Choice>)>,
    /// What the user allowed for this session.
    pub(super) allowed: HashSet<String>,
    pub(super) told_status: &'static str,
    pub(super) deleted: bool,
}

impl State {
    /// The turn that runs: the newest, unless it is over.
    pub(super) fn running(&mut self) -> Option<&mut Turn> {
        let (turn, _) = self.turns.last_mut()?;
        (!turn.status.is_over()).then_some(turn)
    }

    /// As pages see it.
    pub(super) fn show(&self, id: &str, ceiling: Option<f64>) -> Shown {
        let mut cost = self.archived_cost;
        for (turn, _) in &self.turns {
            cost += turn.cost;
        }
        let newest = self.turns.last().map(|(turn, _)| turn);
        Shown {
            id: id.to_owned(),
            title: self.title.clone(),
            created_at: self.created_at,
            updated_at: newest.map_or(self.created_at, |turn| turn.ended_at.unwrap_or(turn.at)),
            status: match newest.map(|turn| turn.status) {
                Some(Status::Running) => "running",
                Some(Status::Waiting) => "waiting",
                Some(Status::Failed) => "failed",
                _ => "idle",
            },
            turn: newest.filter(|turn| !turn.status.is_over()).map(|turn| turn.id.clone()),
            turns: self.archived + self.turns.len(),
            cost,
            ceiling_usd: ceiling,
        }
    }
}

/// The program ended before this turn did.
pub(super) fn interrupted(turn: &mut Turn) {
    turn.status = Status::Failed;
    turn.ended_at = Some(turn.at);
    turn.failure = Some(TurnFailure {
        kind: FailedBy::Interrupted,
        words: "The Editor ended before this turn did. What it had changed is in the history; start a new chat turn to go on."
            .to_owned(),
        retry_seconds: None,
        subscription: false,
    });
}

/// What a session is called that nobody named: the beginning of its first turn.
pub(super) fn title_of(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 48 {
        return line;
    }
    let mut title: String = line.chars().take(47).collect();
    title.push('…');
    title
}
