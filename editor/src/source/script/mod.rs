//! JavaScript and TypeScript: the one place that calls the parser.

use oxc::allocator::Allocator;
use oxc::ast::ast::Program;
use oxc::parser::Parser;
use oxc::span::SourceType;

/// A text the parser could not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} (byte {offset})")]
pub struct Broken {
    /// The parser's own words.
    pub message: String,
    /// Where, as a byte offset.
    pub offset: usize,
}

/// Parses `text` and lends the syntax tree to `read`. `path` decides the language by its ending; `.js` files may hold JSX.
///
/// # Errors
/// With the first syntax error.
pub fn with_program<R>(path: &str, text: &str, read: impl FnOnce(&Program<'_>) -> R) -> Result<R, Broken> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, text, source_type(path)).parse();
    if let Some(error) = parsed.diagnostics.first() {
        return Err(Broken {
            message: error.message.to_string(),
            offset: error.labels.first().map_or(0, |label| label.offset() as usize),
        });
    }
    Ok(read(&parsed.program))
}

/// The language of a file by its name: `.ts` and `.mts` have no JSX, everything else may.
fn source_type(path: &str) -> SourceType {
    SourceType::from_path(path)
        .unwrap_or_else(|_| SourceType::tsx())
        .with_jsx(!path.ends_with("ts"))
}
