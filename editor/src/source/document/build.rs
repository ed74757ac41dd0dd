//! Making a [`Document`] of a syntax tree, in one walk.

use std::ops::Range;

use oxc::ast::AstKind;
use oxc::ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, BindingPattern, CallExpression, ConditionalExpression, Expression,
    Function, FunctionBody, ImportDeclaration, ImportDeclarationSpecifier, JSXAttributeItem, JSXAttributeName,
    JSXAttributeValue, JSXChild, JSXElement, JSXElementName, JSXExpression, JSXFragment, LogicalOperator,
    ObjectPattern, Program, PropertyKey, VariableDeclarator,
};
use oxc::ast_visit::Visit;
use oxc::span::{GetSpan, Span};

use super::scene::Scenes;
use super::{
    Attribute, Child, ChildKind, Contained, Document, Element, ElementKind, Frame, FrameKind, Import, Literal,
    LiteralValue, Rest, Value,
};
use crate::source::notation::references;
use crate::source::script::{self, Body, BodyKind, Broken};

impl Document {
    /// Reads a file.
    ///
    /// # Errors
    /// With the first syntax error.
    pub fn parse(path: &str, text: &str) -> Result<Self, Broken> {
        script::with_program(path, text, |program| Self::of(program, text))
    }

    /// What a parsed file holds.
    #[must_use]
    pub fn of(program: &Program<'_>, text: &str) -> Self {
        let mut builder = Builder::new(text);
        builder.visit_program(program);
        builder.document
    }
}

struct Builder<'t> {
    text: &'t str,
    document: Document,
    /// The frames that are open, by index.
    open: Vec<usize>,
    /// The elements that are open, by index.
    around: Vec<usize>,
    scenes: Scenes,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            document: Document::default(),
            open: Vec::new(),
            around: Vec::new(),
            scenes: Scenes::default(),
        }
    }

    fn begin(&mut self, element: Element) -> FrameKind {
        let index = self.document.elements.len();
        self.document.elements.push(Element {
            frame: self.document.frames.len(),
            parent: self.around.last().copied(),
            ..element
        });
        self.around.push(index);
        FrameKind::Element(index)
    }

    fn element(&mut self, it: &JSXElement<'_>) -> FrameKind {
        let opening = &it.opening_element;
        let name = range(opening.name.span());
        let tag = self.text[name.clone()].to_owned();
        let is_host = self.scenes.enter(&opening.name);
        let kind = match &opening.name {
            _ if is_host => ElementKind::Host,
            JSXElementName::Identifier(_) | JSXElementName::NamespacedName(_) => ElementKind::Foreign,
            _ => ElementKind::Component,
        };
        let types = opening.type_arguments.as_ref();
        self.begin(Element {
            tag,
            kind,
            range: range(it.span),
            opening: range(opening.span),
            behind_name: types.map_or(name.end, |types| types.span.end as usize),
            name,
            closing: it.closing_element.as_ref().map(|closing| range(closing.span)),
            attributes: opening.attributes.iter().map(|item| self.attribute(item)).collect(),
            children: it.children.iter().map(|child| self.child(child)).collect(),
            frame: 0,
            parent: None,
        })
    }

    fn fragment(&mut self, it: &JSXFragment<'_>) -> FrameKind {
        let opening = range(it.opening_fragment.span);
        let name = opening.start + 1..opening.start + 1;
        self.begin(Element {
            tag: String::new(),
            kind: ElementKind::Fragment,
            range: range(it.span),
            behind_name: name.end,
            name,
            opening,
            closing: Some(range(it.closing_fragment.span)),
            attributes: Vec::new(),
            children: it.children.iter().map(|child| self.child(child)).collect(),
            frame: 0,
            parent: None,
        })
    }

    fn attribute(&self, item: &JSXAttributeItem<'_>) -> Attribute {
        match item {
            JSXAttributeItem::SpreadAttribute(spread) => Attribute {
                name: String::new(),
                range: range(spread.span),
                value: Value::Spread(range(spread.argument.span())),
            },
            JSXAttributeItem::Attribute(attribute) => Attribute {
                name: match &attribute.name {
                    JSXAttributeName::Identifier(name) => name.name.to_string(),
                    JSXAttributeName::NamespacedName(name) => self.text[range(name.span)].to_owned(),
                },
                range: range(attribute.span),
                value: match &attribute.value {
                    None => Value::Flag,
                    Some(JSXAttributeValue::StringLiteral(literal)) => {
                        let quoted = range(literal.span);
                        let raw = &self.text[quoted.start + 1..quoted.end - 1];
                        Value::Text(quoted, references::jsx(raw).into_owned())
                    }
                    Some(JSXAttributeValue::ExpressionContainer(container)) => {
                        Value::Expression(self.contained(container.span, &container.expression))
                    }
                    Some(JSXAttributeValue::Element(_) | JSXAttributeValue::Fragment(_)) => Value::Element,
                },
            },
        }
    }

    fn child(&self, child: &JSXChild<'_>) -> Child {
        let kind = match child {
            JSXChild::Text(_) => ChildKind::Text,
            JSXChild::Element(_) | JSXChild::Fragment(_) => ChildKind::Element,
            JSXChild::Spread(_) => ChildKind::Spread,
            JSXChild::ExpressionContainer(container) => match &container.expression {
                JSXExpression::EmptyExpression(_) => ChildKind::Empty,
                expression => ChildKind::Expression(self.contained(container.span, expression)),
            },
        };
        let range = range(child.span());
        Child { range, kind }
    }

    fn contained(&self, container: Span, expression: &JSXExpression<'_>) -> Contained {
        Contained {
            range: range(container),
            inner: range(expression.span()),
            is_function: matches!(
                expression,
                JSXExpression::ArrowFunctionExpression(_) | JSXExpression::FunctionExpression(_)
            ),
            literal: expression
                .as_expression()
                .and_then(|expression| self.literal(expression)),
        }
    }

    fn literal(&self, expression: &Expression<'_>) -> Option<Literal> {
        let value = match expression {
            Expression::StringLiteral(string) => LiteralValue::String(string.value.to_string()),
            Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
                LiteralValue::Template(template.quasis.first()?.value.cooked.as_ref()?.to_string())
            }
            Expression::NumericLiteral(number) => LiteralValue::Number(self.text[range(number.span)].to_owned()),
            Expression::BooleanLiteral(boolean) => LiteralValue::Boolean(boolean.value),
            _ => return None,
        };
        let range = range(expression.span());
        Some(Literal { range, value })
    }
}

