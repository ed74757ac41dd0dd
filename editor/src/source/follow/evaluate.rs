//! Following an expression to what it is.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::catalogue::Catalogue;
use super::registry::Registry;
use super::uses::Uses;
use super::value::{At, Candidate, Decision, ElementAt, FunctionAt, Provenance, Value, and};
use crate::source::imports::{ImportResolver, Target};
use crate::source::model::Code;
use crate::source::model::plan::short;
use crate::source::model::{Branch, Project};
use crate::source::module::{self, ElementId, Imported, Key, Module, NodeId, Origin, Shape, SymbolId};

/// How many steps one question may take: beyond it the code is too tangled to be certain about.
pub(super) const MAX_STEPS: u32 = 50_000;
/// How deep it may go: a designer's text is never that far from its place.
const MAX_DEPTH: u32 = 100;
/// How many ways one expression may have.
pub(super) const MAX_WAYS: usize = 2_000;

/// Follows expressions through the files of a project. Made for one request; see [`Project::kept`] for what is kept.
pub struct Resolver<'p> {
    pub(super) project: &'p dyn Project,
    pub(super) resolver: ImportResolver<'p>,
    modules: RefCell<HashMap<String, Option<Arc<Module>>>>,
    pub(super) uses: OnceCell<Arc<Uses>>,
    pub(super) no_uses: Uses,
    pub(super) registry: OnceCell<Arc<Registry>>,
    pub(super) catalogues: OnceCell<Vec<Catalogue>>,
    pub(super) default_locale: OnceCell<Vec<String>>,
    pub(super) packages: OnceCell<HashSet<String>>,
    pub(super) finding_uses: Cell<bool>,
    /// The files that were looked at, while somebody wants to know.
    pub(super) seen: RefCell<Option<HashSet<String>>>,
    pub(super) steps: Cell<u32>,
    depth: Cell<u32>,
}

impl<'p> Resolver<'p> {
    /// For the files of this project.
    #[must_use]
    pub fn new(project: &'p dyn Project) -> Self {
        Self {
            project,
            resolver: ImportResolver::new(project),
            modules: RefCell::default(),
            uses: OnceCell::new(),
            no_uses: Uses::default(),
            registry: OnceCell::new(),
            catalogues: OnceCell::new(),
            default_locale: OnceCell::new(),
            packages: OnceCell::new(),
            finding_uses: Cell::new(false),
            seen: RefCell::default(),
            steps: Cell::new(0),
            depth: Cell::new(0),
        }
    }

    /// A file of the project; `None` when it is missing or cannot be parsed.
    #[must_use]
    pub fn module(&self, path: &str) -> Option<Arc<Module>> {
        if let Some(seen) = &mut *self.seen.borrow_mut()
            && !seen.contains(path)
        {
            seen.insert(path.to_owned());
        }
        if let Some(known) = self.modules.borrow().get(path) {
            return known.clone();
        }
        let text = self.project.read(path);
        let module = text.and_then(|text| module::get(self.project.kept(), path, &text).ok());
        self.modules.borrow_mut().insert(path.to_owned(), module.clone());
        module
    }

    /// The text of a file as this request sees it: a file may change while it is answered.
    pub(super) fn text(&self, path: &str) -> Option<Arc<str>> {
        match self.modules.borrow().get(path) {
            Some(known) => known.as_ref().map(|module| module.text.clone()),
            None => self.project.read(path),
        }
    }

    /// Where an import leads.
    pub(super) fn resolved(&self, from: &str, specifier: &str) -> Target {
        self.resolver.resolve(from, specifier)
    }

    /// Answers a question of its own, with its own limits.
    pub(super) fn apart<R>(&self, answer: impl FnOnce() -> R) -> R {
        let before = (self.steps.replace(0), self.depth.replace(0));
        let result = answer();
        self.steps.set(before.0);
        self.depth.set(before.1);
        result
    }

