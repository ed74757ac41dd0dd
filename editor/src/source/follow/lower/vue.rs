//! From a single-file component to a [`Module`]: its scripts, then the expressions of its template.
//!
//! The file is the function of its props; an element with `v-for` is a function of its item; what is put between the tags
//! of a component is what its `<slot>` shows. Props get their names from `defineProps` and `props`; the default exports of
//! the file is the component. Components that are registered elsewhere, and named slots, are not followed.

use std::ops::Range;
use std::sync::Arc;

use super::vue_props;
use super::{Entered, Fragments};
use crate::source::follow::module::{
    Attribute, Child, Element, ElementId, Export, Fixed, Function, FunctionId, Module, Node, NodeId, Origin, Shape,
    Symbol, SymbolId, Take,
};
use crate::source::notation::{Notation, Within};
use crate::source::script::Broken;
use crate::source::sfc::tree::{self, Bound, Id, Kind, Span};
use crate::source::sfc::{self, Sfc, entities, whitespace};

/// Nobody nests deeper; a bound for hostile files.
const DEPTH: usize = 256;
/// What a component shows between its tags, by the name that React gives it.
const CHILDREN: &str = "children";

/// Reads a file.
///
/// # Errors
/// With the first error of the markup or of a script.
pub(super) fn component(path: &str, text: &Arc<str>) -> Result<Module, Broken> {
    let sfc = sfc::read(text)?;
    let mut module = Module {
        path: path.to_owned(),
        text: text.clone(),
        ..Module::default()
    };
    let component = declare(&mut module);
    let mut fragments = Fragments::new(&mut module, "component.ts");
    for setup in [false, true] {
        for block in sfc
            .scripts()
            .filter(|block| block.setup == setup && block.src.is_none())
        {
            fragments.language = match block.lang {
                Some("ts") => "component.ts",
                Some("tsx") => "component.tsx",
                _ => "component.jsx",
            };
            let source = block.content.of(text);
            let props = vue_props::names(fragments.language, source);
            name_props(&mut fragments, component, props);
            fragments.function = setup.then_some(component);
            fragments.block(block.content.range(), Within::Block)?;
        }
    }
    fragments.language = "component.ts";
    fragments.function = Some(component);
    name_props(&mut fragments, component, vec![CHILDREN.to_owned()]);
    let mut template = Template { sfc: &sfc, fragments };
    if let Some(block) = sfc.template() {
        template.children(block.id, None, 0);
    }
    Ok(module)
}

/// The function that the file is, and its export.
fn declare(module: &mut Module) -> FunctionId {
    let id = FunctionId::next(&module.functions);
    let range = 0..module.text.len();
    module.functions.push(Function {
        range: range.clone(),
        returns: Vec::new(),
        outer: None,
        argument_of: None,
        name: Some(sfc::component_name(&module.path)),
        class: None,
        repeats: None,
    });
    module.component = Some(id);
    let node = NodeId::next(&module.nodes);
    module.nodes.push(Node {
        range,
        shape: Shape::Function(id),
        function: None,
    });
    module.exports.push(("default".to_owned(), Export::Node(node)));
    id
}

/// Templates name props directly.
fn name_props(fragments: &mut Fragments<'_>, component: FunctionId, props: Vec<String>) {
    for name in props {
        let id = SymbolId::next(&fragments.module.symbols);
        fragments.module.symbols.push(Symbol {
            name: name.clone(),
            range: 0..0,
            origin: Origin::Parameter(component, 0, vec![Take::Key(name.clone())]),
            reads: 1,
            write: None,
            touched: None,
        });
        fragments.names.push((name, id));
    }
}

/// A walk over the template.
struct Template<'s, 'm> {
    sfc: &'s Sfc<'s>,
    fragments: Fragments<'m>,
}

impl Template<'_, '_> {
    fn children(&mut self, of: Id, parent: Option<ElementId>, depth: usize) -> Vec<Child> {
        let sfc = self.sfc;
        if depth > DEPTH {
            return Vec::new();
        }
        let children = sfc.children(Some(of)).iter();
        children.flat_map(|id| self.child(*id, parent, depth)).collect()
    }

    fn child(&mut self, id: Id, parent: Option<ElementId>, depth: usize) -> Vec<Child> {
        let node = &self.sfc.nodes[id];
        match &node.kind {
            Kind::Comment => Vec::new(),
            Kind::Text(_) => self.text(id).into_iter().map(Child::Text).collect(),
            Kind::Interpolation(inner) if inner.is_empty() => Vec::new(),
            Kind::Interpolation(inner) => vec![Child::Expression(self.expression(*inner, Within::Interpolation))],
            Kind::Element(element) => self.repeated(id, element, parent, depth),
        }
    }

