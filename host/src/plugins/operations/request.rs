//! What an operator asks for, and how it ends. The command line, the control socket and the API share these.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::core::CoreError;
use crate::plugins::load_error::{LoadError, LoaderError};
use crate::plugins::lock::LockError;
use crate::plugins::review::Review;
use crate::storage::slot_data::{DataChoice, DataError};

/// One operation.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(tag = "operation", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Request {
    /// What is there.
    List,
    /// Fills the slot that a staged artifact names.
    Install {
        /// The artifact.
        #[serde(flatten)]
        artifact: Artifact,
        /// The slot whose plugin may go for it.
        #[serde(default)]
        replaces: Option<String>,
    },
    /// Puts another version of the same plugin into its slot.
    Update {
        /// The slot.
        slot: String,
        /// The artifact.
        #[serde(flatten)]
        artifact: Artifact,
    },
    /// Puts back what filled the slot before.
    Rollback {
        /// The slot.
        slot: String,
        /// Back to what the program comes with.
        #[serde(default)]
        bundled: bool,
        /// Whether writes since may be lost.
        #[serde(default)]
        lose_writes: bool,
    },
    /// Empties the slot.
    Remove {
        /// The slot.
        slot: String,
        /// Deletes its data as well.
        #[serde(default)]
        purge: bool,
    },
    /// Lets the plugin of a slot serve.
    Enable {
        /// The slot.
        slot: String,
    },
    /// Takes the plugin of a slot out; its data stay.
    Disable {
        /// The slot.
        slot: String,
    },
    /// Shows or changes the bounds of a slot.
    Limits {
        /// The slot.
        slot: String,
        /// `key=value` each.
        #[serde(default)]
        changes: Vec<String>,
    },
    /// Shows or changes the settings of a slot.
    Config {
        /// The slot.
        slot: String,
        /// `key=value` each; `key=` takes one out.
        #[serde(default)]
        changes: Vec<String>,
        /// Secrets by key; an empty one is taken out.
        #[serde(default)]
        secrets: BTreeMap<String, SecretText>,
    },
    /// The events that a slot did not take and that were set aside, or what becomes of one of them.
    Events {
        /// The slot.
        slot: String,
        /// What becomes of one; without it they are shown.
        #[serde(default)]
        deed: Option<EventDeed>,
    },
    /// What fills a slot, and what did before.
    History {
        /// The slot.
        slot: String,
    },
    /// The approvals as they stand: for who operates the server, never for an account.
    Approvals,
}

impl Request {
    /// Whether it changes something, or only shows it.
    pub fn is_change(&self) -> bool {
        match self {
            Self::List | Self::History { .. } | Self::Approvals | Self::Events { deed: None, .. } => false,
            Self::Limits { changes, .. } => !changes.is_empty(),
            Self::Config { changes, secrets, .. } => !(changes.is_empty() && secrets.is_empty()),
            _ => true,
        }
    }

    /// The artifact that it puts into a slot.
    pub fn artifact(&self) -> Option<&Artifact> {
        match self {
            Self::Install { artifact, .. } | Self::Update { artifact, .. } => Some(artifact),
            _ => None,
        }
    }
}

/// What becomes of an event that was set aside.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, PartialEq, Eq)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum EventDeed {
    /// It is delivered once more.
    Retry {
        /// Its number.
        id: i64,
    },
    /// It is forgotten.
    Drop {
        /// Its number.
        id: i64,
    },
}

/// A secret on its way to where it is sealed.
#[derive(Clone, Default, Serialize, Deserialize, PartialEq, Eq)]
#[serde(transparent)]
pub struct SecretText(pub String);

impl std::fmt::Debug for SecretText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("(secret)")
    }
}

