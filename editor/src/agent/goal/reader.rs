//! Who reads a page.

use std::time::Duration;

use serde_json::Value;

use super::browser::Browser;
use super::live::Live;
use super::look::{Look, Unseen};

/// Between two looks.
pub(super) const REST: Duration = Duration::from_millis(250);

/// The review browser, or the page that people look at.
pub(super) enum Reader {
    Browser(Box<Browser>),
    Live(Live),
}

impl Reader {
    /// Has the page forget what it complained of: a change before this one may have been taken back for that.
    pub(super) async fn forget(&mut self) {
        match self {
            Self::Browser(browser) => browser.forget(),
            Self::Live(live) => live.forget().await,
        }
    }

    /// Looks at the page; `trees` has the elements of each changed file, before and after.
    pub(super) async fn look(&mut self, trees: &Value) -> Result<Look, Unseen> {
        match self {
            Self::Browser(browser) => browser.look(trees).await,
            Self::Live(live) => live.look(trees).await,
        }
    }
}