    /// Goes one step on, and deeper; `None` when that is too deep, or when there were too many steps.
    pub(super) fn deeper<R>(&self, go: impl FnOnce() -> Option<R>) -> Option<R> {
        self.steps.set(self.steps.get() + 1);
        if self.depth.get() > MAX_DEPTH || self.steps.get() > MAX_STEPS {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        // Every circle comes by here, so that no source can exhaust the stack.
        let result = stacker::maybe_grow(128 << 10, 2 << 20, go);
        self.depth.set(self.depth.get() - 1);
        result
    }

    /// All that `at` can be.
    pub(super) fn follow(&self, at: &At, provenance: &Provenance) -> Vec<Candidate> {
        let Some(candidates) = self.deeper(|| Some(self.step(at, provenance))) else {
            let reason = format!(
                "The way from {} to its text is too long or goes in a circle; change it in the code there",
                at.place()
            );
            return Candidate::unknown(provenance, Code::TooDeep, reason);
        };
        if candidates.len() > MAX_WAYS {
            let reason = format!(
                "{} can show too many texts to tell them apart; change the one that is meant in the code",
                at.place()
            );
            return Candidate::unknown(provenance, Code::TooMany, reason);
        }
        candidates
    }

    fn step(&self, at: &At, provenance: &Provenance) -> Vec<Candidate> {
        match &at.node().shape {
            Shape::Text(_) | Shape::Joined(_) | Shape::Number(_) | Shape::Object(_) | Shape::List(_) => {
                vec![Candidate::new(provenance, Value::Node(at.clone()))]
            }
            Shape::Element(_) => vec![Candidate::new(provenance, Value::Node(at.clone()))],
            Shape::Component(name) => self.registered(at, name, provenance),
            Shape::Nothing | Shape::Equal(..) => vec![Candidate::new(provenance, Value::Nothing)],
            Shape::Function(id) => {
                let (module, id) = (at.module.clone(), *id);
                vec![Candidate::new(provenance, Value::Function(FunctionAt { module, id }))]
            }
            Shape::Name(Some(symbol), _) => self.symbol(&at.module, *symbol, provenance),
            Shape::Name(None, name) => {
                let reason = format!(
                    "“{name}” ({}) is nothing that this file declares or imports: correct that in the code first",
                    at.place()
                );
                Candidate::unknown(provenance, Code::NotDeclared, reason)
            }
            Shape::This => Candidate::unknown(provenance, Code::Computed, computed(at, "a property of a class")),
            Shape::Member(object, key) => self.member_expression(at, *object, key, provenance),
            Shape::Conditional(_, then, other) => self.sides(at, at.with(*then), at.with(*other), provenance),
            Shape::And(_, right) => self.follow(&at.with(*right), &and(provenance, Decision::Shown(at.clone()))),
            Shape::Or(left, right) => self.or(at, *left, *right, provenance),
            Shape::Call(callee, arguments) => self.call(at, *callee, arguments, provenance),
            Shape::Await(inner) => self.follow(&at.with(*inner), provenance),
            Shape::Import(specifier) => self.import(&at.module, specifier, &Imported::All, provenance),
            Shape::Other(words) => Candidate::unknown(provenance, Code::Computed, computed(at, words)),
        }
    }

    fn sides(&self, at: &At, then: At, other: At, provenance: &Provenance) -> Vec<Candidate> {
        let decided = provenance.iter().find_map(|decision| match decision {
            Decision::Branch(conditional, branch) if conditional == at => Some(*branch),
            _ => None,
        });
        let mut candidates = Vec::new();
        for (branch, side) in [(Branch::Then, then), (Branch::Else, other)] {
            match decided {
                Some(decided) if decided == branch => candidates.extend(self.follow(&side, provenance)),
                Some(_) => {}
                None => {
                    let provenance = and(provenance, Decision::Branch(at.clone(), branch));
                    candidates.extend(self.follow(&side, &provenance));
                }
            }
        }
        candidates
    }

    /// `left ?? right`: the right side counts where the left is nothing, or where one cannot know.
    fn or(&self, at: &At, left: NodeId, right: NodeId, provenance: &Provenance) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for candidate in self.follow(&at.with(left), provenance) {
            match candidate.value {
                Value::Nothing => candidates.extend(self.follow(&at.with(right), &candidate.provenance)),
                Value::Unknown(_) => {
                    let provenance = and(&candidate.provenance, Decision::Branch(at.clone(), Branch::Else));
                    candidates.push(Candidate {
                        provenance: and(&candidate.provenance, Decision::Branch(at.clone(), Branch::Then)),
                        value: candidate.value,
                    });
                    candidates.extend(self.follow(&at.with(right), &provenance));
                }
                // What is given may come to nothing when the code runs.
                ref value
                    if self.may_be_empty(
                        value,
                        &candidate.provenance[provenance.len().min(candidate.provenance.len())..],
                    ) =>
                {
                    let way = |branch| and(&candidate.provenance, Decision::Branch(at.clone(), branch));
                    let (then, other) = (way(Branch::Then), way(Branch::Else));
                    candidates.push(Candidate::new(&then, value.clone()));
                    candidates.extend(self.follow(&at.with(right), &other));
                }
                _ => candidates.push(candidate),
            }
        }
        candidates
    }

