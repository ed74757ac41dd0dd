//! Class lists: `class="…"`, and strings, arrays, objects, conditions and calls in `:class`.

mod reader;

use oxc::ast::ast::Expression;

use super::attribute;
use super::document::Document;
use crate::source::Code;
use crate::source::classes::{ClassList, Coding, Part, When, edit_parts};
use crate::source::inspection::{ClassForm, Classes};
use crate::source::plan::{Plan, Refusal, Replacement};
use crate::source::sfc::entities;
use crate::source::sfc::expression::{Shift, with_expression};
use crate::source::sfc::tree::{Attribute, Element, Id, Span};
use crate::source::styles::ModuleClass;
use crate::source::{Branch, Change};
use reader::{Reader, form_of};

/// Adds and removes classes.
pub(super) fn plan(
    document: &Document<'_>,
    id: Id,
    add: &[String],
    remove: &[String],
    branch: Option<Branch>,
) -> Result<Plan, Refusal> {
    let element = document.element(id)?;
    if let Some(word) = add
        .iter()
        .find(|word| word.is_empty() || word.contains(char::is_whitespace))
    {
        let reason = format!("“{word}” is no class: a class has no white space in it. Add several one by one");
        return Err(Refusal::uncertain(Code::ClassName, reason));
    }
    let (mut strings, form) = strings(document, element);
    let is_new = plain(document, element).is_none();
    if is_new {
        strings.push(Text {
            span: Span::new(element.name.end, element.name.end),
            kind: TextKind::New,
            glued: [false; 2],
            when: When::Always,
        });
    }
    let parts: Vec<Part<'_>> = strings.iter().map(|text| text.part(document.text)).collect();
    let edits = edit_parts(&parts, add, remove, branch).map_err(|refusal| match refusal.code {
        Code::ClassMissing if form.computed => {
            let reason = format!(
                "{} Some of its classes are computed when the prototype runs",
                sentence(&refusal.reason)
            );
            Refusal::uncertain(Code::ClassMissing, reason)
        }
        _ => refusal,
    })?;
    let mut replacements = Vec::new();
    for (index, text) in strings.iter().enumerate() {
        let own = edits
            .iter()
            .filter(|edit| edit.part == index)
            .map(|edit| edit.replacement.clone());
        let own: Vec<Replacement> = own.collect();
        if !own.is_empty() {
            replacements.extend(text.write(document, element, own)?);
        }
    }
    Ok(document.plan(replacements))
}

/// The list, for inspection.
pub(super) fn inspect(document: &Document<'_>, element: &Element) -> Classes {
    let (strings, form) = strings(document, element);
    let mut list: Vec<String> = Vec::new();
    for text in &strings {
        let part = text.part(document.text);
        for word in ClassList::beside(part.text, part.coding, part.glued).words() {
            if !list.iter().any(|own| own == word) {
                list.push(word.to_owned());
            }
        }
    }
    Classes {
        list,
        editable: true,
        why: None,
        form: form.form,
    }
}

/// What is certain about the classes of an element.
pub(super) struct Known {
    pub words: Vec<String>,
    /// Whether there may be others.
    pub open: bool,
    /// Members of CSS modules.
    pub modules: Vec<ModuleClass>,
}

/// What is certain about the classes of an element.
pub(super) fn known(document: &Document<'_>, element: &Element) -> Known {
    let (strings, form) = strings(document, element);
    let mut known = Known {
        words: Vec::new(),
        open: form.computed,
        modules: form.modules,
    };
    for text in &strings {
        let part = text.part(document.text);
        let list = ClassList::beside(part.text, part.coding, part.glued);
        match part.when {
            When::Always => known.words.extend(list.words().map(str::to_owned)),
            When::Side(_) | When::Sometimes => known.open = true,
        }
        known.open |= part.glued != [false; 2];
    }
    known
}

fn sentence(reason: &str) -> String {
    format!("{}.", reason.trim_end_matches('.'))
}

/// How the list of an element is written.
struct Form {
    form: ClassForm,
    /// Whether some of it cannot be read.
    computed: bool,
    /// The members of CSS modules that are always there.
    modules: Vec<ModuleClass>,
}

/// A string that gives classes.
struct Text {
    /// The characters between the quotes, or the key without quotes.
    span: Span,
    kind: TextKind,
    glued: [bool; 2],
    when: When,
}

#[derive(Clone, Copy)]
enum TextKind {
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
    fn part<'t>(&self, text: &'t str) -> Part<'t> {
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
    fn write(
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

/// The plain `class` attribute.
fn plain<'e>(document: &Document<'_>, element: &'e Element) -> Option<&'e Attribute> {
    element
        .attributes
        .iter()
        .find(|attribute| attribute.directive.is_none() && attribute.name.of(document.text) == "class")
}

fn strings(document: &Document<'_>, element: &Element) -> (Vec<Text>, Form) {
    let mut strings = Vec::new();
    let mut form = Form {
        form: ClassForm::None,
        computed: element
            .attributes
            .iter()
            .any(|attribute| attribute::is_spread(document, attribute)),
        modules: Vec::new(),
    };
    for attribute in element
        .attributes
        .iter()
        .filter(|attribute| document.sfc.sets(attribute) == Some("class"))
    {
        if attribute.directive.is_none() {
            let name_end = Span::new(attribute.name.end, attribute.name.end);
            let (span, quote) = attribute
                .value
                .map_or((name_end, None), |value| (value.inner, value.quote));
            strings.push(Text {
                span,
                kind: TextKind::Plain(quote),
                glued: [false; 2],
                when: When::Always,
            });
            if form.form == ClassForm::None {
                form.form = ClassForm::Literal;
            }
            continue;
        }
        let within = attribute.value.map_or('"', attribute::quote_of);
        let mut reader = Reader {
            text: document.text,
            within,
            strings: Vec::new(),
            modules: Vec::new(),
            computed: false,
        };
        let read = document.expression(attribute).and_then(|span| {
            let read = |expression: &Expression<'_>, shift: Shift| {
                reader.read(expression, shift, When::Always);
                form_of(expression)
            };
            with_expression(document.text, span, read).ok()
        });
        form.computed |= reader.computed || read.is_none();
        form.form = read.unwrap_or(ClassForm::Object);
        strings.append(&mut reader.strings);
        form.modules.append(&mut reader.modules);
    }
    (strings, form)
}
