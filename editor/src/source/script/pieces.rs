//! A script as a list of what its pieces are, to compare it with itself after an edit.

use std::ops::Range;

use oxc::ast::AstKind;
use oxc::ast_visit::Visit;
use oxc::span::GetSpan;

use super::Broken;

/// A piece of a file and what the parser takes it for.
pub type Piece = (Range<usize>, u64);

/// Every node of the syntax tree, parents before children.
///
/// # Errors
/// With the first syntax error.
pub fn pieces(path: &str, text: &str) -> Result<Vec<Piece>, Broken> {
    super::with_program(path, text, |program| {
        let mut pieces = Pieces::default();
        pieces.visit_program(program);
        pieces.0
    })
}

/// Collects them.
#[derive(Default)]
pub(super) struct Pieces(pub(super) Vec<Piece>);

impl<'a> Visit<'a> for Pieces {
    fn enter_node(&mut self, node: AstKind<'a>) {
        let span = node.span();
        self.0.push((span.start as usize..span.end as usize, node.ty() as u64));
    }
}
