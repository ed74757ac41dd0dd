//! Expressions of templates, by the parser of scripts.

use oxc::ast::ast::{Expression, Program, Statement};
use oxc::span::GetSpan;

use super::tree::Span;
use crate::source::script::{self, Broken};

/// Lends the syntax tree of the expression at `span`. Its places plus `shift` are those of the file.
///
/// Vue reads expressions of templates with TypeScript's additions; so does this.
///
/// # Errors
/// When there is no expression, or one that cannot be parsed.
pub fn with_expression<R>(text: &str, span: Span, read: impl FnOnce(&Expression<'_>, Shift) -> R) -> Result<R, Broken> {
    let source = format!("({}\n)", span.of(text));
    let shift = Shift(span.start);
    let missing = || Broken {
        message: "no expression".to_owned(),
        offset: span.start,
    };
    let result = script::with_program("template.ts", &source, |program: &Program<'_>| {
        match program.body.as_slice() {
            [Statement::ExpressionStatement(statement)] if program.directives.is_empty() => {
                Ok(read(statement.expression.get_inner_expression(), shift))
            }
            _ => Err(missing()),
        }
    });
    result.map_err(|broken| Broken {
        offset: (broken.offset + span.start).saturating_sub(1).min(text.len()),
        ..broken
    })?
}

/// From places in a parsed expression to places in the file.
#[derive(Debug, Clone, Copy)]
pub struct Shift(usize);

impl Shift {
    /// Where a node of the expression stands in the file.
    #[must_use]
    pub fn span(self, node: &impl GetSpan) -> Span {
        let span = node.span();
        Span::new(self.place(span.start as usize), self.place(span.end as usize))
    }

    /// Where an offset of what was parsed is in the file.
    #[must_use]
    pub fn place(self, offset: usize) -> usize {
        // The bracket before the expression is ours.
        self.0 + offset - 1
    }
}
