//! A string that gives classes, and how its edits are written back.

use std::ops::Range;

use super::coding::Coding;
use super::list::ClassList;
use super::parts::{Part, When};
use crate::source::model::{Change, Code, Refusal, Replacement};
use crate::source::notation::references;

/// A string that gives classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassString {
    /// The characters between the quotes, or the key without quotes.
    pub range: Range<usize>,
    /// What it is.
    pub kind: StringKind,
    /// Whether an expression stands right before and right after, as in [`ClassList::beside`].
    pub glued: [bool; 2],
    /// When its classes are there.
    pub when: When,
}

/// What a string is in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StringKind {
    /// An attribute's value in this quote; a space for none.
    Attribute(char),
    /// A string of a script in this quote.
    Quoted(char),
    /// A key without quotes.
    Key {
        /// The key with its value.
        property: Range<usize>,
        /// What goes when it is removed.
        removal: Range<usize>,
        /// Whether the key is its own value.
        shorthand: bool,
    },
}

impl ClassString {
    /// For [`edit_parts`](super::edit_parts).
    #[must_use]
    pub fn part<'t>(&self, text: &'t str) -> Part<'t> {
        let coding = match self.kind {
            StringKind::Attribute(quote) => Coding::Markup(quote),
            StringKind::Quoted(quote) => Coding::Script(quote),
            StringKind::Key { .. } => Coding::Plain,
        };
        Part {
            text: text.get(self.range.clone()).unwrap_or_default(),
            coding,
            glued: self.glued,
            when: self.when,
        }
    }

    /// The words that are whole.
    #[must_use]
    pub fn words(&self, text: &str) -> Vec<String> {
        let part = self.part(text);
        let list = ClassList::beside(part.text, part.coding, part.glued);
        list.words().map(str::to_owned).collect()
    }

    /// Replacements of the part as replacements of the file. `within` is the quote of the attribute that holds the script, where
    /// the markup is read before the script is, as in Vue's templates.
    ///
    /// # Errors
    /// With `class-quotes` when the attribute's quotes would end.
    pub fn write(&self, text: &str, own: Vec<Replacement>, within: Option<char>) -> Result<Vec<Replacement>, Refusal> {
        let start = self.range.start;
        if let StringKind::Key {
            property,
            removal,
            shorthand,
        } = &self.kind
        {
            let change = Change {
                path: String::new(),
                replacements: own,
            };
            let value = change.apply(self.part(text).text).unwrap_or_default();
            let value = value.trim();
            if value.is_empty() {
                return Ok(vec![Replacement::remove(removal.clone())]);
            }
            fits(value, within)?;
            let quote = if within == Some('\'') { '"' } else { '\'' };
            let written = format!("{quote}{}{quote}", Coding::Script(quote).encode(value));
            return Ok(vec![match shorthand {
                true => Replacement::new(property.clone(), format!("{written}: {}", &text[property.clone()])),
                false => Replacement::new(self.range.clone(), written),
            }]);
        }
        if matches!(self.kind, StringKind::Quoted(_)) {
            own.iter().try_for_each(|one| fits(&one.text, within))?;
        }
        let shifted = |one: Replacement| Replacement::new(one.range.start + start..one.range.end + start, one.text);
        Ok(own.into_iter().map(shifted).collect())
    }
}

/// What markup reads before a script does cannot stand in a string of an attribute.
fn fits(text: &str, within: Option<char>) -> Result<(), Refusal> {
    let Some(within) = within else { return Ok(()) };
    let mut ampersands = text.match_indices('&');
    if text.contains(within) || ampersands.any(|(at, _)| references::may_begin(&text[at + 1..])) {
        let reason = format!(
            "“{text}” cannot be written in :class, because the attribute's quotes would end there; add it in the code"
        );
        return Err(Refusal::uncertain(Code::ClassQuotes, reason));
    }
    Ok(())
}
