//! The template of a single-file component: its elements, and the expressions in it.
//!
//! An element with `v-for` is a function of its item, and a scoped slot one of what it is handed. What a component is given for
//! a slot is kept as an attribute of its use, by the slot's name behind a `#`.

use std::ops::Range;

use super::{Entered, Fragments};
use crate::source::module::binding::{Origin, Slot, Take, Touch};
use crate::source::module::element::{Attribute, Child, ChildKind, Contained, Element, ElementKind, Written};
use crate::source::module::expression::{Fixed, Key, Node, Shape};
use crate::source::module::ids::{ElementId, NodeId, SymbolId};
use crate::source::notation::{Notation, Within, references};
use crate::source::sfc::tree::{self, Bound, Id, NodeKind, Span};
use crate::source::sfc::{self, Sfc, whitespace};

/// Nobody nests deeper; a bound for hostile files.
const MAX_DEPTH: usize = 256;
/// What a component is given for its slot without a name.
const DEFAULT_SLOT: &str = "#default";

/// A walk over the template.
pub(super) struct Template<'s, 'm> {
    sfc: &'s Sfc<'s>,
    fragments: Fragments<'m>,
    /// What the component's use that is walked is given for its slots, besides its children.
    given: Vec<Attribute>,
}

impl<'s, 'm> Template<'s, 'm> {
    pub fn new(sfc: &'s Sfc<'s>, fragments: Fragments<'m>) -> Self {
        Self {
            sfc,
            fragments,
            given: Vec::new(),
        }
    }

    /// Adds what stands in the block `template`.
    pub fn read(&mut self, template: Id) {
        self.children(template, None, 0);
    }

    fn children(&mut self, of: Id, parent: Option<ElementId>, depth: usize) -> Vec<Child> {
        let sfc = self.sfc;
        if depth > MAX_DEPTH {
            return Vec::new();
        }
        let children = sfc.children(Some(of)).iter();
        children.flat_map(|id| self.child(*id, parent, depth)).collect()
    }

    fn child(&mut self, id: Id, parent: Option<ElementId>, depth: usize) -> Vec<Child> {
        let node = &self.sfc.nodes[id];
        match &node.kind {
            NodeKind::Comment => Vec::new(),
            NodeKind::Text(_) => match self.text(id) {
                Some(text) => vec![Child {
                    range: node.span.range(),
                    kind: ChildKind::Text(Some(text)),
                }],
                None => Vec::new(),
            },
            NodeKind::Interpolation(inner) if inner.is_empty() => Vec::new(),
            NodeKind::Interpolation(inner) => {
                let value = self.expression(*inner, Within::Interpolation);
                vec![expression(node.span.range(), inner.range(), value)]
            }
            NodeKind::Element(element) => self.repeated(id, element, parent, depth),
        }
    }

    /// The characters of a text, without the white space around them.
    fn text(&self, id: Id) -> Option<Fixed> {
        let shown = whitespace::shown(self.sfc, id);
        let is_exact = matches!(self.sfc.nodes[id].kind, NodeKind::Text(text) if text.shown == tree::Shown::Exact);
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
        let node = children.iter().find_map(|child| match &child.kind {
            ChildKind::Element(element) => Some(self.push(self.sfc.nodes[id].span.range(), Shape::Element(*element))),
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
            tag: if tag == "template" {
                String::new()
            } else {
                tag.to_owned()
            },
            kind: self.kind(element),
            range: range.clone(),
            opening: element.open.range(),
            name: element.name.range(),
            behind_name: element.name.end,
            closing: element.close.map(Span::range),
            attributes: Vec::new(),
            children: Vec::new(),
            frame: None,
            parent,
            holder: parent,
            component: None,
            function: self.fragments.function,
            conditional: condition || around,
        });
        let component = self.component(element);
        let attributes: Vec<Attribute> = element
            .attributes
            .iter()
            .filter_map(|attribute| self.attribute(attribute))
            .collect();
        let slot = self.sfc.directive(element, Bound::Slot);
        // A slot without a name for people to read: `#[name]`, or one for each item of a list.
        let slot_name = slot.map_or(Some("default"), |slot| self.slot_name(slot));
        let user = if tag == "template" { parent } else { Some(own) };
        let entered = slot.and_then(|slot| {
            let name = slot_name.map(str::to_owned);
            self.enter_slot(slot, Slot { of: user, name })
        });
        let given = std::mem::take(&mut self.given);
        let children = self.children(id, Some(own), depth + 1);
        let given = std::mem::replace(&mut self.given, given);
        if let Some(entered) = entered {
            self.fragments.leave(&entered);
        }
        let written = &mut self.fragments.module.elements[own.index()];
        written.component = component;
        written.attributes = attributes;
        written.attributes.extend(given);
        written.children = children;
        match (tag, slot_name) {
            ("slot", _) => {
                let shown = self.outlet(own, element);
                vec![expression(range.clone(), range, shown)]
            }
            ("template", Some("default")) => vec![child_element(range, own)],
            ("template", name) => {
                let content = self.push(self.sfc.nodes[id].span.range(), Shape::Element(own));
                let content = self.on_condition(element, content);
                let name = name.filter(|_| parent.is_some()).unwrap_or_default();
                self.given.push(Attribute {
                    name: format!("#{name}"),
                    range,
                    written: Written::Element(content),
                });
                Vec::new()
            }
            (_, Some("default")) => vec![child_element(range, own)],
            (_, name) => {
                self.give_all(own, name.unwrap_or_default());
                vec![child_element(range, own)]
            }
        }
    }

