//! Whether the root of a component takes the classes and styles that its use is given.

use std::sync::Arc;

use super::evaluate::Resolver;
use super::props::{all_but, is_given, tag};
use super::value::{At, ElementAt, FunctionAt};
use crate::source::imports::Target;
use crate::source::module::{
    Attribute, Element, ElementId, FunctionId, Imported, Module, NodeId, Origin, Part, Shape, Take,
};
use crate::source::sfc::tree::Bound;
use crate::source::sfc::{self, Sfc};

/// Components made of components are followed this far.
const MAX_DEPTH: usize = 8;

/// The names under which a class is handed to a component.
const CLASS: [&str; 2] = ["className", "class"];

/// Calls that join class lists.
const JOINING: [&str; 7] = ["cn", "cx", "clsx", "classNames", "classnames", "twMerge", "twJoin"];
/// Those of them after which the last of two conflicting utilities wins.
const MERGING: [&str; 2] = ["cn", "twMerge"];

/// Libraries whose components give classes and styles on to the element that they show.
const TRANSPARENT: [&str; 20] = [
    "@heroicons/react",
    "@iconify/vue",
    "@radix-ui/react-",
    "@remix-run/react",
    "@tabler/icons-react",
    "@tabler/icons-vue",
    "@tanstack/react-router",
    "cmdk",
    "framer-motion",
    "lucide-react",
    "lucide-vue-next",
    "motion/react",
    "next/image",
    "next/link",
    "radix-ui",
    "radix-vue",
    "react-icons",
    "react-router",
    "reka-ui",
    "vue-router",
];
/// Parts of libraries that show no element of their own, whatever they are given.
const WITHOUT_ELEMENT: [&str; 6] = ["Provider", "Portal", "Sub", "Routes", "Route", "Outlet"];
/// Primitives whose `Root` shows none either.
const WITHOUT_ROOT: [&str; 9] = [
    "dialog",
    "popover",
    "tooltip",
    "menu",
    "hover-card",
    "hovercard",
    "select",
    "drawer",
    "combobox",
];

/// What a component's use can be given, so that the element that the component shows has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Given {
    /// Whether `class`, or `className`, reaches it.
    pub class: bool,
    /// Whether such a class certainly wins over the component's own.
    pub merges: bool,
    /// Whether `style` reaches it.
    pub style: bool,
}

impl Given {
    /// An element of the page.
    const ALL: Self = Self {
        class: true,
        merges: true,
        style: true,
    };
    const NOTHING: Self = Self {
        class: false,
        merges: false,
        style: false,
    };

    fn and(self, other: Self) -> Self {
        Self {
            class: self.class && other.class,
            merges: self.merges && other.merges,
            style: self.style && other.style,
        }
    }
}

