//! A declaration without a condition, where only rules with one declare a property: in the rule that has the same selector, or in a
//! new one.

use crate::source::css::NodeKind;
use crate::source::css::edit::Declarations;
use crate::source::css::matching::{Match, Sure};
use crate::source::model::{Plan, Replacement};
use crate::source::write::lines::{indentation, line_end};

use super::cascade::Contender;
use super::sheets::Source;

/// Where such a declaration goes.
pub(super) struct Base<'s> {
    source: &'s Source,
    selector: String,
    place: Place,
}

enum Place {
    /// Into the rule with this index.
    Rule(usize),
    /// Before the at-rule with this index, as its first rule's neighbour.
    Before(usize),
}

impl<'s> Base<'s> {
    /// For a declaration that holds on a condition; `None` where its stylesheet has no place that always holds.
    pub fn of(winner: &Contender<'s>) -> Option<Self> {
        let (source, found) = (winner.source, winner.found);
        let selector = source.selector(found.rule);
        let is_same = |other: &&Match| {
            other.conditions.is_empty()
                && other.selects == Sure::Yes
                && other.names == found.names
                && matches!(source.sheet.nodes[other.rule].kind, NodeKind::Rule { .. })
                && source.selector(other.rule) == selector
        };
        let rule = source.matches.iter().filter(is_same).max_by_key(|other| other.rule);
        let place = match rule {
            Some(same) => Place::Rule(same.rule),
            None => Place::Before(outermost(source, found)?),
        };
        Some(Self {
            source,
            selector,
            place,
        })
    }

    /// What is done, for people: `adds it to .card in src/App.css`.
    pub fn words(&self) -> String {
        let Self { source, selector, .. } = self;
        match self.place {
            Place::Rule(_) => format!("adds it to {selector} in {}", source.path),
            Place::Before(_) => format!("adds a rule {selector} to {}", source.path),
        }
    }

    /// The declaration, added.
    pub fn add(&self, winner: &Contender<'_>, property: &str, value: &str) -> Plan {
        let text = self.source.text();
        let replacement = match self.place {
            Place::Rule(rule) => Declarations::of(&self.source.sheet, text, Some(rule)).add(property, value),
            Place::Before(around) => {
                let start = self.source.sheet.nodes[around].range.start;
                let (outer, end) = (indentation(text, start), line_end(text));
                let inner = indentation(text, self.source.sheet.nodes[winner.found.rule].range.start);
                let declared = indentation(text, winner.declared.node.range.start);
                let unit = declared
                    .strip_prefix(inner)
                    .filter(|unit| !unit.is_empty())
                    .unwrap_or("  ");
                let selector = &self.selector;
                Replacement::insert(
                    start,
                    format!("{selector} {{{end}{outer}{unit}{property}: {value};{end}{outer}}}{end}{end}{outer}"),
                )
            }
        };
        self.source.plan(replacement)
    }
}

/// The outermost at-rule around a rule; `None` unless nothing stands around it but the conditions it holds on.
fn outermost(source: &Source, found: &Match) -> Option<usize> {
    let nodes = &source.sheet.nodes;
    let is_rule = matches!(nodes[found.rule].kind, NodeKind::Rule { .. });
    let around: Vec<usize> = std::iter::successors(nodes[found.rule].parent, |index| nodes[*index].parent).collect();
    let are_conditions = around
        .iter()
        .all(|index| matches!(nodes[*index].kind, NodeKind::At { .. }));
    let alone = found.names.is_empty() && around.len() == found.conditions.len();
    around.last().copied().filter(|_| is_rule && are_conditions && alone)
}
