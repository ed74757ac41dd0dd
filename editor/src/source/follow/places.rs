//! Elements by their stamps, and where they stand in the page.

use std::sync::Arc;

use super::evaluate::Resolver;
use super::runs::Way;
use super::value::{At, ElementAt, FunctionAt, Value};
use crate::source::model::plan::short;
use crate::source::model::{Code, LineIndex, Refusal, Stamp};
use crate::source::module::{Export, Imported, Module, Node, Origin, Shape, Shown};
use crate::source::names;

impl Resolver<'_> {
    /// The element a stamp names.
    ///
    /// # Errors
    /// When the file is gone or broken, or no element begins there.
    pub fn find(&self, stamp: &Stamp) -> Result<ElementAt, Refusal> {
        let Some(text) = self.project.read(&stamp.path) else {
            return Err(Refusal::no_source(&stamp.path));
        };
        let Some(module) = self.module(&stamp.path) else {
            let reason = format!("{} has a syntax error: correct it in the code first", stamp.path);
            return Err(Refusal::uncertain(Code::SyntaxError, reason));
        };
        let offset = LineIndex::new(&text).offset(stamp.at);
        match offset.and_then(|offset| module.element_at(offset)) {
            Some(id) => Ok(ElementAt { module, id }),
            None => Err(Refusal::no_element(stamp)),
        }
    }

    /// The uses of a component.
    #[must_use]
    pub fn usages(&self, component: &FunctionAt) -> Vec<(ElementAt, Stamp)> {
        self.uses().of(component).to_vec()
    }

    /// Whether an element is shown for each item of a list.
    #[must_use]
    pub fn is_repeated(&self, element: &ElementAt) -> bool {
        !self
            .lists_around(&element.module, element.module[element.id].function)
            .is_empty()
    }

    /// Whether the page may show a component's use directly inside the element `within`.
    #[must_use]
    pub fn stands_within(&self, usage: &ElementAt, within: &Stamp) -> bool {
        let module = &usage.module;
        let mut parent = module[usage.id].holder;
        while let Some(id) = parent {
            let element = &module[id];
            match element.component {
                // What stands in a component is shown inside that component's own elements.
                Some(tag) => {
                    let at = At {
                        module: module.clone(),
                        id: tag,
                    };
                    if self
                        .component(&at)
                        .is_some_and(|component| component.module.path == within.path)
                    {
                        return true;
                    }
                }
                None if names::is_host(&element.tag) => {
                    return Self::stamp(&Self::element(module, id)) == *within;
                }
                None => {}
            }
            parent = element.holder;
        }
        false
    }

    /// A component's use in short: its tag with what is written in it as plain text.
    #[must_use]
    pub fn describe(&self, usage: &ElementAt) -> String {
        let module = &usage.module;
        let element = &module[usage.id];
        let mut parts = vec![format!("<{}>", element.tag)];
        for attribute in &element.attributes {
            if let Some(Shape::Text(fixed)) = attribute.value().map(|id| &module[id].shape) {
                parts.push(format!("{}=“{}”", attribute.name, short(&fixed.text)));
            }
        }
        for child in element.shown() {
            if let Shown::Text(fixed) = child {
                parts.push(format!("“{}”", short(&fixed.text)));
            }
        }
        parts.truncate(4);
        parts.join(" ")
    }

    /// How many places of the source show a text: 1, or more when a change shows elsewhere too. 2 stands for any number where
    /// only the running page knows.
    #[must_use]
    pub fn shared(&self, element: &ElementAt, way: &Way) -> usize {
        let Ok((module, fixed)) = &way.end else {
            return 1;
        };
        if way.locale().is_some() {
            return self.askers(module, fixed.range.start).max(1);
        }
        if let Some(count) = self.readers(module, fixed.range.start) {
            return count.max(1);
        }
        if self.is_looked_for(&way.provenance) {
            return 2;
        }
        // Given at one use, or an item's own: nobody else shows it.
        if way.usages().next().is_some() || way.is_item() {
            return 1;
        }
        let component = self.component_of(element);
        component.map_or(1, |component| self.uses().of(&component).len().max(1))
    }

    /// How often a name whose whole value is the text at an offset is read in the project.
    fn readers(&self, module: &Arc<Module>, offset: usize) -> Option<usize> {
        let is_it = |id| {
            let node: &Node = &module[id];
            matches!(&node.shape, Shape::Text(fixed) if fixed.range.start == offset)
        };
        let symbol = module.symbol_ids().find(|id| match &module[*id].origin {
            Origin::Value(path) => path.takes.is_empty() && is_it(path.of),
            _ => false,
        })?;
        let mut count = module[symbol].reads as usize;
        let exported = module
            .exports
            .iter()
            .find(|(_, export)| matches!(export, Export::Symbol(id) if *id == symbol));
        if let Some((exported, _)) = exported {
            let wanted = Imported::Name(exported.clone());
            for other in self.sources() {
                let imports = other.symbols.iter().filter_map(|symbol| match &symbol.origin {
                    Origin::Import(specifier, imported) if *imported == wanted => Some((specifier, symbol.reads)),
                    _ => None,
                });
                for (specifier, reads) in imports {
                    let candidates = self.import(&other, specifier, &wanted, &Vec::new());
                    let same = candidates.iter().any(|candidate| match &candidate.value {
                        Value::Node(at) => at.module.path == module.path && is_it(at.id),
                        _ => false,
                    });
                    count += if same { reads as usize } else { 0 };
                }
            }
        }
        Some(count)
    }
}
