//! Where something new goes, seen from an element: the replacements that put it there.

use std::ops::Range;

use super::slot::Slot;
use super::source::{Source, leading_blank, trailing_blank};
use crate::source::follow::Resolver;
use crate::source::model::Code;
use crate::source::model::operation::Place;
use crate::source::model::plan::{Refusal, Replacement};
use crate::source::model::project::Project;
use crate::source::module::{Child, ChildKind, Element, ElementId, ElementKind};
use crate::source::names;

/// A place for elements.
#[derive(Debug)]
pub(super) struct Spot {
    /// What is replaced by them; often nothing.
    pub range: Range<usize>,
    /// Goes before them.
    pub before: String,
    /// Goes behind them.
    pub after: String,
    /// How their lines are indented.
    pub indentation: String,
    /// Whether an element around the place is written anew: nothing that stands in it can be moved there.
    pub rewritten: bool,
}

impl Spot {
    /// The replacement that puts `elements` there.
    pub fn put(&self, elements: &str) -> Replacement {
        Replacement::new(self.range.clone(), format!("{}{elements}{}", self.before, self.after))
    }

    fn inline(source: &Source, offset: usize) -> Self {
        Self {
            range: offset..offset,
            before: String::new(),
            after: String::new(),
            indentation: source.indentation(offset).to_owned(),
            rewritten: false,
        }
    }
}

/// The place named by `place`, seen from the element.
pub(super) fn find(source: &Source, index: ElementId, place: Place) -> Result<Spot, Refusal> {
    match place {
        Place::Before | Place::After => beside(source, index, place),
        Place::First | Place::Last => within(source, index, place),
    }
}

fn beside(source: &Source, index: ElementId, place: Place) -> Result<Spot, Refusal> {
    let slot = Slot::of(source, index);
    match slot {
        Slot::Child => Ok(next_to(source, &source.element(index).range, place)),
        Slot::Guarded(container)
        | Slot::Side {
            container: Some(container),
            ..
        } => Ok(next_to(source, &container, place)),
        Slot::Root | Slot::Side { container: None, .. } => Ok(wrapped(source, index, place)),
        _ => Err(slot.refusal(source, "given a neighbour")),
    }
}

/// Beside a child: on lines of its own when the child has its own.
fn next_to(source: &Source, range: &Range<usize>, place: Place) -> Spot {
    let alone = source.stands_alone(range);
    let offset = match place {
        Place::Before | Place::First => range.start,
        // White space at the end of the line stays with its element.
        Place::After | Place::Last if alone => source.blank_after(range.end),
        Place::After | Place::Last => range.end,
    };
    let inline = Spot::inline(source, offset);
    if !alone {
        return inline;
    }
    let indentation = source.indentation(range.start).to_owned();
    let break_line = format!("{}{indentation}", source.line_end());
    let (before, after) = match place {
        Place::Before | Place::First => (String::new(), break_line),
        Place::After | Place::Last => (break_line, String::new()),
    };
    Spot {
        before,
        after,
        indentation,
        ..inline
    }
}

/// Beside an element which is all that stands there: both go into a fragment.
pub(super) fn wrapped(source: &Source, index: ElementId, place: Place) -> Spot {
    let range = &source.element(index).range;
    let own = source.slice(range);
    let indentation = source.indentation(range.start).to_owned();
    let (open, between, close, inner) = if source.stands_alone(range) {
        let line_end = source.line_end();
        let inner = format!("{indentation}{}", source.step(index));
        let next = format!("{line_end}{inner}");
        (format!("<>{next}"), next, format!("{line_end}{indentation}</>"), inner)
    } else {
        ("<>".to_owned(), String::new(), "</>".to_owned(), indentation.clone())
    };
    let own = super::markup::reindented(&source.path, own, &indentation, &inner, source.line_end());
    let (before, after) = match place {
        Place::Before | Place::First => (open, format!("{between}{own}{close}")),
        Place::After | Place::Last => (format!("{open}{own}{between}"), close),
    };
    Spot {
        range: range.clone(),
        before,
        after,
        indentation: inner,
        rewritten: true,
    }
}

