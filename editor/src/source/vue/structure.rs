//! Inserting, moving, duplicating and deleting elements.

use super::document::Document;
use super::expression::ExpressionValue;
use super::markup::{self, Markup};
use super::{attribute, chain, scope, text};
use crate::source::components::{self, Site};
use crate::source::follow::Resolver;
use crate::source::model::Code;
use crate::source::model::plan::{Choice, Plan, Refusal, Replacement, left_out, short};
use crate::source::model::position::Stamp;
use crate::source::model::{Inserted, Place, Project, Scope};
use crate::source::sfc::names;
use crate::source::sfc::tree::{Attribute, Bound, Element, Id, NodeKind, Span};

/// Removes the element.
pub(super) fn delete(document: &Document<'_>, id: Id, reach: Option<Scope>) -> Result<Plan, Refusal> {
    let element = document.element(id)?;
    not_counted(document, id)?;
    not_only_root(
        document,
        id,
        "deleted: the component would show nothing; delete its use instead",
    )?;
    whole_list(document, element, reach, "delete")?;
    let mut replacements = vec![Replacement::remove(removal(document, id).range())];
    replacements.extend(chain::repair(document, id)?);
    Ok(document.plan(replacements))
}

/// Puts a copy of the element after it.
pub(super) fn duplicate(document: &Document<'_>, id: Id, reach: Option<Scope>) -> Result<Plan, Refusal> {
    let element = document.element(id)?;
    not_counted(document, id)?;
    not_only_root(
        document,
        id,
        "duplicated: attributes that are given to the component would reach neither of two; wrap it in another element in the code first",
    )?;
    whole_list(document, element, reach, "duplicate")?;
    if chain::is_linked(document, id) {
        let reason = "The element is one side of a v-if with v-else, and a copy of it would come between them; wrap it in a <template> in the code first";
        return Err(Refusal::uncertain(Code::Conditional, reason));
    }
    let span = document.sfc.nodes[id].span;
    let mut copy = span.of(document.text).to_owned();
    let mut notes = Vec::new();
    for (place, attribute) in element.attributes.iter().enumerate().rev() {
        if is_mark(document, element, attribute) {
            let removed = attribute::removed(document, element, place);
            let inside = removed.range.start - span.start..removed.range.end - span.start;
            copy.replace_range(inside, &removed.text);
            notes.push(left_out(attribute.span.of(document.text)));
        }
    }
    let between = separator(document, id);
    let plan = document.plan(vec![Replacement::insert(span.end, format!("{between}{copy}"))]);
    Ok(Plan { notes, ..plan })
}

/// Whether an attribute tells the element from all others: a fixed `key`, or the `id` of an element of the page, which a copy
/// must not have. What a component does with an `id` is its own affair.
fn is_mark(document: &Document<'_>, element: &Element, attribute: &Attribute) -> bool {
    let fixed = || {
        attribute.directive.is_none()
            || matches!(
                attribute::bound(document, attribute),
                ExpressionValue::Text(_) | ExpressionValue::Number(_)
            )
    };
    match document.sfc.sets(attribute) {
        Some("id") => document.sfc.is_host(element) && fixed(),
        Some("key") => fixed(),
        _ => false,
    }
}

/// Puts markup, or the use of a component, beside or into the element.
pub(super) fn insert(
    project: &dyn Project,
    document: &Document<'_>,
    id: Id,
    place: Place,
    what: &Inserted,
) -> Result<Plan, Refusal> {
    let (markup, import) = match what {
        Inserted::Markup(markup) => (markup::read(markup)?, None),
        Inserted::Use(wanted) => {
            let written = components::write(project, &site(document, id), wanted)?;
            (markup::read(&written.markup)?, written.import)
        }
    };
    shows(project, document, id, place)?;
    let put = placed(document, id, place, &markup)?;
    Ok(document.plan(std::iter::once(put).chain(import).collect()))
}

/// The element, as a place for components.
pub(super) fn site<'d>(document: &Document<'d>, id: Id) -> Site<'d> {
    Site {
        path: document.path,
        text: document.text,
        offset: document.sfc.nodes[id].span.start,
        is_vue: true,
    }
}

/// Moves the element within its file.
pub(super) fn relocate(
    project: &dyn Project,
    document: &Document<'_>,
    id: Id,
    to: &Stamp,
    place: Place,
) -> Result<Plan, Refusal> {
    if to.path != document.path {
        let reason = format!(
            "An element can be moved within its file only, and that place is in {}: move it there in the code",
            to.path
        );
        return Err(Refusal::uncertain(Code::OtherFile, reason));
    }
    let target = document.locate(to)?;
    let span = document.sfc.nodes[id].span;
    if span.holds(document.sfc.nodes[target].span) {
        return Err(Refusal::uncertain(
            Code::IntoItself,
            "An element cannot be moved into or beside itself: choose another place",
        ));
    }
    movable(document, id)?;
    scope::survives(document, id, target, place)?;
    shows(project, document, target, place)?;
    let markup = Markup::of(document, id);
    let insertion = placed(document, target, place, &markup)?;
    let removal = removal(document, id);
    if removal.start <= insertion.range.start && insertion.range.end <= removal.end {
        // Both meet where the element stands already.
        return Err(Refusal::uncertain(
            Code::AlreadyThere,
            "The element stands at that place already: nothing would change",
        ));
    }
    Ok(document.plan(vec![Replacement::remove(removal.range()), insertion]))
}

