//! A JSX file as planning sees it: its elements with their parts' byte ranges, and what each of them stands in.
//!
//! Owned and flat: no lifetimes of the syntax tree, no recursion.

use std::ops::Range;

mod build;
mod kept;
mod scene;

use crate::source::model::outline::{Outline, OutlineElement};
use crate::source::model::position::Walker;
use crate::source::notation;
use crate::source::script::Body;

pub use build::range;
pub use kept::{keep, known};
pub use scene::Scenes;

/// The elements of a file and what they stand in.
#[derive(Debug, Default)]
pub struct Document {
    /// Elements and fragments, in the order of their `<`.
    pub elements: Vec<Element>,
    /// The syntax nodes around elements and those that declare a function's name, parents before children.
    pub frames: Vec<Frame>,
    /// What the file imports.
    pub imports: Vec<Import>,
    /// Rest names of object patterns: `...props` of `{ className, ...props }`.
    rests: Vec<Rest>,
    /// The places where names are declared.
    bindings: Vec<Range<usize>>,
    /// The blocks of functions, outer ones before those in them.
    bodies: Vec<Body>,
}

/// What is left of an object when some of its properties are taken out.
#[derive(Debug)]
struct Rest {
    name: Range<usize>,
    taken: Vec<String>,
    /// The function it is declared in.
    function: Range<usize>,
}

/// A name that an import declares.
#[derive(Debug)]
pub struct Import {
    /// The name in this file.
    pub local: String,
    /// The name in the other; `None` for the default, `*` for all of it.
    pub imported: Option<String>,
    /// The module, as written.
    pub from: String,
    /// The whole declaration.
    pub range: Range<usize>,
}

/// An element, a component's use, or a fragment.
#[derive(Debug)]
pub struct Element {
    /// As written; empty for `<>`.
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
    /// In source order.
    pub attributes: Vec<Attribute>,
    /// In source order, text that is nothing but layout among them.
    pub children: Vec<Child>,
    /// The frame it is.
    pub frame: usize,
    /// The element or fragment it stands in, however deep in expressions.
    pub parent: Option<usize>,
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

/// An attribute.
#[derive(Debug)]
pub struct Attribute {
    /// As written; empty for a spread.
    pub name: String,
    /// All of it.
    pub range: Range<usize>,
    /// What it is set to.
    pub value: Value,
}

/// What an attribute is set to.
#[derive(Debug)]
pub enum Value {
    /// Nothing: `disabled`.
    Flag,
    /// `"text"`; the range includes the quotes.
    Text(Range<usize>, String),
    /// `{expression}`
    Expression(Contained),
    /// An element without braces.
    Element,
    /// `{...expression}`; the range of the expression.
    Spread(Range<usize>),
}

/// An expression in braces.
#[derive(Debug, Clone)]
pub struct Contained {
    /// With the braces.
    pub range: Range<usize>,
    /// The expression alone.
    pub inner: Range<usize>,
    /// Whether it is a function.
    pub is_function: bool,
    /// Its value when it is nothing but a literal.
    pub literal: Option<Literal>,
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

/// What stands in an element.
#[derive(Debug)]
pub struct Child {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it is.
    pub kind: ChildKind,
}

/// The kinds of children.
#[derive(Debug)]
pub enum ChildKind {
    /// Characters.
    Text,
    /// An element or a fragment.
    Element,
    /// `{expression}`
    Expression(Contained),
    /// `{}` or `{/* comment */}`
    Empty,
    /// `{...expression}`
    Spread,
}

/// A syntax node.
#[derive(Debug)]
pub struct Frame {
    /// What it is.
    pub kind: FrameKind,
    /// Its bytes.
    pub range: Range<usize>,
    /// The frame it stands in.
    pub parent: Option<usize>,
}

/// What matters of a syntax node.
#[derive(Debug)]
pub enum FrameKind {
    /// The element or fragment of this index.
    Element(usize),
    /// An attribute.
    Attribute,
    /// `{}` in JSX.
    Container,
    /// `()`
    Parentheses,
    /// `left && right`, `left || right`, `left ?? right`.
    Logical {
        /// Whether it is `&&`.
        and: bool,
        /// Where the right side begins.
        right: usize,
    },
    /// `test ? then : other`
    Conditional {
        /// The side when the test holds.
        then: Range<usize>,
        /// The other side.
        other: Range<usize>,
    },
    /// `(…) => …`
    Arrow {
        /// Whether the body is an expression.
        expression: bool,
        /// Its parameters' source range.
        parameters: Range<usize>,
    },
    /// A function or method, perhaps with a name.
    Function(Option<String>),
    /// A class.
    Class(Option<String>),
    /// `name = …`
    Declarator(Option<String>),
    /// A call; `method` is the last part of what is called.
    Call {
        /// What is called, as far as it is a name.
        method: Option<String>,
    },
    /// `return …`
    Return,
    /// Any other statement.
    Statement,
    /// A `for` or `while`.
    Loop,
    /// `as`, `satisfies`, `!`
    Cast,
    /// `[…]`
    Array,
    /// A property of an object.
    Property,
    /// The module.
    Program,
    /// Anything else.
    Other,
}

impl Document {
    /// The element (no fragment) whose `<` stands at `offset`.
    #[must_use]
    pub fn at(&self, offset: usize) -> Option<usize> {
        let found = self.elements.iter().position(|element| element.range.start == offset)?;
        (self.elements[found].kind != ElementKind::Fragment).then_some(found)
    }

