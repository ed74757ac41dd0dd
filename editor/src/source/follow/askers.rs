//! Which places of the source ask for a message of a language's file.

use std::sync::Arc;

use super::evaluate::Resolver;
use super::value::{At, Candidate, ElementAt, Value};
use crate::source::module::{Module, NodeId, Shape};

impl Resolver<'_> {
    /// How many calls and elements of the project name the key of the message at an offset.
    pub(super) fn askers(&self, messages: &Arc<Module>, offset: usize) -> usize {
        let Some(key) = last_part(messages, offset) else {
            return 0;
        };
        let is_it = |candidate: &Candidate| match &candidate.value {
            Value::Node(at) => at.module.path == messages.path && is_at(&at.module, at.id, offset),
            _ => false,
        };
        let mut count = 0;
        for module in self.sources().filter(|module| module.text.contains(key)) {
            let names = |id: NodeId| match &module[id].shape {
                Shape::Text(fixed) => last(&fixed.text) == key,
                _ => false,
            };
            for (at, node) in module.nodes.iter().enumerate() {
                let Shape::Call(callee, arguments) = &node.shape else {
                    continue;
                };
                if !arguments.first().is_some_and(|first| names(*first)) {
                    continue;
                }
                let node = |id| At {
                    module: module.clone(),
                    id,
                };
                let call = node(NodeId::nth(at));
                let found = self.translation(&call, &node(*callee), arguments, &Vec::new());
                count += usize::from(found.is_some_and(|found| found.iter().any(is_it)));
            }
            for (id, element) in module.elements() {
                let named = |id: Option<NodeId>| id.is_some_and(&names);
                if !element.attributes.iter().any(|attribute| named(attribute.value())) {
                    continue;
                }
                let module = module.clone();
                let found = self.translation_element(&ElementAt { module, id }, &Vec::new());
                count += usize::from(found.is_some_and(|found| found.iter().any(is_it)));
            }
        }
        count
    }
}

/// The last part of the key of the message at an offset.
fn last_part(messages: &Module, offset: usize) -> Option<&str> {
    messages.nodes.iter().find_map(|node| {
        let Shape::Object(properties) = &node.shape else {
            return None;
        };
        let own = properties
            .iter()
            .find(|property| is_at(messages, property.value, offset))?;
        own.key.as_deref().map(last)
    })
}

/// Whether the characters of a text begin at an offset.
fn is_at(module: &Module, id: NodeId, offset: usize) -> bool {
    matches!(&module[id].shape, Shape::Text(fixed) if fixed.range.start == offset)
}

/// What stands behind the last dot or colon of a key.
fn last(key: &str) -> &str {
    key.rsplit(['.', ':']).next().unwrap_or(key)
}
