//! An opened file with the element an edit is about, and its lines.

use std::sync::Arc;

use crate::source::model::Code;
use crate::source::model::plan::{Plan, Refusal, Replacement};
use crate::source::model::position::{LineIndex, Stamp};
use crate::source::model::project::Project;
use crate::source::notation::references;
use crate::source::sfc;
use crate::source::sfc::tree::{Attribute, Bound, Element, Id, Sfc, Span};
use crate::source::write::lines;

/// Reads a file of the project.
pub(super) fn text(project: &dyn Project, path: &str) -> Result<Arc<str>, Refusal> {
    project.read(path).ok_or_else(|| Refusal::no_source(path))
}

/// A file that was read and understood.
pub(super) struct Document<'t> {
    pub path: &'t str,
    pub text: &'t str,
    pub sfc: Sfc<'t>,
}

impl<'t> Document<'t> {
    pub fn new(path: &'t str, text: &'t str) -> Result<Self, Refusal> {
        let sfc = sfc::read(text).map_err(|broken| {
            let line = LineIndex::new(text).position(broken.offset).line;
            let reason = format!("{path} cannot be edited because of line {line}: {}", broken.message);
            Refusal::uncertain(Code::SyntaxError, reason)
        })?;
        Ok(Self { path, text, sfc })
    }

    /// The element whose `<` stands there.
    pub fn locate(&self, stamp: &Stamp) -> Result<Id, Refusal> {
        let at = stamp.at;
        let found = LineIndex::new(self.text).offset(at).and_then(|offset| {
            let first = self.sfc.nodes.partition_point(|node| node.span.start < offset);
            let candidates = self.sfc.nodes[first..]
                .iter()
                .take_while(|node| node.span.start == offset);
            let id = first
                + candidates
                    .enumerate()
                    .find(|(more, _)| self.sfc.element(first + more).is_some())?
                    .0;
            self.sfc.elements().any(|(other, _)| other == id).then_some(id)
        });
        found.ok_or_else(|| Refusal::no_element(stamp))
    }

    /// The element with this index, which [`Self::locate`] found.
    pub fn element(&self, id: Id) -> Result<&Element, Refusal> {
        self.sfc.element(id).ok_or_else(|| {
            let reason = format!("{} has no such element: select it once more", self.path);
            Refusal::uncertain(Code::NoElement, reason)
        })
    }

    pub fn tag(&self, element: &Element) -> &'t str {
        self.sfc.tag(element)
    }

    /// A plan for this file.
    pub fn plan(&self, replacements: Vec<Replacement>) -> Plan {
        Plan::of(self.path, replacements)
    }

    /// The place of a byte of the file.
    pub fn stamp(&self, offset: usize) -> Stamp {
        Stamp {
            path: self.path.to_owned(),
            at: LineIndex::new(self.text).position(offset),
        }
    }

    /// The value of a directive as its expression; `None` when character references in it keep places from agreeing.
    pub fn expression(&self, attribute: &Attribute) -> Option<Span> {
        let inner = attribute.value?.inner;
        let source = inner.of(self.text);
        (references::html_attribute(source) == source).then_some(inner)
    }

    /// The element's ancestors, the nearest first; the `<template>` block is the last.
    pub fn ancestors(&self, id: Id) -> impl Iterator<Item = Id> {
        std::iter::successors(self.sfc.nodes[id].parent, |id| self.sfc.nodes[*id].parent)
    }

    /// The element's directive of this kind.
    pub fn directive<'e>(&self, element: &'e Element, kind: Bound) -> Option<&'e Attribute> {
        self.sfc.directive(element, kind)
    }

    // -- lines

    /// How this file ends its lines.
    pub fn line_end(&self) -> &'static str {
        lines::line_end(self.text)
    }

    /// The white space at the beginning of the line of `offset`.
    pub fn indentation(&self, offset: usize) -> &'t str {
        lines::indentation(self.text, offset)
    }

    /// Whether nothing but white space stands before `offset` in its line.
    pub fn begins_line(&self, offset: usize) -> bool {
        lines::begins_line(self.text, offset)
    }

    /// Whether a range has its lines for itself.
    pub fn stands_alone(&self, span: Span) -> bool {
        lines::stands_alone(self.text, &span.range())
    }

    /// A range with the lines it has for itself: what goes so that no empty line stays.
    pub fn with_line(&self, span: Span) -> Span {
        let whole = lines::with_line(self.text, &span.range());
        Span::new(whole.start, whole.end)
    }

    /// One step of indentation: what the first element on a line of its own has more than the element around it.
    pub fn step(&self) -> &'t str {
        let steps = self.sfc.elements().filter_map(|(id, _)| {
            let node = &self.sfc.nodes[id];
            let parent = self.sfc.nodes.get(node.parent?)?;
            let own = self
                .begins_line(node.span.start)
                .then(|| self.indentation(node.span.start))?;
            own.strip_prefix(self.indentation(parent.span.start))
                .filter(|step| !step.is_empty())
        });
        steps.take(1).last().unwrap_or_else(|| lines::usual_step(self.text))
    }
}