    /// `<Card #header>`: what stands between the tags is given to a slot with a name.
    fn give_all(&mut self, own: ElementId, name: &str) {
        let content = self.fragment(own);
        let whole = &mut self.fragments.module.elements[own.index()];
        whole.children.clear();
        let range = whole.range.clone();
        let written = Written::Element(self.push(range.clone(), Shape::Element(content)));
        let name = format!("#{name}");
        let whole = &mut self.fragments.module.elements[own.index()];
        whole.attributes.push(Attribute { name, range, written });
    }

    /// What is shown when the element's own condition holds.
    fn on_condition(&mut self, element: &tree::Element, shown: NodeId) -> NodeId {
        let conditions = [Bound::If, Bound::ElseIf, Bound::Else];
        let Some(condition) = conditions.iter().find_map(|kind| self.sfc.directive(element, *kind)) else {
            return shown;
        };
        let test = match condition.value {
            Some(value) => self.expression(value.inner, Within::Attribute(value.quote.map_or(' ', char::from))),
            None => self.push(condition.span.range(), Shape::Nothing),
        };
        self.push(condition.span.range(), Shape::And(test, shown))
    }

    /// The function of what a slot is handed, around all in it.
    fn enter_slot(&mut self, directive: &tree::Attribute, slot: Slot) -> Option<Entered> {
        let pattern = directive.value.filter(|value| !value.inner.is_empty())?;
        let entered = self.enter(pattern.inner)?;
        if let Some(function) = self.fragments.function {
            self.fragments.module.functions[function.index()].slot = Some(slot);
        }
        Some(entered)
    }

    /// What a `<slot>` shows: what the component is given, else what stands between its tags.
    fn outlet(&mut self, own: ElementId, element: &tree::Element) -> NodeId {
        let range = element.open.range();
        let mut names = self.sfc.attributes_of(element, "name");
        let name = match names.next() {
            None => DEFAULT_SLOT.to_owned(),
            Some(name) => match name.value {
                Some(value) if name.directive.is_none() => format!("#{}", value.inner.of(self.sfc.text)),
                _ => {
                    return self.push(
                        range,
                        Shape::Other("a slot whose name is only known when the code runs"),
                    );
                }
            },
        };
        let symbol = self.find(&name).or_else(|| {
            let component = self.fragments.module.component?;
            let origin = Origin::Parameter(component, 0, vec![Take::Key(name.clone())]);
            Some(self.fragments.name(&name, origin))
        });
        let shown = self.push(range.clone(), Shape::Name(symbol, name));
        if self.fragments.module[own].is_empty() {
            return shown;
        }
        let content = self.fragment(own);
        let fallback = self.push(range.clone(), Shape::Element(content));
        self.push(range, Shape::Or(shown, fallback))
    }

    /// The children of an element by themselves.
    fn fragment(&mut self, of: ElementId) -> ElementId {
        let content = ElementId::next(&self.fragments.module.elements);
        let fragment = Element {
            tag: String::new(),
            kind: ElementKind::Fragment,
            component: None,
            attributes: Vec::new(),
            parent: Some(of),
            holder: Some(of),
            ..self.fragments.module.elements[of.index()].clone()
        };
        self.fragments.module.elements.push(fragment);
        content
    }

