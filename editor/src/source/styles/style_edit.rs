//! What a style edit asks for.

use std::collections::BTreeMap;

use crate::source::model::viewport::Viewport;
use crate::source::model::{Branch, Request, Scope, Stamp, Whenever};

/// One style edit, with the options of its request.
#[derive(Debug, Clone, Copy)]
pub struct StyleEdit<'a> {
    /// In CSS's spelling.
    pub property: &'a str,
    /// As CSS text; `None` removes the declaration.
    pub value: Option<&'a str>,
    /// The side of a conditional value.
    pub branch: Option<Branch>,
    /// All elements that share the declaration, or only this one.
    pub scope: Option<Scope>,
    /// Under the condition of the declaration that decides, or always.
    pub when: Option<Whenever>,
    /// The place of the declaration that is meant, whether it decides or not.
    pub at: Option<&'a Stamp>,
    /// The page that is shown.
    pub viewport: &'a Viewport,
}

static NOTHING: Viewport = Viewport {
    width: None,
    holds: BTreeMap::new(),
};

impl<'a> StyleEdit<'a> {
    /// A value without any option, in a page of which nothing is known.
    #[must_use]
    pub fn plain(property: &'a str, value: Option<&'a str>) -> Self {
        Self {
            property,
            value,
            branch: None,
            scope: None,
            when: None,
            at: None,
            viewport: &NOTHING,
        }
    }

    /// A value with the options of its request.
    #[must_use]
    pub fn of(request: &'a Request, property: &'a str, value: Option<&'a str>) -> Self {
        Self {
            branch: request.branch,
            scope: request.scope,
            when: request.when,
            at: request.at.as_ref(),
            viewport: &request.viewport,
            ..Self::plain(property, value)
        }
    }
}