impl Resolver<'_> {
    /// What a component's use can be given.
    #[must_use]
    pub fn given_on(&self, element: &ElementAt) -> Given {
        tag(element).map_or(Given::ALL, |tag| self.taken(&tag, MAX_DEPTH))
    }

    /// Whether a component certainly shows nothing of a class that its use is given: it neither takes one nor hands on all it is given.
    #[must_use]
    pub fn ignores_class(&self, component: &FunctionAt) -> bool {
        let module = &component.module;
        if module.component() == Some(component.id) {
            return CLASS.iter().all(|name| module.own(name).is_none()) && keeps_attributes(&module.text);
        }
        // What a class or Vue hands on is not written as a parameter.
        let own = &module[component.id];
        let is_vue = self
            .project
            .read("package.json")
            .is_some_and(|text| text.contains("\"vue\""));
        if own.class.is_some() || is_vue || own.returns.is_empty() {
            return false;
        }
        module.symbol_ids().all(|id| match &module[id].origin {
            Origin::Parameter(function, 0, takes) if *function == component.id => {
                let mut steps = takes.iter().filter(|take| !matches!(take, Take::Default(_)));
                match steps.next() {
                    Some(Take::Key(key)) => !CLASS.contains(&key.as_str()),
                    Some(Take::Rest(keys)) => keys.iter().any(|key| CLASS.contains(&key.as_str())),
                    _ => false,
                }
            }
            _ => true,
        })
    }

    /// The elements that a component shows as its root: one, or one for each side of a condition. Empty when that is not certain.
    #[must_use]
    pub fn roots(&self, component: &FunctionAt) -> Vec<ElementAt> {
        let module = &component.module;
        let roots = match module.component() == Some(component.id) {
            true => template_roots(module),
            false => {
                let mut found = Vec::new();
                let returns = &module[component.id].returns;
                let certain = !returns.is_empty() && returns.iter().all(|node| root(module, *node, &mut found));
                certain.then_some(found)
            }
        };
        let roots = roots.unwrap_or_default().into_iter();
        roots.map(|id| Self::element(module, id)).collect()
    }

    /// What the component that a tag names can be given.
    fn taken(&self, tag: &At, depth: usize) -> Given {
        let Some(depth) = depth.checked_sub(1) else {
            return Given::NOTHING;
        };
        if let Some(component) = self.component(tag) {
            let roots = self.roots(&component);
            let given = roots.iter().map(|root| self.given_to_root(root, &component, depth));
            return given.reduce(Given::and).unwrap_or(Given::NOTHING);
        }
        match &tag.node().shape {
            // `const Tag = asChild ? Slot : 'button'`
            Shape::Text(_) => Given::ALL,
            Shape::Conditional(_, then, other) => {
                let side = |node: &NodeId| self.taken(&tag.with(*node), depth);
                side(then).and(side(other))
            }
            Shape::Name(Some(symbol), _) => match &tag.module[*symbol].origin {
                Origin::Value(path) if path.takes.is_empty() && tag.module[*symbol].write.is_none() => {
                    self.taken(&tag.with(path.of), depth)
                }
                _ => self.library(tag),
            },
            _ => self.library(tag),
        }
    }

    /// What a component of a library can be given.
    fn library(&self, tag: &At) -> Given {
        let module = &tag.module;
        let origin = module.root(tag.id).map(|symbol| &module[symbol].origin);
        let Some(Origin::Import(specifier, imported)) = origin else {
            return Given::NOTHING;
        };
        if !matches!(self.resolved(&module.path, specifier), Target::Library(_)) {
            return Given::NOTHING;
        }
        let known = TRANSPARENT.iter().any(|name| {
            let rest = specifier.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || name.ends_with('-') || rest.starts_with(['/', '-']))
        });
        let path = tag.excerpt();
        let last = match (path.rsplit_once('.'), imported) {
            (Some((_, last)), _) => last,
            (None, Imported::Name(name)) => name,
            (None, Imported::All) => path,
        };
        let from = match imported {
            Imported::Name(name) => format!("{specifier} {name}").to_lowercase(),
            Imported::All => specifier.to_lowercase(),
        };
        let is_root = last.ends_with("Root") && WITHOUT_ROOT.iter().any(|part| from.contains(part));
        let has_none = is_root || WITHOUT_ELEMENT.iter().any(|part| last.ends_with(part));
        if known && !has_none { Given::ALL } else { Given::NOTHING }
    }

    /// What a component gives on to its root of what it is given.
    fn given_to_root(&self, root: &ElementAt, component: &FunctionAt, depth: usize) -> Given {
        let module = &root.module;
        let written = &module[root.id];
        let own = match module.component() == Some(component.id) {
            true => self.falls_through(written, component),
            false => self.passes(module, written, component.id),
        };
        match written.component {
            None => own,
            Some(id) => {
                let module = module.clone();
                own.and(self.taken(&At { module, id }, depth))
            }
        }
    }

    /// React: what the attributes of the root say, in their order.
    fn passes(&self, module: &Arc<Module>, root: &Element, of: FunctionId) -> Given {
        let mut given = Given::NOTHING;
        let mut seen = [false; 2];
        for attribute in &root.attributes {
            let Some(value) = attribute.value() else { continue };
            match attribute.name.as_str() {
                "className" | "class" => {
                    let holds = self.holds_class(module, value, of);
                    (given.class, given.merges) = (holds.is_some(), holds == Some(true));
                    seen[0] = true;
                }
                "style" => {
                    given.style = is_given(module, value, of, "style") || spreads_last(module, value, of);
                    seen[1] = true;
                }
                "" => {
                    for (place, keys) in [&["className", "class"][..], &["style"]].into_iter().enumerate() {
                        let brings = match all_but(module, value, of) {
                            // It is without the property, which was taken out by its name.
                            Some(without) if keys.iter().any(|key| without.iter().any(|own| own == key)) => continue,
                            // What stood before it would be lost.
                            Some(_) => !seen[place],
                            None => false,
                        };
                        match place {
                            0 => (given.class, given.merges) = (brings, brings),
                            _ => given.style = brings,
                        }
                    }
                }
                _ => {}
            }
        }
        given
    }

    /// Whether a class list holds the class that the component is given; `Some(true)` when that wins over the others.
    fn holds_class(&self, module: &Arc<Module>, node: NodeId, of: FunctionId) -> Option<bool> {
        if is_given(module, node, of, "className") || is_given(module, node, of, "class") {
            return Some(false);
        }
        let any =
            |nodes: &mut dyn Iterator<Item = NodeId>| nodes.filter_map(|node| self.holds_class(module, node, of)).max();
        match &module[node].shape {
            Shape::Joined(parts) => any(&mut parts.iter().filter_map(|part| match part {
                Part::Hole(node) => Some(*node),
                Part::Fixed(_) => None,
            })),
            Shape::Or(left, _) => self.holds_class(module, *left, of),
            Shape::List(items) => any(&mut items.iter().filter(|item| !item.spread).map(|item| item.value)),
            Shape::Call(callee, arguments) => {
                let at = At {
                    module: module.clone(),
                    id: *callee,
                };
                let name = self.callee_name(&at);
                if JOINING.contains(&name.as_str()) {
                    let merges = MERGING.contains(&name.as_str()) && self.has_merging();
                    return any(&mut arguments.iter().copied()).map(|held| held || merges);
                }
                let maker = self.maker(&at)?;
                let properties = arguments.iter().filter_map(|node| match &module[*node].shape {
                    Shape::Object(properties) => Some(properties),
                    _ => None,
                });
                let classes = properties.flatten();
                let mut classes =
                    classes.filter(|property| matches!(property.key.as_deref(), Some("class" | "className")));
                let held = classes.any(|property| self.holds_class(module, property.value, of).is_some());
                held.then_some(maker == "tv")
            }
            _ => None,
        }
    }

    /// Whether a package of the project has the library that lets the last of two conflicting utilities win: `cn` is then
    /// made of it.
    fn has_merging(&self) -> bool {
        let files = self.project.files();
        let mut packages = files
            .iter()
            .filter(|path| path.rsplit('/').next() == Some("package.json"));
        packages.any(|path| {
            self.project
                .read(path)
                .is_some_and(|text| text.contains("\"tailwind-merge\""))
        })
    }

    /// `cva` or `tv`, for a name that is what one of them made.
    fn maker(&self, callee: &At) -> Option<String> {
        let Shape::Name(Some(symbol), _) = callee.node().shape else {
            return None;
        };
        let Origin::Value(path) = &callee.module[symbol].origin else {
            return None;
        };
        let Shape::Call(made_by, _) = callee.module[path.of].shape else {
            return None;
        };
        let name = self.callee_name(&callee.with(made_by));
        matches!(name.as_str(), "cva" | "tv").then_some(name)
    }

    /// Vue: attributes that a component does not declare fall through to its root.
    fn falls_through(&self, root: &Element, component: &FunctionAt) -> Given {
        let module = &component.module;
        let declares = |name: &str| module.own(name).is_some();
        let inherits = !module.text.contains("inheritAttrs");
        let binds_all = root.attributes.iter().any(|attribute| is_attrs(module, attribute));
        let falls = inherits || binds_all;
        let class = if declares("class") {
            let classes = root.attributes.iter().filter(|attribute| attribute.name == "class");
            let held = classes.filter_map(|attribute| self.holds_declared(module, attribute.value()?));
            held.max()
        } else {
            falls.then_some(false)
        };
        Given {
            class: class.is_some(),
            merges: class == Some(true),
            style: falls && !declares("style"),
        }
    }

    /// Whether a class list of a template holds the class that the component declares as a property.
    fn holds_declared(&self, module: &Arc<Module>, node: NodeId) -> Option<bool> {
        let component = module.component()?;
        self.holds_class(module, node, component)
    }
}

