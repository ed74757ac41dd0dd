//! What Vue's options give a component: `data`, `computed`, `methods`, `setup`, `components`, and the defaults of its props.
//!
//! Where there is no `<script setup>`, a template sees these names and none of the script's own.

use std::collections::HashSet;
use std::ops::Range;

use super::Fragments;
use crate::source::module::binding::{Export, Origin, Path, Touch};
use crate::source::module::expression::{Key, Node, Property, Shape};
use crate::source::module::ids::{FunctionId, NodeId};
use crate::source::module::table::Module;

/// Adds the names of the options that the script exports, and the defaults that props have. `props` adds those of the props.
pub(super) fn add<'m>(fragments: &mut Fragments<'m>, has_setup: bool, props: impl FnOnce(&mut Fragments<'m>)) {
    let options = options(fragments.module);
    let defaults = defaults(fragments.module, options.as_deref());
    fragments.module.defaults = defaults;
    let Some(options) = options else { return };
    if !has_setup {
        fragments.names.clear();
        props(fragments);
    }
    let mut reader = Options {
        first: fragments.names.len(),
        fragments,
    };
    reader.read(&options);
}

struct Options<'f, 'm> {
    fragments: &'f mut Fragments<'m>,
    /// The names before this one are not those of options.
    first: usize,
}

impl Options<'_, '_> {
    fn read(&mut self, options: &[Property]) {
        for option in options {
            match option.key.as_deref() {
                Some("components" | "methods") => self.each(option.value),
                Some("data") => self.returned(option.value),
                Some("setup") => self.returned(option.value),
                Some("computed") => self.computed(option.value),
                _ => {}
            }
        }
        let named = self.fragments.names[self.first..].iter().cloned();
        self.fragments.module.members = named.collect();
        let mixed = options
            .iter()
            .find(|option| matches!(option.key.as_deref(), Some("mixins" | "extends")) || option.spread);
        if let Some(mixed) = mixed {
            // Another file's methods may assign anything of it.
            let at = self.fragments.module[mixed.value].range.start;
            self.fragments.module.this_written.push((None, at));
        }
        self.note_assignments();
    }

    /// Each property is a name.
    fn each(&mut self, object: NodeId) {
        for property in properties(self.fragments.module, object).to_vec() {
            if let (Some(key), false) = (property.key, property.spread) {
                self.name(&key, property.value);
            }
        }
    }

    /// Each property of what a function gives back is a name.
    fn returned(&mut self, function: NodeId) {
        let module = &*self.fragments.module;
        let Shape::Function(function) = module[function].shape else {
            return;
        };
        let [only] = module[function].returns[..] else {
            return;
        };
        for property in properties(module, only).to_vec() {
            let (Some(key), false) = (property.key, property.spread) else {
                continue;
            };
            match self.fragments.module[property.value].shape {
                // One and the same: what is assigned to the one is the other's, too.
                Shape::Name(Some(symbol), _) => self.fragments.names.push((key, symbol)),
                _ => self.name(&key, property.value),
            }
        }
    }

    /// `title() { return … }`, and `title: { get() { return … } }`.
    fn computed(&mut self, object: NodeId) {
        for property in properties(self.fragments.module, object).to_vec() {
            let (Some(key), false) = (property.key, property.spread) else {
                continue;
            };
            let module = &*self.fragments.module;
            let getter = value_of(properties(module, property.value), "get").unwrap_or(property.value);
            let range = module[getter].range.clone();
            let function = module[getter].function;
            let callee = self.push(range.clone(), Shape::Name(None, "computed".to_owned()), function);
            let call = self.push(range, Shape::Call(callee, vec![getter]), function);
            self.name(&key, call);
        }
    }

    fn name(&mut self, key: &str, of: NodeId) {
        let takes = Vec::new();
        self.fragments.name(key, Origin::Value(Path { of, takes }));
    }

    fn push(&mut self, range: Range<usize>, shape: Shape, function: Option<FunctionId>) -> NodeId {
        let id = NodeId::next(&self.fragments.module.nodes);
        self.fragments.module.nodes.push(Node { range, shape, function });
        id
    }