    /// The characters of a text, without the white space around them.
    fn text(&self, id: Id) -> Option<Fixed> {
        let shown = whitespace::shown(self.sfc, id);
        let is_exact = matches!(self.sfc.nodes[id].kind, Kind::Text(text) if text.shown == tree::Shown::Exact);
        let shown = if is_exact { &shown } else { shown.trim() };
        let range = whitespace::core(self.sfc, id).range();
        (!shown.trim().is_empty()).then(|| Fixed {
            range,
            text: shown.to_owned(),
            notation: Notation::HtmlText,
        })
    }

    /// An element, as the function of an item when it has `v-for`.
    fn repeated(&mut self, id: Id, element: &tree::Element, parent: Option<ElementId>, depth: usize) -> Vec<Child> {
        let list = self.sfc.directive(element, Bound::For);
        let Some((pattern, list)) = list.and_then(|list| sfc::for_parts(self.sfc, list)) else {
            return self.element(id, element, parent, depth);
        };
        let list = self.expression(list, Within::Attribute('"'));
        let Some(entered) = self.enter(pattern) else {
            return self.element(id, element, None, depth);
        };
        let function = self.fragments.function;
        let children = self.element(id, element, None, depth);
        let node = children.iter().find_map(|child| match child {
            Child::Element(element) => Some(self.push(self.sfc.nodes[id].span.range(), Shape::Element(*element))),
            _ => None,
        });
        if let Some(function) = function {
            let function = &mut self.fragments.module.functions[function.index()];
            function.repeats = Some(list);
            function.returns = node.into_iter().collect();
        }
        self.fragments.leave(&entered);
        children
    }

    fn element(&mut self, id: Id, element: &tree::Element, parent: Option<ElementId>, depth: usize) -> Vec<Child> {
        let tag = self.sfc.tag(element);
        let condition = [Bound::If, Bound::ElseIf, Bound::Else, Bound::For]
            .iter()
            .any(|kind| *kind != Bound::For && self.sfc.directive(element, *kind).is_some());
        let around = parent.is_some_and(|parent| self.fragments.module[parent].conditional);
        let own = ElementId::next(&self.fragments.module.elements);
        let range = self.sfc.nodes[id].span.range();
        self.fragments.module.elements.push(Element {
            at: range.start,
            range,
            tag: if tag == "template" {
                String::new()
            } else {
                tag.to_owned()
            },
            component: None,
            attributes: Vec::new(),
            children: Vec::new(),
            parent,
            function: self.fragments.function,
            conditional: condition || around,
            open_end: element.open.end - if element.self_closing { 2 } else { 1 },
            closed: element.close.is_some(),
        });
        let component = self.component(element);
        let attributes = element
            .attributes
            .iter()
            .filter_map(|attribute| self.attribute(attribute))
            .collect();
        let slot = self.sfc.directive(element, Bound::Slot);
        let handed = slot.and_then(|slot| slot.value).filter(|value| !value.inner.is_empty());
        let entered = handed.and_then(|value| self.enter(value.inner));
        let children = self.children(id, Some(own), depth + 1);
        if let Some(entered) = entered {
            self.fragments.leave(&entered);
        }
        let written = &mut self.fragments.module.elements[own.index()];
        written.component = component;
        written.attributes = attributes;
        written.children = children;
        match tag {
            "slot" => vec![Child::Expression(self.slot(element))],
            // Another slot than the default one shows it elsewhere.
            "template" if slot.is_some_and(|slot| !self.is_default(slot)) => Vec::new(),
            _ => vec![Child::Element(own)],
        }
    }

    /// What a `<slot>` shows.
    fn slot(&mut self, element: &tree::Element) -> NodeId {
        let range = element.open.range();
        let is_named = self.sfc.attributes_of(element, "name").any(|name| {
            let value = name.value.map_or("", |value| value.inner.of(self.sfc.text));
            name.directive.is_some() || value != "default"
        });
        if is_named {
            return self.push(range, Shape::Other("a named slot"));
        }
        let symbol = self.find(CHILDREN);
        self.push(range, Shape::Name(symbol, CHILDREN.to_owned()))
    }

    fn is_default(&self, slot: &tree::Attribute) -> bool {
        let argument = slot.directive.as_ref().and_then(|slot| slot.argument);
        argument.is_none_or(|argument| argument.of(self.sfc.text) == "default")
    }

