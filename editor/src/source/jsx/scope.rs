//! Names: whether markup finds at another place what it names.

use std::ops::Range;

use oxc::semantic::{ScopeId, Semantic};
use oxc::span::GetSpan;
use oxc::str::Ident;

use crate::source::script;
use crate::source::script::range;

/// Names that every page has.
const GLOBALS: &[&str] = &[
    "Array",
    "BigInt",
    "Boolean",
    "Date",
    "Error",
    "Infinity",
    "Intl",
    "JSON",
    "Map",
    "Math",
    "NaN",
    "Number",
    "Object",
    "Promise",
    "RegExp",
    "Set",
    "String",
    "Symbol",
    "URL",
    "console",
    "document",
    "globalThis",
    "location",
    "navigator",
    "undefined",
    "window",
];

/// Which of `names` mean nothing at `offset`.
pub(super) fn unknown(path: &str, text: &str, offset: usize, names: &[String]) -> Vec<String> {
    if names.iter().all(|name| GLOBALS.contains(&name.as_str())) {
        return Vec::new();
    }
    let unknown = script::with_names(path, text, |semantic| {
        let scope = innermost(semantic, offset);
        let known = |name: &str| semantic.scoping().find_binding(scope, Ident::from(name)).is_some();
        let unknown = names
            .iter()
            .filter(|name| !known(name) && !GLOBALS.contains(&name.as_str()));
        unknown.cloned().collect()
    });
    unknown.unwrap_or_else(|_| names.to_vec())
}

/// The first of `names`, all declared at the top of the file, that means something else at `offset`.
pub(super) fn shadowed(path: &str, text: &str, offset: usize, names: &[String]) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let shadowed = script::with_names(path, text, |semantic| {
        let scoping = semantic.scoping();
        let scope = innermost(semantic, offset);
        let other = |name: &&String| {
            let name = Ident::from(name.as_str());
            scoping.find_binding(scope, name) != scoping.get_root_binding(name)
        };
        names.iter().find(other).cloned()
    });
    shadowed.unwrap_or_else(|_| names.first().cloned())
}

/// Names which markup uses and does not declare. `markup` is the source of one expression.
pub(super) fn free(path: &str, markup: &str) -> Vec<String> {
    let free = script::with_names(path, &format!("({markup})"), |semantic| {
        let unresolved = semantic.scoping().root_unresolved_references();
        unresolved.keys().map(ToString::to_string).collect::<Vec<_>>()
    });
    let mut free = free.unwrap_or_default();
    free.sort();
    free
}

/// The first name used within `moved` that would mean something else, or nothing, at `target`.
pub(super) fn lost(path: &str, text: &str, moved: &Range<usize>, target: usize) -> Option<String> {
    let lost = script::with_names(path, text, |semantic| {
        let scoping = semantic.scoping();
        let scope = innermost(semantic, target);
        let inside = |at: &Range<usize>| moved.start <= at.start && at.end <= moved.end;
        scoping.symbol_ids().find_map(|symbol| {
            let name = scoping.symbol_name(symbol);
            // What is declared inside moves along.
            if inside(&range(scoping.symbol_span(symbol)))
                || scoping.find_binding(scope, Ident::from(name)) == Some(symbol)
            {
                return None;
            }
            let mut uses = scoping.get_resolved_references(symbol);
            let used = uses.any(|reference| inside(&range(semantic.reference_span(reference))));
            used.then(|| name.to_owned())
        })
    });
    lost.ok().flatten()
}

/// The scope that holds `offset`.
fn innermost(semantic: &Semantic<'_>, offset: usize) -> ScopeId {
    let scoping = semantic.scoping();
    let holding = scoping.scope_descendants_from_root().filter(|scope| {
        let range = range(semantic.nodes().kind(scoping.get_node_id(*scope)).span());
        range.start <= offset && offset <= range.end
    });
    // A scope that stands in another comes after it and is not longer.
    holding
        .min_by_key(|scope| range(semantic.nodes().kind(scoping.get_node_id(*scope)).span()).len())
        .unwrap_or_else(|| scoping.root_scope_id())
}
