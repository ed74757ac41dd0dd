//! From the parser's tree to a [`Module`].

mod bind;
mod expressions;
mod file;
mod frames;
mod markup;
mod statements;
mod vue;
mod vue_options;
mod vue_props;
mod vue_template;

use std::ops::Range;

use oxc::ast::ast::{Program, Statement};
use oxc::ast_visit::Visit;
use oxc::semantic::{Scoping, SemanticBuilder};
use oxc::span::Span;
use oxc::syntax::reference::ReferenceId;
use oxc::syntax::symbol::SymbolId as ParsedSymbol;

pub use file::file;

use super::binding::{Origin, Symbol};
use super::expression::{Node, Shape};
use super::ids::{ElementId, FunctionId, NodeId, SymbolId};
use super::scene::Scenes;
use super::table::Module;
use crate::source::notation::Within;
use crate::source::script::{self, Broken};

/// Adds pieces of script to a module: the script blocks of a Vue file, then the expressions of its template.
#[derive(Debug)]
pub struct Fragments<'m> {
    module: &'m mut Module,
    language: &'m str,
    /// Names that expressions of a template find, the innermost last.
    pub(super) names: Vec<(String, SymbolId)>,
    /// The function around what is added.
    pub(super) function: Option<FunctionId>,
}

impl<'m> Fragments<'m> {
    /// For scripts in the language of such a file name.
    pub fn new(module: &'m mut Module, language: &'m str) -> Self {
        Self {
            module,
            language,
            names: Vec::new(),
            function: None,
        }
    }

    /// Adds a whole script; its outermost names can be used by what is added later.
    ///
    /// # Errors
    /// With the first syntax error.
    pub fn block(&mut self, range: Range<usize>, within: Within) -> Result<(), Broken> {
        let text = self.module.text.clone();
        let source = text.get(range.clone()).unwrap_or_default();
        let shift = Shift {
            from: 0,
            to: range.start,
            end: range.end,
        };
        let read = script::with_program(self.language, source, |program| {
            let mut lower = self.lower(program, shift, within);
            lower.visit_program(program);
            lower.outermost()
        });
        let moved = |broken: Broken| Broken {
            offset: shift.place(broken.offset),
            ..broken
        };
        self.names.extend(read.map_err(moved)?);
        Ok(())
    }

    /// Adds one expression, as a template holds it, and gives its node.
    ///
    /// # Errors
    /// When it is none.
    pub fn expression(&mut self, range: Range<usize>, within: Within) -> Result<NodeId, Broken> {
        self.wrapped("(", range, "\n)", within)
    }

    /// Adds the names of a pattern, as `item`, `(item, index)` or `{ title }`, as parameters of a function, which is around
    /// all that is added until [`leave`](Self::leave) is called with what this gives.
    ///
    /// # Errors
    /// When it is no pattern.
    pub fn enter(&mut self, pattern: Range<usize>) -> Result<Entered, Broken> {
        let entered = Entered {
            names: self.names.len(),
            function: self.function,
        };
        let parenthesised = self.module.excerpt(&pattern).trim_start().starts_with('(');
        let (before, after) = if parenthesised { ("(", "=>0)") } else { ("((", ")=>0)") };
        let first = self.module.symbols.len();
        let node = self.wrapped(before, pattern, after, Within::File)?;
        if let Shape::Function(function) = self.module[node].shape {
            self.function = Some(function);
        }
        let added = self.module.symbol_ids().skip(first);
        let added: Vec<_> = added.map(|id| (self.module[id].name.clone(), id)).collect();
        self.names.extend(added);
        Ok(entered)
    }

    /// Takes the names of a pattern back.
    pub fn leave(&mut self, entered: &Entered) {
        self.names.truncate(entered.names);
        self.function = entered.function;
    }

    /// Adds a name that what is added later finds.
    fn name(&mut self, name: &str, origin: Origin) -> SymbolId {
        let id = SymbolId::next(&self.module.symbols);
        self.module.symbols.push(Symbol {
            name: name.to_owned(),
            range: 0..0,
            origin,
            reads: 1,
            write: None,
            touched: Vec::new(),
        });
        self.names.push((name.to_owned(), id));
        id
    }

