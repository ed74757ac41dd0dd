//! What a single-file component consists of: its nodes with exact byte ranges.
//!
//! All nodes lie in one list and name each other by index, so that neither walking nor dropping a hostile depth of nesting
//! can exhaust the stack.

use std::ops::Range;

use crate::source::script::Broken;

/// A byte range of the file's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range from `start` to `end`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// What stands there.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// As a range of the standard library.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Whether `other` lies inside, or is the same.
    #[must_use]
    pub fn holds(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether nothing stands there.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

/// The index of a node in [`Sfc::nodes`].
pub type Id = usize;

/// A scanned file.
#[derive(Debug)]
pub struct Sfc<'t> {
    /// The text all ranges belong to.
    pub text: &'t str,
    /// All nodes, in the order in which they begin.
    pub nodes: Vec<Node>,
    /// The nodes of the top level: the blocks, and comments and text between them.
    pub roots: Vec<Id>,
    /// What the compiler would report as an error, in the order of the text.
    pub problems: Vec<Broken>,
}

/// One node.
#[derive(Debug)]
pub struct Node {
    /// From its first to its last byte, closing tag included.
    pub span: Span,
    /// The element it stands in.
    pub parent: Option<Id>,
    /// What it is.
    pub kind: NodeKind,
}

/// What a node is.
#[derive(Debug)]
pub enum NodeKind {
    /// A tag with its content.
    Element(Box<Element>),
    /// Characters.
    Text(Text),
    /// `{{ expression }}`, with the range of the expression without the spaces around it.
    Interpolation(Span),
    /// `<!-- … -->`
    Comment,
}

/// A run of characters between tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text {
    /// What the compiler leaves of it.
    pub shown: Shown,
    /// Whether its characters stand side by side as the page shows them: no CDATA section, declaration or stray tag among them.
    pub solid: bool,
    /// Whether character references (`&amp;`) are decoded, and `{{` begins an expression.
    pub raw: bool,
}

/// What Vue's condensing of white space leaves of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Nothing: white space at the edges of an element, or with a line end between two elements.
    Nothing,
    /// One space.
    Space,
    /// The text with each run of white space as one space.
    Condensed,
    /// All of it, as in `pre` and `textarea`.
    Exact,
}

/// A tag with its content.
#[derive(Debug)]
pub struct Element {
    /// Its name, as written.
    pub name: Span,
    /// Its attributes and directives, in order.
    pub attributes: Vec<Attribute>,
    /// Its content.
    pub children: Vec<Id>,
    /// The opening tag, from `<` to `>`.
    pub open: Span,
    /// The closing tag; absent for `<br>`, `<br />` and `<p />`.
    pub close: Option<Span>,
    /// Whether the opening tag ends with `/>`.
    pub self_closing: bool,
    /// Which language its name belongs to.
    pub namespace: Namespace,
    /// Whether it stands in an element with `v-pre`, or has it.
    pub verbatim: bool,
}

impl Element {
    /// What stands between the tags; empty when there is only one.
    #[must_use]
    pub fn inner(&self) -> Span {
        let end = self.close.map_or(self.open.end, |close| close.start);
        Span::new(self.open.end, end)
    }
}

/// The language of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Namespace {
    /// HTML, components and everything else.
    Html,
    /// In `<svg>`.
    Svg,
    /// In `<math>`.
    MathMl,
}

/// An attribute or a directive.
#[derive(Debug)]
pub struct Attribute {
    /// From its first to its last byte, closing quote included.
    pub span: Span,
    /// The whole name, as `v-model.trim` or `:[key]`.
    pub name: Span,
    /// What stands after the `=`.
    pub value: Option<AttributeValue>,
    /// Set for directives (not inside `v-pre`).
    pub directive: Option<Directive>,
}

/// The value of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttributeValue {
    /// With the quotes.
    pub span: Span,
    /// Without the quotes.
    pub inner: Span,
    /// `"` or `'`.
    pub quote: Option<u8>,
}

/// The parts of a directive's name.
#[derive(Debug)]
pub struct Directive {
    /// Which one.
    pub kind: Bound,
    /// Behind the `:`; with the brackets if it is dynamic.
    pub argument: Option<Span>,
    /// Behind the dots; for slots they belong to the argument.
    pub modifiers: Vec<Span>,
}

/// The directives, by what they mean for edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// `v-bind`, `:`, `.`
    Bind,
    /// `v-on`, `@`
    On,
    /// `v-slot`, `#`
    Slot,
    /// `v-if`
    If,
    /// `v-else-if`
    ElseIf,
    /// `v-else`
    Else,
    /// `v-for`
    For,
    /// `v-text`
    Text,
    /// `v-html`
    Html,
    /// `v-pre`
    Pre,
    /// `v-once`, `v-memo`, `v-show`, `v-model`, `v-cloak`, `v-is` and the project's own.
    Other,
}

impl Bound {
    pub(super) fn of(raw: &str) -> Self {
        match raw {
            ":" | "." | "v-bind" => Self::Bind,
            "@" | "v-on" => Self::On,
            "#" | "v-slot" => Self::Slot,
            "v-if" => Self::If,
            "v-else-if" => Self::ElseIf,
            "v-else" => Self::Else,
            "v-for" => Self::For,
            "v-text" => Self::Text,
            "v-html" => Self::Html,
            "v-pre" => Self::Pre,
            _ => Self::Other,
        }
    }
}

impl<'t> Sfc<'t> {
    /// The element with this index; `None` for text, comments and expressions.
    #[must_use]
    pub fn element(&self, id: Id) -> Option<&Element> {
        match &self.nodes.get(id)?.kind {
            NodeKind::Element(element) => Some(element),
            _ => None,
        }
    }

    /// The name of an element as written.
    #[must_use]
    pub fn tag(&self, element: &Element) -> &'t str {
        element.name.of(self.text)
    }

    /// The children of an element, or the top level.
    #[must_use]
    pub fn children(&self, parent: Option<Id>) -> &[Id] {
        match parent {
            Some(id) => self.element(id).map_or(&[], |element| &element.children),
            None => &self.roots,
        }
    }

    /// The element's attribute or directive that sets `name`: `title`, `:title`, `v-bind:title` and `.title` alike.
    pub fn attributes_of<'e>(&'e self, element: &'e Element, name: &'e str) -> impl Iterator<Item = &'e Attribute> {
        element
            .attributes
            .iter()
            .filter(move |attribute| self.sets(attribute) == Some(name))
    }

    /// Which attribute this one sets: its own name, or the argument of a `v-bind`. `None` for everything else.
    #[must_use]
    pub fn sets(&self, attribute: &Attribute) -> Option<&'t str> {
        match &attribute.directive {
            None => Some(attribute.name.of(self.text)),
            Some(directive) if directive.kind == Bound::Bind => directive
                .argument
                .map(|argument| argument.of(self.text))
                .filter(|argument| !argument.starts_with('[')),
            Some(_) => None,
        }
    }

    /// The element's directive of this kind.
    #[must_use]
    pub fn directive<'e>(&self, element: &'e Element, kind: Bound) -> Option<&'e Attribute> {
        element.attributes.iter().find(|attribute| {
            attribute
                .directive
                .as_ref()
                .is_some_and(|directive| directive.kind == kind)
        })
    }

    /// The first problem as an error.
    ///
    /// # Errors
    /// When the compiler would refuse the file.
    pub fn checked(self) -> Result<Self, Broken> {
        match self.problems.first() {
            Some(problem) => Err(problem.clone()),
            None => Ok(self),
        }
    }
}