    /// The name of a component; `<user-card>` is `UserCard` in scripts.
    fn component(&mut self, element: &tree::Element) -> Option<NodeId> {
        if !self.sfc.is_component(element) {
            return None;
        }
        let tag = self.sfc.tag(element);
        let pascal = sfc::component_name(tag);
        let symbol = self.find(tag).or_else(|| self.find(&pascal))?;
        let name = self.fragments.module[symbol].name.clone();
        Some(self.push(element.name.range(), Shape::Name(Some(symbol), name)))
    }

    fn find(&self, name: &str) -> Option<SymbolId> {
        let known = self.fragments.names.iter().rev().find(|(known, _)| known == name);
        known.map(|(_, symbol)| *symbol)
    }

    fn attribute(&mut self, attribute: &tree::Attribute) -> Option<Attribute> {
        let text = self.sfc.text;
        let Some(directive) = &attribute.directive else {
            let value = attribute.value.map(|value| match value.quote {
                Some(quote) => Shape::Text(Fixed {
                    range: value.inner.range(),
                    text: entities::decode_attribute(value.inner.of(text)).into_owned(),
                    notation: Notation::HtmlAttribute(char::from(quote)),
                }),
                None => Shape::Other("a value without quotes"),
            });
            let value = value.map(|shape| self.push(attribute.span.range(), shape));
            let name = attribute.name.of(text).to_owned();
            return Some(Attribute { name, value });
        };
        if directive.kind == Bound::On {
            self.handler(attribute);
            return None;
        }
        let argument = directive.argument.map(|argument| argument.of(text));
        let name = match (directive.kind, argument) {
            (Bound::Bind, None) => String::new(),
            (Bound::Bind, Some(argument)) if !argument.starts_with('[') => argument.to_owned(),
            (Bound::Other, argument) if attribute.name.of(text).starts_with("v-model") => {
                argument.unwrap_or("modelValue").to_owned()
            }
            _ => return None,
        };
        let value = match attribute.value {
            Some(value) => self.expression(value.inner, Within::Attribute(value.quote.map_or(' ', char::from))),
            // `:title` is `:title="title"`.
            None => {
                let symbol = self.find(&name);
                self.push(attribute.span.range(), Shape::Name(symbol, name.clone()))
            }
        };
        if attribute.name.of(text).starts_with("v-model") {
            self.written(value, attribute.span);
        }
        Some(Attribute {
            name,
            value: Some(value),
        })
    }

    /// What happens on an event: nothing is shown there, but what it assigns is not what it was.
    fn handler(&mut self, attribute: &tree::Attribute) {
        let Some(value) = attribute.value else {
            return;
        };
        let within = Within::Attribute(value.quote.map_or(' ', char::from));
        let range = || value.inner.range();
        let fragments = &mut self.fragments;
        if fragments.wrapped("(()=>{", range(), "\n})", within).is_err() {
            // A function without a name is no statement. What cannot be read assigns nothing that could be known.
            let _ = fragments.expression(range(), within);
        }
    }

    /// Notes that a name is assigned, or something in its value.
    fn written(&mut self, node: NodeId, at: Span) {
        let module = &mut self.fragments.module;
        let Some(symbol) = module.root(node) else {
            return;
        };
        let direct = matches!(module[node].shape, Shape::Name(..));
        let symbol = &mut module.symbols[symbol.index()];
        let place = if direct { &mut symbol.write } else { &mut symbol.touched };
        place.get_or_insert(at.start);
    }

    /// An expression; one that cannot be read is something else.
    fn expression(&mut self, span: Span, within: Within) -> NodeId {
        let source = span.of(self.sfc.text);
        // Vue reads character references in expressions, and then places do not agree.
        if entities::decode_attribute(source) != source {
            return self.push(span.range(), Shape::Other("an expression with character references"));
        }
        match self.fragments.expression(span.range(), within) {
            Ok(node) => node,
            Err(_) => self.push(span.range(), Shape::Other("an expression that cannot be read")),
        }
    }

    fn enter(&mut self, pattern: Span) -> Option<Entered> {
        self.fragments.enter(pattern.range()).ok()
    }

    fn push(&mut self, range: Range<usize>, shape: Shape) -> NodeId {
        let id = NodeId::next(&self.fragments.module.nodes);
        let function = self.fragments.function;
        self.fragments.module.nodes.push(Node { range, shape, function });
        id
    }
}
