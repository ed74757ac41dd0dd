//! Errors as the interface gets them: a status, a word for programs, a reason for people.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde_json::{Value, json};

use super::code::Code;
use super::diff;
use crate::home::PrivateError;
use crate::source::model::{Refusal, Verdict};
use crate::workspace::WorkspaceError;
use crate::workspace::git::{DiscardError, GitError};

/// An answer that is none.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ApiError {
    status: StatusCode,
    body: Value,
}

impl ApiError {
    pub(super) fn new(code: Code, reason: impl Into<String>) -> Self {
        let reason: String = reason.into();
        let body = json!({ "ok": false, "code": code, "reason": reason });
        let status = code.status();
        Self { status, body }
    }

    pub(super) fn bad_request(reason: impl Into<String>) -> Self {
        Self::new(Code::BadRequest, reason)
    }

    pub(super) fn not_found(reason: impl Into<String>) -> Self {
        Self::new(Code::NotFound, reason)
    }

    /// A part of the interface that is switched off; `key` wakes it.
    pub(super) fn switched_off(what: &str, key: &str, variable: &str) -> Self {
        let reason = format!(
            "{what} is switched off: set {key} to true in .tool/config.json, or {variable}=1, and start the Editor again"
        );
        Self::new(Code::SwitchedOff, reason)
    }

    /// A defect or a broken machine. What it was stands in the log.
    pub(super) fn internal(what: impl Into<String>) -> Self {
        let what: String = what.into();
        tracing::error!(%what, "a request failed");
        Self::new(Code::Internal, what)
    }

    /// With another status than the code's usual one.
    pub(super) fn status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// The body alone.
    pub(super) fn into_body(self) -> Value {
        self.body
    }

    /// Adds a key for programs.
    pub(super) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.body[key] = value.into();
        self
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let status = match refusal.verdict {
            Verdict::Conflict => StatusCode::CONFLICT,
            Verdict::Uncertain => StatusCode::UNPROCESSABLE_ENTITY,
            Verdict::Dormant => StatusCode::FORBIDDEN,
        };
        let mut body = json!(refusal);
        body["ok"] = json!(false);
        Self { status, body }
    }
}

impl From<WorkspaceError> for ApiError {
    fn from(error: WorkspaceError) -> Self {
        let reason = error.to_string();
        match error {
            WorkspaceError::Changed(path) => Self::from(Refusal::changed(reason)).with("path", path),
            WorkspaceError::Blocked { id, path, files, .. } => {
                let changed = files.as_ref().as_ref().map(std::slice::from_ref).map(diff::files);
                Self::from(Refusal::changed(reason))
                    .with("path", path)
                    .with("editId", id)
                    .with(
                        "choices",
                        json!([{ "option": "skip", "value": true, "label": "Skip this step" }]),
                    )
                    .with("changed", changed.unwrap_or_else(|| json!([])))
            }
            WorkspaceError::Overlap { path, later_id, .. } => Self::new(Code::UndoOverlap, reason)
                .with("path", path)
                .with("laterId", later_id),
            WorkspaceError::NoStep(_) => Self::not_found(reason),
            WorkspaceError::NothingToUndo => Self::new(Code::NothingToUndo, reason),
            WorkspaceError::NothingToRedo => Self::new(Code::NothingToRedo, reason),
            WorkspaceError::NoBackup { path, .. } => Self::new(Code::NoBackup, reason).with("path", path),
            WorkspaceError::BadPath(_) => Self::bad_request(reason),
            WorkspaceError::NotWritable { path, .. } => Self::new(Code::NotWritable, reason).with("path", path),
            WorkspaceError::TooLarge(_) => Self::new(Code::TooLarge, reason).status(StatusCode::UNPROCESSABLE_ENTITY),
            WorkspaceError::Misfit(_)
            | WorkspaceError::InUse(_)
            | WorkspaceError::NoFolder(_)
            | WorkspaceError::Io { .. } => Self::internal(reason),
        }
    }
}

impl From<PrivateError> for ApiError {
    fn from(error: PrivateError) -> Self {
        match error {
            PrivateError::Io { .. } => Self::internal(error.to_string()),
            _ => Self::new(Code::Credentials, error.to_string()),
        }
    }
}

impl From<GitError> for ApiError {
    fn from(error: GitError) -> Self {
        match &error {
            GitError::Missing(_) => Self::internal(error.to_string()),
            GitError::NoIdentity => Self::new(Code::NoIdentity, error.to_string()),
            _ => Self::new(Code::Git, error.to_string()),
        }
    }
}

impl From<DiscardError> for ApiError {
    fn from(error: DiscardError) -> Self {
        match error {
            DiscardError::Git(error) => error.into(),
            DiscardError::Workspace(error) => error.into(),
        }
    }
}
