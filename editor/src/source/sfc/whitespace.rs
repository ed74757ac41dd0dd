//! Vue's condensing of white space: what the page shows of the text between tags.

use super::scan::is_space;
use super::tree::{Id, Namespace, Node, NodeKind, Sfc, Shown, Span};
use crate::source::notation::references;

/// Decides for the texts among `children`, whose element has just been closed. `exact` is set inside `pre`.
pub(super) fn condense(sfc: &mut Sfc<'_>, children: &[Id], exact: bool) {
    for (place, id) in children.iter().enumerate() {
        let node = &sfc.nodes[*id];
        if !matches!(node.kind, NodeKind::Text(_)) {
            continue;
        }
        if exact {
            continue;
        }
        let content = node.span.of(sfc.text);
        let shown = if is_blank(content) {
            let kind = |place: usize| children.get(place).map(|id| &sfc.nodes[*id].kind);
            let before = place.checked_sub(1).and_then(kind);
            match (before, kind(place + 1)) {
                (None, _)
                | (_, None)
                | (Some(NodeKind::Comment), Some(NodeKind::Comment | NodeKind::Element(_)))
                | (Some(NodeKind::Element(_)), Some(NodeKind::Comment)) => Shown::Nothing,
                (Some(NodeKind::Element(_)), Some(NodeKind::Element(_))) if content.contains(['\n', '\r']) => {
                    Shown::Nothing
                }
                _ => Shown::Space,
            }
        } else {
            Shown::Condensed
        };
        if let NodeKind::Text(text) = &mut sfc.nodes[*id].kind {
            text.shown = shown;
        }
    }
}

/// Whether a text is white space only, character references read.
fn is_blank(content: &str) -> bool {
    let blank = |text: &str| text.bytes().all(is_space);
    blank(content) || (content.contains('&') && blank(&references::html(content)))
}

/// Each run of white space as one space.
#[must_use]
pub fn condensed(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut spaced = false;
    for character in text.chars() {
        let space = u8::try_from(character).is_ok_and(is_space);
        if !space {
            result.push(character);
        } else if !spaced {
            result.push(' ');
        }
        spaced = space;
    }
    result
}

/// What the page shows of a text node.
#[must_use]
pub fn shown(sfc: &Sfc<'_>, id: Id) -> String {
    let Some(node) = sfc.nodes.get(id) else {
        return String::new();
    };
    let NodeKind::Text(text) = node.kind else {
        return String::new();
    };
    let source = node.span.of(sfc.text);
    let decoded = if text.raw {
        source.into()
    } else {
        references::html(source)
    };
    match text.shown {
        Shown::Nothing => String::new(),
        Shown::Space => " ".to_owned(),
        Shown::Condensed => condensed(&decoded),
        Shown::Exact => exact(sfc, id, &decoded),
    }
}

/// `pre` and `textarea` drop a line end behind their tag; `pre` knows one kind of line end only.
fn exact(sfc: &Sfc<'_>, id: Id, decoded: &str) -> String {
    let parent = sfc.nodes[id]
        .parent
        .and_then(|parent| Some((parent, sfc.element(parent)?)));
    let Some((parent, element)) = parent else {
        return decoded.to_owned();
    };
    let is_area = sfc.tag(element) == "textarea";
    let is_block = sfc.nodes[parent].parent.is_none();
    let in_pre = !is_block && !matches!(sfc.tag(element), "textarea" | "title" | "script" | "style");
    let text = if in_pre {
        decoded.replace("\r\n", "\n")
    } else {
        decoded.to_owned()
    };
    let first = sfc.children(Some(parent)).first() == Some(&id);
    if first && element.namespace == Namespace::Html && (is_area || sfc.tag(element) == "pre") {
        let rest = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n'));
        return rest.unwrap_or(&text).to_owned();
    }
    text
}

/// The range of a text that an edit replaces: without the white space around it, or all of it in `pre` and `textarea`.
#[must_use]
pub fn core(sfc: &Sfc<'_>, node: Id) -> Span {
    let Node { span, parent, kind } = &sfc.nodes[node];
    let source = span.of(sfc.text);
    if matches!(kind, NodeKind::Text(text) if text.shown == Shown::Exact) {
        let element = parent.and_then(|parent| sfc.element(parent));
        let is_first = element
            .is_some_and(|element| span.start == element.open.end && matches!(sfc.tag(element), "pre" | "textarea"));
        let line = ["\r\n", "\n"]
            .iter()
            .find(|line| is_first && source.starts_with(**line));
        return Span::new(span.start + line.map_or(0, |line| line.len()), span.end);
    }
    let space = [' ', '\t', '\n', '\r', '\x0c'];
    let start = span.start + source.len() - source.trim_start_matches(space).len();
    Span::new(start, start + source.trim_matches(space).len())
}
