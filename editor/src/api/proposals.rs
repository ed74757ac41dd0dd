//! Proposals that passed every check but that no page could confirm: each waits a while for a yes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use data_encoding::HEXLOWER;
use parking_lot::Mutex;

use crate::agent::gate::{Limits, Proposal};
use crate::agent::lanes::Lane;
use crate::source::model::Request;
use crate::workspace::By;

/// How long one waits.
const WAIT_TIMEOUT: Duration = Duration::from_secs(600);
/// How many wait; the oldest goes first.
const MAX_WAITING: usize = 16;

/// A proposal with everything that makes it a step.
pub(super) struct Waiting {
    pub(super) proposal: Proposal,
    pub(super) limits: Limits,
    pub(super) by: By,
    pub(super) title: String,
    pub(super) request: Request,
    /// Path, text that was seen, text afterwards.
    pub(super) texts: Vec<(String, Arc<str>, String)>,
    pub(super) lane: Lane,
}

/// Those that wait.
#[derive(Default)]
pub(super) struct Proposals(Mutex<Vec<(String, Instant, Waiting)>>);

impl Proposals {
    /// Keeps one, and names it.
    pub(super) fn keep(&self, waiting: Waiting) -> String {
        let id = HEXLOWER.encode(&rand::random::<[u8; 16]>());
        let mut all = self.0.lock();
        all.retain(|(_, since, _)| since.elapsed() < WAIT_TIMEOUT);
        if all.len() == MAX_WAITING {
            all.remove(0);
        }
        all.push((id.clone(), Instant::now(), waiting));
        id
    }

    /// One by its name, for the only time.
    pub(super) fn take(&self, id: &str) -> Option<Waiting> {
        let mut all = self.0.lock();
        all.retain(|(_, since, _)| since.elapsed() < WAIT_TIMEOUT);
        let at = all.iter().position(|(known, ..)| known == id)?;
        Some(all.remove(at).2)
    }
}
