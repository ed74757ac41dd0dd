//! Whether a component shows what stands between the tags of its use.

use super::evaluate::Resolver;
use super::props::{all_but, is_given, tag};
use super::slots::outlets;
use super::value::{ElementAt, FunctionAt, Value};
use crate::source::model::{Code, Refusal};
use crate::source::module::{Attribute, Element, FunctionId, Module, NodeId, Shape, Shown};

/// Components made of components are followed this far.
const MAX_DEPTH: usize = 8;

impl Resolver<'_> {
    /// The component that an element is a use of, when its source is the project's.
    #[must_use]
    pub fn used(&self, element: &ElementAt) -> Option<FunctionAt> {
        self.component(&tag(element)?)
    }

    /// Refuses content for a component of which nobody knows that it shows it.
    ///
    /// # Errors
    /// When its source is not the project's, or does not show what it is given for certain.
    pub fn shows_content(&self, element: &ElementAt) -> Result<(), Refusal> {
        let name = &element.module[element.id].tag;
        if self.shows(element, MAX_DEPTH) {
            return Ok(());
        }
        let reason = match self.used(element) {
            Some(component) => format!(
                "<{name}> does not show what stands between its tags for certain ({}): change one of its properties, or its own source",
                component.module.path
            ),
            None => format!(
                "The source of <{name}> is not in this project, so what it does with content is not known: change one of its properties, or write it in the code"
            ),
        };
        Err(Refusal::uncertain(Code::ComponentChildren, reason))
    }

    fn shows(&self, element: &ElementAt, depth: usize) -> bool {
        let Some(at) = tag(element) else { return false };
        let Some(component) = self.component(&at) else {
            // A link shows what it is given, whoever's it is.
            return matches!(
                element.module[element.id].tag.as_str(),
                "RouterLink" | "router-link" | "NuxtLink" | "nuxt-link"
            );
        };
        self.shows_given(&component, depth)
    }

    /// Whether the component that a file exports shows what stands between the tags of its use, whatever happens.
    #[must_use]
    pub fn export_shows_content(&self, path: &str, export: &str) -> bool {
        let Some(module) = self.module(path) else { return false };
        let found = self.apart(|| self.export(&module, export, &Vec::new()));
        match found.as_slice() {
            [one] => match &one.value {
                Value::Function(component) => self.shows_given(component, MAX_DEPTH),
                _ => false,
            },
            _ => false,
        }
    }

    fn shows_given(&self, component: &FunctionAt, depth: usize) -> bool {
        let module = &component.module;
        if module.component() == Some(component.id) {
            let outlets = outlets(module, "default");
            return outlets.iter().any(|outlet| self.is_shown(outlet, component, depth));
        }
        let holders = module.elements().filter(|(_, holder)| {
            within(module, holder.function, component.id) && shows_children(module, holder, component.id)
        });
        let mut holders = holders.map(|(id, _)| Self::element(module, id));
        holders.any(|holder| self.is_shown(&holder, component, depth))
    }

    /// Whether an element of a component's source is shown once whatever happens.
    fn is_shown(&self, element: &ElementAt, component: &FunctionAt, depth: usize) -> bool {
        let module = &element.module;
        let written = &module[element.id];
        if written.conditional || written.function != Some(component.id) || depth == 0 {
            return false;
        }
        // What stands in a component of the project is shown where that one shows it.
        let around = std::iter::successors(Some(element.id), |id| module[*id].holder);
        around
            .map(|id| Self::element(module, id))
            .all(|part| match self.used(&part) {
                Some(_) => self.shows(&part, depth - 1),
                None => true,
            })
    }
}

/// Whether a function is the component, or stands in it.
fn within(module: &Module, function: Option<FunctionId>, component: FunctionId) -> bool {
    std::iter::successors(function, |id| module[*id].outer).any(|id| id == component)
}

/// React: whether an element shows the children that its component is given.
fn shows_children(module: &Module, holder: &Element, of: FunctionId) -> bool {
    let given = |node: NodeId| match module[node].shape {
        Shape::Or(left, _) => is_given(module, left, of, "children"),
        _ => is_given(module, node, of, "children"),
    };
    let between = holder.shown().any(|child| match child {
        Shown::Expression(node) => given(node),
        _ => false,
    });
    let as_attribute = |attribute: &Attribute| match (attribute.name.as_str(), attribute.value()) {
        ("children", Some(value)) => given(value),
        ("", Some(value)) => {
            all_but(module, value, of).is_some_and(|without| !without.iter().any(|key| key == "children"))
        }
        _ => false,
    };
    between || (holder.is_empty() && holder.attributes.iter().any(as_attribute))
}
