//! Which of several declarations decides, and what people should know of one that does not.

use std::cmp::Ordering;

use crate::source::css::condition::{self, Holds};
use crate::source::css::matching::{Layer, Match, Sure};
use crate::source::css::selector::Weight;
use crate::source::model::LineIndex;

use super::sheets::{Declared, Source};

/// More remarks than anybody reads.
const MAX_NOTES: usize = 3;

/// A utility's specificity, where it stands outside of layers.
const ONE_CLASS: Weight = (0, 1, 0);

/// A declaration of a rule that concerns the property.
pub(super) struct Contender<'s> {
    pub source: &'s Source,
    pub found: &'s Match,
    pub declared: Declared<'s>,
    /// Whether it declares the property itself, not through a shorthand.
    pub exact: bool,
    /// Where the stylesheet stands among the others.
    pub order: usize,
}

/// What decides between two rules of one stylesheet: the greater wins. Important or not, the layer, the specificity, the place.
pub(super) type Rank = (bool, Vec<isize>, Weight, usize);

/// The rank of a declaration within its stylesheet.
pub(super) fn rank(found: &Match, important: bool, index: usize) -> Rank {
    (important, layer_rank(&found.layer, important), found.weight, index)
}

/// What decides between rules of several stylesheets before their order does. Important or not, the layer, the specificity.
pub(super) type Strength = (bool, Vec<isize>, Weight);

/// The part of a rank that counts across stylesheets.
pub(super) fn strength(found: &Match, important: bool) -> Strength {
    (important, layer_rank(&found.across.layer, important), found.weight)
}

/// Which of two rules of different stylesheets wins, both important or both not; `None` when the source does not tell.
pub(super) fn across(one: &Match, other: &Match, important: bool) -> Option<Ordering> {
    let in_layers = !one.layer.is_empty() && !other.layer.is_empty();
    if in_layers && one.names != other.names && !(one.across.sure && other.across.sure) {
        return None;
    }
    let order = if in_layers && one.names == other.names {
        one.weight.cmp(&other.weight)
    } else {
        strength(one, important).cmp(&strength(other, important))
    };
    match (&one.across.place, &other.across.place) {
        _ if order != Ordering::Equal => Some(order),
        (Some((root, place)), Some((same, behind))) if root == same && place != behind => Some(place.cmp(behind)),
        _ => None,
    }
}

/// What stands in a layer itself comes behind the layers inside of it. For important declarations the order is turned around.
fn layer_rank(layer: &Layer, important: bool) -> Vec<isize> {
    let numbers = layer
        .iter()
        .map(|number| isize::try_from(*number).unwrap_or(isize::MAX));
    let numbers = numbers.chain(std::iter::once(isize::MAX));
    numbers.map(|number| if important { -number } else { number }).collect()
}

/// Whether a declaration wins over one of Tailwind's utilities; `None` when the source does not tell.
pub(super) fn beats_utility(found: &Match, important: bool, utility: Utilities) -> Option<bool> {
    if important != utility.important {
        return Some(important);
    }
    match (utility.layered, found.layer.is_empty()) {
        // Whatever is in no layer wins over what is in one; turned around for what is important.
        (true, true) => Some(!important),
        // The layer of the utilities is the last one.
        (_, false) => Some(important),
        (false, true) => match found.weight.cmp(&ONE_CLASS) {
            Ordering::Equal => None,
            order => Some(order == Ordering::Greater),
        },
    }
}

impl Contender<'_> {
    pub fn sure(&self) -> Sure {
        self.found.sure()
    }

    pub fn rank(&self) -> Rank {
        rank(self.found, self.declared.important, self.declared.index)
    }

    pub fn strength(&self) -> Strength {
        strength(self.found, self.declared.important)
    }

    /// Whether it wins over another one where both hold; `None` when the source does not tell.
    pub fn beats(&self, other: &Self) -> Option<bool> {
        let important = self.declared.important;
        let order = if self.order == other.order {
            Some(self.rank().cmp(&other.rank())).filter(|order| order.is_ne())
        } else if important == other.declared.important {
            across(self.found, other.found, important)
        } else {
            return Some(important);
        };
        order.map(Ordering::is_gt)
    }

    /// Whether it wins over one of Tailwind's utilities; `None` when the source does not tell.
    pub fn beats_utility(&self, utility: Utilities) -> Option<bool> {
        beats_utility(self.found, self.declared.important, utility)
    }

    /// For people: `.card in src/App.css`.
    pub fn name(&self) -> String {
        format!("{} in {}", self.source.selector(self.found.rule), self.source.path)
    }

    /// The same with the line: `.card at src/App.css:12`.
    pub fn at(&self) -> String {
        let offset = self.source.start() + self.declared.node.range.start;
        let line = LineIndex::new(self.source.file()).position(offset).line;
        format!(
            "{} at {}:{line}",
            self.source.selector(self.found.rule),
            self.source.path
        )
    }

    /// The words of its conditions.
    pub fn condition(&self) -> Option<String> {
        condition::words(&self.found.conditions)
    }

    /// `.card at src/App.css:12 declares it too, on pages up to 1024 pixels wide, and wins`
    fn wins(&self, property: &str, sure: bool) -> String {
        let when = self.condition().map_or(String::new(), |words| format!(", {words},"));
        let wins = match (sure, when.is_empty()) {
            (true, _) => "and wins",
            (false, false) => "and wins where that holds",
            (false, true) => "and may win",
        };
        format!("{} declares {property} too{when} {wins}", self.at())
    }
}

/// Where Tailwind's utilities stand in the cascade.
#[derive(Debug, Clone, Copy)]
pub(super) struct Utilities {
    /// In a layer, as Tailwind 4 puts them.
    pub layered: bool,
    /// The class is marked with `!`.
    pub important: bool,
}

/// Whether a declaration wins over what is edited, as [`Contender::beats`] says.
pub(super) type Beats<'b> = &'b dyn Fn(&Contender<'_>) -> Option<bool>;

/// What people should know when something is edited over which the candidates may win: that the page will not change, or may not.
pub(super) fn notes(property: &str, candidates: &[Contender<'_>], beats: Beats<'_>) -> Vec<String> {
    let wins = candidates
        .iter()
        .filter(|other| other.sure() == Sure::Yes && beats(other) == Some(true))
        .max_by_key(|other| (other.strength(), other.order, other.rank()));
    if let Some(winner) = wins {
        return vec![format!("The page does not change: {}", winner.wins(property, true))];
    }
    let may = candidates.iter().filter(|other| {
        other.found.selects == Sure::Yes && other.found.holds != Holds::No && beats(other) != Some(false)
    });
    let may = may.map(|other| format!("The page may not change: {}", other.wins(property, false)));
    may.take(MAX_NOTES).collect()
}

/// The same for a declaration of a rule.
pub(super) fn notes_of(property: &str, target: &Contender<'_>, candidates: &[Contender<'_>]) -> Vec<String> {
    let words = target.condition().unwrap_or_default();
    if target.found.holds == Holds::No {
        return vec![format!(
            "The page does not change: {} holds only {words}, which is not so in the page that is shown",
            target.at()
        )];
    }
    let is_target =
        |other: &Contender<'_>| other.order == target.order && other.declared.index == target.declared.index;
    let mut notes = notes(property, candidates, &|other| {
        if is_target(other) {
            Some(false)
        } else {
            other.beats(target)
        }
    });
    if target.found.holds == Holds::Unknown && notes.is_empty() {
        notes.push(format!(
            "The page may not change: {} holds only {words}, and whether that is so in the page is not known",
            target.at()
        ));
    }
    notes
}