    fn member_expression(&self, at: &At, object: NodeId, key: &Key, provenance: &Provenance) -> Vec<Candidate> {
        let object = at.with(object);
        match key {
            Key::Named(name) => {
                if name == "props"
                    && matches!(object.node().shape, Shape::This)
                    && let Some(function) = render(at)
                {
                    return vec![Candidate::new(provenance, Value::Props(function))];
                }
                if matches!(object.node().shape, Shape::This)
                    && let Some(symbol) = at.module.own(name)
                {
                    return self.symbol(&at.module, symbol, provenance);
                }
                if name == "value" && self.is_reference(&object) {
                    return self.follow(&object, provenance);
                }
                let candidates = match self.named(&object) {
                    Some(symbol) => self
                        .deeper(|| Some(self.symbol_for(&at.module, symbol, Some(name), provenance)))
                        .unwrap_or_else(|| self.follow(&object, provenance)),
                    None => self.follow(&object, provenance),
                };
                self.members(candidates, name)
            }
            Key::Computed(key) => self.computed_member(&object, &at.with(*key), provenance),
        }
    }

    /// The name that an expression is, or the reference whose `.value` it is.
    fn named(&self, at: &At) -> Option<SymbolId> {
        match &at.node().shape {
            Shape::Name(symbol, _) => *symbol,
            Shape::Member(object, Key::Named(name)) if name == "value" => {
                let object = at.with(*object);
                match object.node().shape {
                    Shape::Name(symbol, _) if self.is_reference(&object) => symbol,
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `table[key]`: one property when the key is known, else any of them.
    fn computed_member(&self, object: &At, key: &At, provenance: &Provenance) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for object in self.follow(object, provenance) {
            for key in self.follow(key, &object.provenance) {
                let name = match &key.value {
                    Value::Node(node) => match &node.node().shape {
                        Shape::Text(fixed) => Some(fixed.text.clone()),
                        Shape::Number(number) => Some(number.clone()),
                        _ => None,
                    },
                    Value::Entry(_, name) => Some(name.clone()),
                    _ => None,
                };
                let known = Candidate::new(&key.provenance, object.value.clone());
                match name {
                    Some(name) => candidates.extend(self.members(vec![known], &name)),
                    None => candidates.extend(self.any_member(&known)),
                }
            }
        }
        candidates
    }

    /// The element of a file.
    pub(super) fn element(module: &Arc<Module>, id: ElementId) -> ElementAt {
        let module = module.clone();
        ElementAt { module, id }
    }
}

/// The `render` of the class that an expression stands in.
fn render(at: &At) -> Option<FunctionAt> {
    let mut function = at.node().function;
    while let Some(id) = function {
        let module = at.module.clone();
        if let Some(class) = module[id].class {
            return match module[class].origin {
                Origin::Function(id) => Some(FunctionAt { module, id }),
                _ => None,
            };
        }
        function = module[id].outer;
    }
    None
}

/// The reason of a refusal for what the code makes.
pub(super) fn computed(at: &At, words: &str) -> String {
    format!(
        "It is {words} at {} (“{}”): what is shown is made while the prototype runs and stands nowhere as text; it can \
         only be changed in the code there",
        at.place(),
        short(at.excerpt())
    )
}
