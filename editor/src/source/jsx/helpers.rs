//! Functions that join class lists, told by where they come from.

use oxc::ast::ast::{Argument, CallExpression, Expression};

use crate::source::classes::{import_joins, may_join};
use crate::source::document::{Document, FrameKind};

/// Whether a name of the file is such a function.
pub(super) fn is_class_helper(document: &Document, text: &str, name: &str) -> bool {
    if let Some(import) = document.import(name) {
        return import_joins(name, &import.from, import.imported.as_deref());
    }
    may_join(name)
        && document.frames.iter().any(|frame| match &frame.kind {
            FrameKind::Function(Some(own)) => own == name,
            FrameKind::Declarator(Some(own)) => own == name && !text[frame.range.clone()].contains(".bind("),
            _ => false,
        })
}

/// Whether a call is `[…].join(' ')`, perhaps with `.filter(Boolean)` before it, or `.trim()` of a text.
pub(super) fn is_joined(call: &CallExpression<'_>) -> bool {
    let Expression::StaticMemberExpression(member) = &call.callee else {
        return false;
    };
    let list = |expression: &Expression<'_>| match expression {
        Expression::ArrayExpression(_) => true,
        Expression::CallExpression(call) => is_filtered(call),
        _ => false,
    };
    match (member.property.name.as_str(), call.arguments.as_slice()) {
        ("join", [Argument::StringLiteral(space)]) => space.value == " " && list(&member.object),
        ("trim", []) => matches!(member.object, Expression::TemplateLiteral(_)),
        ("filter", _) => is_filtered(call),
        _ => false,
    }
}

fn is_filtered(call: &CallExpression<'_>) -> bool {
    matches!(&call.callee, Expression::StaticMemberExpression(member)
        if member.property.name == "filter" && matches!(member.object, Expression::ArrayExpression(_)))
        && matches!(call.arguments.as_slice(), [Argument::Identifier(name)] if name.name == "Boolean")
}