fn within(source: &Source, index: ElementId, place: Place) -> Result<Spot, Refusal> {
    let element = source.element(index);
    takes_children(source, element)?;
    let Some(closing) = &element.closing else {
        return Ok(opened(source, index));
    };
    let filled = |child: &&Child| match child.kind {
        ChildKind::Text(_) => !source
            .slice(&child.range)
            .trim_matches([' ', '\t', '\n', '\r'])
            .is_empty(),
        _ => true,
    };
    let mut children = element.children.iter().filter(filled);
    let first = children.next();
    let last = children.next_back().or(first);
    let (Some(first), Some(last)) = (first, last) else {
        return Ok(filling(source, index, element.opening.end..closing.start));
    };
    let shown = |child: &Child| match child.kind {
        ChildKind::Text(_) => {
            let text = source.slice(&child.range);
            child.range.start + leading_blank(text)..child.range.end - trailing_blank(text)
        }
        _ => child.range.clone(),
    };
    let (first, last) = (shown(first), shown(last));
    let in_lines = source.begins_line(first.start) && source.ends_line(last.end);
    let indentation = source.indentation(first.start).to_owned();
    let break_line = format!("{}{indentation}", source.line_end());
    let spot = |offset: usize| Spot::inline(source, offset);
    Ok(match (place, in_lines) {
        (Place::Before | Place::First, true) => Spot {
            after: break_line,
            indentation,
            ..spot(first.start)
        },
        (Place::After | Place::Last, true) => Spot {
            before: break_line,
            indentation,
            ..spot(last.end)
        },
        (Place::Before | Place::First, false) => spot(element.opening.end),
        (Place::After | Place::Last, false) => spot(closing.start),
    })
}

/// Refuses the first content of a component of which nobody knows that it shows it.
pub(super) fn shown(project: &dyn Project, source: &Source, index: ElementId, place: Place) -> Result<(), Refusal> {
    let element = source.element(index);
    let is_inside = matches!(place, Place::First | Place::Last);
    if !is_inside || element.kind != ElementKind::Component || !element.children.is_empty() {
        return Ok(());
    }
    let resolver = Resolver::new(project);
    let src = source.stamp(element.range.start);
    resolver.shows_content(&resolver.find(&src)?)
}

/// Refuses elements that show no elements put into them.
fn takes_children(source: &Source, element: &Element) -> Result<(), Refusal> {
    let tag = &element.tag;
    let refuse = |code, reason: String| Err(Refusal::uncertain(code, reason));
    if element.kind != ElementKind::Component
        && let Some(why) = names::content(tag).no_elements(tag)
    {
        return refuse(Code::NoChildren, why);
    }
    for name in [
        "dangerouslySetInnerHTML",
        "children",
        "innerHTML",
        "textContent",
        "v-html",
        "v-text",
    ] {
        if element.attribute(name).is_some() {
            return refuse(
                Code::NoChildren,
                format!("The content of this element comes from “{name}”: choose a place before or after it"),
            );
        }
    }
    let spread = element.has_spread();
    let empty = element.children.is_empty();
    if empty && spread {
        let reason =
            "The element's content may come from the value that is spread into it: choose a place before or after it";
        return refuse(Code::SpreadChildren, reason.to_owned());
    }
    let calls = element.children.iter().any(|child| match &child.kind {
        ChildKind::Expression(contained) => source.module.is_function(contained),
        ChildKind::Spread(_) => true,
        _ => false,
    });
    if calls {
        return refuse(
            Code::ComponentChildren,
            format!("The content of <{tag}> is a function that it calls: choose an element inside of that"),
        );
    }
    Ok(())
}

/// Inside an element that closes itself, which gets a closing tag.
fn opened(source: &Source, index: ElementId) -> Spot {
    let element = source.element(index);
    let slash = element.opening.end - "/>".len();
    let blank = trailing_blank(&source.text[..slash]);
    // White space with a line break belongs to the layout of the attributes.
    let start = match source.text[slash - blank..slash].contains(['\n', '\r']) {
        true => slash,
        false => slash - blank,
    };
    let spot = filling(source, index, start..element.opening.end);
    Spot {
        before: format!(">{}", spot.before),
        after: format!("{}</{}>", spot.after, element.tag),
        ..spot
    }
}

/// The only content of an element.
fn filling(source: &Source, index: ElementId, range: Range<usize>) -> Spot {
    let element = source.element(index);
    let spot = Spot {
        range,
        ..Spot::inline(source, element.range.start)
    };
    if !source.stands_alone(&element.range) {
        return spot;
    }
    let outer = source.indentation(element.range.start);
    let indentation = format!("{outer}{}", source.step(index));
    Spot {
        before: format!("{}{indentation}", source.line_end()),
        after: format!("{}{outer}", source.line_end()),
        indentation,
        ..spot
    }
}
