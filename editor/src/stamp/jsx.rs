//! Stamping JSX: one pass over the syntax tree, one over the text.

use oxc::ast::ast::{
    ImportDeclaration, JSXAttributeItem, JSXElement, JSXElementName, JSXOpeningElement, TSType, TSTypeAnnotation,
};
use oxc::ast_visit::{Visit, walk};

use super::map::Insertion;
use super::stamped::{Stamped, Unstamped};
use super::{ATTRIBUTE, map};
use crate::source::model::Walker;
use crate::source::module::Scenes;
use crate::source::script::{self, Broken};
use crate::source::sfc::StampPoint;

pub(super) fn stamp(path: &str, code: &str) -> Result<Stamped, Unstamped> {
    if !may_hold_elements(code) {
        return Ok(map::stamped(path, code, &[]));
    }
    let points = points(path, code).map_err(|broken| Unstamped::Broken {
        path: path.to_owned(),
        why: broken.to_string(),
    })?;
    let mut walker = Walker::new(code);
    let insertions: Vec<Insertion> = points
        .into_iter()
        .map(|point| Insertion {
            offset: point.offset,
            at: walker.position(point.element),
        })
        .collect();
    Ok(map::stamped(path, code, &insertions))
}

/// Where stamps go in a script, in the order of the text.
pub(super) fn points(path: &str, code: &str) -> Result<Vec<StampPoint>, Broken> {
    script::with_program(path, code, |program| {
        let mut places = Places::default();
        places.visit_program(program);
        places.found
    })
}

/// Most modules without elements of the page are told without a parse: a tag needs a `/` that ends it, and a `<` with a name
/// that begins with a small letter, as those of components never do. White space, comments, and what is not ASCII may stand
/// before the name.
fn may_hold_elements(code: &str) -> bool {
    let bytes = code.as_bytes();
    let mut opened = code
        .match_indices('<')
        .map(|(at, _)| bytes.get(at + 1..).unwrap_or_default());
    let may_be_named = |behind: &[u8]| match behind {
        [b'/', b'/' | b'*', ..] | [b'\\' | b'a'..=b'z', ..] => true,
        [next, ..] => *next <= b' ' || !next.is_ascii(),
        [] => false,
    };
    (code.contains("/>") || code.contains("</")) && opened.any(may_be_named)
}

#[derive(Default)]
struct Places {
    found: Vec<StampPoint>,
    scenes: Scenes,
}

impl<'a> Visit<'a> for Places {
    fn visit_import_declaration(&mut self, declaration: &ImportDeclaration<'a>) {
        self.scenes.import(declaration);
    }

    fn visit_jsx_element(&mut self, whole: &JSXElement<'a>) {
        let element = &whole.opening_element;
        if self.scenes.enter(&element.name)
            && let JSXElementName::Identifier(name) = &element.name
            && !is_stamped(element)
        {
            let types = element.type_arguments.as_ref().map(|types| types.span.end);
            // Behind the tag's name and its type arguments.
            self.found.push(StampPoint {
                offset: types.unwrap_or(name.span.end) as usize,
                element: element.span.start as usize,
            });
        }
        walk::walk_jsx_element(self, whole);
        self.scenes.leave();
    }

    // Types hold no elements.
    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
    fn visit_ts_type_annotation(&mut self, _: &TSTypeAnnotation<'a>) {}
}

fn is_stamped(element: &JSXOpeningElement<'_>) -> bool {
    element.attributes.iter().any(|item| match item {
        JSXAttributeItem::Attribute(attribute) => attribute.is_identifier(ATTRIBUTE),
        JSXAttributeItem::SpreadAttribute(_) => false,
    })
}
