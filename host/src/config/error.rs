//! Why the server does not boot with its configuration.

/// Why the configuration does not parse. The text names the variable and the way out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub String);
