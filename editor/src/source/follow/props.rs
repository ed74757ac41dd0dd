//! The properties that a component is given, where its own source names them.

use super::value::{At, ElementAt};
use crate::source::module::{FunctionId, Key, Module, NodeId, Origin, Shape, SymbolId, Take};

/// The name of the component that an element is a use of.
pub(super) fn tag(element: &ElementAt) -> Option<At> {
    let module = element.module.clone();
    let id = module[element.id].component?;
    Some(At { module, id })
}

/// What a name is taken from a component's properties by.
fn takes(module: &Module, symbol: SymbolId, of: FunctionId) -> Option<Vec<Take>> {
    let symbol = &module[symbol];
    if symbol.write.is_some() {
        return None;
    }
    match &symbol.origin {
        Origin::Parameter(function, 0, takes) if *function == of => Some(takes.clone()),
        Origin::Value(path) => {
            let mut whole = match &module[path.of].shape {
                Shape::Name(Some(outer), _) => takes(module, *outer, of)?,
                Shape::Call(callee, _) if declares_props(module, *callee) && module.component() == Some(of) => {
                    Vec::new()
                }
                _ => return None,
            };
            whole.extend(path.takes.iter().cloned());
            Some(whole)
        }
        _ => None,
    }
}

fn declares_props(module: &Module, callee: NodeId) -> bool {
    matches!(&module[callee].shape, Shape::Name(_, name) if matches!(name.as_str(), "defineProps" | "withDefaults"))
}

/// Whether an expression is nothing but the property `key` that a component is given.
pub(super) fn is_given(module: &Module, node: NodeId, of: FunctionId, key: &str) -> bool {
    match &module[node].shape {
        Shape::Name(Some(symbol), _) => takes(module, *symbol, of).is_some_and(|takes| {
            let mut steps = takes.iter().filter(|take| !matches!(take, Take::Default(_)));
            matches!((steps.next(), steps.next()), (Some(Take::Key(own)), None) if own == key)
        }),
        Shape::Member(object, Key::Named(name)) if name == key => {
            all_but(module, *object, of).is_some_and(|without| !without.iter().any(|own| own == key))
        }
        _ => false,
    }
}

/// For an expression that is all a component is given: the properties that it is without.
pub(super) fn all_but(module: &Module, node: NodeId, of: FunctionId) -> Option<Vec<String>> {
    let Shape::Name(Some(symbol), _) = module[node].shape else {
        return None;
    };
    let mut without = Vec::new();
    for take in takes(module, symbol, of)? {
        match take {
            Take::Rest(keys) => without.extend(keys),
            _ => return None,
        }
    }
    Some(without)
}