impl Builder<'_> {
    fn rest(&mut self, pattern: &ObjectPattern<'_>) {
        let Some(rest) = &pattern.rest else { return };
        let function = self.open.iter().rev().map(|frame| &self.document.frames[*frame]);
        let mut function =
            function.filter(|frame| matches!(frame.kind, FrameKind::Function(_) | FrameKind::Arrow { .. }));
        if let (BindingPattern::BindingIdentifier(name), Some(function)) = (&rest.argument, function.next()) {
            let taken = pattern
                .properties
                .iter()
                .filter_map(|property| key_name(&property.key))
                .collect();
            let (name, function) = (range(name.span), function.range.clone());
            self.document.rests.push(Rest { name, taken, function });
        }
    }

    fn body(&mut self, body: &FunctionBody<'_>, kind: BodyKind) {
        let range = range(body.span);
        self.document.bodies.push(Body { range, kind });
    }

    fn imports(&mut self, declaration: &ImportDeclaration<'_>) {
        self.scenes.import(declaration);
        for specifier in declaration.specifiers.iter().flatten() {
            let (local, imported) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(specifier) => {
                    (&specifier.local, Some(specifier.imported.name().to_string()))
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(specifier) => (&specifier.local, None),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(specifier) => {
                    (&specifier.local, Some("*".to_owned()))
                }
            };
            self.document.imports.push(Import {
                local: local.name.to_string(),
                imported,
                from: declaration.source.value.to_string(),
                range: range(declaration.span),
            });
        }
    }
}

