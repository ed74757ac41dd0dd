//! What a stylesheet says of the loading of others: its `@import`s with their layers and conditions, and the order of its layers.

use super::condition::Condition;
use super::scan::{NodeKind, Sheet};

/// Layers nested deeper are not told apart.
const MAX_DEPTH: usize = 16;
/// Longer preludes are nobody's.
const MAX_PRELUDE: usize = 2000;

/// The statements of a stylesheet that concern others, or the order in which layers win.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Loads {
    /// Its imports, in the order of the text.
    pub imports: Vec<Import>,
    /// The layers it mentions, each by its names from the outermost on, with the node that mentions it first. Those without a name
    /// are left out.
    pub layers: Vec<(usize, Vec<String>)>,
}

/// One stylesheet that another one loads.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// The statement's index in the sheet.
    pub node: usize,
    /// What it names: a path, an address or a package.
    pub specifier: String,
    /// The names of the layer its rules go to, from the outermost on: one of `#` and the node for a layer without a name. Empty when
    /// they go to none.
    pub layer: Vec<String>,
    /// The conditions under which it holds.
    pub conditions: Vec<Condition>,
}

impl Loads {
    pub(super) fn of(sheet: &Sheet, text: &str, layers: Vec<(usize, Vec<String>)>) -> Self {
        let mut imports = Vec::new();
        for (node, statement) in sheet.nodes.iter().enumerate() {
            let NodeKind::At {
                name,
                prelude,
                block: None,
            } = &statement.kind
            else {
                continue;
            };
            let (name, prelude) = (&text[name.clone()], &text[prelude.clone()]);
            // Modules of SCSS are loaded once, and whatever is configured behind `with` is no condition.
            let is_module = matches!(name, "use" | "forward");
            if (name == "import" || is_module) && prelude.len() <= MAX_PRELUDE {
                imports.extend(read(prelude, node, is_module));
            }
        }
        Self { imports, layers }
    }
}

/// `"x.css" layer(base) supports(display: grid) screen and (width > 1px)`; SCSS may name several.
fn read(prelude: &str, node: usize, is_module: bool) -> Vec<Import> {
    // LESS: `@import (reference) "x"`.
    let prelude = match prelude.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((_, rest)) => rest.trim_start(),
        None => prelude,
    };
    let mut found = Vec::new();
    let mut rest = prelude;
    while let Some((specifier, after)) = specifier(rest) {
        let mut import = Import {
            node,
            specifier: specifier.to_owned(),
            layer: Vec::new(),
            conditions: Vec::new(),
        };
        let after = after.trim_start();
        if let Some(next) = after.strip_prefix(',') {
            found.push(import);
            rest = next.trim_start();
            continue;
        }
        if !is_module {
            import.conditions_of(after);
        }
        found.push(import);
        break;
    }
    found
}

impl Import {
    fn conditions_of(&mut self, mut rest: &str) {
        loop {
            rest = rest.trim_start();
            let (word, after) = rest.split_at(rest.find(|c: char| !is_name(c)).unwrap_or(rest.len()));
            let arguments = after.starts_with('(').then(|| inside(after)).flatten();
            match (word, arguments) {
                ("layer", Some((names, after))) => {
                    let names = names.trim().split('.').take(MAX_DEPTH);
                    self.layer = names.map(|name| name.trim().to_owned()).collect();
                    rest = after;
                }
                ("layer", None) => {
                    self.layer = vec![format!("#{}", self.node)];
                    rest = after;
                }
                ("supports", Some((what, after))) => {
                    let what = what.trim();
                    let is_whole = what.starts_with('(') || what.starts_with("not") || what.contains(" and ");
                    let condition = if is_whole { what.to_owned() } else { format!("({what})") };
                    self.conditions.push(Condition::read("supports", &condition));
                    rest = after;
                }
                // Tailwind's own, which say nothing about where the rules hold.
                ("source" | "theme" | "prefix", Some((_, after))) => rest = after,
                ("important", None) => rest = after,
                _ => break,
            }
        }
        if !rest.is_empty() {
            self.conditions.push(Condition::read("media", rest));
        }
    }
}

/// The address at the beginning, and what follows it.
fn specifier(text: &str) -> Option<(&str, &str)> {
    if let Some(quote) = text.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
        return text[1..].split_once(quote);
    }
    let (inner, after) = inside(text.strip_prefix("url").or_else(|| text.strip_prefix("URL"))?)?;
    Some((inner.trim().trim_matches(['"', '\'']), after))
}

/// What stands between the parentheses at the beginning, and what follows them.
fn inside(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix('(')?;
    let mut depth = 1;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&rest[..at], &rest[at + 1..]));
        }
    }
    None
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

#[cfg(test)]
mod tests {
    use super::super::Dialect;
    use super::*;

    #[test]
    fn imports_are_read_with_layer_and_conditions() {
        let text = "@layer base, ui.card;\n@import \"a.css\";\n@import url( b.css ) layer(ui.list) supports(display: grid) screen and (width > 1px);\n\
                    @import 'c.css' layer (min-width: 9px);\n@import \"tailwindcss\" prefix(tw) source(none);\n@import \"d.css\" supports(not (a: b));";
        let loads = Sheet::parse(text, Dialect::Css).unwrap().loads(text);
        let shown: Vec<String> = loads
            .imports
            .iter()
            .map(|import| {
                let conditions: Vec<_> = import.conditions.iter().map(|each| each.text.as_str()).collect();
                format!(
                    "{} [{}] {}",
                    import.specifier,
                    import.layer.join("."),
                    conditions.join(" ")
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "a.css [] ",
                "b.css [ui.list] @supports (display: grid) @media screen and (width > 1px)",
                "c.css [#3] @media (min-width: 9px)",
                "tailwindcss [] ",
                "d.css [] @supports not (a: b)",
            ]
        );
        let layers: Vec<String> = loads.layers.iter().map(|(_, names)| names.join(".")).collect();
        assert_eq!(layers, ["base", "ui", "ui.card"]);
    }

    #[test]
    fn the_imports_of_other_dialects_are_read() {
        let of = |text: &str, dialect| {
            let loads = Sheet::parse(text, dialect).unwrap().loads(text);
            loads
                .imports
                .iter()
                .map(|import| import.specifier.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            of("@use 'a' with ($b: 1);\n@import 'c', \"d\";", Dialect::Scss),
            ["a", "c", "d"]
        );
        assert_eq!(of("@import (reference) \"e.less\";", Dialect::Less), ["e.less"]);
    }
}
