//! Where a new comment is pinned, and on which deployment.

use galley_sdk::prelude::*;
use galley_sdk::sites;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::text::at_most;

/// The most characters of a selector or a page's address.
const MAX_POSITION: usize = 2_000;
/// The most bytes of an anchor, as JSON without spaces.
const MAX_ANCHOR: usize = 8 << 10;
/// The most characters of a deployment's id.
const MAX_DEPLOYMENT: usize = 64;

/// Where a new comment is pinned, as it is sent.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Position {
    anchor_selector: String,
    page: String,
    anchor: Option<Map<String, Value>>,
}

/// The same within its bounds.
pub(crate) struct Checked<'p> {
    pub(crate) anchor_selector: &'p str,
    pub(crate) page: &'p str,
    /// A JSON object; empty without one.
    pub(crate) anchor: String,
}

impl Position {
    pub(crate) fn checked(&self) -> Result<Checked<'_>> {
        Ok(Checked {
            anchor_selector: at_most("position.anchorSelector", &self.anchor_selector, MAX_POSITION)?,
            page: at_most("position.page", &self.page, MAX_POSITION)?,
            anchor: self.anchor.as_ref().map_or(Ok(String::new()), anchor)?,
        })
    }
}

/// An anchor as it is stored.
fn anchor(anchor: &Map<String, Value>) -> Result<String> {
    let text = serde_json::to_string(anchor).map_err(Error::internal)?;
    if text.len() > MAX_ANCHOR {
        return Err(Error::bad_request(format!(
            "`position.anchor` must have at most {MAX_ANCHOR} bytes as JSON"
        )));
    }
    Ok(text)
}

/// The deployment that the author saw: the one they say, which may have been deleted since, or the live one.
pub(crate) fn deployment(project: &str, stated: Option<String>) -> Result<String> {
    let Some(id) = stated else {
        // A comment is worth more than this: without a grant, or in a project that is being deleted, it is not known.
        return Ok(sites::live(project).ok().flatten().unwrap_or_default());
    };
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if id.is_empty() || id.len() > MAX_DEPLOYMENT || !id.chars().all(allowed) {
        return Err(Error::bad_request("`deploymentId` must be the id of a deployment"));
    }
    Ok(id)
}
