//! Styles: an element of a template as [`styles`] wants to know it.

use super::attribute::{self, is_spread};
use super::class;
use super::document::Document;
use super::expression;
use crate::source::follow::Resolver;
use crate::source::model::Viewport;
use crate::source::model::inspection::Style;
use crate::source::model::plan::{Plan, Refusal};
use crate::source::model::project::Project;
use crate::source::notation::references;
use crate::source::sfc::tree::{Attribute, Bound, Element, Id, Span};
use crate::source::styles::{self, Ancestor, Block, Inline, InlineForm, Insert, Step, StyleEdit, Subject, Takes};

/// Sets one property, or removes it.
pub(super) fn plan(
    project: &dyn Project,
    document: &Document<'_>,
    id: Id,
    edit: &StyleEdit<'_>,
) -> Result<Plan, Refusal> {
    let subject = subject(project, document, id)?;
    match styles::plan(project, &subject, edit)? {
        Step::Plan(plan) => Ok(plan),
        Step::Classes { add, remove, notes } => {
            let plan = class::plan(document, id, &add, &remove, edit.branch)?;
            Ok(Plan { notes, ..plan })
        }
    }
}

/// The declarations, for inspection.
pub(super) fn inspect(project: &dyn Project, document: &Document<'_>, id: Id, viewport: &Viewport) -> Vec<Style> {
    match subject(project, document, id) {
        Ok(subject) => styles::inspect(project, &subject, viewport),
        Err(_) => Vec::new(),
    }
}

fn subject<'a>(project: &dyn Project, document: &'a Document<'_>, id: Id) -> Result<Subject<'a>, Refusal> {
    let element = document.element(id)?;
    let sfc = &document.sfc;
    let known = class::known(document, element);
    let is_component = !sfc.is_host(element);
    let styles = element.attributes.iter().enumerate();
    let styles = styles.filter_map(|(place, attribute)| inline(document, element, place, attribute));
    let hosts = document.ancestors(id).map_while(|id| {
        let element = sfc.element(id)?;
        // The block itself is no element, and behind a component the page may have others in between.
        let is_block = sfc.nodes[id].parent.is_none();
        (!is_block && sfc.is_host(element)).then_some(element)
    });
    let blocks = sfc.styles().filter(|block| block.src.is_none()).map(|block| Block {
        content: block.content.range(),
        scoped: block.scoped,
        certain: true,
        module: block.module.map(str::to_owned),
        lang: block.lang.unwrap_or("css").to_owned(),
    });
    Ok(Subject {
        path: document.path,
        text: document.text,
        tag: document.tag(element),
        is_component,
        takes: takes(project, document, id, element),
        attributes: literals(document, element),
        open: is_open(document, element),
        classes: known.words,
        classes_open: known.open,
        classes_computed: known.computed,
        modules: known.modules,
        styles: styles.collect(),
        pixels: false,
        // Vue joins the styles of a spread with those beside it, and the last one wins.
        insert: (!element.verbatim).then(|| {
            let added = attribute::appended(document, element, "");
            Insert {
                at: added.range.start,
                space: added.text,
                jsx: false,
            }
        }),
        ancestors: hosts.map(|element| ancestor(document, element)).collect(),
        scripts: sfc.scripts().map(|block| block.content.range()).collect(),
        blocks: blocks.collect(),
    })
}

/// What the use of a component can be given.
fn takes(project: &dyn Project, document: &Document<'_>, id: Id, element: &Element) -> Takes {
    if !document.sfc.is_component(element) {
        return Takes::default();
    }
    let resolver = Resolver::new(project);
    let src = document.stamp(document.sfc.nodes[id].span.start);
    let given = resolver.find(&src).map(|element| resolver.given_on(&element));
    given.map_or_else(
        |_| Takes::default(),
        |given| Takes {
            class: given.merges,
            style: given.style,
        },
    )
}

fn ancestor(document: &Document<'_>, element: &Element) -> Ancestor {
    let known = class::known(document, element);
    Ancestor {
        tag: document.tag(element).to_owned(),
        attributes: literals(document, element),
        open: is_open(document, element),
        classes: known.words,
        classes_open: known.open,
        modules: known.modules,
    }
}

/// Attributes with literal values, without `class` and `style`.
fn literals(document: &Document<'_>, element: &Element) -> Vec<(String, Option<String>)> {
    let literal = |attribute: &Attribute| {
        let name = document
            .sfc
            .sets(attribute)
            .filter(|name| !matches!(*name, "class" | "style"))?;
        let value = match &attribute.directive {
            None => attribute
                .value
                .map(|value| references::html_attribute(value.inner.of(document.text)).into_owned()),
            Some(_) => match attribute::bound(document, attribute) {
                expression::ExpressionValue::Text(literal) => Some(literal.text),
                _ => return None,
            },
        };
        Some((name.to_owned(), value))
    };
    element.attributes.iter().filter_map(literal).collect()
}

/// Whether attributes may be there that are not written with a literal value.
fn is_open(document: &Document<'_>, element: &Element) -> bool {
    element.attributes.iter().any(|attribute| {
        let Some(directive) = &attribute.directive else {
            return false;
        };
        let literal = || {
            matches!(
                attribute::bound(document, attribute),
                expression::ExpressionValue::Text(_)
            )
        };
        let names = document.sfc.sets(attribute);
        match directive.kind {
            Bound::Bind => !matches!(names, Some("class" | "style")) && !literal(),
            Bound::Other => true,
            _ => false,
        }
    })
}

fn inline(document: &Document<'_>, element: &Element, place: usize, attribute: &Attribute) -> Option<Inline> {
    if document.sfc.sets(attribute) != Some("style") {
        return None;
    }
    let value = attribute.value?;
    let (form, range) = match &attribute.directive {
        None => (InlineForm::Text, value.inner),
        Some(_) => {
            // Character references in an expression keep places from agreeing: then it is any other expression.
            let span = document.expression(attribute)?;
            let source = span.of(document.text);
            let start = span.start + source.len() - source.trim_start().len();
            let trimmed = Span::new(start, start + source.trim().len());
            let object = trimmed.of(document.text).starts_with('{') && trimmed.of(document.text).ends_with('}');
            let form = if object {
                InlineForm::Object
            } else {
                InlineForm::Expression
            };
            (form, trimmed)
        }
    };
    let behind = &element.attributes[place + 1..];
    Some(Inline {
        form,
        range: range.range(),
        attribute: attribute.span.range(),
        quote: value.quote.map(char::from),
        // Vue joins the styles of a spread with those beside it, and the one behind wins.
        spread_after: behind.iter().any(|attribute| is_spread(document, attribute)),
    })
}