impl<'a> Visit<'a> for Builder<'_> {
    fn enter_node(&mut self, node: AstKind<'a>) {
        let kind = match node {
            AstKind::JSXElement(element) => self.element(element),
            AstKind::JSXFragment(fragment) => self.fragment(fragment),
            AstKind::JSXAttribute(_) | AstKind::JSXSpreadAttribute(_) => FrameKind::Attribute,
            AstKind::JSXExpressionContainer(_) | AstKind::JSXSpreadChild(_) => FrameKind::Container,
            AstKind::ParenthesizedExpression(_) => FrameKind::Parentheses,
            AstKind::LogicalExpression(logical) => FrameKind::Logical {
                and: logical.operator == LogicalOperator::And,
                right: logical.right.span().start as usize,
            },
            AstKind::ConditionalExpression(conditional) => conditional_frame(conditional),
            AstKind::ArrowFunctionExpression(arrow) => {
                if let ArrowFunctionBody::FunctionBody(body) = &arrow.body {
                    self.body(body, BodyKind::arrow(arrow));
                }
                arrow_frame(arrow)
            }
            AstKind::Function(function) => {
                if let Some(body) = &function.body {
                    self.body(body, BodyKind::function(function));
                }
                FrameKind::Function(function_name(function))
            }
            AstKind::Class(class) => FrameKind::Class(class.id.as_ref().map(|id| id.name.to_string())),
            AstKind::MethodDefinition(method) => FrameKind::Function(key_name(&method.key)),
            AstKind::VariableDeclarator(declarator) => FrameKind::Declarator(declared_name(declarator)),
            AstKind::CallExpression(call) => FrameKind::Call { method: called(call) },
            AstKind::ImportDeclaration(declaration) => {
                self.imports(declaration);
                FrameKind::Statement
            }
            AstKind::BindingIdentifier(name) => {
                self.document.bindings.push(range(name.span));
                FrameKind::Other
            }
            AstKind::ObjectPattern(pattern) => {
                self.rest(pattern);
                FrameKind::Other
            }
            AstKind::ReturnStatement(_) => FrameKind::Return,
            AstKind::ForStatement(_)
            | AstKind::ForInStatement(_)
            | AstKind::ForOfStatement(_)
            | AstKind::WhileStatement(_)
            | AstKind::DoWhileStatement(_) => FrameKind::Loop,
            AstKind::TSAsExpression(_) | AstKind::TSSatisfiesExpression(_) | AstKind::TSNonNullExpression(_) => {
                FrameKind::Cast
            }
            AstKind::ArrayExpression(_) => FrameKind::Array,
            AstKind::ObjectProperty(_) => FrameKind::Property,
            AstKind::Program(_) => FrameKind::Program,
            node if node.is_statement() => FrameKind::Statement,
            _ => FrameKind::Other,
        };
        let index = self.document.frames.len();
        self.document.frames.push(Frame {
            kind,
            range: range(node.span()),
            parent: self.open.last().copied(),
        });
        self.open.push(index);
    }

    fn leave_node(&mut self, node: AstKind<'a>) {
        // A frame around no element tells nothing, unless it declares a name: most nodes of a file leave none behind.
        if let Some(index) = self.open.pop()
            && index + 1 == self.document.frames.len()
            && !self.document.frames[index].kind.declares()
        {
            self.document.frames.pop();
        }
        if matches!(node, AstKind::JSXElement(_) | AstKind::JSXFragment(_)) {
            self.around.pop();
        }
        if matches!(node, AstKind::JSXElement(_)) {
            self.scenes.leave();
        }
    }
}

fn conditional_frame(conditional: &ConditionalExpression<'_>) -> FrameKind {
    FrameKind::Conditional {
        then: range(conditional.consequent.span()),
        other: range(conditional.alternate.span()),
    }
}

fn arrow_frame(arrow: &ArrowFunctionExpression<'_>) -> FrameKind {
    FrameKind::Arrow {
        expression: arrow.body.as_expression().is_some(),
        parameters: range(arrow.params.span),
    }
}

fn function_name(function: &Function<'_>) -> Option<String> {
    function.id.as_ref().map(|id| id.name.to_string())
}

fn declared_name(declarator: &VariableDeclarator<'_>) -> Option<String> {
    match &declarator.id {
        BindingPattern::BindingIdentifier(id) => Some(id.name.to_string()),
        _ => None,
    }
}

fn key_name(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::StaticIdentifier(id) => Some(id.name.to_string()),
        _ => None,
    }
}

fn called(call: &CallExpression<'_>) -> Option<String> {
    match &call.callee {
        Expression::Identifier(name) => Some(name.name.to_string()),
        Expression::StaticMemberExpression(member) => Some(member.property.name.to_string()),
        _ => None,
    }
}

/// A span as a range of bytes.
pub fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}
