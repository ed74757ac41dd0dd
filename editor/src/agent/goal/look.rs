//! What a look at a page found, and what is said of it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::agent::gate::Refusal;

/// The aspect of a difference that is what the dev server lays over a page.
pub(super) const OVERLAY: &str = "overlay";
/// Characters of what a page says.
const MAX_WORDS: usize = 300;

/// A page as it was seen once.
#[derive(Debug, Default)]
pub(super) struct Look {
    /// What the dev server lays over it.
    pub(super) overlay: Option<String>,
    /// What it complained of since it was first looked at.
    pub(super) complaints: BTreeSet<String>,
    /// A list of `{ element, aspect, wanted, found }`.
    pub(super) differences: Value,
    /// How many elements of the source it shows.
    pub(super) elements: u64,
    /// Whether any of the file that was asked for is among them.
    pub(super) shows: bool,
}

/// Why a page was not seen.
#[derive(Debug)]
pub(super) enum Unseen {
    /// It cannot be read any more: something is wrong with it.
    Broken(String),
    /// It shows something else by now, or nobody answers: it cannot say.
    Away(&'static str),
}

impl From<Unseen> for Refusal {
    fn from(unseen: Unseen) -> Self {
        match unseen {
            Unseen::Broken(words) => Self::differs(format!("the page cannot be read any more: {words}"), json!([])),
            Unseen::Away(why) => Self::unseen(format!("{why}: look at the diff, and decide")),
        }
    }
}

impl Look {
    /// Whether the page works as it did before.
    pub(super) fn works(&self, usual: &BTreeSet<String>) -> Result<(), Refusal> {
        if let Some(words) = &self.overlay {
            let reason = format!("the dev server says: {}", short(words));
            return Err(differs(reason, OVERLAY, "none", words));
        }
        if let Some(new) = self.complaints.difference(usual).next() {
            let reason = format!("the page complains: {}", short(new));
            return Err(differs(reason, "complaint", "none", new));
        }
        Ok(())
    }

    /// Whether it shows what was asked for.
    pub(super) fn is_right(&self) -> Result<(), Refusal> {
        let Some(first) = self.differences.get(0) else {
            return Ok(());
        };
        let text = |key: &str| first[key].as_str().unwrap_or_default();
        let reason = format!(
            "the page does not show what was asked for: {} of {} is {} instead of {}",
            text("aspect"),
            text("element"),
            text("found"),
            text("wanted")
        );
        Err(Refusal::differs(reason, self.differences.clone()))
    }

    /// Whether it still shows elements of the source, and of the file that one was selected in, if it did before.
    pub(super) fn still_shows(&self, before: &Self, file: Option<&str>) -> Result<(), Refusal> {
        if before.elements > 0 && self.elements == 0 {
            let reason = "the page shows nothing of the source any more".to_owned();
            return Err(differs(reason, "elements", &before.elements.to_string(), "0"));
        }
        match file {
            Some(file) if before.shows && !self.shows => {
                let reason = format!("the page shows nothing of {file} any more, where the element was selected");
                Err(differs(reason, file, "shown", "not shown"))
            }
            _ => Ok(()),
        }
    }
}

fn differs(reason: String, aspect: &str, wanted: &str, found: &str) -> Refusal {
    let difference = json!({ "element": "page", "aspect": aspect, "wanted": wanted, "found": short(found) });
    Refusal::differs(reason, json!([difference]))
}

fn short(words: &str) -> String {
    words.chars().take(MAX_WORDS).collect()
}
