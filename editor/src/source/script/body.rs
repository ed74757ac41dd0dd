//! The block of a function, read by itself.

use std::ops::Range;

use oxc::ast::ast::{ArrowFunctionBody, ArrowFunctionExpression, Expression, Function, FunctionBody, Statement};
use oxc::ast_visit::Visit;

use super::pieces::{Piece, Pieces};

/// The block of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// With its braces.
    pub range: Range<usize>,
    /// The function it belongs to.
    pub kind: BodyKind,
}

/// What decides how the parser reads a block: which words are operators in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyKind {
    is_arrow: bool,
    is_async: bool,
    is_generator: bool,
}

impl BodyKind {
    /// Of an arrow function.
    #[must_use]
    pub fn arrow(arrow: &ArrowFunctionExpression<'_>) -> Self {
        Self {
            is_arrow: true,
            is_async: arrow.r#async,
            is_generator: false,
        }
    }

    /// Of a function or a method.
    #[must_use]
    pub fn function(function: &Function<'_>) -> Self {
        Self {
            is_arrow: false,
            is_async: function.r#async,
            is_generator: function.generator,
        }
    }

    fn head(self) -> &'static str {
        match (self.is_arrow, self.is_async, self.is_generator) {
            (true, false, _) => "(()=>",
            (true, true, _) => "(async()=>",
            (false, false, false) => "(function()",
            (false, false, true) => "(function*()",
            (false, true, false) => "(async function()",
            (false, true, true) => "(async function*()",
        }
    }
}

/// The syntax nodes of a block, `{` and `}` included, as it stands in a file at `path`; `None` when it cannot be read, or is
/// more than one block. Offsets count from the block's beginning.
///
/// Where a block of one kind stands, another of this kind can stand: what is around it is read as before.
#[must_use]
pub fn body_pieces(path: &str, text: &str, kind: BodyKind) -> Option<Vec<Piece>> {
    // Scripts that are no modules read some words differently in classes and behind `"use strict"`.
    if path.ends_with(".cjs") || path.ends_with(".cts") {
        return None;
    }
    let head = kind.head();
    let source = format!("{head}{text})");
    let pieces = super::with_program(path, &source, |program| {
        let [Statement::ExpressionStatement(statement)] = &program.body[..] else {
            return None;
        };
        let body = block(statement.expression.get_inner_expression())?;
        if (body.span.start as usize, body.span.end as usize) != (head.len(), head.len() + text.len()) {
            return None;
        }
        let mut pieces = Pieces::default();
        pieces.visit_function_body(body);
        Some(pieces.0)
    });
    let mut pieces = pieces.ok()??;
    for (range, _) in &mut pieces {
        *range = range.start - head.len()..range.end - head.len();
    }
    Some(pieces)
}

fn block<'p, 'a>(function: &'p Expression<'a>) -> Option<&'p FunctionBody<'a>> {
    match function {
        Expression::FunctionExpression(function) => function.body.as_deref(),
        Expression::ArrowFunctionExpression(arrow) => match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => Some(body),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: BodyKind = BodyKind {
        is_arrow: false,
        is_async: false,
        is_generator: false,
    };

    #[test]
    fn a_block_is_read_by_itself() {
        let pieces = body_pieces("a.tsx", "{ return <b>{c}</b> }", PLAIN).unwrap();
        assert_eq!(pieces[0].0, 0..21);
        assert!(pieces.iter().any(|(range, _)| *range == (9..19)), "{pieces:?}");
    }

    #[test]
    fn what_is_no_block_of_this_kind_is_not_read() {
        let waits = "{ await a; }";
        assert_eq!(body_pieces("a.tsx", waits, PLAIN), None);
        assert!(
            body_pieces(
                "a.tsx",
                waits,
                BodyKind {
                    is_async: true,
                    ..PLAIN
                }
            )
            .is_some()
        );
        for text in [
            "{ a(",
            "{ a } }",
            "{ a }); (function() { b }",
            "{ a })(function() { b }",
            "{ a }, function() { b }",
            "{ a // }",
        ] {
            assert_eq!(body_pieces("a.tsx", text, PLAIN), None, "{text}");
        }
        assert_eq!(body_pieces("a.cjs", "{}", PLAIN), None);
    }
}
