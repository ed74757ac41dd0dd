//! What stamping a file gives.

/// A stamped file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamped {
    /// The code with stamps.
    pub code: String,
    /// From the stamped code to the file: the `mappings` of a source map, version 3, whose only source is the file.
    pub mappings: String,
    /// How many elements were stamped. With 0 the code is as it was, and there are no mappings.
    pub elements: usize,
}

/// Why a file carries no stamps.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unstamped {
    /// The file's name says that it holds no elements.
    #[error("{0} is neither JSX nor a Vue component")]
    NoLanguage(String),
    /// Its syntax is not understood.
    #[error("{path}: {why}")]
    Broken {
        /// The file.
        path: String,
        /// The parser's words.
        why: String,
    },
}
