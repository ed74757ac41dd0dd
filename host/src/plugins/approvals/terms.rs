//! What is said of the approvals, wherever they are.

use std::sync::Arc;

use serde_json::Value;

use crate::accounts::Actor;
use crate::plugins::lock::{Bundle, Lock, LockError};

/// Tells the approvals as they are at one time from those before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edition {
    /// The file's text: hands that change it keep no count.
    Text(String),
    /// How often they were changed.
    Number(i64),
}

impl Edition {
    /// The number; 0 for a file, which has none.
    pub fn number(&self) -> i64 {
        match self {
            Self::Text(_) => 0,
            Self::Number(number) => *number,
        }
    }
}

/// The approvals as they are now, and what came with the program.
pub struct Known {
    /// The approvals, those of the build included.
    pub lock: Lock,
    /// What came with the program.
    pub bundle: Arc<Bundle>,
    /// Which approvals these are.
    pub edition: Edition,
}

/// Who changes what, for the audit log.
pub struct Act<'a> {
    /// Who.
    pub actor: &'a Actor,
    /// A kebab-case word.
    pub action: &'static str,
    /// A JSON object.
    pub details: Value,
}

/// What became of the approvals.
pub struct Written {
    /// What they were.
    pub before: Option<Edition>,
    /// What they are.
    pub after: Edition,
}

/// A thread that ended badly.
pub(super) fn ended_badly(error: &tokio::task::JoinError) -> LockError {
    LockError::Ended(error.to_string())
}
