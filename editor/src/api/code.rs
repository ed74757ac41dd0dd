//! The words for programs in errors of the API that are no refusals of edits. API.md explains each of them, and tests hold
//! both to each other.

use http::StatusCode;
use serde::Serialize;
use strum::{Display, VariantArray};

/// Why a request is not answered with what it asked for. Edits and inspections have words of their own besides:
/// [`source::model::Code`](crate::source::model::Code).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Display, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Code {
    /// The request cannot be understood, or a key in it does not fit.
    BadRequest,
    /// This part of the Editor is switched off.
    SwitchedOff,
    /// The caller is not the dev server of this run.
    Token,
    /// The review server has the project, and does not open it to the caller.
    NoAccess,
    /// There is nothing with that name or address.
    NotFound,
    /// The address does not answer that method.
    Method,
    /// No edit is left to take back.
    NothingToUndo,
    /// No edit was taken back.
    NothingToRedo,
    /// A later step changed the same place as the one that is to be taken back.
    UndoOverlap,
    /// A backup is missing or damaged.
    NoBackup,
    /// A file may not be written.
    NotWritable,
    /// What git or a hook said, or why git was not asked.
    Git,
    /// Git does not know who commits.
    NoIdentity,
    /// The dev server was not started by the Editor.
    NotStartedHere,
    /// The prototype is linked to no project of a review server.
    NotLinked,
    /// Two projects of the review server could be meant.
    Conflict,
    /// A file of settings cannot be parsed, so nothing is written into it.
    SettingFile,
    /// The body, or a file, is too large.
    TooLarge,
    /// A setting that cannot be set, or not so.
    Setting,
    /// A module that cannot carry positions.
    Unstamped,
    /// A defect, or a broken machine.
    Internal,
    /// The review server cannot be reached, is none, or says no.
    ReviewServer,
    /// A turn runs in the chat.
    TurnRunning,
    /// The chat cost what it may cost.
    CostCeiling,
    /// A model is wanted and there is no key for one.
    MissingKey,
    /// A provider does not take a new key, or cannot be asked.
    KeyRefused,
    /// The user's file of keys or of tokens cannot be used.
    Credentials,
    /// The file of a plan of pictures is none.
    PlanFile,
    /// There is a plan of that name.
    PlanExists,
    /// A plan is being run.
    PlanRunning,
    /// Pictures need the Editor's own browser.
    NoBrowser,
    /// A page gives no picture.
    NoPicture,
}

impl Code {
    /// All of them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// What the answer's status is, unless something more particular is known.
    #[must_use]
    pub const fn status(self) -> StatusCode {
        match self {
            // Other modules of the request may be stamped.
            Self::Unstamped => StatusCode::OK,
            Self::BadRequest => StatusCode::BAD_REQUEST,
            Self::SwitchedOff | Self::Token | Self::NoAccess | Self::CostCeiling => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::NothingToUndo
            | Self::NothingToRedo
            | Self::UndoOverlap
            | Self::NoBackup
            | Self::Git
            | Self::NoIdentity
            | Self::NotStartedHere
            | Self::NotLinked
            | Self::Conflict
            | Self::Credentials
            | Self::SettingFile
            | Self::PlanFile
            | Self::PlanExists
            | Self::PlanRunning
            | Self::TurnRunning => StatusCode::CONFLICT,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::NotWritable | Self::Setting | Self::KeyRefused | Self::NoPicture => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::ReviewServer => StatusCode::BAD_GATEWAY,
            Self::MissingKey | Self::NoBrowser => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}
