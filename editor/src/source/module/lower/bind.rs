//! Declarations: what names are bound to.

use oxc::ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, BindingPattern, FormalParameters, Function as ParsedFunction,
    FunctionBody,
};
use oxc::ast_visit::Visit;
use oxc::span::Span;

use super::Lower;
use crate::source::module::binding::{Function, Origin, Path, Take};
use crate::source::module::frame::FrameKind;
use crate::source::module::ids::{FunctionId, NodeId};
use crate::source::script::{Body, BodyKind};

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
                    self.rest(&rest.argument, &taken);
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
                let value = self.framed(FrameKind::Other, assignment.span, |lower| lower.node(&assignment.right));
                self.bind(&assignment.left, source, &and(Take::Default(value)));
            }
        }
    }

    /// Notes what the rest of an object is without. Declared once more, the name could be another value.
    fn rest(&mut self, name: &BindingPattern<'_>, taken: &[String]) {
        if let BindingPattern::BindingIdentifier(name) = name
            && let Some(symbol) = name.symbol_id.get()
            && self.scoping.symbol_redeclarations(symbol).is_empty()
        {
            let symbol = self.symbol(symbol);
            self.module.rests.push((symbol, taken.to_vec()));
        }
    }

    pub(super) fn arrow(&mut self, arrow: &ArrowFunctionExpression<'_>) -> FunctionId {
        let expression = arrow.body.as_expression().is_some();
        self.open(FrameKind::Arrow { expression }, arrow.span);
        let function = self.scoped(arrow.span, None, |lower, function| {
            lower.parameters(&arrow.params, function);
            match &arrow.body {
                ArrowFunctionBody::FunctionBody(body) => lower.block(body, function, BodyKind::arrow(arrow)),
                body => {
                    if let Some(expression) = body.as_expression() {
                        let node = lower.node(expression);
                        lower.module.functions[function.index()].returns.push(node);
                    }
                }
            }
        });
        self.close();
        function
    }

    pub(super) fn function(&mut self, parsed: &ParsedFunction<'_>) -> FunctionId {
        let name = parsed.id.as_ref().map(|id| id.name.to_string());
        self.open(FrameKind::Function(name.clone()), parsed.span);
        let function = self.scoped(parsed.span, name, |lower, function| {
            lower.parameters(&parsed.params, function);
            if let Some(body) = &parsed.body {
                lower.block(body, function, BodyKind::function(parsed));
            }
        });
        self.close();
        if let Some(symbol) = parsed.id.as_ref().and_then(|id| id.symbol_id.get()) {
            let symbol = self.symbol(symbol);
            self.module.symbols[symbol.index()].origin = Origin::Function(function);
        }
        function
    }

    fn block(&mut self, body: &FunctionBody<'_>, function: FunctionId, kind: BodyKind) {
        let range = self.shift.range(body.span);
        self.module.functions[function.index()].body = Some(Body { range, kind });
        self.visit_function_body(body);
    }

    fn scoped(&mut self, span: Span, name: Option<String>, walk: impl FnOnce(&mut Self, FunctionId)) -> FunctionId {
        let function = FunctionId::next(&self.module.functions);
        self.module.functions.push(Function {
            range: self.shift.range(span),
            body: None,
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
            self.holder.take(),
            std::mem::take(&mut self.guards),
        );
        walk(self, function);
        (self.function, self.holder, self.guards) = outer;
        function
    }

    fn parameters(&mut self, parameters: &FormalParameters<'_>, function: FunctionId) {
        self.open(FrameKind::Other, parameters.span);
        for (index, parameter) in parameters.items.iter().enumerate() {
            self.visit_decorators(&parameter.decorators);
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
        self.close();
    }
}
