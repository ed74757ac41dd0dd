//! What an element of a script stands in: the syntax nodes around it.

use std::ops::Range;

use super::ids::ElementId;

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
    /// An element or a fragment.
    Element(ElementId),
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
