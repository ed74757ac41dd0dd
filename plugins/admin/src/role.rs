//! The role in a body.

use serde::Deserialize;

/// What an account may do on the instance. Anything else in a body is a 400 that names the field and the roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Reads, and writes remarks.
    Viewer,
    /// Manages projects.
    Editor,
    /// Manages the instance.
    Admin,
}

impl Role {
    /// The role's name in the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Viewer => "viewer",
            Role::Editor => "editor",
            Role::Admin => "admin",
        }
    }
}
