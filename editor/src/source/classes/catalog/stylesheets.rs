//! The classes that stylesheets name, and the variables they set for the whole page.

use std::collections::{HashMap, HashSet};

use crate::source::css::selector::{Selector, Simple};
use crate::source::css::{NodeKind, Sheet};

use super::entry::{CatalogEntry, shortened};

/// Notes the variables of `:root`, `html` and `@theme`; the first value counts, as that of the light theme.
pub(super) fn variables(text: &str, sheet: &Sheet, variables: &mut HashMap<String, String>) {
    for node in &sheet.nodes {
        let NodeKind::Declaration { property, value, .. } = &node.kind else {
            continue;
        };
        let property = &text[property.clone()];
        let Some(parent) = node.parent.filter(|_| property.starts_with("--")) else {
            continue;
        };
        let for_all = match &sheet.nodes[parent].kind {
            NodeKind::Rule { selector, .. } => matches!(&text[selector.clone()], ":root" | "html" | ":root, :host"),
            NodeKind::At { name, .. } => &text[name.clone()] == "theme",
            _ => false,
        };
        if for_all {
            let value = text[value.clone()].to_owned();
            variables.entry(property.to_owned()).or_insert(value);
        }
    }
}

/// The classes of a stylesheet's selectors; the preview is the rule that names nothing else.
pub(super) fn classes(path: &str, text: &str, sheet: &Sheet, entries: &mut Vec<CatalogEntry>) {
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut previewed = HashSet::new();
    for node in &sheet.nodes {
        let NodeKind::Rule { selector, block } = &node.kind else {
            continue;
        };
        for complex in Selector::parse(&text[selector.clone()]).any {
            let alone = node.parent.is_none() && complex.compounds.len() == 1;
            for (_, compound) in &complex.compounds {
                for simple in compound {
                    let Simple::Class(name) = simple else { continue };
                    let index = *known.entry(name.clone()).or_insert_with(|| {
                        entries.push(CatalogEntry {
                            name: name.clone(),
                            from: path.to_owned(),
                            preview: None,
                        });
                        entries.len() - 1
                    });
                    if alone && compound.len() == 1 && previewed.insert(index) {
                        entries[index].preview = Some(shortened(
                            &text[block.start..block.end.min(block.start + 400 + missing(text, block.start + 400))],
                        ));
                    }
                }
            }
        }
    }
}

/// How many bytes are missing to the end of a character.
fn missing(text: &str, offset: usize) -> usize {
    (0..4)
        .find(|more| text.is_char_boundary(offset + more))
        .unwrap_or_default()
}