/// Refuses content that the page would not show there, or would show elsewhere.
fn shows(project: &dyn Project, document: &Document<'_>, id: Id, place: Place) -> Result<(), Refusal> {
    let element = document.element(id)?;
    let is_inside = matches!(place, Place::First | Place::Last);
    if is_inside {
        fills_no_gaps(document, element)?;
    } else {
        not_counted(document, id)?;
    }
    if !is_inside || !element.children.is_empty() || !document.sfc.is_component(element) {
        return Ok(());
    }
    let resolver = Resolver::new(project);
    let src = document.stamp(document.sfc.nodes[id].span.start);
    resolver.shows_content(&resolver.find(&src)?)
}

/// Refuses to move what cannot leave its place.
pub(super) fn movable(document: &Document<'_>, id: Id) -> Result<(), Refusal> {
    not_counted(document, id)?;
    not_only_root(document, id, "moved")?;
    if chain::is_linked(document, id) {
        let reason = "The element is one side of a v-if with v-else, which must follow each other; move it in the code";
        return Err(Refusal::uncertain(Code::Conditional, reason));
    }
    Ok(())
}

/// Refuses another number or order of what stands in vue-i18n's component: the first of it fills `{0}` of the translation, and so on.
fn not_counted(document: &Document<'_>, id: Id) -> Result<(), Refusal> {
    let parent = document.sfc.nodes[id]
        .parent
        .and_then(|parent| document.sfc.element(parent));
    match parent {
        Some(parent) => fills_no_gaps(document, parent),
        None => Ok(()),
    }
}

fn fills_no_gaps(document: &Document<'_>, element: &Element) -> Result<(), Refusal> {
    let tag = document.tag(element);
    if matches!(tag, "i18n-t" | "I18nT") {
        let reason = format!(
            "What stands in <{tag}> fills the gaps of a translation by its place, so the page would show it in others: change that in the code"
        );
        return Err(Refusal::uncertain(Code::ComponentChildren, reason));
    }
    Ok(())
}

/// What goes with an element: its lines, where it has them for itself.
fn removal(document: &Document<'_>, id: Id) -> Span {
    document.with_line(document.sfc.nodes[id].span)
}

pub(super) fn not_only_root(document: &Document<'_>, id: Id, what: &str) -> Result<(), Refusal> {
    let sfc = &document.sfc;
    let is_root = sfc
        .template()
        .is_some_and(|template| sfc.nodes[id].parent == Some(template.id));
    let siblings = sfc.children(sfc.nodes[id].parent);
    let others = siblings.iter().filter(|sibling| match sfc.nodes[**sibling].kind {
        NodeKind::Element(_) | NodeKind::Interpolation(_) => **sibling != id,
        NodeKind::Text(_) => !sfc.nodes[**sibling].span.of(sfc.text).trim().is_empty(),
        NodeKind::Comment => false,
    });
    if is_root && others.count() == 0 {
        let reason = format!("This is the only element of the component's template and cannot be {what}");
        return Err(Refusal::uncertain(Code::RootElement, reason));
    }
    Ok(())
}

/// An element with `v-for` stands for all items: whoever means one of them must not lose the others.
fn whole_list(document: &Document<'_>, element: &Element, reach: Option<Scope>, verb: &str) -> Result<(), Refusal> {
    let Some(list) = document.directive(element, Bound::For) else {
        return Ok(());
    };
    let source = list.value.map_or("", |value| value.inner.of(document.text));
    let source = short(source);
    match reach {
        Some(Scope::All) => Ok(()),
        Some(Scope::Item) => {
            let reason = format!("One item of “{source}” is data, not an element; {verb} it in the list in the code");
            Err(Refusal::uncertain(Code::Repeated, reason))
        }
        None => {
            let reason = format!("The element is repeated for “{source}”: to {verb} it means all items");
            Err(Refusal::choose(
                reason,
                vec![Choice::scope(Scope::All, format!("{verb} the whole list"))],
            ))
        }
    }
}

/// What stands between an element and its neighbour: a line end with its indentation where it has its own lines.
fn separator(document: &Document<'_>, id: Id) -> String {
    let span = document.sfc.nodes[id].span;
    if document.begins_line(span.start) && !document.ancestors(id).any(|around| is_exact(document, around)) {
        format!("{}{}", document.line_end(), document.indentation(span.start))
    } else {
        String::new()
    }
}