/// Whether a component of Vue that declares no class shows none of its attributes: they do not fall through, and nothing binds them.
fn keeps_attributes(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let (falls, mentions) = (lower.matches("inheritattrs").count(), lower.matches("attrs").count());
    falls > 0 && falls == mentions
}

/// `{ width, ...style }`
fn spreads_last(module: &Module, node: NodeId, of: FunctionId) -> bool {
    let Shape::Object(properties) = &module[node].shape else {
        return false;
    };
    let last = properties.last();
    last.is_some_and(|last| last.spread && is_given(module, last.value, of, "style"))
}

/// `v-bind="$attrs"`
fn is_attrs(module: &Module, attribute: &Attribute) -> bool {
    let named = |node: NodeId| matches!(&module[node].shape, Shape::Name(_, name) if name == "$attrs");
    attribute.name.is_empty() && attribute.value().is_some_and(named)
}

/// Adds the elements that an expression shows as its outermost; `false` when there are others, or several at once.
fn root(module: &Module, node: NodeId, found: &mut Vec<ElementId>) -> bool {
    match &module[node].shape {
        Shape::Element(id) if !module[*id].tag.is_empty() => {
            found.push(*id);
            true
        }
        Shape::Conditional(_, then, other) => root(module, *then, found) && root(module, *other, found),
        Shape::And(_, shown) => root(module, *shown, found),
        Shape::Nothing => true,
        _ => false,
    }
}

/// The root of a template, or the sides of the condition that is one.
fn template_roots(module: &Module) -> Option<Vec<ElementId>> {
    let component = sfc::read(&module.text).ok()?;
    let template = component.template()?;
    let elements: Vec<_> = component
        .children(Some(template.id))
        .iter()
        .filter_map(|id| Some((*id, component.element(*id)?)))
        .collect();
    let is_side = |component: &Sfc<'_>, element| {
        [Bound::ElseIf, Bound::Else]
            .iter()
            .any(|kind| component.directive(element, *kind).is_some())
    };
    let one = elements.iter().skip(1).all(|(_, element)| is_side(&component, element));
    let repeated = elements
        .iter()
        .any(|(_, element)| component.directive(element, Bound::For).is_some());
    if elements.is_empty() || !one || repeated {
        return None;
    }
    let plain = |tag: &str| !matches!(tag, "template" | "slot");
    let roots = elements.into_iter().map(|(id, element)| {
        let at = component.nodes[id].span.start;
        plain(component.tag(element)).then(|| module.element_at(at)).flatten()
    });
    roots.collect()
}
