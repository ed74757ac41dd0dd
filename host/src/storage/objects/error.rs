//! Why an object could not be stored or read.

use std::io;

/// Why an object could not be stored or read.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ObjectError {
    /// There is no such object.
    #[error("there is no such object")]
    NotFound,
    /// Another object has this name.
    #[error("another object has this name")]
    Exists,
    /// The store does not answer, or not with what was asked for. What is cached can be read all the same.
    #[error("the object store does not answer: {0}")]
    Away(String),
    /// The store does not take the access key, or not for this.
    #[error("the object store refuses the access key (SERVICE_OBJECTS_ACCESS_KEY_ID)")]
    Denied,
    /// The bytes are not those that were stored.
    #[error("{0} is damaged in the object store")]
    Damaged(String),
    /// The server's own disk failed.
    #[error("{0}")]
    Disk(String),
}

impl ObjectError {
    /// Whether what was asked for can be had later, without any doing of the server.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Away(_) | Self::Denied)
    }
}

/// Whether an error means that the object store is away: what was asked for can be had later.
pub fn is_away(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<ObjectError>());
    inner.is_some_and(ObjectError::is_passing)
}

impl From<io::Error> for ObjectError {
    fn from(error: io::Error) -> Self {
        Self::Disk(error.to_string())
    }
}

impl From<ObjectError> for io::Error {
    fn from(error: ObjectError) -> Self {
        let kind = match &error {
            ObjectError::NotFound => io::ErrorKind::NotFound,
            ObjectError::Exists => io::ErrorKind::AlreadyExists,
            ObjectError::Away(_) | ObjectError::Denied => io::ErrorKind::HostUnreachable,
            ObjectError::Damaged(_) => io::ErrorKind::InvalidData,
            ObjectError::Disk(_) => io::ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}

impl From<object_store::Error> for ObjectError {
    fn from(error: object_store::Error) -> Self {
        use object_store::Error;
        match error {
            Error::NotFound { .. } => Self::NotFound,
            Error::AlreadyExists { .. } => Self::Exists,
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => Self::Denied,
            error => Self::Away(reason(&error)),
        }
    }
}

/// The innermost cause: what is around it names addresses at length.
fn reason(error: &dyn std::error::Error) -> String {
    let mut reason = error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    reason.to_string()
}