/// Whether all white space in an element is shown.
fn is_exact(document: &Document<'_>, id: Id) -> bool {
    document
        .sfc
        .element(id)
        .is_some_and(|element| document.tag(element) == "pre")
}

/// The insertion of markup at a place.
fn placed(document: &Document<'_>, id: Id, place: Place, markup: &Markup) -> Result<Replacement, Refusal> {
    let sfc = &document.sfc;
    let element = document.element(id)?;
    let span = sfc.nodes[id].span;
    match place {
        Place::Before | Place::After => {
            not_only_root(
                document,
                id,
                "given a neighbour: attributes that are given to the component would reach neither of two; wrap it in another element in the code first",
            )?;
            chain::no_gap(document, id, place == Place::Before)?;
            let between = separator(document, id);
            let source = markup.indented(document, document.indentation(span.start));
            Ok(match place {
                Place::Before => Replacement::insert(span.start, format!("{source}{between}")),
                _ => Replacement::insert(span.end, format!("{between}{source}")),
            })
        }
        Place::First | Place::Last => {
            takes_children(document, element)?;
            Ok(inside(document, id, element, place, markup))
        }
    }
}

fn inside(document: &Document<'_>, id: Id, element: &Element, place: Place, markup: &Markup) -> Replacement {
    let sfc = &document.sfc;
    let Some(close) = element.close else {
        return text::opened(document, element, markup.source());
    };
    if is_exact(document, id) || document.ancestors(id).any(|around| is_exact(document, around)) {
        let inner = element.inner();
        let rest = inner.of(document.text);
        // The line end right behind the tag of a `pre` is none of its text, as long as it stands there.
        let unseen = ["\r\n", "\n"]
            .iter()
            .find(|end| rest.starts_with(**end) && is_exact(document, id));
        let at = match place {
            Place::First => inner.start + unseen.map_or(0, |end| end.len()),
            _ => close.start,
        };
        return Replacement::insert(at, markup.source());
    }
    let own = document.indentation(sfc.nodes[id].span.start);
    let solid = |child: &&Id| match sfc.nodes[**child].kind {
        NodeKind::Text(_) => !sfc.nodes[**child].span.of(sfc.text).trim().is_empty(),
        _ => true,
    };
    let neighbour = match place {
        Place::First => element.children.iter().find(solid),
        _ => element.children.iter().rfind(solid),
    };
    let neighbour = neighbour.map(|child| {
        let span = sfc.nodes[*child].span;
        let source = span.of(sfc.text);
        let start = span.start + source.len() - source.trim_start().len();
        Span::new(start, span.start + source.trim_end().len())
    });
    let line_end = document.line_end();
    match neighbour {
        Some(span) if document.begins_line(span.start) => {
            let indentation = document.indentation(span.start);
            let source = markup.indented(document, indentation);
            match place {
                Place::First => Replacement::insert(span.start, format!("{source}{line_end}{indentation}")),
                _ => Replacement::insert(span.end, format!("{line_end}{indentation}{source}")),
            }
        }
        Some(span) => {
            let at = if place == Place::First { span.start } else { span.end };
            Replacement::insert(at, markup.indented(document, own))
        }
        // Between tags on different lines the markup gets its own.
        None if element.inner().of(document.text).contains(['\n', '\r']) => {
            let indentation = format!("{own}{}", document.step());
            let source = markup.indented(document, &indentation);
            Replacement::insert(element.open.end, format!("{line_end}{indentation}{source}"))
        }
        None => Replacement::insert(close.start, markup.indented(document, own)),
    }
}

fn takes_children(document: &Document<'_>, element: &Element) -> Result<(), Refusal> {
    let tag = document.tag(element);
    if let Some(why) = names::content(tag).no_elements(tag) {
        return Err(Refusal::uncertain(Code::NoChildren, why));
    }
    for (kind, name) in [(Bound::Html, "v-html"), (Bound::Text, "v-text")] {
        if document.directive(element, kind).is_some() {
            let reason = format!(
                "{name} sets the element's content when the prototype runs, so nothing can be put into it: choose a place before or after it"
            );
            return Err(Refusal::uncertain(Code::NoChildren, reason));
        }
    }
    let sfc = &document.sfc;
    let named = |child: &Id| {
        let inner = sfc.element(*child)?;
        let slot = document.directive(inner, Bound::Slot)?.directive.as_ref()?;
        let argument = slot.argument.map_or("default", |argument| argument.of(sfc.text));
        (sfc.tag(inner) == "template" && argument == "default").then_some(())
    };
    if sfc.is_component(element) && element.children.iter().any(|child| named(child).is_some()) {
        let reason = format!("<{tag}> gets its content in a <template #default>: put it in there");
        return Err(Refusal::uncertain(Code::ComponentChildren, reason));
    }
    Ok(())
}
