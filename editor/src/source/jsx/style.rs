//! Styles of an element: described for [`styles`], which knows where they are declared.

use std::ops::Range;

use super::attribute::appended;
use super::framework::Framework;
use super::source::Source;
use super::{class, class_attribute};
use crate::source::follow::Resolver;
use crate::source::model::Viewport;
use crate::source::model::inspection::Style;
use crate::source::model::plan::{Plan, Refusal};
use crate::source::model::project::Project;
use crate::source::module::{Element, ElementId, ElementKind, Written};
use crate::source::sfc;
use crate::source::styles::{
    self, Ancestor, Block, Inline, InlineForm, Insert, ModuleClass, Step, StyleEdit, Subject, Takes,
};

/// Sets one property, or removes it.
pub(super) fn plan(
    project: &dyn Project,
    source: &Source,
    index: ElementId,
    edit: &StyleEdit<'_>,
) -> Result<Plan, Refusal> {
    match styles::plan(project, &subject(project, source, index), edit)? {
        Step::Plan(plan) => Ok(plan),
        Step::Classes { add, remove, notes } => {
            let plan = class::plan(source, index, &add, &remove, edit.branch)?;
            Ok(Plan { notes, ..plan })
        }
    }
}

/// The declarations that apply.
pub(super) fn inspect(project: &dyn Project, source: &Source, index: ElementId, viewport: &Viewport) -> Vec<Style> {
    styles::inspect(project, &subject(project, source, index), viewport)
}

/// Whether a property could be set.
pub(super) fn able(project: &dyn Project, source: &Source, index: ElementId) -> Result<Plan, Refusal> {
    plan(project, source, index, &StyleEdit::plain("color", Some("red")))
}

fn subject<'s>(project: &dyn Project, source: &'s Source, index: ElementId) -> Subject<'s> {
    let element = source.element(index);
    let seen = seen(source, element);
    Subject {
        path: &source.path,
        text: &source.text,
        tag: &element.tag,
        is_component: element.kind != ElementKind::Host,
        takes: takes(project, source, element),
        attributes: seen.attributes,
        open: seen.open,
        classes: seen.classes,
        classes_open: seen.classes_open,
        classes_computed: class::known(source, element).computed,
        modules: seen.modules,
        styles: inline(source, element),
        pixels: source.framework == Framework::React,
        insert: place(source, element),
        ancestors: ancestors(source, element),
        scripts: scripts(source),
        blocks: blocks(source),
    }
}

/// What the use of a component can be given.
fn takes(project: &dyn Project, source: &Source, element: &Element) -> Takes {
    if element.kind != ElementKind::Component {
        return Takes::default();
    }
    let resolver = Resolver::new(project);
    let given = resolver.find(&source.stamp(element.range.start));
    given.map_or_else(
        |_| Takes::default(),
        |element| {
            let given = resolver.given_on(&element);
            Takes {
                class: given.merges,
                style: given.style,
            }
        },
    )
}

/// Which parts of the file are JavaScript: all of it, but in a component of Vue.
fn scripts(source: &Source) -> Vec<Range<usize>> {
    if !source.path.ends_with(".vue") {
        return std::iter::once(0..source.text.len()).collect();
    }
    let Ok(component) = sfc::read(&source.text) else {
        return Vec::new();
    };
    let own = component.scripts().filter(|block| block.src.is_none());
    own.map(|block| block.content.range()).collect()
}

/// The `<style>` blocks of a component of Vue. Whether scoped ones hold for JSX depends on what renders it: the component itself does,
/// its setup and other functions that are components do not.
fn blocks(source: &Source) -> Vec<Block> {
    let component = Some(()).filter(|()| source.path.ends_with(".vue"));
    let Some(component) = component.and_then(|()| sfc::read(&source.text).ok()) else {
        return Vec::new();
    };
    let own = component.styles().filter(|block| block.src.is_none());
    let described = own.map(|block| Block {
        content: block.content.range(),
        scoped: block.scoped,
        certain: !block.scoped,
        module: block.module.map(str::to_owned),
        lang: block.lang.unwrap_or("css").to_owned(),
    });
    described.collect()
}

