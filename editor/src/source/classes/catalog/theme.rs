//! Tailwind 4: `@theme` and `@utility` in stylesheets.

use std::collections::HashMap;

use crate::source::css::{NodeKind, Sheet};

use super::defaults::Replaced;
use super::entry::{CatalogEntry, resolved, shortened};
use super::themed::themed;

/// Namespaces whose names have a dash, before those that begin like them.
const NAMESPACES: &[&str] = &[
    "font-weight",
    "color",
    "spacing",
    "text",
    "font",
    "radius",
    "shadow",
    "leading",
    "tracking",
    "container",
    "ease",
    "animate",
    "blur",
    "aspect",
];

/// Reads a stylesheet; says whether it is one of Tailwind's.
pub(super) fn read(
    path: &str,
    text: &str,
    sheet: &Sheet,
    variables: &HashMap<String, String>,
    entries: &mut Vec<CatalogEntry>,
    replaced: &mut Replaced,
) -> bool {
    let mut tailwind = false;
    for (index, node) in sheet.nodes.iter().enumerate() {
        let NodeKind::At { name, prelude, block } = &node.kind else {
            continue;
        };
        let prelude = &text[prelude.clone()];
        match &text[name.clone()] {
            "tailwind" => tailwind = true,
            "import" => tailwind |= prelude.contains("tailwindcss"),
            "utility" => {
                // `tab-*` takes a value: there is no one name to offer.
                if let Some(block) = block.clone().filter(|_| !prelude.contains('*')) {
                    let preview = Some(shortened(&text[block]));
                    entries.push(CatalogEntry {
                        name: prelude.to_owned(),
                        from: path.to_owned(),
                        preview,
                    });
                }
            }
            "theme" => {
                tailwind = true;
                for (_, child) in sheet.children(Some(index)) {
                    if let NodeKind::Declaration { property, value, .. } = &child.kind {
                        variable(
                            path,
                            &text[property.clone()],
                            &text[value.clone()],
                            variables,
                            entries,
                            replaced,
                        );
                    }
                }
            }
            _ => {}
        }
    }
    tailwind
}

fn variable(
    path: &str,
    property: &str,
    value: &str,
    variables: &HashMap<String, String>,
    entries: &mut Vec<CatalogEntry>,
    replaced: &mut Replaced,
) {
    let Some(name) = property.strip_prefix("--") else {
        return;
    };
    if value == "initial" {
        replaced.colors |= matches!(name, "color-*" | "*");
        replaced.spacing |= name == "*";
        return;
    }
    replaced.spacing |= name == "spacing";
    let found = NAMESPACES
        .iter()
        .find_map(|namespace| Some((*namespace, name.strip_prefix(namespace)?.strip_prefix('-')?)));
    // `--text-sm--line-height` belongs to `--text-sm`.
    if let Some((namespace, name)) = found.filter(|(_, name)| !name.contains("--") && !name.contains('*')) {
        themed(namespace, name, Some(&resolved(value, variables)), path, entries);
    }
}
