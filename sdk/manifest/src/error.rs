//! Why a manifest is refused.

use std::fmt;

/// Why a manifest is not accepted. The text names the part that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestError(String);

impl ManifestError {
    /// With what is wrong.
    pub fn new(what: impl Into<String>) -> ManifestError {
        ManifestError(what.into())
    }
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its manifest is not valid: {}", self.0)
    }
}

impl std::error::Error for ManifestError {}
