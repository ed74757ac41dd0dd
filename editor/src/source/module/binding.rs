//! Names, what they are bound to, and functions.

use std::ops::Range;

use super::ids::{ElementId, FunctionId, NodeId, SymbolId};
use crate::source::script::Body;

/// A binding.
#[derive(Debug, Clone)]
pub struct Symbol {
    /// As it is called.
    pub name: String,
    /// Where it is declared.
    pub range: Range<usize>,
    /// What it is bound to.
    pub origin: Origin,
    /// How often it is read in its file.
    pub reads: u32,
    /// Where it is assigned again, if it is.
    pub write: Option<usize>,
    /// Where something inside its value is assigned, or its list is changed.
    pub touched: Vec<Touch>,
}

/// A place where something inside a value is changed.
#[derive(Debug, Clone)]
pub struct Touch {
    /// The place.
    pub at: usize,
    /// The only property that is meant; `None` when it can be any.
    pub key: Option<String>,
}

/// What a name is bound to.
#[derive(Debug, Clone)]
pub enum Origin {
    /// A declaration's value.
    Value(Path),
    /// A parameter of a function.
    Parameter(FunctionId, usize, Vec<Take>),
    /// An import.
    Import(String, Imported),
    /// A function's own name.
    Function(FunctionId),
    /// Something else, in words.
    Other(&'static str),
}

/// The way from a value into its parts.
#[derive(Debug, Clone)]
pub struct Path {
    /// The whole value.
    pub of: NodeId,
    /// What destructuring takes of it, from the outside in.
    pub takes: Vec<Take>,
}

/// One step of destructuring.
#[derive(Debug, Clone)]
pub enum Take {
    /// A property.
    Key(String),
    /// An item.
    Index(usize),
    /// `...rest` of an object: everything but these.
    Rest(Vec<String>),
    /// `= value`, when there is nothing.
    Default(NodeId),
    /// Something that cannot be followed, as a rest of a list or a computed key.
    Lost,
}

/// What an import takes from its module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Imported {
    /// An export by name; the default export is `default`.
    Name(String),
    /// All of them: `* as ns`.
    All,
}

/// What an export names.
#[derive(Debug, Clone)]
pub enum Export {
    /// A binding of this module.
    Symbol(SymbolId),
    /// An expression: `export default …`.
    Node(NodeId),
    /// An export of another module.
    From(String, Imported),
}

/// A function, or what stands for one: a Vue component is the function of its props.
#[derive(Debug, Clone)]
pub struct Function {
    /// Where it stands.
    pub range: Range<usize>,
    /// Its block; `None` for an arrow function that is an expression, and for what only stands for a function.
    pub body: Option<Body>,
    /// What it gives back; several when there are several `return`s.
    pub returns: Vec<NodeId>,
    /// The function around it.
    pub outer: Option<FunctionId>,
    /// The call it is an argument of, and which.
    pub argument_of: Option<(NodeId, usize)>,
    /// The name it is declared by or bound to.
    pub name: Option<String>,
    /// The class it is a method of.
    pub class: Option<SymbolId>,
    /// The list that is repeated: a Vue element with `v-for` is the function of its items.
    pub repeats: Option<NodeId>,
    /// For a scoped slot of Vue, which is the function of what it is handed.
    pub slot: Option<Slot>,
}

/// Which slot something is given to.
#[derive(Debug, Clone)]
pub struct Slot {
    /// The use of the component; `None` when there is one for each item of a list.
    pub of: Option<ElementId>,
    /// `None` when it is only known when the code runs.
    pub name: Option<String>,
}
