//! Where white space is what a text says, and not how it is laid out: between backticks, and in `pre` and `textarea` of templates.

use std::ops::Range;

use oxc::ast::ast::TemplateElement;
use oxc::ast_visit::Visit;

use super::model::inspection::Language;
use super::script;
use super::sfc;
use super::sfc::tree::{Node, NodeKind, Shown};

/// Such stretches of a file, in no order. A file that cannot be read, or is no script, has none.
#[must_use]
pub fn exact(path: &str, text: &str) -> Vec<Range<usize>> {
    match Language::of(path) {
        Some(Language::Jsx) => in_script(path, text, 0),
        Some(Language::Vue) => in_component(text),
        None if [".ts", ".mts", ".cts"].iter().any(|ending| path.ends_with(ending)) => in_script(path, text, 0),
        None => Vec::new(),
    }
}

fn in_script(path: &str, text: &str, start: usize) -> Vec<Range<usize>> {
    let read = script::with_program(path, text, |program| {
        let mut texts = Texts(Vec::new());
        texts.visit_program(program);
        texts.0
    });
    let texts = read.unwrap_or_default().into_iter();
    texts.map(|range| range.start + start..range.end + start).collect()
}

fn in_component(text: &str) -> Vec<Range<usize>> {
    let sfc = sfc::scan(text);
    let scripts = sfc.scripts().filter_map(|block| {
        let content = block.content;
        Some(in_script(block.script_path()?, content.of(text), content.start))
    });
    // The blocks of the file hold their text as it stands, too: scripts and styles.
    let is_block = |node: &Node| node.parent.is_some_and(|parent| sfc.nodes[parent].parent.is_none());
    let shown = sfc.nodes.iter().filter_map(|node| match &node.kind {
        NodeKind::Text(shown) if shown.shown == Shown::Exact && !is_block(node) => Some(node.span.range()),
        _ => None,
    });
    scripts.flatten().chain(shown).collect()
}

struct Texts(Vec<Range<usize>>);

impl<'a> Visit<'a> for Texts {
    fn visit_template_element(&mut self, element: &TemplateElement<'a>) {
        self.0.push(script::range(element.span));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact_texts<'t>(path: &str, text: &'t str) -> Vec<&'t str> {
        exact(path, text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn it_is_between_backticks_and_in_what_is_shown_as_it_stands() {
        let app = "const a = `x\n  ${b}\n  y`;\nexport const App = () => <pre>{'z'}</pre>;\n";
        assert_eq!(exact_texts("src/App.tsx", app), ["x\n  ", "\n  y"]);
        let page = "<script setup>\nconst a = `x`\n</script>\n<template>\n  <p>y</p>\n  <pre> z</pre>\n</template>\n";
        assert_eq!(exact_texts("src/App.vue", page), ["x", " z"]);
        assert!(exact("src/App.tsx", "const = `").is_empty());
        assert!(exact("src/app.css", "a { content: `x` }").is_empty());
    }
}
