//! Which of the listed declarations decide their properties in the page that is shown.

use std::cmp::Ordering;

use crate::source::css::condition::Holds;
use crate::source::css::matching::{Match, Sure};
use crate::source::model::Project;
use crate::source::model::inspection::Style;

use super::cascade::{Rank, Utilities, across, beats_utility, rank};
use super::own::Says;
use super::properties::covers;
use super::subject::Subject;
use super::tokens::variables;
use super::utilities::{has_tailwind, is_layered, setting};

/// More declarations than anybody reads; a bound for stylesheets in which everything might hold.
const MAX_LISTED: usize = 400;
const MAX_COMPARED: usize = 2000;

/// Declarations with what decides between them.
pub(super) struct Standings<'s> {
    entries: Vec<Standing<'s>>,
    /// Whether the element's own style may declare what is not seen.
    unseen: bool,
    /// With Tailwind: whether utilities stand in a layer.
    layered: Option<bool>,
}

struct Standing<'s> {
    style: Style,
    listed: bool,
    important: bool,
    place: Place<'s>,
}

enum Place<'s> {
    /// The number of the `style` attribute, the strongest first, and of the declaration in it.
    Own(usize, usize),
    /// The number of the stylesheet, and of the declaration in it.
    Rule(usize, usize, &'s Match),
}

impl<'s> Standings<'s> {
    pub fn new(project: &dyn Project, subject: &Subject<'_>) -> Self {
        let tailwind = !subject.is_component && has_tailwind(project);
        Self {
            entries: Vec::new(),
            unseen: false,
            layered: tailwind.then(|| is_layered(project)),
        }
    }

    /// A `style` attribute; `says` what it says of a property that nobody knows.
    pub fn own(&mut self, number: usize, says: Says, styles: Vec<Style>) {
        self.unseen |= matches!(says, Says::Spreads | Says::Unknown);
        let entries = styles.into_iter().enumerate().map(|(index, style)| Standing {
            listed: true,
            important: style.value.contains("!important"),
            style,
            place: Place::Own(number, index),
        });
        self.entries.extend(entries);
    }

    /// The declarations of a rule, each with its index and whether it is important.
    pub fn rule(&mut self, order: usize, found: &'s Match, listed: bool, styles: Vec<(usize, bool, Style)>) {
        let entries = styles.into_iter().map(|(index, important, style)| Standing {
            style,
            listed,
            important,
            place: Place::Rule(order, index, found),
        });
        self.entries.extend(entries);
    }

    pub fn is_full(&self) -> bool {
        self.entries.len() >= MAX_COMPARED
    }

    /// Those that are listed, each with whether it decides.
    pub fn decided(self, subject: &Subject<'_>) -> Vec<Style> {
        let listed: Vec<&Standing<'_>> = self
            .entries
            .iter()
            .filter(|entry| entry.listed)
            .take(MAX_LISTED)
            .collect();
        let wins: Vec<Option<bool>> = listed.iter().map(|entry| self.wins(entry, subject)).collect();
        let listed = self.entries.into_iter().filter(|entry| entry.listed).zip(wins);
        listed
            .map(|(entry, wins)| {
                let tokens = variables(&entry.style.value);
                Style {
                    wins,
                    tokens,
                    ..entry.style
                }
            })
            .collect()
    }

    fn wins(&self, entry: &Standing<'_>, subject: &Subject<'_>) -> Option<bool> {
        if entry.sure() == Sure::No {
            return Some(false);
        }
        let property = &entry.style.property;
        let concerns =
            |other: &&Standing<'_>| other.style.property == *property || covers(&other.style.property, property);
        let mut doubt = entry.sure() != Sure::Yes || (self.unseen && !entry.is_own());
        for other in self.entries.iter().filter(concerns) {
            match (other.beats(entry), other.sure()) {
                (Some(true), Sure::Yes) => return Some(false),
                (Some(false), _) | (_, Sure::No) => {}
                // What holds while somebody points at it says nothing about the page as it is.
                _ if other.is_state() => {}
                _ => doubt |= !std::ptr::eq(other, entry),
            }
        }
        if let (Place::Rule(_, _, found), Some(layered)) = (&entry.place, self.layered)
            && let Some(setting) = setting(property, &subject.classes)
        {
            let utilities = Utilities {
                layered,
                important: setting.class.contains('!'),
            };
            match beats_utility(found, entry.important, utilities) {
                Some(false) => return Some(false),
                beats => doubt |= beats.is_none(),
            }
        }
        (!doubt).then_some(true)
    }
}

impl Standing<'_> {
    fn is_own(&self) -> bool {
        matches!(self.place, Place::Own(..))
    }

    fn sure(&self) -> Sure {
        match self.place {
            Place::Own(..) => Sure::Yes,
            Place::Rule(_, _, found) => found.sure(),
        }
    }

    fn is_state(&self) -> bool {
        matches!(self.place, Place::Rule(_, _, found) if found.selects == Sure::State && found.holds == Holds::Yes)
    }

    /// Whether it wins over another one where both hold; `None` when the source does not tell.
    fn beats(&self, other: &Self) -> Option<bool> {
        if self.important != other.important {
            return Some(self.important);
        }
        match (&self.place, &other.place) {
            (Place::Own(one, index), Place::Own(two, later)) if one == two => Some(index > later),
            (Place::Own(one, _), Place::Own(two, _)) => Some(one < two),
            (Place::Own(..), Place::Rule(..)) => Some(true),
            (Place::Rule(..), Place::Own(..)) => Some(false),
            (Place::Rule(one, index, found), Place::Rule(two, later, around)) if one == two => {
                let of = |found: &Match, index: usize| -> Rank { rank(found, self.important, index) };
                Some(of(found, *index) > of(around, *later))
            }
            (Place::Rule(_, _, found), Place::Rule(_, _, around)) => {
                across(found, around, self.important).map(Ordering::is_gt)
            }
        }
    }
}
