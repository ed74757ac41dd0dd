//! The project's own variables: custom properties that its stylesheets declare for the whole page, and those of Tailwind's theme.

use std::collections::HashMap;

use crate::source::css::{Dialect, NodeKind, Sheet};
use crate::source::model::{LineIndex, Project, Stamp};

use super::links::loaded;
use super::scripts::Scripts;

/// More variables than anybody picks from.
const MAX_TOKENS: usize = 1000;

/// A variable that stands for another one is followed so far.
const MAX_STEPS: usize = 8;

/// A variable.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    /// With its dashes: `--text-h`.
    pub name: String,
    /// As it is declared without a condition; of several declarations the last, before those in layers.
    pub value: String,
    /// The value where that is another variable; as it is declared where that is not known.
    pub stands_for: String,
    /// The place of the declaration.
    pub at: Stamp,
}

/// The variables, in the order of their files and in them.
#[must_use]
pub fn tokens(project: &dyn Project) -> Vec<Token> {
    let files = project.files();
    let sheets = files
        .iter()
        .filter(|path| path.contains('.') && !path.contains(".module."));
    let sheets: Vec<String> = sheets.filter(|path| Dialect::of(path).is_some()).cloned().collect();
    let loaded = loaded(project, &Scripts::default(), &sheets);
    let mut found: Vec<Token> = Vec::new();
    // By name: its number, and whether it stands in a layer, over which every other declaration wins.
    let mut known: HashMap<String, (usize, bool)> = HashMap::new();
    for path in sheets.iter().filter(|path| loaded.contains(*path)) {
        let text = project.read(path).filter(|text| text.contains("--"));
        let sheet = text.as_deref().zip(Dialect::of(path));
        let sheet = sheet.and_then(|(text, dialect)| Some((text, Sheet::parse(text, dialect).ok()?)));
        let Some((text, sheet)) = sheet else { continue };
        let lines = LineIndex::new(text);
        for (token, layered) in declared(path, text, &sheet, &lines) {
            match known.get_mut(&token.name) {
                Some((_, false)) if layered => {}
                Some((index, before)) => {
                    *before = layered;
                    found[*index] = token;
                }
                None if found.len() < MAX_TOKENS => {
                    known.insert(token.name.clone(), (found.len(), layered));
                    found.push(token);
                }
                None => {}
            }
        }
    }
    let values: HashMap<String, String> = found
        .iter()
        .map(|token| (token.name.clone(), token.value.clone()))
        .collect();
    for token in &mut found {
        token.stands_for = followed(&token.value, &values);
    }
    found
}

fn declared<'s>(
    path: &'s str,
    text: &'s str,
    sheet: &'s Sheet,
    lines: &'s LineIndex<'s>,
) -> impl Iterator<Item = (Token, bool)> + 's {
    sheet.nodes.iter().filter_map(move |node| {
        let NodeKind::Declaration { property, value, .. } = &node.kind else {
            return None;
        };
        let (name, value) = (&text[property.clone()], &text[value.clone()]);
        // `--color-*: initial` takes names away.
        let is_token = name.starts_with("--") && name.len() > 2 && !name.contains('*') && !value.is_empty();
        let layered = is_token
            .then(|| layered_for_the_page(text, sheet, node.parent))
            .flatten()?;
        let token = Token {
            name: name.to_owned(),
            value: value.to_owned(),
            stands_for: value.to_owned(),
            at: Stamp {
                path: path.to_owned(),
                at: lines.position(node.range.start),
            },
        };
        Some((token, layered))
    })
}

/// For a block of the whole page, without a condition, as `:root` or Tailwind's theme: whether it stands in a layer.
fn layered_for_the_page(text: &str, sheet: &Sheet, mut parent: Option<usize>) -> Option<bool> {
    let (mut page, mut layered) = (false, false);
    while let Some(index) = parent {
        let node = &sheet.nodes[index];
        match &node.kind {
            NodeKind::Rule { selector, .. } if !page => {
                let mut parts = text[selector.clone()].split(',').map(str::trim);
                page = parts.any(|part| matches!(part, ":root" | "html" | "body" | ":where(:root)"));
                if !page {
                    return None;
                }
            }
            NodeKind::At { name, .. } => match &text[name.clone()] {
                "theme" => (page, layered) = (true, true),
                "layer" => layered = true,
                _ => return None,
            },
            _ => return None,
        }
        parent = node.parent;
    }
    page.then_some(layered)
}

/// The variables in a value, each once: `1px solid var(--line, #ccc)` has `--line`.
#[must_use]
pub(super) fn variables(value: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (at, _) in value.match_indices("var(") {
        let rest = value[at + "var(".len()..].trim_start();
        let end = rest.find(|sign: char| matches!(sign, ')' | ',') || sign.is_whitespace());
        let name = &rest[..end.unwrap_or(rest.len())];
        if name.starts_with("--") && !found.iter().any(|known| known == name) {
            found.push(name.to_owned());
        }
    }
    found
}

/// The value behind `var(--other)`.
fn followed(value: &str, values: &HashMap<String, String>) -> String {
    let mut value = value;
    for _ in 0..MAX_STEPS {
        let name = value.strip_prefix("var(").and_then(|rest| rest.strip_suffix(')'));
        match name.and_then(|name| values.get(name.trim())) {
            Some(next) => value = next,
            None => break,
        }
    }
    value.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variables_of_a_value_are_found() {
        assert_eq!(variables("var(--ink)"), ["--ink"]);
        assert_eq!(
            variables("1px solid var( --line , var(--ink)) var(--line)"),
            ["--line", "--ink"]
        );
        assert!(variables("#333").is_empty() && variables("var(").is_empty());
    }

    #[test]
    fn variables_of_the_whole_page_are_listed() {
        let css = "@import 'tailwindcss';\n@theme { --color-brand: #7c3aed; --color-*: initial; }\n\
                   :root, .x {\n  --text: #111;\n  --text-h: var(--text);\n}\n\
                   .card { --own: 1px }\n@media (prefers-color-scheme: dark) { :root { --text: #eee } }\n\
                   @layer base { html { --gap: 8px; --text: #222; } }\n:root { --loop: var(--loop) }";
        let files: &[(&str, &str)] = &[
            ("src/main.tsx", "import './index.css'"),
            ("src/index.css", css),
            ("src/unused.css", ":root { --nobody: 1px }"),
        ];
        let found = tokens(&files);
        let listed: Vec<_> = found
            .iter()
            .map(|token| (token.name.as_str(), token.value.as_str(), token.stands_for.as_str()))
            .collect();
        assert_eq!(
            listed,
            [
                ("--color-brand", "#7c3aed", "#7c3aed"),
                ("--text", "#111", "#111"),
                ("--text-h", "var(--text)", "#111"),
                ("--gap", "8px", "8px"),
                ("--loop", "var(--loop)", "var(--loop)"),
            ]
        );
        assert_eq!(found[0].at.to_string(), "src/index.css:2:9");
    }
}
