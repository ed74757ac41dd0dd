//! One JSON value of each slot for each project.

use crate::error::Problem;
use crate::host;

/// What the slot attached to the project, as JSON; `None` when it attached nothing. `not-found`, `denied`.
pub fn get(project: &str, slot: &str) -> Result<Option<String>, Problem> {
    host::attachments::get(project, slot)
}
