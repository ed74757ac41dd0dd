//! Declarations: what names are bound to.

use oxc::ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, BindingPattern, FormalParameters, Function as ParsedFunction,
};
use oxc::ast_visit::Visit;
use oxc::span::Span;

use super::Lower;
use crate::source::follow::module::{Function, FunctionId, NodeId, Origin, Path, Take};

/// What a pattern takes apart.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    Value(NodeId),
    Parameter(FunctionId, usize),
    Unknown(&'static str),
}

impl Source {
    fn origin(self, takes: Vec<Take>) -> Origin {
        match self {
            Self::Value(of) => Origin::Value(Path { of, takes }),
            Self::Parameter(function, index) => Origin::Parameter(function, index, takes),
            Self::Unknown(words) => Origin::Other(words),
        }
    }
}

impl Lower<'_> {
    /// Binds the names of a pattern to the parts of `source`.
    pub(super) fn bind(&mut self, pattern: &BindingPattern<'_>, source: Source, takes: &[Take]) {
        let and = |take: Take| -> Vec<Take> { takes.iter().cloned().chain([take]).collect() };
        match pattern {
            BindingPattern::BindingIdentifier(name) => {
                if let Some(symbol) = name.symbol_id.get() {
                    let symbol = self.symbol(symbol);
                    self.module.symbols[symbol.index()].origin = source.origin(takes.to_vec());
                }
            }
            BindingPattern::ObjectPattern(object) => {
                let mut taken = Vec::new();
                for property in &object.properties {
                    let key = self.property_key(&property.key, property.computed);
                    let take = key.clone().map_or(Take::Lost, Take::Key);
                    taken.extend(key);
                    self.bind(&property.value, source, &and(take));
                }
                if let Some(rest) = &object.rest {
                    self.bind(&rest.argument, source, &and(Take::Rest(taken)));
                }
            }
            BindingPattern::ArrayPattern(array) => {
                for (index, element) in array.elements.iter().enumerate() {
                    if let Some(element) = element {
                        self.bind(element, source, &and(Take::Index(index)));
                    }
                }
                if let Some(rest) = &array.rest {
                    self.bind(&rest.argument, source, &and(Take::Lost));
                }
            }
            BindingPattern::AssignmentPattern(assignment) => {
                let value = self.node(&assignment.right);
                self.bind(&assignment.left, source, &and(Take::Default(value)));
            }
        }
    }

    pub(super) fn arrow(&mut self, arrow: &ArrowFunctionExpression<'_>) -> FunctionId {
        self.scoped(arrow.span, None, |lower, function| {
            lower.parameters(&arrow.params, function);
            match &arrow.body {
                ArrowFunctionBody::FunctionBody(body) => lower.visit_function_body(body),
                body => {
                    if let Some(expression) = body.as_expression() {
                        let node = lower.node(expression);
                        lower.module.functions[function.index()].returns.push(node);
                    }
                }
            }
        })
    }

    pub(super) fn function(&mut self, parsed: &ParsedFunction<'_>) -> FunctionId {
        let name = parsed.id.as_ref().map(|id| id.name.to_string());
        let function = self.scoped(parsed.span, name, |lower, function| {
            lower.parameters(&parsed.params, function);
            if let Some(body) = &parsed.body {
                lower.visit_function_body(body);
            }
        });
        if let Some(symbol) = parsed.id.as_ref().and_then(|id| id.symbol_id.get()) {
            let symbol = self.symbol(symbol);
            self.module.symbols[symbol.index()].origin = Origin::Function(function);
        }
        function
    }

    fn scoped(&mut self, span: Span, name: Option<String>, walk: impl FnOnce(&mut Self, FunctionId)) -> FunctionId {
        let function = FunctionId::next(&self.module.functions);
        self.module.functions.push(Function {
            range: self.shift.range(span),
            returns: Vec::new(),
            outer: self.function,
            argument_of: None,
            name,
            class: None,
            repeats: None,
            slot: None,
        });
        let outer = (
            self.function.replace(function),
            self.parent.take(),
            std::mem::take(&mut self.guards),
        );
        walk(self, function);
        (self.function, self.parent, self.guards) = outer;
        function
    }

    fn parameters(&mut self, parameters: &FormalParameters<'_>, function: FunctionId) {
        for (index, parameter) in parameters.items.iter().enumerate() {
            let takes = match &parameter.initializer {
                Some(value) => vec![Take::Default(self.node(value))],
                None => Vec::new(),
            };
            self.bind(&parameter.pattern, Source::Parameter(function, index), &takes);
        }
        if let Some(rest) = &parameters.rest {
            let source = Source::Unknown("the rest of a function's parameters");
            self.bind(&rest.rest.argument, source, &[]);
        }
    }
}
