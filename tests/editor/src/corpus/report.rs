//! The figures of a run.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use super::proposals::Proposals;

/// What was found.
#[derive(Debug, Default)]
pub struct Report {
    /// Files with a language that has elements.
    pub files: usize,
    /// Files that the parser could not read, with its words.
    pub unread: Vec<String>,
    /// Elements that should carry a stamp.
    pub elements: usize,
    /// Those that do.
    pub stamped: usize,
    /// Files in which one does not.
    pub unstamped: Vec<String>,
    /// Bytes that were stamped.
    pub bytes: usize,
    /// How long that took.
    pub stamping: Duration,
    /// Outcomes by kind and shape.
    pub shapes: BTreeMap<(&'static str, String), Outcomes>,
    /// Edits that were planned.
    pub planned: usize,
    /// Edits after which every byte outside the edited ranges was the same.
    pub intact: usize,
    /// How long planning took.
    pub planning: Duration,
    /// What was wrong, with its place.
    pub wrong: Vec<String>,
    /// Refusals by code.
    pub refusals: BTreeMap<String, usize>,
    /// What was proposed to the gate.
    pub lane: Proposals,
}

/// How edits of one shape ended.
#[derive(Debug, Default, Clone, Copy)]
pub struct Outcomes {
    /// Done.
    pub applied: usize,
    /// Done once a choice is made.
    pub choice: usize,
    /// Refused with the reason.
    pub refused: usize,
}

impl Outcomes {
    fn all(self) -> usize {
        self.applied + self.choice + self.refused
    }
}

impl Report {
    /// Whether nothing is missing and nothing is wrong.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.stamped == self.elements && self.intact == self.planned && self.wrong.is_empty()
    }

    /// Megabytes stamped in a second, on one core.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.bytes as f64 / 1e6 / self.stamping.as_secs_f64().max(1e-9)
    }

    /// The same as the text, for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let shapes: Vec<Value> = self
            .shapes
            .iter()
            .map(|((kind, shape), outcomes)| {
                json!({ "kind": kind, "shape": shape, "applied": outcomes.applied, "choice": outcomes.choice, "refused": outcomes.refused })
            })
            .collect();
        json!({
            "files": self.files, "unread": self.unread, "elements": self.elements, "stamped": self.stamped,
            "unstamped": self.unstamped, "megabytesPerSecond": self.speed(), "edits": self.planned, "intact": self.intact,
            "lane": self.lane.json(), "wrong": self.wrong, "shapes": shapes, "refusals": self.refusals,
            "microsecondsPerEdit": self.planning.as_micros() as f64 / self.planned.max(1) as f64,
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "files            {:>9}", self.files)?;
        if !self.unread.is_empty() {
            writeln!(f, "not read         {:>9}   (no valid source)", self.unread.len())?;
        }
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(f, "elements         {:>9}", self.elements)?;
        writeln!(f, "stamped          {:>9.2} %", share(self.stamped, self.elements))?;
        writeln!(f, "stamping         {:>9.0} MB/s", self.speed())?;
        writeln!(f, "edits done       {:>9}", self.planned)?;
        writeln!(f, "remainder intact {:>9.2} %", share(self.intact, self.planned))?;
        let each = self.planning.as_micros() as f64 / self.planned.max(1) as f64;
        writeln!(f, "planning an edit {each:>9.0} µs")?;
        writeln!(f, "wrong            {:>9}", self.wrong.len())?;
        writeln!(
            f,
            "\n{:<11}{:<14}{:>9}{:>10}{:>10}{:>10}",
            "kind", "shape", "applied", "choice", "refused", "share"
        )?;
        for ((kind, shape), outcomes) in &self.shapes {
            let done = share(outcomes.applied + outcomes.choice, outcomes.all());
            let Outcomes {
                applied,
                choice,
                refused,
            } = outcomes;
            writeln!(
                f,
                "{kind:<11}{shape:<14}{applied:>9}{choice:>10}{refused:>10}{done:>8.1} %"
            )?;
        }
        if !self.refusals.is_empty() {
            writeln!(f, "\nrefused because")?;
            let mut refusals: Vec<_> = self.refusals.iter().collect();
            refusals.sort_by(|one, other| other.1.cmp(one.1));
            for (code, count) in refusals {
                writeln!(f, "{code:<34}{count:>9}")?;
            }
        }
        if self.lane.proposed > 0 {
            write!(f, "{}", self.lane)?;
        }
        for (title, lines) in [
            ("not read", &self.unread),
            ("not stamped", &self.unstamped),
            ("wrong", &self.wrong),
        ] {
            for line in lines.iter().take(20) {
                writeln!(f, "{title}: {line}")?;
            }
            if lines.len() > 20 {
                writeln!(f, "{title}: … and {} more", lines.len() - 20)?;
            }
        }
        Ok(())
    }
}