/// An artifact that was staged, and what the operator says of it.
#[derive(Debug, Clone, Default, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Artifact {
    /// Hex SHA-256 of a staged artifact.
    pub sha256: String,
    /// Where it came from, for people.
    #[serde(default)]
    pub source: Option<String>,
    /// The text of its .minisig file.
    #[serde(default)]
    pub signature: Option<String>,
    /// The publisher's minisign key, which later updates are held to.
    #[serde(default)]
    pub publisher: Option<String>,
    /// Whether its permissions are approved.
    #[serde(default)]
    pub approved: bool,
    /// What happens to the slot's data, where there is a choice.
    #[serde(default)]
    pub data: Option<DataChoice>,
}

/// How an operation ended that did what was asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// For people; may have several lines.
    pub message: String,
    /// The same for programs.
    pub details: Value,
    /// What the plugin may do, where that was looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Review>,
}

/// Why an operation changed nothing.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Something else failed, such as a disk.
    Failed,
    /// A word of the request is wrong.
    Invalid,
    /// There is no such slot.
    Unknown,
    /// The artifact is not one for this server.
    BadFile,
    /// It does not fit what is there.
    Conflict,
    /// Somebody has to approve it.
    NeedsApproval,
    /// The actor may not do this.
    Denied,
    /// Something that this server needs does not answer: the database or the object store. It may be tried again.
    Unavailable,
}

/// An operation that changed nothing.
#[derive(Debug, Clone, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    /// Why, for programs.
    pub kind: Kind,
    /// Why, for people: what it is about, and the way out.
    pub message: String,
    /// What has to be approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Box<Review>>,
}

impl Refused {
    /// A refusal.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            review: None,
        }
    }

    /// Something failed that is not about the plugin.
    pub fn failed(error: &dyn std::fmt::Display) -> Self {
        Self::new(Kind::Failed, error.to_string())
    }

    /// The approvals cannot be followed.
    pub fn unfollowed(error: &anyhow::Error) -> Self {
        match is_passing(error) {
            true => Self::new(Kind::Unavailable, error.to_string()),
            false => Self::failed(error),
        }
    }

    /// Why a plugin does not serve. `what` names it.
    pub fn load(what: &str, error: &LoadError) -> Self {
        let kind = match error {
            LoadError::Inspect(_) | LoadError::Changed(_) | LoadError::OtherSlot(_) => Kind::BadFile,
            LoadError::NotApproved(_) | LoadError::Data(DataError::LosesWrites { .. }) => Kind::NeedsApproval,
            LoadError::OtherEngine
            | LoadError::Claim(_)
            | LoadError::Data(_)
            | LoadError::Start(_)
            | LoadError::Other(_) => Kind::Conflict,
            LoadError::Away(_) => Kind::Failed,
        };
        Self::new(kind, format!("{what} cannot serve: {error}"))
    }
}

impl From<LockError> for Refused {
    fn from(error: LockError) -> Self {
        match error {
            LockError::Core(error) => error.into(),
            LockError::Superseded => Self::new(Kind::Conflict, error.to_string()),
            error if error.is_passing() => Self::new(Kind::Unavailable, error.to_string()),
            error => Self::failed(&error),
        }
    }
}

impl From<LoaderError> for Refused {
    fn from(error: LoaderError) -> Self {
        match error {
            LoaderError::Lock(error) => error.into(),
            error => Self::failed(&error),
        }
    }
}

/// Whether approvals that could not be followed may be in a moment: the database, or what it needs, is away.
pub fn is_passing(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| match cause.downcast_ref::<LoaderError>() {
        Some(LoaderError::Lock(error)) => error.is_passing(),
        _ => {
            cause.downcast_ref::<CoreError>().is_some_and(CoreError::is_passing)
                || cause.downcast_ref::<LockError>().is_some_and(LockError::is_passing)
        }
    })
}

impl From<CoreError> for Refused {
    fn from(error: CoreError) -> Self {
        match error {
            CoreError::Denied => Self::new(Kind::Denied, "Only admins of the instance may do this"),
            error if error.is_passing() => Self::new(Kind::Unavailable, error.to_string()),
            error => Self::failed(&error),
        }
    }
}