    /// Parses a piece of the text between two strings as an expression.
    fn wrapped(&mut self, before: &str, range: Range<usize>, after: &str, within: Within) -> Result<NodeId, Broken> {
        let source = format!("{before}{}{after}", self.module.excerpt(&range));
        let shift = Shift {
            from: before.len(),
            to: range.start,
            end: range.end,
        };
        let node = script::with_program(self.language, &source, |program| {
            let [Statement::ExpressionStatement(statement)] = &program.body[..] else {
                return None;
            };
            Some(self.lower(program, shift, within).node(&statement.expression))
        });
        let moved = |broken: Broken| Broken {
            offset: shift.place(broken.offset),
            ..broken
        };
        node.map_err(moved)?.ok_or_else(|| Broken {
            message: "an expression was expected".to_owned(),
            offset: range.start,
        })
    }

    fn lower(&mut self, program: &Program<'_>, shift: Shift, within: Within) -> Lower<'_> {
        let scoping = SemanticBuilder::new().build(program).semantic.into_scoping();
        let first = self.module.symbols.len();
        for symbol in scoping.symbol_ids() {
            let reads = scoping
                .get_resolved_references(symbol)
                .filter(|reference| reference.is_read());
            self.module.symbols.push(Symbol {
                name: scoping.symbol_name(symbol).to_owned(),
                range: shift.range(scoping.symbol_span(symbol)),
                origin: Origin::Other("a name of the language"),
                reads: u32::try_from(reads.count()).unwrap_or(u32::MAX),
                write: None,
                touched: Vec::new(),
            });
        }
        Lower {
            module: self.module,
            scoping,
            first,
            names: &self.names,
            shift,
            within,
            function: self.function,
            class: None,
            holder: None,
            parent: None,
            guards: 0,
            open: Vec::new(),
            scenes: Scenes::default(),
        }
    }
}

/// What [`Fragments::leave`] goes back to.
#[derive(Debug)]
pub struct Entered {
    names: usize,
    function: Option<FunctionId>,
}

/// From offsets in what was parsed to offsets in the file.
#[derive(Debug, Clone, Copy)]
struct Shift {
    from: usize,
    to: usize,
    end: usize,
}

impl Shift {
    fn place(self, offset: usize) -> usize {
        (offset.max(self.from) - self.from + self.to).min(self.end)
    }

    fn range(self, span: Span) -> Range<usize> {
        self.place(span.start as usize)..self.place(span.end as usize)
    }
}

/// One walk over a tree.
struct Lower<'l> {
    module: &'l mut Module,
    scoping: Scoping,
    /// The module's index of this tree's first binding.
    first: usize,
    names: &'l [(String, SymbolId)],
    shift: Shift,
    within: Within,
    function: Option<FunctionId>,
    class: Option<SymbolId>,
    /// The element around what is walked, within the same function and not in its attributes.
    holder: Option<ElementId>,
    /// The element around what is walked.
    parent: Option<ElementId>,
    /// How many conditions decide about what is walked, within the same function.
    guards: u32,
    /// The frames around what is walked.
    open: Vec<usize>,
    scenes: Scenes,
}

impl Lower<'_> {
    fn push(&mut self, span: Span, shape: Shape) -> NodeId {
        let id = NodeId::next(&self.module.nodes);
        let range = self.shift.range(span);
        let function = self.function;
        self.module.nodes.push(Node { range, shape, function });
        id
    }

    fn symbol(&self, parsed: ParsedSymbol) -> SymbolId {
        SymbolId::nth(self.first + parsed.index())
    }

    /// What a name is bound to: by this tree, or by what was added before it.
    fn binding(&self, reference: Option<ReferenceId>, name: &str) -> Option<SymbolId> {
        if let Some(symbol) = reference.and_then(|id| self.scoping.get_reference(id).symbol_id()) {
            return Some(self.symbol(symbol));
        }
        let known = self.names.iter().rev().find(|(known, _)| known == name);
        known.map(|(_, symbol)| *symbol)
    }

    /// The names of the outermost scope.
    fn outermost(&self) -> Vec<(String, SymbolId)> {
        let bound = self.scoping.iter_bindings_in(self.scoping.root_scope_id());
        bound
            .map(|symbol| (self.scoping.symbol_name(symbol).to_owned(), self.symbol(symbol)))
            .collect()
    }

    /// Walks with one condition more.
    fn guarded<R>(&mut self, walk: impl FnOnce(&mut Self) -> R) -> R {
        self.guards += 1;
        let result = walk(self);
        self.guards -= 1;
        result
    }
}
