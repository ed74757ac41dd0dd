//! JavaScript and TypeScript: the one place that calls the parser.

use std::ops::Range;

use oxc::allocator::Allocator;
use oxc::ast::ast::{Expression, Program};
use oxc::diagnostics::OxcDiagnostic;
use oxc::parser::Parser;
use oxc::semantic::{Semantic, SemanticBuilder};
use oxc::span::{SourceType, Span};

mod arena;
mod body;
mod pieces;
mod stack;

use arena::with_arena;
pub use body::{Body, BodyKind, body_pieces};
pub use pieces::{Piece, pieces};
pub use stack::{ROOMY, is_readable};

/// A text the parser could not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} (byte {offset})")]
pub struct Broken {
    /// The parser's own words.
    pub message: String,
    /// Where, as a byte offset.
    pub offset: usize,
}

/// Runs `work`, which parses `text`, with stack and memory for it.
fn read_text<R>(text: &str, work: impl FnOnce(&Allocator) -> Result<R, Broken>) -> Result<R, Broken> {
    stack::with_room(text, || with_arena(work)).unwrap_or_else(|| Err(Broken::too_large()))
}

/// Parses `text` and lends the syntax tree to `read`. `path` decides the language by its ending; `.js` files may hold JSX.
///
/// # Errors
/// With the first syntax error.
pub fn with_program<R>(path: &str, text: &str, read: impl FnOnce(&Program<'_>) -> R) -> Result<R, Broken> {
    let work = |allocator: &Allocator| {
        let parsed = Parser::new(allocator, text, source_type(path)).parse();
        match parsed.diagnostics.first() {
            Some(error) => Err(Broken::of(error)),
            None => Ok(read(&parsed.program)),
        }
    };
    read_text(text, work)
}

/// Parses `text` as one expression, as it stands in a file at `path`. Its offsets count from the text's beginning.
///
/// # Errors
/// With the first syntax error.
pub fn with_expression<R>(path: &str, text: &str, read: impl FnOnce(&Expression<'_>) -> R) -> Result<R, Broken> {
    let work = |allocator: &Allocator| match Parser::new(allocator, text, source_type(path)).parse_expression() {
        Err(errors) => Err(errors.first().map_or_else(Broken::too_large, Broken::of)),
        Ok(expression) => Ok(read(&expression)),
    };
    read_text(text, work)
}

/// Parses `text` and lends the names it exports, `default` among them.
///
/// # Errors
/// With the first syntax error.
pub fn with_exports<R>(path: &str, text: &str, read: impl FnOnce(&[String]) -> R) -> Result<R, Broken> {
    let work = |allocator: &Allocator| {
        let parsed = Parser::new(allocator, text, source_type(path)).parse();
        if let Some(error) = parsed.diagnostics.first() {
            return Err(Broken::of(error));
        }
        let exported = parsed.module_record.exported_bindings.keys();
        let mut exported: Vec<String> = exported.map(ToString::to_string).collect();
        let entries = parsed.module_record.local_export_entries.iter();
        if entries.into_iter().any(|entry| entry.export_name.is_default()) {
            exported.push("default".to_owned());
        }
        Ok(read(&exported))
    };
    read_text(text, work)
}

/// Parses `text` and finds out which names mean what.
///
/// # Errors
/// With the first syntax error.
pub fn with_names<R>(path: &str, text: &str, read: impl FnOnce(&Semantic<'_>) -> R) -> Result<R, Broken> {
    let work = |allocator: &Allocator| {
        let parsed = Parser::new(allocator, text, source_type(path)).parse();
        if let Some(error) = parsed.diagnostics.first() {
            return Err(Broken::of(error));
        }
        let program = allocator.alloc(parsed.program);
        let built = SemanticBuilder::new().with_build_nodes(true).build(program);
        Ok(read(&built.semantic))
    };
    read_text(text, work)
}

impl Broken {
    fn of(error: &OxcDiagnostic) -> Self {
        Self {
            message: error.message.to_string(),
            offset: error.labels.first().map_or(0, |label| label.offset() as usize),
        }
    }

    fn too_large() -> Self {
        Self {
            message: format!(
                "The text is too large to be read as source: at most about {} words and signs are",
                stack::MAX_TOKENS
            ),
            offset: 0,
        }
    }
}

/// The language of a file by its name: `.ts` and `.mts` have no JSX, everything else may.
fn source_type(path: &str) -> SourceType {
    SourceType::from_path(path)
        .unwrap_or_else(|_| SourceType::tsx())
        .with_jsx(!path.ends_with("ts"))
}

/// A span as a range of bytes.
#[must_use]
pub fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// Whether `text` is a number as a literal writes it, and would be read back as it stands.
pub(super) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && text.parse::<f64>().is_ok()
        && !(digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0."))
}
