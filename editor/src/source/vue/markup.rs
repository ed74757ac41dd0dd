//! Markup that is put into a template: checked on its own first, then indented for its place.

use std::ops::Range;

use super::document::Document;
use crate::source::model::Code;
use crate::source::model::plan::Refusal;
use crate::source::notation::references;
use crate::source::sfc::expression::with_expression;
use crate::source::sfc::scan;
use crate::source::sfc::tree::{Bound, Id, NodeKind, Sfc, Span};

/// One element or several.
pub(super) struct Markup {
    source: String,
    /// Quoted values of several lines, in which white space belongs to the value.
    values: Vec<Range<usize>>,
    /// Whether lines may be indented anew: not so where white space counts.
    flexible: bool,
    /// The indentation its lines have already.
    indentation: String,
}

impl Markup {
    /// An element of the file, as it stands there.
    pub fn of(document: &Document<'_>, id: Id) -> Self {
        let span = document.sfc.nodes[id].span;
        let source = span.of(document.text);
        Self {
            source: source.to_owned(),
            values: values(&document.sfc, span),
            flexible: is_flexible(source),
            indentation: document.indentation(span.start).to_owned(),
        }
    }

    pub fn source(&self) -> &str {
        &self.source
    }

    /// With the line ends of the file, each line but the first indented.
    pub fn indented(&self, document: &Document<'_>, indentation: &str) -> String {
        if !self.flexible || !self.source.contains(['\n', '\r']) {
            return self.source.clone();
        }
        let mut result = String::new();
        let mut offset = 0;
        for (index, whole) in self.source.split_inclusive('\n').enumerate() {
            let start = offset;
            offset += whole.len();
            let bare = whole.strip_suffix('\n').unwrap_or(whole);
            let line = bare.strip_suffix('\r').unwrap_or(bare);
            let line_end = if bare.len() < whole.len() {
                document.line_end()
            } else {
                ""
            };
            let in_value = self
                .values
                .iter()
                .any(|value| value.start < start && start <= value.end);
            if index == 0 || in_value {
                let ends_in_value = self
                    .values
                    .iter()
                    .any(|value| value.start < offset && offset <= value.end);
                // A line end within a value is the value's, too.
                result.push_str(if ends_in_value { whole } else { line });
                result.push_str(if ends_in_value { "" } else { line_end });
                continue;
            }
            let rest = line
                .strip_prefix(self.indentation.as_str())
                .unwrap_or(line.trim_start());
            if !rest.is_empty() {
                result.push_str(indentation);
                result.push_str(rest);
            }
            result.push_str(line_end);
        }
        result
    }
}

/// The values of plain attributes within `span`, seen from its start, that go over several lines.
fn values(sfc: &Sfc<'_>, span: Span) -> Vec<Range<usize>> {
    let inside = sfc.nodes.iter().filter(|node| span.holds(node.span));
    let elements = inside.filter_map(|node| match &node.kind {
        NodeKind::Element(element) => Some(element),
        _ => None,
    });
    let plain = elements.flat_map(|element| &element.attributes);
    let plain = plain.filter(|attribute| attribute.directive.is_none());
    let values = plain.filter_map(|attribute| Some(attribute.value?.inner));
    let values = values.filter(|value| value.of(sfc.text).contains(['\n', '\r']));
    values
        .map(|value| value.start - span.start..value.end - span.start)
        .collect()
}

/// In `pre`, `textarea`, strings over several lines and raw text white space counts.
fn is_flexible(source: &str) -> bool {
    !["<pre", "<textarea", "<style", "<script", "`"]
        .iter()
        .any(|sign| source.contains(sign))
}

/// Reads markup that somebody wrote.
pub(super) fn read(markup: &str) -> Result<Markup, Refusal> {
    let source = markup.trim();
    let refuse = |reason: String| Err(Refusal::uncertain(Code::BadMarkup, reason));
    let around = format!("<template>{source}</template>");
    let sfc = scan(&around);
    if let Some(problem) = sfc.problems.first() {
        return refuse(format!("The markup cannot be read: {}", problem.message));
    }
    // `</template>` in the markup would end more than itself.
    let whole = Span::new(0, around.len());
    if sfc.roots.len() != 1 || sfc.nodes[sfc.roots[0]].span != whole {
        return refuse("The markup cannot be read: it closes a tag that it does not open".to_owned());
    }
    let mut elements = 0;
    for (id, element) in sfc.elements() {
        elements += 1;
        if matches!(sfc.tag(element), "script" | "style") {
            return refuse(format!(
                "<{}> cannot stand in a template: put it beside the template in the code",
                sfc.tag(element)
            ));
        }
        let first = sfc.nodes[id].parent == Some(sfc.roots[0]) && sfc.children(Some(sfc.roots[0])).first() == Some(&id);
        if first
            && [Bound::ElseIf, Bound::Else]
                .iter()
                .any(|kind| sfc.directive(element, *kind).is_some())
        {
            return refuse("The markup begins with v-else, but no v-if stands before it: begin with v-if".to_owned());
        }
    }
    if elements == 0 {
        return refuse("The markup has no element in it: write at least one".to_owned());
    }
    if let Some(broken) = expressions(&around, &sfc) {
        return refuse(format!("The markup has an expression that cannot be read: {broken}"));
    }
    let last = source.lines().last().unwrap_or_default();
    let indentation = last.len() - last.trim_start_matches([' ', '\t']).len();
    let start = "<template>".len();
    Ok(Markup {
        values: values(&sfc, Span::new(start, start + source.len())),
        source: source.to_owned(),
        flexible: is_flexible(source),
        indentation: last[..indentation].to_owned(),
    })
}

/// The first expression with a syntax error.
fn expressions(text: &str, sfc: &Sfc<'_>) -> Option<String> {
    let check = |span: Span| {
        let source = span.of(text);
        let decoded = references::html_attribute(source);
        let read = with_expression(&decoded, Span::new(0, decoded.len()), |_, _| ());
        read.is_err().then(|| source.to_owned())
    };
    sfc.nodes.iter().find_map(|node| match &node.kind {
        NodeKind::Interpolation(inner) if !inner.is_empty() => check(*inner),
        NodeKind::Element(element) => element.attributes.iter().find_map(|attribute| {
            let kind = attribute.directive.as_ref()?.kind;
            // `v-for`, slots and handlers have a grammar of their own.
            let plain = matches!(
                kind,
                Bound::Bind | Bound::If | Bound::ElseIf | Bound::Text | Bound::Html
            );
            let inner = attribute.value?.inner;
            plain.then(|| check(inner)).flatten()
        }),
        _ => None,
    })
}
