//! Why mail is refused.

use crate::core::CoreError;
use crate::storage::seal::Unsealable;

/// Why a mail could not be queued, or the mail server not be changed.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// The environment sets the mail server.
    #[error("the mail server is set by SERVICE_SMTP_HOST and its group: change it there")]
    ByEnvironment,
    /// A field has a bad value; holds a sentence that names the field.
    #[error("{0}")]
    Invalid(String),
    /// The stored password cannot be read.
    #[error("the password of the mail server cannot be read, set it again: {0}")]
    Unsealable(#[from] Unsealable),
    /// The core failed.
    #[error(transparent)]
    Core(#[from] CoreError),
}
