//! What a lane is given.

use super::lane::Lane;
use crate::source::model;

/// One edit to be tried.
pub struct Task {
    /// Which lane.
    pub lane: Lane,
    /// What was asked for, with the stamps of the present text.
    pub request: model::Request,
    /// The same as the user's page asked for it.
    pub asked: serde_json::Value,
    /// Why the engine does not do it.
    pub refusal: model::Refusal,
    /// What the history calls it.
    pub title: String,
}
