//! A source file as the resolver sees it: names, the expressions bound to them, functions, elements, imports and exports.
//!
//! Owned, so that it can be kept across requests while the file stays as it is; every range is one of bytes in
//! [`Module::text`]. React's and Vue's files become the same thing: what stands between `{ }` and between `{{ }}` is followed
//! by the same code.

use std::ops::{Index, Range};
use std::sync::{Arc, OnceLock};

use crate::source::model::Position;
use crate::source::model::position::lines;
use crate::source::notation::Notation;

/// Typed indices into the tables of a [`Module`].
macro_rules! ids {
    ($($(#[$doc:meta])* $id:ident finds $item:ident in $table:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $id(u32);

        impl $id {
            pub(super) fn nth(index: usize) -> Self {
                // Files are limited to sizes where every table stays far below this.
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }

            pub(super) fn index(self) -> usize {
                self.0 as usize
            }

            pub(super) fn next(table: &[$item]) -> Self {
                Self::nth(table.len())
            }
        }

        impl Index<$id> for Module {
            type Output = $item;

            fn index(&self, id: $id) -> &$item {
                &self.$table[id.0 as usize]
            }
        }
    )*};
}

ids! {
    /// Names an expression of a module.
    NodeId finds Node in nodes;
    /// Names a binding of a module.
    SymbolId finds Symbol in symbols;
    /// Names a function of a module.
    FunctionId finds Function in functions;
    /// Names an element of a module.
    ElementId finds Element in elements;
}

/// One file.
#[derive(Debug, Default)]
pub struct Module {
    /// Relative to the prototype's root.
    pub path: String,
    /// Its text, without byte order mark.
    pub text: Arc<str>,
    pub(super) nodes: Vec<Node>,
    pub(super) symbols: Vec<Symbol>,
    pub(super) functions: Vec<Function>,
    pub(super) elements: Vec<Element>,
    pub(super) exports: Vec<(String, Export)>,
    /// Modules of `export * from`.
    pub(super) stars: Vec<String>,
    /// `Card.Title = …`: properties put on a name after its declaration.
    pub(super) statics: Vec<(SymbolId, String, NodeId)>,
    /// The component that the file is, for Vue.
    pub(super) component: Option<FunctionId>,
    /// What that component takes for a prop that it is not given.
    pub(super) defaults: Vec<(String, NodeId)>,
    /// What Vue's options give a component, by the names it has in templates and behind `this.`.
    pub(super) members: Vec<(String, SymbolId)>,
    /// Components given a name for the whole application: `app.component('Card', Card)`.
    pub(super) registered: Vec<(String, NodeId)>,
    /// Values of `messages` and, with `true`, `resources` in objects: texts of languages, where they are handed to a library
    /// for translations.
    pub(super) messages: Vec<(bool, NodeId)>,
    /// `<i18n>` blocks that are JSON.
    pub(super) blocks: Vec<Messages>,
    /// An `<i18n>` block that is not.
    pub(super) unread_messages: Option<usize>,
    /// Where something of `this` is assigned or changed, by its name; `None` when the name is only known when the code runs.
    pub(super) this_written: Vec<(Option<String>, usize)>,
    pub(super) lines: OnceLock<Vec<usize>>,
}

/// An `<i18n>` block.
#[derive(Debug)]
pub struct Messages {
    /// Its language, when it has one: else its texts are in an object for each.
    pub locale: Option<String>,
    /// Whether it serves the other files, too.
    pub global: bool,
    /// Its texts.
    pub node: NodeId,
}

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

/// An element, a component's use or a fragment.
#[derive(Debug, Clone)]
pub struct Element {
    /// The byte offset of its `<`.
    pub at: usize,
    /// From `<` to the last `>`.
    pub range: Range<usize>,
    /// As written; empty for a fragment.
    pub tag: String,
    /// Which component, when the tag names one: the way from a name through its properties.
    pub component: Option<NodeId>,
    /// Attributes in their order.
    pub attributes: Vec<Prop>,
    /// Children in their order.
    pub children: Vec<Child>,
    /// The element around it in the same expression.
    pub parent: Option<ElementId>,
    /// The function it stands in.
    pub function: Option<FunctionId>,
    /// Whether something decides if it is shown, within the function it stands in.
    pub conditional: bool,
    /// The end of the opening tag's name and attributes: where `>` or `/>` begins.
    pub open_end: usize,
    /// Whether it has a closing tag.
    pub closed: bool,
}

/// What an element is given by a name: an attribute, a property of a component, or what fills a slot.
#[derive(Debug, Clone)]
pub struct Prop {
    /// Empty for `{...value}`. What is given to a slot of Vue has the slot's name behind a `#`, or only the `#` when the name
    /// is not known.
    pub name: String,
    /// Its value; `None` for a flag.
    pub value: Option<NodeId>,
}

/// A child of an element.
#[derive(Debug, Clone)]
pub enum Child {
    /// Characters between tags, as shown (white space at line ends is dropped).
    Text(Fixed),
    /// `{expression}`.
    Expression(NodeId),
    /// An element or a fragment.
    Element(ElementId),
}

impl Module {
    /// The element whose `<` stands at a byte offset.
    #[must_use]
    pub fn element_at(&self, offset: usize) -> Option<ElementId> {
        let found = self.elements.iter().position(|element| element.at == offset)?;
        u32::try_from(found).ok().map(ElementId)
    }

    /// The ids of all bindings.
    pub(super) fn symbol_ids(&self) -> impl Iterator<Item = SymbolId> + use<> {
        (0..self.symbols.len()).map(SymbolId::nth)
    }

    /// All elements with their ids.
    pub fn elements(&self) -> impl Iterator<Item = (ElementId, &Element)> {
        (0..).map(ElementId).zip(&self.elements)
    }

    /// The characters of a range.
    #[must_use]
    pub fn excerpt(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The position of a byte offset.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let starts = self.lines.get_or_init(|| lines(&self.text));
        let line = starts.partition_point(|start| *start <= offset) - 1;
        let before = self.excerpt(&(starts[line]..offset));
        Position {
            line: u32::try_from(line + 1).unwrap_or(u32::MAX),
            column: u32::try_from(before.encode_utf16().count()).unwrap_or(u32::MAX),
        }
    }

    /// `path:line`, as messages name a place.
    #[must_use]
    pub fn place(&self, offset: usize) -> String {
        format!("{}:{}", self.path, self.position(offset).line)
    }

    /// The component that the file is, for Vue.
    pub(super) fn component(&self) -> Option<FunctionId> {
        self.component
    }

    /// What Vue's options and props give a component by this name.
    pub(super) fn own(&self, name: &str) -> Option<SymbolId> {
        let is_prop = |id: &SymbolId| match &self[*id].origin {
            Origin::Parameter(function, 0, takes) if Some(*function) == self.component => {
                matches!(&takes[..], [Take::Key(key)] if key == name)
            }
            _ => false,
        };
        let member = self.members.iter().find(|(member, _)| member == name);
        member
            .map(|(_, symbol)| *symbol)
            .or_else(|| self.symbol_ids().find(is_prop))
    }

    /// The name a chain of members begins with.
    pub(super) fn root(&self, mut node: NodeId) -> Option<SymbolId> {
        loop {
            match self[node].shape {
                Shape::Name(symbol, _) => return symbol,
                Shape::Member(object, _) => node = object,
                _ => return None,
            }
        }
    }

    /// The first property of a chain of members, when it is the only one that a change at the chain's end can matter to:
    /// `.value` is no property of what people see, but of Vue's references.
    pub(super) fn first_key(&self, mut node: NodeId) -> Option<String> {
        let mut first = None;
        while let Shape::Member(object, key) = &self[node].shape {
            first = match key {
                Key::Named(name) if name != "value" => Some(name.clone()),
                _ => None,
            };
            node = *object;
        }
        first
    }

    /// The property of `this` that a chain of members begins with.
    pub(super) fn this_root(&self, mut node: NodeId) -> Option<&Key> {
        loop {
            let Shape::Member(object, key) = &self[node].shape else {
                return None;
            };
            if matches!(self[*object].shape, Shape::This) {
                return Some(key);
            }
            node = *object;
        }
    }

    /// A property of the object that a JSON file is: bundlers offer them as exports.
    pub(super) fn json_member(&self, name: &str) -> Option<NodeId> {
        let json = is_json(&self.path);
        let (_, Export::Node(whole)) = self.exports.first().filter(|_| json)? else {
            return None;
        };
        let Shape::Object(properties) = &self[*whole].shape else {
            return None;
        };
        let named = properties.iter().find(|property| property.key.as_deref() == Some(name));
        named.map(|property| property.value)
    }
}

/// Whether a file is read as JSON.
#[must_use]
pub fn is_json(path: &str) -> bool {
    [".json", ".jsonc", ".json5"]
        .iter()
        .any(|ending| path.ends_with(ending))
}

/// Files that hold code.
const SOURCES: [&str; 9] = [".tsx", ".jsx", ".ts", ".js", ".vue", ".mts", ".mjs", ".cts", ".cjs"];

/// Whether a file holds code that is followed.
pub(super) fn is_source(path: &str) -> bool {
    !is_json(path) && SOURCES.iter().any(|ending| path.ends_with(ending)) && !path.ends_with(".d.ts")
}
