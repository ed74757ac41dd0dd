//! The strings that give classes, and how each is written back.

use crate::source::classes::{Coding, Part, When};
use crate::source::model::plan::{Refusal, Replacement};
use crate::source::model::{Change, Code};
use crate::source::sfc::entities;
use crate::source::sfc::tree::{Element, Span};
use crate::source::vue::attribute;
use crate::source::vue::document::Document;

/// A string that gives classes.
pub(super) struct Text {
    /// The characters between the quotes, or the key without quotes.
    pub span: Span,
    pub kind: TextKind,
    pub glued: [bool; 2],
    pub when: When,
}

#[derive(Clone, Copy)]
pub(super) enum TextKind {
    /// The value of `class`, in this quote.
    Plain(Option<u8>),
    /// A string of `:class`, in this quote of JavaScript.
    String { quote: char, within: char },
    /// A key without quotes, of the property with this range; with the range that goes when it is removed.
    Key {
        property: Span,
        removal: Span,
        within: char,
        shorthand: bool,
    },
    /// There is no `class` yet.
    New,
}

impl Text {
    pub fn part<'t>(&self, text: &'t str) -> Part<'t> {
        let coding = match self.kind {
            TextKind::Plain(quote) => Coding::Markup(quote.map_or(' ', char::from)),
            TextKind::String { quote, .. } => Coding::Script(quote),
            TextKind::Key { .. } | TextKind::New => Coding::Plain,
        };
        Part {
            text: self.span.of(text),
            coding,
            glued: self.glued,
            when: self.when,
        }
    }

    /// Replacements of the part as replacements of the file.
    pub fn write(
        &self,
        document: &Document<'_>,
        element: &Element,
        own: Vec<Replacement>,
    ) -> Result<Vec<Replacement>, Refusal> {
        let start = self.span.start;
        let shifted = |replacement: Replacement| {
            Replacement::new(
                replacement.range.start + start..replacement.range.end + start,
                replacement.text,
            )
        };
        let whole = |own: Vec<Replacement>| {
            let path = String::new();
            let change = Change {
                path,
                replacements: own,
            };
            change.apply(self.span.of(document.text)).unwrap_or_default()
        };
        match self.kind {
            TextKind::Plain(Some(_)) => Ok(own.into_iter().map(shifted).collect()),
            // `class=a` and `class`
            TextKind::Plain(None) => {
                let value = whole(own);
                let equals = if self.span.is_empty() { "=" } else { "" };
                Ok(vec![Replacement::new(
                    self.span.range(),
                    format!("{equals}\"{}\"", value.trim()),
                )])
            }
            TextKind::String { within, .. } => {
                own.iter().try_for_each(|one| fits(&one.text, within))?;
                Ok(own.into_iter().map(shifted).collect())
            }
            TextKind::Key {
                property,
                removal,
                within,
                shorthand,
            } => {
                let value = whole(own);
                let value = value.trim();
                if value.is_empty() {
                    return Ok(vec![Replacement::remove(removal.range())]);
                }
                fits(value, within)?;
                let quote = if within == '\'' { '"' } else { '\'' };
                let value = Coding::Script(quote).encode(value).into_owned();
                if shorthand {
                    let name = property.of(document.text);
                    return Ok(vec![Replacement::new(
                        property.range(),
                        format!("{quote}{value}{quote}: {name}"),
                    )]);
                }
                Ok(vec![Replacement::new(
                    self.span.range(),
                    format!("{quote}{value}{quote}"),
                )])
            }
            TextKind::New => {
                let value = entities::attribute(whole(own).trim(), '"');
                Ok(vec![attribute::appended(
                    document,
                    element,
                    &format!("class=\"{value}\""),
                )])
            }
        }
    }
}

/// What Vue reads before JavaScript does cannot stand in a string of an attribute.
fn fits(text: &str, within: char) -> Result<(), Refusal> {
    let reference =
        |(_, rest): (&str, &str)| rest.starts_with(|next: char| next == '#' || next.is_ascii_alphanumeric());
    if text.contains(within) || text.split_once('&').is_some_and(reference) {
        let reason = format!(
            "“{text}” cannot be written in :class, because the attribute's quotes would end there; add it in the code"
        );
        return Err(Refusal::uncertain(Code::ClassQuotes, reason));
    }
    Ok(())
}
