//! What an expression turns out to be, and by which decisions.

use std::sync::Arc;

use crate::source::model::{Branch, Code, Refusal, Stamp};
use crate::source::module::{ElementId, FunctionId, Module, Node, NodeId};

/// An expression of a file.
#[derive(Debug, Clone)]
pub struct At {
    pub module: Arc<Module>,
    pub id: NodeId,
}

impl At {
    pub fn node(&self) -> &Node {
        &self.module[self.id]
    }

    /// Another expression of the same file.
    pub fn with(&self, id: NodeId) -> Self {
        let module = self.module.clone();
        Self { module, id }
    }

    /// `path:line`.
    pub fn place(&self) -> String {
        self.module.place(self.node().range.start)
    }

    pub fn excerpt(&self) -> &str {
        self.module.excerpt(&self.node().range)
    }

    fn key(&self) -> (&str, NodeId) {
        (&self.module.path, self.id)
    }
}

impl PartialEq for At {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

/// A function of a file: for components, what identifies them.
#[derive(Debug, Clone)]
pub struct FunctionAt {
    /// The file.
    pub module: Arc<Module>,
    /// The function.
    pub id: FunctionId,
}

impl FunctionAt {
    pub(super) fn key(&self) -> (&str, FunctionId) {
        (&self.module.path, self.id)
    }
}

impl PartialEq for FunctionAt {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

/// An element of a file.
#[derive(Debug, Clone)]
pub struct ElementAt {
    /// The file.
    pub module: Arc<Module>,
    /// The element.
    pub id: ElementId,
}

impl ElementAt {
    /// Its stamp.
    #[must_use]
    pub fn stamp(&self) -> Stamp {
        Stamp {
            path: self.module.path.clone(),
            at: self.module.position(self.module[self.id].range.start),
        }
    }
}

impl PartialEq for ElementAt {
    fn eq(&self, other: &Self) -> bool {
        (&self.module.path, self.id) == (&other.module.path, other.id)
    }
}

/// What an expression is when it is followed to its end.
#[derive(Debug, Clone)]
pub enum Value {
    /// A literal, or a call nothing more is known about.
    Node(At),
    /// A function, or a component.
    Function(FunctionAt),
    /// What a component is given, all of it.
    Props(FunctionAt),
    /// A value without some of its properties.
    Rest(Box<Value>, Vec<String>),
    /// A property with its name, as `Object.entries` gives it.
    Entry(At, String),
    /// All exports of a file.
    Namespace(Arc<Module>),
    /// What stands between the tags of an element.
    Content(ElementAt),
    /// What a component hands to the slot of this name, at this use.
    Handed(ElementAt, String),
    /// Nothing is shown.
    Nothing,
    /// It cannot be followed.
    Unknown(Reason),
}

/// Why something cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The refusal's code.
    pub code: Code,
    /// The refusal's reason.
    pub reason: String,
}

impl Reason {
    pub(super) fn new(code: Code, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { code, reason }
    }
}

impl From<Reason> for Refusal {
    fn from(why: Reason) -> Self {
        Self::uncertain(why.code, why.reason)
    }
}

/// A decision between several ways, made while following.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// A side of a conditional.
    Branch(At, Branch),
    /// A condition that shows something or nothing.
    Shown(At),
    /// An item of the list that a function is called for.
    Item {
        /// The function.
        of: FunctionAt,
        /// Which item.
        index: usize,
        /// Whether the page shows the list's items as they stand there, all of them in their order.
        exact: bool,
    },
    /// A use of a component.
    Usage(FunctionAt, ElementAt, Stamp),
    /// A call of a function: not a choice, but what its parameters are.
    Call(FunctionAt, At),
    /// A property of an object, where the code chooses one.
    Property(At, String),
    /// A language, and whether it is the one the prototype begins with.
    Locale(String, bool),
}

/// The decisions on the way to a value.
pub type Provenance = Vec<Decision>;

/// A value and the way to it.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub provenance: Provenance,
    pub value: Value,
}

impl Candidate {
    pub fn new(provenance: &Provenance, value: Value) -> Self {
        let provenance = provenance.clone();
        Self { provenance, value }
    }

    pub fn unknown(provenance: &Provenance, code: Code, reason: impl Into<String>) -> Vec<Self> {
        vec![Self::new(provenance, Value::Unknown(Reason::new(code, reason)))]
    }
}

/// `provenance` with one decision more.
pub fn and(provenance: &Provenance, decision: Decision) -> Provenance {
    provenance.iter().cloned().chain([decision]).collect()
}