    /// The import that declares a name.
    #[must_use]
    pub fn import(&self, local: &str) -> Option<&Import> {
        self.imports.iter().find(|import| import.local == local)
    }

    /// Whether the value that is spread at `spread` is certainly without a property, because a pattern took it out:
    /// `{...props}` of `({ className, ...props })` brings no `className`.
    #[must_use]
    pub fn leaves_out(&self, text: &str, spread: &Range<usize>, property: &str) -> bool {
        let name = &text[spread.clone()];
        let inside = |outer: &Range<usize>, inner: &Range<usize>| outer.start <= inner.start && inner.end <= outer.end;
        let rests = self.rests.iter().filter(|rest| text[rest.name.clone()] == *name);
        let mut around = rests.filter(|rest| inside(&rest.function, spread));
        let (Some(rest), None) = (around.next(), around.next()) else {
            return false;
        };
        // Declared once more within the function, the name could be another value.
        let same = |at: &&Range<usize>| inside(&rest.function, at) && text[(*at).clone()] == *name;
        self.bindings.iter().filter(same).count() == 1 && rest.taken.iter().any(|taken| taken == property)
    }

    /// The innermost function whose block holds a range between its braces.
    #[must_use]
    pub fn body_around(&self, range: &Range<usize>) -> Option<&Body> {
        let holds = |body: &&Body| body.range.start < range.start && range.end < body.range.end;
        self.bodies.iter().rfind(holds)
    }

    /// The frames an element stands in, the innermost first.
    pub fn frames_around(&self, element: usize) -> impl Iterator<Item = &Frame> {
        let first = self.frames[self.elements[element].frame].parent;
        std::iter::successors(first.map(|frame| &self.frames[frame]), |frame| {
            frame.parent.map(|frame| &self.frames[frame])
        })
    }

    /// The elements as everybody sees them; fragments are no elements.
    #[must_use]
    pub fn outline(&self, text: &str) -> Outline {
        let mut walker = Walker::new(text);
        let mut outline = Outline::default();
        // Where each element went; for a fragment, what it stands in.
        let mut places: Vec<Option<usize>> = Vec::with_capacity(self.elements.len());
        for element in &self.elements {
            let parent = element.parent.and_then(|parent| places[parent]);
            if element.kind == ElementKind::Fragment {
                places.push(parent);
                continue;
            }
            places.push(Some(outline.elements.len()));
            outline.elements.push(OutlineElement {
                at: walker.position(element.range.start),
                tag: element.tag.clone(),
                component: element.kind == ElementKind::Component,
                text: shown_text(element, text),
                parent,
                range: element.range.clone(),
                opening: element.opening.clone(),
            });
        }
        outline
    }
}

impl FrameKind {
    /// Whether it gives a function, or what may be one, its name.
    fn declares(&self) -> bool {
        matches!(
            self,
            Self::Element(_) | Self::Function(Some(_)) | Self::Declarator(Some(_))
        )
    }
}

impl Element {
    /// Its attribute of that name; the last one, which is the one that counts.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().rev().find(|attribute| attribute.name == name)
    }
}

/// The beginning of an element's own text.
fn shown_text(element: &Element, source: &str) -> String {
    const MAX_SHOWN: usize = 80;
    let mut shown = String::new();
    for child in &element.children {
        let part = match &child.kind {
            ChildKind::Text => {
                notation::jsx_text(&source[child.range.clone()]).map_or_else(String::new, |shown| shown.text)
            }
            ChildKind::Expression(contained) => match &contained.literal {
                Some(literal) => literal.value.shown(),
                None => continue,
            },
            _ => continue,
        };
        shown.push_str(&part);
        if shown.len() > MAX_SHOWN {
            break;
        }
    }
    let shown = shown.trim();
    match shown.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown.to_owned(),
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
