//! What stands in what: adding nodes, closing elements, and the language of names.

use super::{Piece, Scanner};
use crate::source::sfc::tree::{Attribute, Id, Namespace, Node, NodeKind, Shown, Span, Text};
use crate::source::sfc::whitespace;

impl Scanner<'_> {
    pub(super) fn namespace(&self, tag: &str) -> Namespace {
        let mut namespace = Namespace::Html;
        if let Some(parent) = self.stack.last().and_then(|id| self.sfc.element(*id)) {
            namespace = parent.namespace;
            let name = self.sfc.tag(parent);
            if namespace == Namespace::MathMl {
                if name == "annotation-xml" {
                    if tag == "svg" {
                        return Namespace::Svg;
                    }
                    let html = |attribute: &Attribute| {
                        let value = attribute.value.map(|value| value.inner.of(self.sfc.text));
                        attribute.name.of(self.sfc.text) == "encoding"
                            && matches!(value, Some("text/html" | "application/xhtml+xml"))
                    };
                    if parent.attributes.iter().any(html) {
                        namespace = Namespace::Html;
                    }
                } else if matches!(name, "mi" | "mo" | "mn" | "ms" | "mtext") && !matches!(tag, "mglyph" | "malignmark")
                {
                    namespace = Namespace::Html;
                }
            } else if namespace == Namespace::Svg && matches!(name, "foreignObject" | "desc" | "title") {
                namespace = Namespace::Html;
            }
        }
        match tag {
            "svg" if namespace == Namespace::Html => Namespace::Svg,
            "math" if namespace == Namespace::Html => Namespace::MathMl,
            _ => namespace,
        }
    }

    /// Whether the innermost element is one of SVG or MathML.
    pub(super) fn is_foreign(&self) -> bool {
        self.stack
            .last()
            .and_then(|id| self.sfc.element(*id))
            .is_some_and(|element| element.namespace != Namespace::Html)
    }

    pub(super) fn add(&mut self, start: usize, end: usize, kind: NodeKind) {
        let id = self.sfc.nodes.len();
        let parent = self.stack.last().copied();
        self.sfc.nodes.push(Node {
            span: Span::new(start, end),
            parent,
            kind,
        });
        match parent.map(|parent| &mut self.sfc.nodes[parent].kind) {
            Some(NodeKind::Element(element)) => element.children.push(id),
            _ => self.sfc.roots.push(id),
        }
    }

    /// Adds characters; those behind other characters join them.
    pub(super) fn add_text(&mut self, start: usize, end: usize, piece: Piece) {
        let parent = self.stack.last().copied();
        if let Some(last) = self.sfc.children(parent).last().copied() {
            let Node { span, kind, .. } = &mut self.sfc.nodes[last];
            if let NodeKind::Text(text) = kind {
                text.solid &= piece != Piece::Section && span.end == start;
                span.end = end;
                return;
            }
        }
        let text = Text {
            shown: Shown::Exact,
            solid: piece != Piece::Section,
            raw: piece == Piece::Raw,
        };
        self.add(start, end, NodeKind::Text(text));
    }

    /// Takes the innermost element from the stack; it ends at `end`.
    pub(super) fn close(&mut self, end: usize, tag: Option<Span>) {
        let Some(id) = self.stack.pop() else { return };
        let node = &mut self.sfc.nodes[id];
        node.span.end = end;
        let NodeKind::Element(element) = &mut node.kind else {
            return;
        };
        element.close = tag;
        let is_pre = element.namespace == Namespace::Html && element.name.of(self.sfc.text) == "pre";
        let children = std::mem::take(&mut element.children);
        whitespace::condense(&mut self.sfc, &children, self.exact || self.pre > 0);
        if let NodeKind::Element(element) = &mut self.sfc.nodes[id].kind {
            element.children = children;
        }
        if is_pre {
            self.pre -= 1;
        }
        if self.verbatim == Some(id) {
            self.verbatim = None;
        }
        if self.xml && !self.is_foreign() {
            self.xml = false;
        }
    }

    pub(super) fn finish(&mut self) {
        let end = self.bytes.len();
        let unclosed: Vec<Id> = self.stack.clone();
        while !self.stack.is_empty() {
            self.close(end, None);
        }
        for id in unclosed.into_iter().rev() {
            self.unclosed(id);
        }
        let roots = std::mem::take(&mut self.sfc.roots);
        whitespace::condense(&mut self.sfc, &roots, false);
        self.sfc.roots = roots;
        self.sfc.problems.sort_by_key(|problem| problem.offset);
    }
}
