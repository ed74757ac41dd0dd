//! Why a proposal is not taken.

use serde::Serialize;
use serde_json::Value;
use strum::{Display, VariantArray};

/// A stable word for programs. API.md explains each of them, and tests hold both to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Display, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Code {
    /// The text that is to be replaced does not stand in the file exactly once.
    NotUnique,
    /// The file is none that may be changed here.
    OffLimits,
    /// It changes more than may be changed at once.
    TooMuch,
    /// The prototype could do something afterwards that it could not do before.
    NewCapability,
    /// The result has a mistake, changes something else, or the page does not show what was asked for.
    NotVerified,
    /// The task has spent what it may spend.
    Budget,
    /// The provider wants to be asked later.
    RateLimited,
    /// The provider fails, or its answer is none.
    Provider,
}

impl Code {
    /// All of them.
    pub const ALL: &'static [Self] = Self::VARIANTS;
}

/// A proposal that was not taken; no file was changed, or what was changed has been taken back.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[error("{reason}")]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// Which check refused it.
    pub code: Code,
    /// For people and for the model: what is wrong, and what would help.
    pub reason: String,
    /// Whether a person may allow it: then it is proposed again with [`Limits::granted`](super::Limits).
    #[serde(skip)]
    pub can_be_granted: bool,
    /// Whether nothing speaks against it but that no page could be read: then a person may decide.
    #[serde(skip)]
    pub is_unseen: bool,
    /// What the page differs in, where it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differences: Option<Value>,
    /// When to try again, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_seconds: Option<u64>,
}

impl Refusal {
    /// With a reason.
    #[must_use]
    pub fn new(code: Code, reason: impl Into<String>) -> Self {
        Self {
            code,
            reason: reason.into(),
            can_be_granted: false,
            is_unseen: false,
            differences: None,
            retry_after_seconds: None,
        }
    }

    /// No page could be read.
    #[must_use]
    pub fn unseen(reason: impl Into<String>) -> Self {
        Self {
            is_unseen: true,
            ..Self::new(Code::NotVerified, reason)
        }
    }

    /// The page shows something else.
    #[must_use]
    pub fn differs(reason: impl Into<String>, differences: Value) -> Self {
        Self {
            differences: Some(differences),
            ..Self::new(Code::NotVerified, reason)
        }
    }

    /// Somebody stopped what it was a part of.
    #[must_use]
    pub fn stopped() -> Self {
        Self::new(Code::NotVerified, "it was stopped")
    }

    pub(super) fn grantable(mut self) -> Self {
        self.can_be_granted = true;
        self
    }
}
