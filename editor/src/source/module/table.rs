//! One file as tables: each thing of it stands in one, and is named by its place there.

use std::ops::{Index, Range};
use std::sync::{Arc, OnceLock};

use super::binding::{Export, Function, Origin, Symbol, Take};
use super::element::Element;
use super::expression::{Key, Node, Shape};
use super::frame::Frame;
use super::ids::{ElementId, FunctionId, NodeId, SymbolId};
use crate::source::model::Position;
use crate::source::model::position::lines;

/// One file.
#[derive(Debug, Default)]
pub struct Module {
    /// Relative to the prototype's root.
    pub path: String,
    /// Its text, without byte order mark.
    pub text: Arc<str>,
    /// Its expressions.
    pub nodes: Vec<Node>,
    /// Its bindings.
    pub symbols: Vec<Symbol>,
    /// Its functions, outer ones before those in them.
    pub functions: Vec<Function>,
    /// Its elements and fragments, outer ones before those in them.
    pub elements: Vec<Element>,
    /// The syntax nodes of its scripts around elements and those that declare a function's name, parents before children.
    pub frames: Vec<Frame>,
    /// Its import declarations that declare names.
    pub imports: Vec<Range<usize>>,
    /// Rest names of object patterns, with what is taken out beside them: `props` and `className` of `{ className, ...props }`.
    pub rests: Vec<(SymbolId, Vec<String>)>,
    /// What it exports, by name.
    pub exports: Vec<(String, Export)>,
    /// Modules of `export * from`.
    pub stars: Vec<String>,
    /// `Card.Title = …`: properties put on a name after its declaration.
    pub statics: Vec<(SymbolId, String, NodeId)>,
    /// The component that the file is, for Vue.
    pub component: Option<FunctionId>,
    /// What that component takes for a prop that it is not given.
    pub defaults: Vec<(String, NodeId)>,
    /// What Vue's options give a component, by the names it has in templates and behind `this.`.
    pub members: Vec<(String, SymbolId)>,
    /// Components given a name for the whole application: `app.component('Card', Card)`.
    pub registered: Vec<(String, NodeId)>,
    /// Values of `messages` and, with `true`, `resources` in objects: texts of languages, where they are handed to a library
    /// for translations.
    pub messages: Vec<(bool, NodeId)>,
    /// `<i18n>` blocks that are JSON.
    pub blocks: Vec<Messages>,
    /// An `<i18n>` block that is not.
    pub unread_messages: Option<usize>,
    /// Where something of `this` is assigned or changed, by its name; `None` when the name is only known when the code runs.
    pub this_written: Vec<(Option<String>, usize)>,
    /// Where its lines begin, once somebody asked.
    lines: OnceLock<Vec<usize>>,
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

impl Module {
    /// A file of which nothing is known yet.
    #[must_use]
    pub fn new(path: &str, text: &Arc<str>) -> Self {
        Self {
            path: path.to_owned(),
            text: text.clone(),
            ..Self::default()
        }
    }

    /// The element whose `<` stands at a byte offset.
    #[must_use]
    pub fn element_at(&self, offset: usize) -> Option<ElementId> {
        let found = self.elements.iter().position(|element| element.range.start == offset);
        found.map(ElementId::nth)
    }

    /// The ids of all bindings.
    pub fn symbol_ids(&self) -> impl Iterator<Item = SymbolId> + use<> {
        (0..self.symbols.len()).map(SymbolId::nth)
    }

    /// All elements with their ids.
    pub fn elements(&self) -> impl Iterator<Item = (ElementId, &Element)> {
        (0..).map(ElementId::nth).zip(&self.elements)
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
    pub fn component(&self) -> Option<FunctionId> {
        self.component
    }

    /// What Vue's options and props give a component by this name.
    pub fn own(&self, name: &str) -> Option<SymbolId> {
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
    pub fn root(&self, mut node: NodeId) -> Option<SymbolId> {
        loop {
            match self[node].shape {
                Shape::Name(symbol, _) => return symbol,
                Shape::Member(object, _) => node = object,
                _ => return None,
            }
        }
    }

    /// What the name is that a chain of members begins with.
    #[must_use]
    pub fn root_name(&self, mut node: NodeId) -> Option<&str> {
        loop {
            match &self[node].shape {
                Shape::Name(_, name) => return Some(name),
                Shape::Member(object, _) => node = *object,
                _ => return None,
            }
        }
    }

    /// The first property of a chain of members, when it is the only one that a change at the chain's end can matter to:
    /// `.value` is no property of what people see, but of Vue's references.
    pub fn first_key(&self, mut node: NodeId) -> Option<String> {
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
    pub fn this_root(&self, mut node: NodeId) -> Option<&Key> {
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
    pub fn json_member(&self, name: &str) -> Option<NodeId> {
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
pub fn is_source(path: &str) -> bool {
    !is_json(path) && SOURCES.iter().any(|ending| path.ends_with(ending)) && !path.ends_with(".d.ts")
}

/// What an id names.
macro_rules! found {
    ($($id:ident finds $item:ident in $table:ident;)*) => {$(
        impl Index<$id> for Module {
            type Output = $item;

            fn index(&self, id: $id) -> &$item {
                &self.$table[id.index()]
            }
        }
    )*};
}

found! {
    NodeId finds Node in nodes;
    SymbolId finds Symbol in symbols;
    FunctionId finds Function in functions;
    ElementId finds Element in elements;
}
