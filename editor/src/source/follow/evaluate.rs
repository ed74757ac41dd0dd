//! Following an expression to what it is.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::catalogue::Catalogue;
use super::module::{ElementId, Export, Imported, Key, Module, NodeId, Origin, Shape, SymbolId, Take, Touch};
use super::modules;
use super::registry::Registry;
use super::uses::Uses;
use super::value::{At, Candidate, Decision, ElementAt, FunctionAt, Provenance, Reason, Value, and};
use crate::source::imports::{ImportResolver, Target};
use crate::source::model::Code;
use crate::source::model::plan::short;
use crate::source::model::{Branch, Project};

/// How many steps one question may take: beyond it the code is too tangled to be certain about.
const MAX_STEPS: u32 = 50_000;
/// How deep it may go: a designer's text is never that far from its place.
const MAX_DEPTH: u32 = 100;
/// How many ways one expression may have.
pub(super) const MAX_WAYS: usize = 2_000;

/// Follows expressions through the files of a project. Made for one request; see [`Project::kept`] for what is kept.
pub struct Resolver<'p> {
    pub(super) project: &'p dyn Project,
    resolver: ImportResolver<'p>,
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
    steps: Cell<u32>,
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
        let module = text.and_then(|text| modules::get(self.project.kept(), path, &text));
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

    /// What a name stands for.
    pub(super) fn symbol(&self, module: &Arc<Module>, id: SymbolId, provenance: &Provenance) -> Vec<Candidate> {
        self.symbol_for(module, id, None, provenance)
    }

    /// What a name stands for, where its property `key` is wanted: changes of its other properties do not matter to that.
    fn symbol_for(
        &self,
        module: &Arc<Module>,
        id: SymbolId,
        key: Option<&str>,
        provenance: &Provenance,
    ) -> Vec<Candidate> {
        let symbol = &module[id];
        let changed = |at: usize, what: &str| {
            let reason = format!(
                "“{}” {what} at {}, so the text that is shown is not the one that is written; change it in the code",
                symbol.name,
                module.place(at)
            );
            Candidate::unknown(provenance, Code::MutableVariable, reason)
        };
        if let Some(at) = symbol.write {
            return changed(at, "is given another value");
        }
        let candidates = self.origin(module, id, provenance);
        let matters = |touch: &&Touch| touch.key.is_none() || key.is_none() || touch.key.as_deref() == key;
        match symbol.touched.iter().find(matters) {
            Some(touch)
                if candidates
                    .iter()
                    .any(|candidate| matches!(candidate.value, Value::Node(_))) =>
            {
                changed(touch.at, "is changed")
            }
            _ => candidates,
        }
    }

    fn origin(&self, module: &Arc<Module>, id: SymbolId, provenance: &Provenance) -> Vec<Candidate> {
        let symbol = &module[id];
        match &symbol.origin {
            Origin::Value(path) => {
                let of = At {
                    module: module.clone(),
                    id: path.of,
                };
                let candidates = self.follow(&of, provenance);
                self.take(module, candidates, &path.takes)
            }
            Origin::Parameter(function, index, takes) => {
                let function = FunctionAt {
                    module: module.clone(),
                    id: *function,
                };
                let candidates = self.parameter(&function, *index, &symbol.name, provenance);
                self.take(module, candidates, takes)
            }
            Origin::Import(specifier, imported) => self.import(module, specifier, imported, provenance),
            Origin::Function(id) => {
                let (module, id) = (module.clone(), *id);
                vec![Candidate::new(provenance, Value::Function(FunctionAt { module, id }))]
            }
            Origin::Other(words) => {
                let place = module.place(symbol.range.start);
                let reason = format!(
                    "“{}” ({place}) is {words}: its text is not written in the source; change it in the code",
                    symbol.name
                );
                Candidate::unknown(provenance, Code::Computed, reason)
            }
        }
    }

    /// Takes values apart as destructuring does.
    fn take(&self, module: &Arc<Module>, mut candidates: Vec<Candidate>, takes: &[Take]) -> Vec<Candidate> {
        for take in takes {
            candidates = match take {
                Take::Key(key) => self.members(candidates, key),
                Take::Index(index) => self.members(candidates, &index.to_string()),
                Take::Rest(without) => {
                    let rest = |candidate: Candidate| match candidate.value {
                        value @ (Value::Unknown(_) | Value::Nothing) => Candidate::new(&candidate.provenance, value),
                        value => Candidate::new(&candidate.provenance, Value::Rest(Box::new(value), without.clone())),
                    };
                    candidates.into_iter().map(rest).collect()
                }
                Take::Default(id) => {
                    let (module, id) = (module.clone(), *id);
                    let default = At { module, id };
                    let mut filled = Vec::new();
                    for candidate in candidates {
                        let missing = matches!(candidate.value, Value::Nothing | Value::Unknown(_));
                        if missing {
                            filled.extend(self.follow(&default, &candidate.provenance));
                        }
                        if !matches!(candidate.value, Value::Nothing) {
                            filled.push(candidate);
                        }
                    }
                    filled
                }
                Take::Lost => {
                    let why = || {
                        Reason::new(
                            Code::Computed,
                            "What this name stands for is only known when the code runs; change it in the code",
                        )
                    };
                    let lost = |candidate: Candidate| Candidate::new(&candidate.provenance, Value::Unknown(why()));
                    candidates.into_iter().map(lost).collect()
                }
            };
        }
        candidates
    }

    /// What an import stands for.
    pub(super) fn import(
        &self,
        module: &Module,
        specifier: &str,
        imported: &Imported,
        provenance: &Provenance,
    ) -> Vec<Candidate> {
        let path = match self.resolver.resolve(&module.path, specifier) {
            Target::File(path) => path,
            Target::Library(name) => {
                let reason = format!(
                    "It comes from the library “{name}”, whose texts do not stand in this project; a library's text is \
                     changed by a property of its component or by its settings"
                );
                return Candidate::unknown(provenance, Code::Library, reason);
            }
            Target::Missing => {
                let reason = format!(
                    "{} imports “{specifier}”, which candidates to no file of the project: correct the import first",
                    module.path
                );
                return Candidate::unknown(provenance, Code::ImportMissing, reason);
            }
        };
        let Some(target) = self.module(&path) else {
            let reason = format!(
                "{path}, where it comes from, cannot be read as source: correct its errors first, or change it in the code"
            );
            return Candidate::unknown(provenance, Code::FileUnreadable, reason);
        };
        match imported {
            Imported::All => vec![Candidate::new(provenance, Value::Namespace(target))],
            Imported::Name(name) => self.export(&target, name, provenance),
        }
    }

    /// What an export of a file stands for.
    pub(super) fn export(&self, module: &Arc<Module>, name: &str, provenance: &Provenance) -> Vec<Candidate> {
        let mut visited = Vec::new();
        let found = self.deeper(|| self.find_export(module, name, provenance, &mut visited));
        found.unwrap_or_else(|| {
            let reason = format!("{} has no export “{name}”: correct the import first", module.path);
            Candidate::unknown(provenance, Code::ImportMissing, reason)
        })
    }

    fn find_export(
        &self,
        module: &Arc<Module>,
        name: &str,
        provenance: &Provenance,
        visited: &mut Vec<String>,
    ) -> Option<Vec<Candidate>> {
        // Files that export each other's exports are fine, and common between barrels.
        self.steps.set(self.steps.get() + 1);
        if visited.contains(&module.path) || self.steps.get() > MAX_STEPS {
            return None;
        }
        visited.push(module.path.clone());
        if let Some((_, export)) = module.exports.iter().find(|(exported, _)| exported == name) {
            return match export {
                Export::Symbol(symbol) => Some(self.symbol(module, *symbol, provenance)),
                Export::Node(id) => {
                    let (module, id) = (module.clone(), *id);
                    Some(self.follow(&At { module, id }, provenance))
                }
                Export::From(specifier, Imported::Name(name)) => match self.resolver.resolve(&module.path, specifier) {
                    Target::File(path) => {
                        visited.retain(|path| *path != module.path);
                        self.deeper(|| self.find_export(&self.module(&path)?, name, provenance, visited))
                    }
                    _ => Some(self.import(module, specifier, &Imported::Name(name.clone()), provenance)),
                },
                Export::From(specifier, all) => Some(self.import(module, specifier, all, provenance)),
            };
        }
        if let Some(value) = module.json_member(name) {
            let at = At {
                module: module.clone(),
                id: value,
            };
            return Some(self.follow(&at, provenance));
        }
        // `export *` leaves the default export out.
        let stars = module.stars.iter().filter(|_| name != "default");
        let mut targets = stars.filter_map(|specifier| match self.resolver.resolve(&module.path, specifier) {
            Target::File(path) => self.module(&path),
            _ => None,
        });
        targets.find_map(|target| self.find_export(&target, name, provenance, visited))
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
