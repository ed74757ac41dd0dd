//! Expressions as the resolver follows them.

use std::ops::Range;

use super::ids::{ElementId, FunctionId, NodeId, SymbolId};
use crate::source::notation::Notation;

/// An expression.
#[derive(Debug, Clone)]
pub struct Node {
    /// Where it stands.
    pub range: Range<usize>,
    /// What it is.
    pub shape: Shape,
    /// The function it stands in.
    pub function: Option<FunctionId>,
}

/// The kinds of expressions that can be followed. Types, parentheses and `!` are already taken off.
#[derive(Debug, Clone)]
pub enum Shape {
    /// A string.
    Text(Fixed),
    /// A template literal, or strings joined with `+`.
    Joined(Vec<Part>),
    /// A number, as people read it.
    Number(String),
    /// Shows nothing: `null`, `undefined`, booleans.
    Nothing,
    /// `left === right`, which shows nothing either.
    Equal(NodeId, NodeId),
    /// A name.
    Name(Option<SymbolId>, String),
    /// `this`, in a class component.
    This,
    /// `object.key`, `object[key]`.
    Member(NodeId, Key),
    /// `{ … }`.
    Object(Vec<Property>),
    /// `[ … ]`.
    List(Vec<Item>),
    /// `test ? then : other`.
    Conditional(NodeId, NodeId, NodeId),
    /// `left && right`.
    And(NodeId, NodeId),
    /// `left || right` and `left ?? right`.
    Or(NodeId, NodeId),
    /// `callee(…)`; spread arguments end the list.
    Call(NodeId, Vec<NodeId>),
    /// A function.
    Function(FunctionId),
    /// Markup.
    Element(ElementId),
    /// A component by its name in Pascal case, which the file neither declares nor imports.
    Component(String),
    /// `import('…')`.
    Import(String),
    /// `await …`.
    Await(NodeId),
    /// Anything else, in words: “a calculation”.
    Other(&'static str),
}

/// Characters that stand in the source as they are shown, but for escapes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixed {
    /// The characters' place, without quotes.
    pub range: Range<usize>,
    /// What they show.
    pub text: String,
    /// How they are written there.
    pub notation: Notation,
}

/// A part of a joined text.
#[derive(Debug, Clone)]
pub enum Part {
    /// Characters.
    Fixed(Fixed),
    /// `${…}`.
    Hole(NodeId),
}

/// Which property.
#[derive(Debug, Clone)]
pub enum Key {
    /// By its name, or by a number.
    Named(String),
    /// By the value of an expression.
    Computed(NodeId),
}

/// `key: value`, or `...value`.
#[derive(Debug, Clone)]
pub struct Property {
    /// `None` for a key that is only known when the code runs.
    pub key: Option<String>,
    /// The value.
    pub value: NodeId,
    /// Whether it is `...value`.
    pub spread: bool,
}

/// An item of a list.
#[derive(Debug, Clone)]
pub struct Item {
    /// The value.
    pub value: NodeId,
    /// Whether it is `...value`.
    pub spread: bool,
}