/// The host elements around an element, nearest first.
fn ancestors(source: &Source, element: &Element) -> Vec<Ancestor> {
    let parents = std::iter::successors(element.parent, |parent| source.element(*parent).parent);
    parents
        .map(|parent| source.element(parent))
        .filter(|parent| parent.kind != ElementKind::Fragment)
        .take_while(|parent| parent.kind == ElementKind::Host)
        .map(|parent| seen(source, parent))
        .collect()
}

/// What the file says for certain about an element.
fn seen(source: &Source, element: &Element) -> Ancestor {
    let mut open = false;
    let mut attributes = Vec::new();
    for attribute in &element.attributes {
        let value = match &attribute.written {
            Written::Flag => None,
            Written::Text(..) => source.module.quoted(attribute).map(str::to_owned),
            Written::Expression(contained) if source.module.literal(contained).is_some() => {
                source.module.literal(contained).map(|literal| literal.value.shown())
            }
            Written::Expression(_) | Written::Element(_) if !is_of_page(&attribute.name) => continue,
            _ => {
                open |= !is_presentation(&attribute.name);
                continue;
            }
        };
        match attribute.name.as_str() {
            name if is_presentation(name) => {}
            "htmlFor" => attributes.push(("for".to_owned(), value)),
            name => attributes.push((name.to_ascii_lowercase(), value)),
        }
    }
    let known = class::known(source, element);
    Ancestor {
        tag: element.tag.clone(),
        attributes,
        open,
        classes: known.classes,
        classes_open: known.open,
        modules: known
            .modules
            .into_iter()
            .map(|(object, name)| ModuleClass { object, name })
            .collect(),
    }
}

/// Whether it is one that says how the element looks.
fn is_presentation(name: &str) -> bool {
    name == "style" || class_attribute::NAMES.contains(&name)
}

/// Whether an attribute reaches the page at all: handlers, keys and references do not.
fn is_of_page(name: &str) -> bool {
    !matches!(name, "key" | "ref")
        && !name
            .strip_prefix("on")
            .is_some_and(|rest| rest.starts_with(char::is_uppercase))
}

fn inline(source: &Source, element: &Element) -> Vec<Inline> {
    let Some(position) = element
        .attributes
        .iter()
        .rposition(|attribute| attribute.name == "style")
    else {
        return Vec::new();
    };
    let attribute = &element.attributes[position];
    let later = &element.attributes[position + 1..];
    let (form, range, quote) = match &attribute.written {
        Written::Text(range, _) => {
            let quote = source.slice(range).chars().next();
            (InlineForm::Text, range.start + 1..range.end - 1, quote)
        }
        Written::Expression(contained) => {
            let form = match source.slice(&contained.inner).starts_with('{') {
                true => InlineForm::Object,
                false => InlineForm::Expression,
            };
            (form, contained.inner.clone(), None)
        }
        _ => return Vec::new(),
    };
    vec![Inline {
        form,
        range,
        attribute: attribute.range.clone(),
        quote,
        spread_after: later
            .iter()
            .any(|attribute| matches!(attribute.written, Written::Spread(..))),
    }]
}

/// Where a `style` could be added: in React not where a spread may bring one already. Vue joins them, and the last one wins.
fn place(source: &Source, element: &Element) -> Option<Insert> {
    let mut attributes = element.attributes.iter();
    let spread = attributes.any(|attribute| matches!(attribute.written, Written::Spread(..)));
    if spread && source.framework != Framework::Vue {
        return None;
    }
    let new = appended(source, element, "");
    Some(Insert {
        at: new.range.start,
        space: new.text,
        jsx: true,
    })
}
