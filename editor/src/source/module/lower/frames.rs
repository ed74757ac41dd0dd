//! The syntax nodes around elements.

use oxc::ast::AstKind;
use oxc::ast::ast::{CallExpression, Expression, PropertyKey};
use oxc::span::{GetSpan, Span};
use oxc::syntax::operator::LogicalOperator;

use super::Lower;
use crate::source::module::frame::{Frame, FrameKind};

impl Lower<'_> {
    /// Hears of a node's beginning.
    pub(super) fn open(&mut self, kind: FrameKind, span: Span) {
        let range = self.shift.range(span);
        let parent = self.open.last().copied();
        self.open.push(self.module.frames.len());
        self.module.frames.push(Frame { kind, range, parent });
    }

    /// Hears of its end. A frame around no element tells nothing, unless it declares a name: most nodes of a file leave none
    /// behind.
    pub(super) fn close(&mut self) {
        let frames = &mut self.module.frames;
        if let Some(index) = self.open.pop()
            && index + 1 == frames.len()
            && !frames[index].kind.declares()
        {
            frames.pop();
        }
    }

    /// Walks what stands in a node.
    pub(super) fn framed<R>(&mut self, kind: FrameKind, span: Span, walk: impl FnOnce(&mut Self) -> R) -> R {
        self.open(kind, span);
        let result = walk(self);
        self.close();
        result
    }

    /// What an expression is for elements in it. `None` for those that hold none, and for those which say so themselves.
    pub(super) fn frame_of(&self, expression: &Expression<'_>) -> Option<FrameKind> {
        Some(match expression {
            Expression::ParenthesizedExpression(_) => FrameKind::Parentheses,
            Expression::TSAsExpression(_)
            | Expression::TSSatisfiesExpression(_)
            | Expression::TSNonNullExpression(_) => FrameKind::Cast,
            Expression::LogicalExpression(logical) => FrameKind::Logical {
                and: logical.operator == LogicalOperator::And,
                right: self.shift.place(logical.right.span().start as usize),
            },
            Expression::ConditionalExpression(conditional) => FrameKind::Conditional {
                then: self.shift.range(conditional.consequent.span()),
                other: self.shift.range(conditional.alternate.span()),
            },
            Expression::ArrayExpression(_) => FrameKind::Array,
            Expression::TSTypeAssertion(_)
            | Expression::TSInstantiationExpression(_)
            | Expression::TemplateLiteral(_)
            | Expression::StaticMemberExpression(_)
            | Expression::ComputedMemberExpression(_)
            | Expression::ChainExpression(_)
            | Expression::ObjectExpression(_)
            | Expression::BinaryExpression(_)
            | Expression::ImportExpression(_)
            | Expression::AwaitExpression(_)
            | Expression::SequenceExpression(_)
            | Expression::UnaryExpression(_) => FrameKind::Other,
            _ => return None,
        })
    }
}

/// What a node is that is walked as every tree is.
pub(super) fn walked(node: AstKind<'_>) -> FrameKind {
    match node {
        AstKind::Program(_) => FrameKind::Program,
        AstKind::Class(class) => FrameKind::Class(class.id.as_ref().map(|id| id.name.to_string())),
        AstKind::TSAsExpression(_) | AstKind::TSSatisfiesExpression(_) | AstKind::TSNonNullExpression(_) => {
            FrameKind::Cast
        }
        node if node.is_iteration_statement() => FrameKind::Loop,
        node if node.is_statement() => FrameKind::Statement,
        _ => FrameKind::Other,
    }
}

/// The last part of what is called.
pub(super) fn called(call: &CallExpression<'_>) -> FrameKind {
    let method = match &call.callee {
        Expression::Identifier(name) => Some(name.name.to_string()),
        Expression::StaticMemberExpression(member) => Some(member.property.name.to_string()),
        _ => None,
    };
    FrameKind::Call { method }
}

/// A key that is a plain word.
pub(super) fn key_name(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::StaticIdentifier(id) => Some(id.name.to_string()),
        _ => None,
    }
}

impl FrameKind {
    /// Whether it gives a function, or what may be one, its name.
    fn declares(&self) -> bool {
        matches!(
            self,
            Self::Element(_) | Self::Function(Some(_)) | Self::Declarator(Some(_))
        )
    }
}