    /// `this.title = …` assigns to a name of the options; where `this` is handed on, anything may be assigned.
    fn note_assignments(&mut self) {
        let module = &mut *self.fragments.module;
        let mut written = module.this_written.clone();
        written.extend(escaped(module).map(|at| (None, at)));
        for (name, at) in written {
            for (member, id) in &module.members {
                if name.as_ref().is_none_or(|name| name == member) {
                    module.symbols[id.index()].touched.push(Touch { at, key: None });
                }
            }
        }
    }
}

/// Where `this` stands for something else than one of its properties.
fn escaped(module: &Module) -> Option<usize> {
    let mut used = HashSet::new();
    for node in &module.nodes {
        match &node.shape {
            Shape::Member(object, Key::Named(name)) if !matches!(name.as_str(), "$data" | "_data") => {
                used.insert(*object);
            }
            // `function () { … }.bind(this)` is written in this file, too.
            Shape::Call(callee, arguments) => {
                if let Shape::Member(of, Key::Named(method)) = &module[*callee].shape
                    && matches!(method.as_str(), "bind" | "call" | "apply")
                    && (module.this_root(*of).is_some() || matches!(module[*of].shape, Shape::Function(_)))
                {
                    used.extend(arguments.first());
                }
            }
            _ => {}
        }
    }
    let nodes = module.nodes.iter().enumerate();
    let mut handed = nodes.filter(|(index, node)| {
        matches!(node.shape, Shape::This) && !used.contains(&NodeId::nth(*index)) && node.function.is_some()
    });
    handed.next().map(|(_, node)| node.range.start)
}

/// The object of options that the script exports.
fn options(module: &Module) -> Option<Vec<Property>> {
    let own = module.component;
    let exported = module.exports.iter().rev().find_map(|(name, export)| match export {
        Export::Node(node) if name == "default" => Some(*node),
        _ => None,
    })?;
    if matches!(module[exported].shape, Shape::Function(function) if Some(function) == own) {
        return None;
    }
    let mut node = exported;
    for _ in 0..4 {
        node = match &module[node].shape {
            Shape::Object(properties) => return Some(properties.clone()),
            Shape::Call(_, arguments) => *arguments.first()?,
            Shape::Name(Some(symbol), _) => match &module[*symbol].origin {
                Origin::Value(path) if path.takes.is_empty() => path.of,
                _ => return None,
            },
            _ => return None,
        };
    }
    None
}

/// The defaults of props: `withDefaults(…, { title: 'x' })`, and `{ title: { default: 'x' } }` in `defineProps` and `props`.
fn defaults(module: &Module, options: Option<&[Property]>) -> Vec<(String, NodeId)> {
    let mut defaults = Vec::new();
    let declared = |object: NodeId, defaults: &mut Vec<(String, NodeId)>| {
        for property in properties(module, object) {
            let default = value_of(properties(module, property.value), "default");
            defaults.extend(property.key.clone().zip(default));
        }
    };
    for node in &module.nodes {
        let Shape::Call(callee, arguments) = &node.shape else {
            continue;
        };
        let Shape::Name(_, name) = &module[*callee].shape else {
            continue;
        };
        match (name.as_str(), &arguments[..]) {
            ("defineProps", [object, ..]) => declared(*object, &mut defaults),
            ("withDefaults", [_, object, ..]) => {
                // What is spread over the others is not known.
                let certain = properties(module, *object).iter().rev();
                let certain = certain.take_while(|property| !property.spread && property.key.is_some());
                defaults.extend(certain.filter_map(|property| Some((property.key.clone()?, property.value))));
            }
            _ => {}
        }
    }
    if let Some(props) = options.and_then(|options| value_of(options, "props")) {
        declared(props, &mut defaults);
    }
    defaults
}

fn properties(module: &Module, object: NodeId) -> &[Property] {
    match &module[object].shape {
        Shape::Object(properties) => properties,
        _ => &[],
    }
}

fn value_of(properties: &[Property], name: &str) -> Option<NodeId> {
    let named = properties.iter().find(|property| property.key.as_deref() == Some(name));
    named.map(|property| property.value)
}
