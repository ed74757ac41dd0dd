//! A statement that was read and may be run.

use galley_rows::MAX_SQL_LENGTH;

use super::allow;
use super::failure::Failure;
use super::tokens::{self, Token};
use super::words::is_unsteady;
use crate::placeholders::with_dollars;

pub use super::allow::Kind;

/// A statement of a plugin that may be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// As PostgreSQL gets it.
    pub(super) text: String,
    /// What it does.
    pub(super) kind: Kind,
    /// Whether it only reads, and what it answers depends on the data and its parameters alone.
    pub(super) is_steady: bool,
}

impl Checked {
    /// Reads one statement with parameters `?1`, `?2` …
    pub fn new(sql: &str) -> Result<Self, Failure> {
        let mut all = several(sql)?;
        match (all.pop(), all.pop()) {
            (Some(only), None) => Ok(Self {
                text: with_dollars(&only.text)?,
                ..only
            }),
            (None, _) => Err(Failure::Statement("There is no statement.".to_owned())),
            (Some(_), Some(_)) => Err(Failure::Statement("Only one statement is run at a time.".to_owned())),
        }
    }

    /// What it does.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The host's own statement, which may do anything.
    pub(super) fn of_host(sql: &str, kind: Kind) -> Self {
        Self {
            text: sql.to_owned(),
            kind,
            is_steady: false,
        }
    }
}

/// Checks the statements of a migration, as a server does before it runs them.
pub fn check_all(sql: &str) -> Result<(), Failure> {
    several(sql).map(drop)
}

/// Reads the statements of a migration, which have no parameters.
pub(super) fn several(sql: &str) -> Result<Vec<Checked>, Failure> {
    if sql.len() > MAX_SQL_LENGTH {
        return Err(Failure::long_statement());
    }
    let read = tokens::statements(sql)?.into_iter().map(|(text, tokens)| {
        let kind = allow::check(&tokens)?;
        Ok(Checked {
            text: text.to_owned(),
            is_steady: kind == Kind::Reads && !tokens.iter().filter_map(Token::name).any(is_unsteady),
            kind,
        })
    });
    read.collect()
}
