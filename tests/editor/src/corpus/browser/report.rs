//! The figures of a run in the browser.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Value, json};

/// What was found.
#[derive(Debug, Default)]
pub struct Report {
    /// Pages that were looked at.
    pub pages: u64,
    /// Places of the source that they show.
    pub places: u64,
    /// Elements that were edited.
    pub sample: u64,
    /// Outcomes by kind and shape.
    pub shapes: BTreeMap<(String, String), Outcomes>,
    /// Refusals by kind and code.
    pub refusals: BTreeMap<String, usize>,
    /// Why edits were not judged.
    pub unjudged: BTreeMap<String, usize>,
    /// What was wrong, with its place.
    pub wrong: Vec<String>,
    /// How long each edit took from the request to the page as it was before, in milliseconds.
    times: Vec<u64>,
}

/// How edits of one shape ended.
#[derive(Debug, Default, Clone, Copy)]
pub struct Outcomes {
    /// Done, and the page showed exactly that: by hot reload, or when it was loaded afresh.
    pub applied: usize,
    /// Those of them that needed the page to be loaded afresh.
    pub afresh: usize,
    /// Refused with the reason.
    pub refused: usize,
    /// Not exactly what was asked for.
    pub wrong: usize,
    /// Done and undone without a fault, but the page does not show what was edited.
    pub unjudged: usize,
}

impl Outcomes {
    fn judged(self) -> usize {
        self.applied + self.wrong
    }

    fn add(&mut self, other: Outcomes) {
        self.applied += other.applied;
        self.afresh += other.afresh;
        self.refused += other.refused;
        self.wrong += other.wrong;
        self.unjudged += other.unjudged;
    }
}

impl Report {
    /// Takes in one line of the script.
    pub fn take(&mut self, record: &Value) {
        let text = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
        if let Some(pages) = record["pages"].as_u64() {
            self.pages = pages;
            self.places = record["places"].as_u64().unwrap_or_default();
            self.sample = record["sample"].as_u64().unwrap_or_default();
        }
        let (kind, why) = (text("kind"), text("why"));
        if kind.is_empty() {
            return;
        }
        self.times.extend(record["milliseconds"].as_u64());
        let outcomes = self.shapes.entry((kind.clone(), text("shape"))).or_default();
        match record["outcome"].as_str() {
            Some("applied") => {
                outcomes.applied += 1;
                outcomes.afresh += usize::from(record["how"] == "loaded afresh");
            }
            Some("refused") => {
                outcomes.refused += 1;
                *self.refusals.entry(format!("{kind}: {}", text("code"))).or_default() += 1;
            }
            Some("unjudged") => {
                outcomes.unjudged += 1;
                *self.unjudged.entry(why).or_default() += 1;
            }
            _ => {
                outcomes.wrong += 1;
                let place = format!("{} {kind} {} on {}", text("src"), text("shape"), text("route"));
                self.wrong.push(format!("{place}: {why}"));
            }
        }
    }

    /// Whether something was judged, and nothing was wrong.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.wrong.is_empty() && self.all().judged() > 0
    }

    /// All shapes together.
    #[must_use]
    pub fn all(&self) -> Outcomes {
        let mut all = Outcomes::default();
        self.shapes.values().for_each(|outcomes| all.add(*outcomes));
        all
    }

    /// The same as the text, for programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let row = |outcomes: &Outcomes| {
            json!({
                "judged": outcomes.judged(), "applied": outcomes.applied, "afresh": outcomes.afresh,
                "refused": outcomes.refused, "wrong": outcomes.wrong, "unjudged": outcomes.unjudged,
            })
        };
        let shapes: Vec<Value> = self
            .shapes
            .iter()
            .map(|((kind, shape), outcomes)| {
                let mut row = row(outcomes);
                (row["kind"], row["shape"]) = (json!(kind), json!(shape));
                row
            })
            .collect();
        json!({
            "pages": self.pages, "places": self.places, "elements": self.sample, "all": row(&self.all()), "shapes": shapes,
            "refusals": self.refusals, "unjudged": self.unjudged, "wrong": self.wrong, "medianMilliseconds": self.median(),
        })
    }

    fn median(&self) -> u64 {
        let mut times = self.times.clone();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "pages            {:>9}", self.pages)?;
        writeln!(f, "places shown     {:>9}   (elements of the source)", self.places)?;
        writeln!(f, "of them edited   {:>9}", self.sample)?;
        writeln!(f, "an edit and back {:>9} ms (median)", self.median())?;
        writeln!(
            f,
            "\n{:<11}{:<14}{:>9}{:>9}{:>9}{:>9}{:>9}{:>12}",
            "kind", "shape", "judged", "applied", "afresh", "refused", "wrong", "not judged"
        )?;
        let all = ("all".to_owned(), String::new());
        for ((kind, shape), row) in self.shapes.iter().chain([(&all, &self.all())]) {
            writeln!(
                f,
                "{kind:<11}{shape:<14}{:>9}{:>9}{:>9}{:>9}{:>9}{:>12}",
                row.judged(),
                row.applied,
                row.afresh,
                row.refused,
                row.wrong,
                row.unjudged
            )?;
        }
        for (title, reasons) in [
            ("refused because", &self.refusals),
            ("not judged because", &self.unjudged),
        ] {
            if !reasons.is_empty() {
                writeln!(f, "\n{title}")?;
            }
            let mut reasons: Vec<_> = reasons.iter().collect();
            reasons.sort_by(|one, other| other.1.cmp(one.1));
            for (reason, count) in reasons {
                writeln!(f, "{reason:<52}{count:>9}")?;
            }
        }
        if !self.wrong.is_empty() {
            writeln!(f)?;
        }
        self.wrong.iter().try_for_each(|line| writeln!(f, "wrong: {line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(outcomes: &[&str]) -> Report {
        let mut report = Report::default();
        for outcome in outcomes {
            report.take(&json!({ "kind": "text", "shape": "plain", "src": "a.tsx:1:0", "outcome": outcome, "why": "so", "code": "c" }));
        }
        report
    }

    #[test]
    fn a_wrong_edit_makes_a_run_wrong_and_so_does_one_that_judged_nothing() {
        assert!(report(&["applied", "refused"]).is_right());
        assert!(!report(&["applied", "wrong"]).is_right());
        assert!(!report(&["refused", "unjudged"]).is_right());
    }

    #[test]
    fn outcomes_are_counted_by_shape_and_reason() {
        let report = report(&["applied", "refused", "unjudged", "wrong"]);
        let json = report.json();
        assert_eq!(json["all"]["judged"], 2);
        assert_eq!(json["refusals"]["text: c"], 1);
        assert_eq!(json["unjudged"]["so"], 1);
        assert!(report.to_string().contains("wrong: a.tsx:1:0 text plain"), "{report}");
    }
}
