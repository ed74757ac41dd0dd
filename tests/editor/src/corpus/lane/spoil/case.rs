//! A right proposal that is to be spoiled, and what kinds of spoiling share.

use galley_editor::agent::gate::{Hunk, Limits, Proposal};
use galley_editor::source::model::Project;
use serde_json::{Value, json};

use crate::corpus::folder::Folder;

/// A right proposal.
pub struct Case<'c> {
    pub folder: &'c Folder,
    pub proposal: &'c Proposal,
    /// What it is allowed to do.
    pub limits: &'c Limits,
    /// Counts the cases: kinds with several forms take turns.
    pub turn: usize,
}

/// A way to spoil one.
pub struct Kind {
    pub name: &'static str,
    /// The arguments of the tool then; `None` where it cannot be spoiled so.
    pub spoil: fn(&Case<'_>) -> Option<Value>,
    /// Whether the edit may be about any file, so that it is not for the file alone that it is refused.
    pub is_anywhere: bool,
}

impl Kind {
    pub const fn new(name: &'static str, spoil: fn(&Case<'_>) -> Option<Value>) -> Kind {
        let is_anywhere = false;
        Kind {
            name,
            spoil,
            is_anywhere,
        }
    }

    pub const fn anywhere(name: &'static str, spoil: fn(&Case<'_>) -> Option<Value>) -> Kind {
        let is_anywhere = true;
        Kind {
            name,
            spoil,
            is_anywhere,
        }
    }
}

impl Case<'_> {
    /// The hunk that is spoiled.
    pub fn hunk(&self) -> &Hunk {
        &self.proposal.files[0]
    }

    /// The text of the file it stands in.
    pub fn text(&self) -> String {
        self.folder
            .read(&self.hunk().path)
            .map(|text| text.to_string())
            .unwrap_or_default()
    }

    /// With another text to be replaced.
    pub fn with_old(&self, old: String) -> Option<Value> {
        self.with(|hunk| hunk.old = old)
    }

    /// With another text to take its place.
    pub fn with_new(&self, new: String) -> Option<Value> {
        self.with(|hunk| hunk.new = new)
    }

    /// With a change of the hunk.
    pub fn with(&self, change: impl FnOnce(&mut Hunk)) -> Option<Value> {
        let mut proposal = self.proposal.clone();
        change(proposal.files.first_mut()?);
        Some(json!(proposal))
    }

    /// With one hunk more.
    pub fn and(&self, hunk: Hunk) -> Option<Value> {
        let mut proposal = self.proposal.clone();
        proposal.files.push(hunk);
        Some(json!(proposal))
    }
}
