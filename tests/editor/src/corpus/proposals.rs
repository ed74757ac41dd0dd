//! The figures of what was proposed to the gate.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

/// Edits as a model would propose them.
#[derive(Debug, Default)]
pub struct Proposals {
    /// Edits that were proposed.
    pub proposed: usize,
    /// Those that the gate takes, byte for byte.
    pub accepted: usize,
    /// Of them, those that keep to the limits of a lane, and add nothing that a file could not do.
    pub in_lanes: usize,
    /// Those in files that no model changes.
    pub closed: usize,
    /// Spoiled versions of those that were taken, by kind: the gate has to refuse them.
    pub spoiled: BTreeMap<&'static str, Spoiled>,
    /// Spoiled versions that only the page can tell from what was asked for, by kind.
    pub for_the_page: BTreeMap<&'static str, Spoiled>,
    /// Texts that the engine refused and a model may try, by the refusal's code.
    pub repairs: BTreeMap<String, Repairs>,
}

/// What became of one kind of spoiled proposals.
#[derive(Debug, Default, Clone, Copy)]
pub struct Spoiled {
    /// Refused.
    pub refused: usize,
    /// Not refused, as by chance they bring exactly the right bytes.
    pub right: usize,
    /// Let through.
    pub taken: usize,
}

/// What became of refused texts.
#[derive(Debug, Default, Clone, Copy)]
pub struct Repairs {
    /// The model made a proposal, it was taken, and the element reads as asked.
    pub repaired: usize,
    /// The model says that it cannot.
    pub left: usize,
    /// The gate refuses the proposal, or the element would read otherwise.
    pub refused: usize,
}

impl Repairs {
    /// All of them.
    #[must_use]
    pub fn all(self) -> usize {
        self.repaired + self.left + self.refused
    }
}

impl Proposals {
    /// All that had to be refused.
    #[must_use]
    pub fn spoiled(&self) -> Spoiled {
        let mut all = Spoiled::default();
        for kind in self.spoiled.values() {
            all.refused += kind.refused;
            all.right += kind.right;
            all.taken += kind.taken;
        }
        all
    }

    /// All refused texts.
    #[must_use]
    pub fn repairs(&self) -> Repairs {
        let mut all = Repairs::default();
        for code in self.repairs.values() {
            all.repaired += code.repaired;
            all.left += code.left;
            all.refused += code.refused;
        }
        all
    }

    /// The same as the text, for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let kinds = |kinds: &BTreeMap<&str, Spoiled>| {
            let kinds = kinds.iter().map(|(name, kind)| {
                let Spoiled { refused, right, taken } = kind;
                json!({ "kind": name, "refused": refused, "right": right, "taken": taken })
            });
            kinds.collect::<Vec<_>>()
        };
        let repairs = self.repairs.iter().map(|(code, repairs)| {
            let Repairs {
                repaired,
                left,
                refused,
            } = repairs;
            json!({ "code": code, "repaired": repaired, "left": left, "refused": refused })
        });
        json!({
            "proposed": self.proposed, "accepted": self.accepted, "inLanes": self.in_lanes, "closed": self.closed,
            "spoiled": kinds(&self.spoiled), "forThePage": kinds(&self.for_the_page), "repairs": repairs.collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for Proposals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (all, repairs) = (self.spoiled(), self.repairs());
        writeln!(f, "\nproposed to the gate of models{:>9}", self.proposed)?;
        writeln!(f, "taken, byte for byte          {:>9}", self.accepted)?;
        writeln!(f, "  within a lane's limits      {:>9}", self.in_lanes)?;
        writeln!(f, "in files no model changes     {:>9}", self.closed)?;
        writeln!(
            f,
            "spoiled, and taken            {:>9}   ({} refused)",
            all.taken, all.refused
        )?;
        for (title, kinds) in [
            ("spoiled by", &self.spoiled),
            ("for the page to judge", &self.for_the_page),
        ] {
            writeln!(f, "\n{title:<48}{:>9}{:>9}{:>9}", "refused", "right", "taken")?;
            for (name, kind) in kinds {
                let Spoiled { refused, right, taken } = kind;
                writeln!(f, "{name:<48}{refused:>9}{right:>9}{taken:>9}")?;
            }
        }
        writeln!(
            f,
            "\nrefused texts, tried by a model{:>8}   ({} repaired, {:.1} %)",
            repairs.all(),
            repairs.repaired,
            100.0 * repairs.repaired as f64 / repairs.all().max(1) as f64
        )?;
        for (code, repairs) in &self.repairs {
            let Repairs {
                repaired,
                left,
                refused,
            } = repairs;
            writeln!(f, "{code:<24}{repaired:>9} repaired{left:>9} left{refused:>9} refused")?;
        }
        Ok(())
    }
}
