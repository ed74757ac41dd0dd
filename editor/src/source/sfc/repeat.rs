//! `v-for`: its names and its list.

use super::scan::is_space;
use super::tree::{Attribute, Sfc, Span};

/// The parts of `item in items`: the names without their brackets, and the list. As Vue does, the first ` in ` or ` of `
/// parts them.
#[must_use]
pub fn for_parts(sfc: &Sfc<'_>, attribute: &Attribute) -> Option<(Span, Span)> {
    let inner = attribute.value?.inner;
    let source = inner.of(sfc.text);
    let bytes = source.as_bytes();
    let space = |at: usize| bytes.get(at).is_some_and(|byte| is_space(*byte));
    let word = (1..bytes.len()).find(|at| {
        let parts = bytes[*at..].starts_with(b"in") || bytes[*at..].starts_with(b"of");
        parts && space(at - 1) && space(at + 2)
    })?;
    let trimmed = |from: usize, to: usize| {
        let part = &source[from..to];
        let start = inner.start + from + part.len() - part.trim_start().len();
        Span::new(start, start + part.trim().len())
    };
    let (names, list) = (trimmed(0, word), trimmed(word + 2, source.len()));
    (!names.is_empty() && !list.is_empty()).then_some((names, list))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::sfc::{scan, tree::Bound};

    #[test]
    fn names_and_list_are_parted_as_vue_parts_them() {
        for (value, parts) in [
            ("item in items", Some(("item", "items"))),
            (" ( a, b )\n of f(in_, x) ", Some(("( a, b )", "f(in_, x)"))),
            ("{ a = ' in ' } in b", Some(("{ a = '", "' } in b"))),
            ("items", None),
            ("in items", None),
            ("a in ", None),
        ] {
            let text = format!("<template><p v-for=\"{value}\"/></template>");
            let sfc = scan(&text);
            let (_, element) = sfc.elements().next().unwrap();
            let found = for_parts(&sfc, sfc.directive(element, Bound::For).unwrap());
            let found = found.map(|(names, list)| (names.of(&text), list.of(&text)));
            assert_eq!(found, parts, "{value}");
        }
    }
}
