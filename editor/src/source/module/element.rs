//! Elements with the ranges of their parts: what is read of them, and where it is written.

use std::ops::Range;

use super::expression::Fixed;
use super::ids::{ElementId, FunctionId, NodeId};

/// An element, a component's use or a fragment.
#[derive(Debug, Clone)]
pub struct Element {
    /// As written; empty for a fragment, and for Vue's `<template>`.
    pub tag: String,
    /// What it is.
    pub kind: ElementKind,
    /// From its `<` to behind its end.
    pub range: Range<usize>,
    /// From its `<` to behind the `>` of its opening tag.
    pub opening: Range<usize>,
    /// The tag's name in the opening tag.
    pub name: Range<usize>,
    /// Behind the tag's name and its type arguments.
    pub behind_name: usize,
    /// The closing tag; `None` when it closes itself.
    pub closing: Option<Range<usize>>,
    /// In source order, in a template those that are values; behind them what it is given for slots with a name.
    pub attributes: Vec<Attribute>,
    /// In source order, text that is nothing but layout among them.
    pub children: Vec<Child>,
    /// The frame it is; `None` in a template, which has none.
    pub frame: Option<usize>,
    /// The element or fragment it stands in, however deep in expressions.
    pub parent: Option<ElementId>,
    /// The element around it in the same expression: not across a function, and not from an attribute.
    pub holder: Option<ElementId>,
    /// Which component, when the tag names one: the way from a name through its properties.
    pub component: Option<NodeId>,
    /// The function it stands in.
    pub function: Option<FunctionId>,
    /// Whether something decides if it is shown, within the function it stands in.
    pub conditional: bool,
}

/// What stands between `<` and `>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementKind {
    /// Of the page: it carries a stamp.
    Host,
    /// Lower case, but no name of the page.
    Foreign,
    /// A component's use.
    Component,
    /// `<>…</>`
    Fragment,
}

/// What an element is given by a name: an attribute, a property of a component, or what fills a slot.
#[derive(Debug, Clone)]
pub struct Attribute {
    /// Empty for `{...value}`. In a template the name of what is bound; what is given to a slot has the slot's name behind a
    /// `#`, or only the `#` when the name is not known.
    pub name: String,
    /// All of it.
    pub range: Range<usize>,
    /// What it is set to.
    pub written: Written,
}

/// What an attribute is set to.
#[derive(Debug, Clone)]
pub enum Written {
    /// Nothing: `disabled`.
    Flag,
    /// `"text"`; the range includes the quotes.
    Text(Range<usize>, NodeId),
    /// `{expression}`
    Expression(Contained),
    /// An element without braces, or the content of a slot.
    Element(NodeId),
    /// `{...expression}`; the range of the expression.
    Spread(Range<usize>, NodeId),
}

/// An expression in braces.
#[derive(Debug, Clone)]
pub struct Contained {
    /// With the braces.
    pub range: Range<usize>,
    /// The expression alone, with the parentheses and types around its node.
    pub inner: Range<usize>,
    /// The expression.
    pub node: NodeId,
}

/// What stands in an element.
#[derive(Debug, Clone)]
pub struct Child {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it is.
    pub kind: ChildKind,
}

/// The kinds of children.
#[derive(Debug, Clone)]
pub enum ChildKind {
    /// Characters, as they are shown: white space at line ends is dropped. `None` when nothing is left.
    Text(Option<Fixed>),
    /// An element or a fragment.
    Element(ElementId),
    /// `{expression}`
    Expression(Contained),
    /// `{}` or `{/* comment */}`
    Empty,
    /// `{...expression}`
    Spread(NodeId),
}

/// A child that the page can show.
#[derive(Debug, Clone, Copy)]
pub enum Shown<'e> {
    /// Characters.
    Text(&'e Fixed),
    /// The value of an expression.
    Expression(NodeId),
    /// An element or a fragment.
    Element(ElementId),
}

/// A literal.
#[derive(Debug, Clone, PartialEq)]
pub struct Literal {
    /// With its quotes.
    pub range: Range<usize>,
    /// What it is.
    pub value: LiteralValue,
}

/// What a literal is.
#[derive(Debug, Clone, PartialEq)]
pub enum LiteralValue {
    /// In single or double quotes.
    String(String),
    /// In backticks, without `${}`.
    Template(String),
    /// As written.
    Number(String),
    /// `true` or `false`.
    Boolean(bool),
}

impl Element {
    /// Its attribute of that name; the last one, which is the one that counts.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().rev().find(|attribute| attribute.name == name)
    }

    /// Whether attributes come from a value that is spread into it.
    #[must_use]
    pub fn has_spread(&self) -> bool {
        let mut attributes = self.attributes.iter();
        attributes.any(|attribute| matches!(attribute.written, Written::Spread(..)))
    }

    /// What it shows, in order.
    pub fn shown(&self) -> impl Iterator<Item = Shown<'_>> {
        self.children.iter().filter_map(|child| match &child.kind {
            ChildKind::Text(text) => text.as_ref().map(Shown::Text),
            ChildKind::Element(element) => Some(Shown::Element(*element)),
            ChildKind::Expression(contained) => Some(Shown::Expression(contained.node)),
            ChildKind::Spread(node) => Some(Shown::Expression(*node)),
            ChildKind::Empty => None,
        })
    }

    /// Whether nothing that can be shown stands between its tags.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shown().next().is_none()
    }
}

impl Attribute {
    /// Its value; `None` for a flag.
    #[must_use]
    pub fn value(&self) -> Option<NodeId> {
        match &self.written {
            Written::Flag => None,
            Written::Text(_, node) | Written::Element(node) | Written::Spread(_, node) => Some(*node),
            Written::Expression(contained) => Some(contained.node),
        }
    }
}

impl LiteralValue {
    /// As people read it.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::String(text) | Self::Template(text) | Self::Number(text) => text.clone(),
            Self::Boolean(value) => value.to_string(),
        }
    }
}
