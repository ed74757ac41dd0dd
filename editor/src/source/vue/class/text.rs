//! The strings that give classes, and how each is written back.

use crate::source::classes::{ClassString, Coding, Part, StringKind, When};
use crate::source::model::Change;
use crate::source::model::plan::{Refusal, Replacement};
use crate::source::notation::Notation;
use crate::source::sfc::tree::{Element, Span};
use crate::source::vue::attribute;
use crate::source::vue::document::Document;

/// A string that gives classes.
pub(super) enum Text {
    /// One that stands in quotes, or in `:class`, which is in this quote.
    Written(ClassString, char),
    /// `class=a` and `class`: its value.
    Bare(Span),
    /// There is no `class` yet.
    New,
}

impl Text {
    /// The value of `class`, in this quote.
    pub fn attribute(value: Span, quote: u8) -> Self {
        let string = ClassString {
            range: value.range(),
            kind: StringKind::Attribute(char::from(quote)),
            glued: [false; 2],
            when: When::Always,
        };
        Self::Written(string, char::from(quote))
    }

    pub fn part<'t>(&self, text: &'t str) -> Part<'t> {
        let (text, coding) = match self {
            Self::Written(string, _) => return string.part(text),
            Self::Bare(span) => (span.of(text), Coding::Markup(' ')),
            Self::New => ("", Coding::Plain),
        };
        Part {
            text,
            coding,
            glued: [false; 2],
            when: When::Always,
        }
    }

    /// Replacements of the part as replacements of the file.
    pub fn write(
        &self,
        document: &Document<'_>,
        element: &Element,
        own: Vec<Replacement>,
    ) -> Result<Vec<Replacement>, Refusal> {
        let whole = |own: Vec<Replacement>| {
            let change = Change {
                path: String::new(),
                replacements: own,
            };
            let value = change.apply(self.part(document.text).text).unwrap_or_default();
            value.trim().to_owned()
        };
        match self {
            Self::Written(string, within) => string.write(document.text, own, Some(*within)),
            Self::Bare(span) => {
                let equals = if span.is_empty() { "=" } else { "" };
                let written = format!("{equals}\"{}\"", whole(own));
                Ok(vec![Replacement::new(span.range(), written)])
            }
            Self::New => {
                let value = Notation::HtmlAttribute('"').write(&whole(own));
                let written = format!("class=\"{value}\"");
                Ok(vec![attribute::appended(document, element, &written)])
            }
        }
    }
}