    /// The slot that `v-slot:name` and `#name` mean; `None` when that is only known when the code runs.
    fn slot_name(&self, slot: &tree::Attribute) -> Option<&'s str> {
        let argument = slot.directive.as_ref().and_then(|slot| slot.argument);
        let name = argument.map_or("default", |argument| argument.of(self.sfc.text));
        (!name.starts_with('[')).then_some(name)
    }

    /// Which component a tag names: `<user-card>` is `UserCard` in scripts, and `<ui.Card>` a property of a name.
    fn component(&mut self, element: &tree::Element) -> Option<NodeId> {
        if !self.sfc.is_component(element) {
            return None;
        }
        let tag = self.sfc.tag(element);
        let range = element.name.range();
        if tag == "component" {
            return self.dynamic(element);
        }
        if let Some((root, key)) = tag.split_once('.') {
            let symbol = self.find(root)?;
            let root = self.push(range.clone(), Shape::Name(Some(symbol), root.to_owned()));
            let member = |node, key: &str| Shape::Member(node, Key::Named(key.to_owned()));
            return Some(
                key.split('.')
                    .fold(root, |node, key| self.push(range.clone(), member(node, key))),
            );
        }
        let pascal = sfc::component_name(tag);
        let shape = match self.find(tag).or_else(|| self.find(&pascal)) {
            Some(symbol) => Shape::Name(Some(symbol), self.fragments.module[symbol].name.clone()),
            None => Shape::Component(pascal),
        };
        Some(self.push(range, shape))
    }

    /// `<component :is="Card">`
    fn dynamic(&mut self, element: &tree::Element) -> Option<NodeId> {
        let is = self.sfc.attributes_of(element, "is").next()?;
        let value = is.value?;
        if is.directive.is_some() {
            return Some(self.expression(value.inner, Within::Attribute(value.quote.map_or(' ', char::from))));
        }
        let pascal = sfc::component_name(value.inner.of(self.sfc.text));
        Some(self.push(value.inner.range(), Shape::Component(pascal)))
    }

    fn find(&self, name: &str) -> Option<SymbolId> {
        let known = self.fragments.names.iter().rev().find(|(known, _)| known == name);
        known.map(|(_, symbol)| *symbol)
    }

    fn kind(&self, element: &tree::Element) -> ElementKind {
        match self.sfc.tag(element) {
            "template" => ElementKind::Fragment,
            _ if self.sfc.is_host(element) => ElementKind::Host,
            _ if self.sfc.is_component(element) => ElementKind::Component,
            _ => ElementKind::Foreign,
        }
    }

    /// An attribute that is a value; `None` for a directive that is none.
    fn attribute(&mut self, attribute: &tree::Attribute) -> Option<Attribute> {
        let text = self.sfc.text;
        let range = attribute.span.range();
        let Some(directive) = &attribute.directive else {
            let name = attribute.name.of(text).to_owned();
            let written = attribute.value.map_or(Written::Flag, |value| {
                let shape = match value.quote {
                    Some(quote) => Shape::Text(Fixed {
                        range: value.inner.range(),
                        text: references::html_attribute(value.inner.of(text)).into_owned(),
                        notation: Notation::HtmlAttribute(char::from(quote)),
                    }),
                    None => Shape::Other("a value without quotes"),
                };
                Written::Text(value.span.range(), self.push(range.clone(), shape))
            });
            return Some(Attribute { name, range, written });
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
        let contained = match attribute.value {
            Some(value) => Contained {
                range: value.span.range(),
                inner: value.inner.range(),
                node: self.expression(value.inner, Within::Attribute(value.quote.map_or(' ', char::from))),
            },
            // `:title` is `:title="title"`.
            None => {
                let symbol = self.find(&name);
                Contained {
                    range: range.clone(),
                    inner: range.clone(),
                    node: self.push(range.clone(), Shape::Name(symbol, name.clone())),
                }
            }
        };
        if attribute.name.of(text).starts_with("v-model") {
            self.written(contained.node, attribute.span);
        }
        let written = match name.is_empty() {
            true => Written::Spread(contained.inner, contained.node),
            false => Written::Expression(contained),
        };
        Some(Attribute { name, range, written })
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
        let key = module.first_key(node);
        let symbol = &mut module.symbols[symbol.index()];
        if direct {
            symbol.write.get_or_insert(at.start);
        } else {
            symbol.touched.push(Touch { at: at.start, key });
        }
    }

    /// An expression; one that cannot be read is something else.
    fn expression(&mut self, span: Span, within: Within) -> NodeId {
        let source = span.of(self.sfc.text);
        // Vue reads character references in expressions, and then places do not agree.
        if references::html_attribute(source) != source {
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

fn child_element(range: Range<usize>, element: ElementId) -> Child {
    let kind = ChildKind::Element(element);
    Child { range, kind }
}

fn expression(range: Range<usize>, inner: Range<usize>, node: NodeId) -> Child {
    let kind = ChildKind::Expression(Contained {
        range: range.clone(),
        inner,
        node,
    });
    Child { range, kind }
}
