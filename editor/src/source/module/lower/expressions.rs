//! Expressions: what can be followed keeps its shape, the rest is walked and named in words.

use oxc::ast::ast::{
    Argument, ArrayExpressionElement, BinaryExpression, CallExpression, ChainElement, Expression, ObjectExpression,
    ObjectPropertyKind, PropertyKey, PropertyKind, SpreadElement, StringLiteral, TemplateLiteral,
};
use oxc::ast_visit::walk;
use oxc::span::{GetSpan, Span};
use oxc::syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

use super::Lower;
use super::frames::called;
use crate::source::module::binding::Touch;
use crate::source::module::expression::{Fixed, Item, Key, Part, Property, Shape};
use crate::source::module::frame::FrameKind;
use crate::source::module::ids::NodeId;
use crate::source::notation::{Notation, Within};

/// Methods that change the list they are called on.
const CHANGES_LIST: [&str; 9] = [
    "push",
    "pop",
    "shift",
    "unshift",
    "splice",
    "sort",
    "reverse",
    "fill",
    "copyWithin",
];

impl Lower<'_> {
    /// Adds an expression with all that is in it.
    pub(super) fn node(&mut self, expression: &Expression<'_>) -> NodeId {
        let Some(frame) = self.frame_of(expression) else {
            return self.unframed(expression);
        };
        self.open(frame, expression.span());
        let node = self.unframed(expression);
        self.close();
        node
    }

    fn unframed(&mut self, expression: &Expression<'_>) -> NodeId {
        let span = expression.span();
        let shape = match expression {
            Expression::ParenthesizedExpression(inner) => return self.node(&inner.expression),
            Expression::TSAsExpression(inner) => return self.node(&inner.expression),
            Expression::TSSatisfiesExpression(inner) => return self.node(&inner.expression),
            Expression::TSTypeAssertion(inner) => return self.node(&inner.expression),
            Expression::TSNonNullExpression(inner) => return self.node(&inner.expression),
            Expression::TSInstantiationExpression(inner) => return self.node(&inner.expression),
            Expression::StringLiteral(literal) => Shape::Text(self.string(literal)),
            Expression::TemplateLiteral(template) => self.template(template),
            Expression::NumericLiteral(number) => {
                let raw = number.raw.map(|raw| raw.to_string());
                Shape::Number(raw.unwrap_or_else(|| number.value.to_string()))
            }
            Expression::BooleanLiteral(_) | Expression::NullLiteral(_) => Shape::Nothing,
            Expression::Identifier(name) if name.name == "undefined" => Shape::Nothing,
            Expression::Identifier(name) => {
                let symbol = self.binding(name.reference_id.get(), &name.name);
                Shape::Name(symbol, name.name.to_string())
            }
            Expression::ThisExpression(_) => Shape::This,
            Expression::StaticMemberExpression(member) => {
                let object = self.node(&member.object);
                Shape::Member(object, Key::Named(member.property.name.to_string()))
            }
            Expression::ComputedMemberExpression(member) => {
                let object = self.node(&member.object);
                Shape::Member(object, self.key(&member.expression))
            }
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => self.call(call),
                ChainElement::TSNonNullExpression(inner) => return self.node(&inner.expression),
                ChainElement::StaticMemberExpression(member) => {
                    let object = self.node(&member.object);
                    Shape::Member(object, Key::Named(member.property.name.to_string()))
                }
                ChainElement::ComputedMemberExpression(member) => {
                    let object = self.node(&member.object);
                    Shape::Member(object, self.key(&member.expression))
                }
                ChainElement::PrivateFieldExpression(member) => {
                    self.node(&member.object);
                    Shape::Other("a private field")
                }
            },
            Expression::ObjectExpression(object) => self.object(object),
            Expression::ArrayExpression(array) => {
                Shape::List(array.elements.iter().map(|item| self.item(item)).collect())
            }
            Expression::ConditionalExpression(conditional) => {
                let test = self.node(&conditional.test);
                let then = self.guarded(|lower| lower.node(&conditional.consequent));
                let other = self.guarded(|lower| lower.node(&conditional.alternate));
                Shape::Conditional(test, then, other)
            }
            Expression::LogicalExpression(logical) => {
                let left = self.node(&logical.left);
                let right = self.guarded(|lower| lower.node(&logical.right));
                match logical.operator {
                    LogicalOperator::And => Shape::And(left, right),
                    LogicalOperator::Or | LogicalOperator::Coalesce => Shape::Or(left, right),
                }
            }
            Expression::BinaryExpression(binary) => self.binary(binary),
            Expression::CallExpression(call) => self.call(call),
            Expression::ImportExpression(import) => match &import.source {
                Expression::StringLiteral(from) => Shape::Import(from.value.to_string()),
                other => {
                    self.node(other);
                    Shape::Other("a module that is only known when the code runs")
                }
            },
            Expression::AwaitExpression(waiting) => Shape::Await(self.node(&waiting.argument)),
            Expression::ArrowFunctionExpression(arrow) => Shape::Function(self.arrow(arrow)),
            Expression::FunctionExpression(function) => Shape::Function(self.function(function)),
            Expression::JSXElement(element) => Shape::Element(self.element(element)),
            Expression::JSXFragment(fragment) => Shape::Element(self.fragment(fragment)),
            Expression::SequenceExpression(sequence) => {
                let mut last = None;
                for expression in &sequence.expressions {
                    last = Some(self.node(expression));
                }
                return last.unwrap_or_else(|| self.push(span, Shape::Nothing));
            }
            Expression::UnaryExpression(unary) => {
                let argument = self.node(&unary.argument);
                if unary.operator == UnaryOperator::Delete {
                    self.touch(argument, span);
                }
                match unary.operator {
                    UnaryOperator::Void | UnaryOperator::LogicalNot | UnaryOperator::Delete => Shape::Nothing,
                    _ => Shape::Other("a calculation"),
                }
            }
            other => {
                walk::walk_expression(self, other);
                Shape::Other(words(other))
            }
        };
        self.push(span, shape)
    }

    /// The characters of a string literal.
    fn string(&self, literal: &StringLiteral<'_>) -> Fixed {
        let (range, quote) = self.quotes(literal.span);
        let notation = match self.within {
            Within::Json => Notation::Json,
            within => Notation::Script(quote, within),
        };
        Fixed {
            range,
            text: literal.value.to_string(),
            notation,
        }
    }

    /// The range between the quotes, and which quotes they are.
    pub(super) fn quotes(&self, span: Span) -> (std::ops::Range<usize>, char) {
        let whole = self.shift.range(span);
        let quote = if self.module.text[whole.start..].starts_with('\'') {
            '\''
        } else {
            '"'
        };
        (whole.start + 1..whole.end - 1, quote)
    }

    fn template(&mut self, template: &TemplateLiteral<'_>) -> Shape {
        let mut parts = Vec::new();
        let mut holes = template.expressions.iter();
        for quasi in &template.quasis {
            if !quasi.value.raw.is_empty() || template.expressions.is_empty() {
                parts.push(Part::Fixed(Fixed {
                    range: self.shift.range(quasi.span),
                    text: quasi.value.cooked.unwrap_or(quasi.value.raw).to_string(),
                    notation: Notation::Script('`', self.within),
                }));
            }
            if let Some(hole) = holes.next() {
                parts.push(Part::Hole(self.node(hole)));
            }
        }
        match &parts[..] {
            [Part::Fixed(only)] => Shape::Text(only.clone()),
            _ => Shape::Joined(parts),
        }
    }

    fn binary(&mut self, binary: &BinaryExpression<'_>) -> Shape {
        let left = self.node(&binary.left);
        let right = self.node(&binary.right);
        let is_text = |shape: &Shape| matches!(shape, Shape::Text(_) | Shape::Joined(_));
        let joins = is_text(&self.module[left].shape) || is_text(&self.module[right].shape);
        if binary.operator == BinaryOperator::Addition && joins {
            let mut parts = self.parts(left);
            parts.extend(self.parts(right));
            return Shape::Joined(parts);
        }
        if matches!(
            binary.operator,
            BinaryOperator::StrictEquality | BinaryOperator::Equality
        ) {
            return Shape::Equal(left, right);
        }
        if binary.operator.is_compare() || binary.operator.is_equality() {
            return Shape::Nothing;
        }
        Shape::Other("a calculation")
    }

    fn parts(&mut self, node: NodeId) -> Vec<Part> {
        match &mut self.module.nodes[node.index()].shape {
            Shape::Text(fixed) => vec![Part::Fixed(fixed.clone())],
            // Nobody refers to the inner node any more.
            Shape::Joined(parts) => std::mem::take(parts),
            _ => vec![Part::Hole(node)],
        }
    }

    fn key(&mut self, key: &Expression<'_>) -> Key {
        let node = self.node(key);
        match &self.module[node].shape {
            Shape::Text(fixed) => Key::Named(fixed.text.clone()),
            Shape::Number(number) => Key::Named(number.clone()),
            _ => Key::Computed(node),
        }
    }

    fn object(&mut self, object: &ObjectExpression<'_>) -> Shape {
        let mut properties = Vec::with_capacity(object.properties.len());
        for property in &object.properties {
            let frame = match property {
                ObjectPropertyKind::SpreadProperty(_) => FrameKind::Other,
                ObjectPropertyKind::ObjectProperty(_) => FrameKind::Property,
            };
            self.open(frame, property.span());
            let (key, value, spread) = match property {
                ObjectPropertyKind::SpreadProperty(rest) => (None, self.node(&rest.argument), true),
                ObjectPropertyKind::ObjectProperty(property) => {
                    let key = self.property_key(&property.key, property.computed);
                    let mut value = self.node(&property.value);
                    if property.kind != PropertyKind::Init {
                        value = self.push(property.span, Shape::Other("a value that is made each time it is read"));
                    }
                    (key, value, false)
                }
            };
            self.close();
            if let Some(key @ ("messages" | "resources")) = key.as_deref() {
                self.module.messages.push((key == "resources", value));
            }
            properties.push(Property { key, value, spread });
        }
        Shape::Object(properties)
    }

    pub(super) fn property_key(&mut self, key: &PropertyKey<'_>, computed: bool) -> Option<String> {
        if let Some(expression) = key.as_expression().filter(|_| computed) {
            self.node(expression);
        }
        key.static_name().map(|name| name.into_owned())
    }

    fn item(&mut self, item: &ArrayExpressionElement<'_>) -> Item {
        let (value, spread) = match item {
            ArrayExpressionElement::SpreadElement(rest) => (self.spread(rest), true),
            other => match other.as_expression() {
                Some(expression) => (self.node(expression), false),
                None => (self.push(other.span(), Shape::Nothing), false),
            },
        };
        Item { value, spread }
    }

    fn spread(&mut self, rest: &SpreadElement<'_>) -> NodeId {
        self.framed(FrameKind::Other, rest.span, |lower| lower.node(&rest.argument))
    }

    fn call(&mut self, call: &CallExpression<'_>) -> Shape {
        self.open(called(call), call.span);
        let callee = self.node(&call.callee);
        let mut arguments = Vec::with_capacity(call.arguments.len());
        let mut complete = true;
        for (index, argument) in call.arguments.iter().enumerate() {
            let node = match argument {
                Argument::SpreadElement(rest) => {
                    complete = false;
                    self.spread(rest)
                }
                other => match other.as_expression() {
                    Some(expression) => self.node(expression),
                    None => continue,
                },
            };
            if let Shape::Function(function) = self.module[node].shape {
                self.module.functions[function.index()].argument_of = Some((callee, index));
            }
            if complete {
                arguments.push(node);
            }
        }
        self.close();
        self.effects(callee, &arguments, call.span);
        Shape::Call(callee, arguments)
    }

    /// Notes what a call is known to do: changing a list or an object, or giving a component its name.
    fn effects(&mut self, callee: NodeId, arguments: &[NodeId], span: Span) {
        let Shape::Member(object, Key::Named(method)) = &self.module[callee].shape else {
            return;
        };
        let object = *object;
        let is_object = matches!(&self.module[object].shape, Shape::Name(None, name) if name == "Object");
        match (method.as_str(), arguments) {
            (method, _) if CHANGES_LIST.contains(&method) => self.touch(object, span),
            ("assign", [first, ..]) if is_object => self.touch(*first, span),
            ("component", [name, value]) => {
                if let Shape::Text(name) = &self.module[*name].shape {
                    let registered = (name.text.clone(), *value);
                    self.module.registered.push(registered);
                }
            }
            _ => {}
        }
    }

    /// Notes that something inside the value of the name that `node` begins with is changed.
    pub(super) fn touch_root(&mut self, node: NodeId, at: usize, key: Option<String>) {
        if let Some(symbol) = self.module.root(node) {
            self.module.symbols[symbol.index()].touched.push(Touch { at, key });
        }
    }

    /// Notes that something inside the value of `node` is changed.
    pub(super) fn touch(&mut self, node: NodeId, span: Span) {
        let at = self.shift.range(span).start;
        let key = self.module.first_key(node);
        self.touch_root(node, at, key);
        if let Some(key) = self.module.this_root(node) {
            let name = match key {
                Key::Named(name) => Some(name.clone()),
                Key::Computed(_) => None,
            };
            self.module.this_written.push((name, at));
        }
    }
}

/// What an expression that cannot be followed is called in messages.
fn words(expression: &Expression<'_>) -> &'static str {
    match expression {
        Expression::NewExpression(_) => "an object that is made when the code runs",
        Expression::TaggedTemplateExpression(_) => "a template that a function puts together",
        Expression::UpdateExpression(_) | Expression::AssignmentExpression(_) => {
            "a value that changes as the code runs"
        }
        Expression::ClassExpression(_) => "a class",
        Expression::RegExpLiteral(_) => "a pattern",
        Expression::YieldExpression(_) => "a value that arrives while the code runs",
        _ => "a calculation",
    }
}
