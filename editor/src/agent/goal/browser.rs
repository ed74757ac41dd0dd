//! Reading a page in the review browser, which nobody else looks at: it can be loaded anew.

use std::collections::BTreeSet;

use serde_json::Value;

use super::look::{Look, Unseen};
use crate::review::{Page, ReviewError, Surface};

/// A page of the review browser.
pub(super) struct Browser {
    page: Page,
    /// What was asked for; none where only whether the page works is looked at.
    asked: Option<Asked>,
    /// The file that elements are looked for of.
    file: Option<String>,
}

/// An edit that the page knows the outcome of.
struct Asked {
    /// The edit, as the page asked for it.
    request: Value,
    /// What was done to the page's elements, and how it read then: JSON.
    wanted: String,
    /// Readings between which nothing was edited: JSON.
    bases: [String; 2],
}

impl Browser {
    /// Opens the page at `path` and learns how it should look after an edit. `None` when the page does not show the element, or
    /// cannot say what would be right.
    pub(super) async fn after_edit(
        surface: &Surface,
        path: &str,
        width: u32,
        request: &Value,
    ) -> Result<Option<Self>, ReviewError> {
        let mut page = surface.open(path, width).await?;
        let first = read(&mut page).await?;
        page.load().await?;
        let second = read(&mut page).await?;
        let Value::String(wanted) = page.ask(&format!("expected({request})")).await? else {
            return Ok(None);
        };
        let asked = Asked {
            request: request.clone(),
            wanted,
            bases: [second, first],
        };
        Ok(Some(Self {
            page,
            asked: Some(asked),
            file: None,
        }))
    }

    /// Opens the page at `path`, to see later whether it still works.
    pub(super) async fn at_work(
        surface: &Surface,
        path: &str,
        width: u32,
        file: Option<&str>,
    ) -> Result<Self, ReviewError> {
        let page = surface.open(path, width).await?;
        Ok(Self {
            page,
            asked: None,
            file: file.map(str::to_owned),
        })
    }

    /// What the page complained of so far.
    pub(super) fn complaints(&mut self) -> BTreeSet<String> {
        self.page.complaints()
    }

    /// Forgets what it complained of.
    pub(super) fn forget(&mut self) {
        self.page.forget();
    }

    /// Loads the page anew.
    pub(super) async fn load(&mut self) -> Result<(), Unseen> {
        self.page.load().await.map_err(broken)
    }

    /// Looks at it; `trees` has the elements of each changed file, before and after.
    pub(super) async fn look(&mut self, trees: &Value) -> Result<Look, Unseen> {
        let mut look = Look::default();
        if let Value::String(words) = self.page.ask("overlay()").await.map_err(broken)? {
            look.overlay = Some(words);
            return Ok(look);
        }
        if let Some(asked) = &self.asked {
            let found = read(&mut self.page).await.map_err(broken)?;
            let call = format!(
                "judge({{ request: {}, wanted: {}, bases: [{}], found: {found}, trees: {trees} }})",
                asked.request,
                asked.wanted,
                asked.bases.join(", ")
            );
            look.differences = self.page.ask(&call).await.map_err(broken)?;
        } else {
            let file = Value::from(self.file.as_deref());
            let whole = self.page.ask(&format!("whole({file})")).await.map_err(broken)?;
            look.elements = whole["elements"].as_u64().unwrap_or(0);
            look.shows = whole["shows"] == true;
        }
        look.complaints = self.page.complaints();
        Ok(look)
    }
}

fn broken(error: ReviewError) -> Unseen {
    Unseen::Broken(error.to_string())
}

async fn read(page: &mut Page) -> Result<String, ReviewError> {
    match page.ask("read()").await? {
        Value::String(reading) => Ok(reading),
        _ => Err(ReviewError::Page("it cannot be read".into())),
    }
}
