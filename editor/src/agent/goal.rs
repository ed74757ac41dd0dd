//! Whether a page shows what was asked for, and nothing else: the same edit is done to the page's own elements before, and the page is
//! read again after the source was changed. What it says then is compared, element by element.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

use super::gate::{Accepted, Refusal};
use crate::review::{Page, ReviewError, Surface};
use crate::source::engine;

/// How long hot reload may take to show a change.
const HOT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a page that was loaded afresh may take.
const FRESH_TIMEOUT: Duration = Duration::from_secs(3);
/// Between two readings.
const REST: Duration = Duration::from_millis(250);

/// A page that knows how it should look after an edit.
pub struct Watch {
    page: Mutex<Page>,
    /// The edit, as the page asked for it.
    request: Value,
    /// What was done to the page's elements, and how it read then: JSON.
    wanted: String,
    /// Readings between which nothing was edited: JSON.
    bases: Vec<String>,
    /// What the page complains of anyway.
    usual: BTreeSet<String>,
}

impl Watch {
    /// Opens the page at `path` and learns how it should look after an edit. `None` when the page does not show the element, or
    /// cannot say what would be right.
    ///
    /// # Errors
    /// When no page can be read.
    pub async fn begin(
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
        let usual = page.complaints();
        Ok(Some(Self {
            page: Mutex::new(page),
            request: request.clone(),
            wanted,
            bases: vec![second, first],
            usual,
        }))
    }

    /// Waits until the page shows what was asked for.
    ///
    /// # Errors
    /// `not-verified` with what it shows instead.
    pub async fn judge(&self, accepted: &Accepted) -> Result<(), Refusal> {
        let mut page = self.page.lock().await;
        let trees = trees(accepted);
        let mut verdict = self.until(&mut page, &trees, HOT_TIMEOUT).await;
        if verdict.is_err() {
            // What hot reload leaves behind, a page that is loaded afresh does not.
            verdict = match page.load().await {
                Ok(()) => self.until(&mut page, &trees, FRESH_TIMEOUT).await,
                Err(error) => Err(Refusal::differs(error.to_string(), json!([]))),
            };
        }
        verdict
    }

    /// Reads until two readings in a row are right, for so long at most.
    async fn until(&self, page: &mut Page, trees: &Value, time: Duration) -> Result<(), Refusal> {
        let limit = Instant::now() + time;
        let mut right = 0;
        loop {
            let verdict = self.look(page, trees).await;
            right = if verdict.is_ok() { right + 1 } else { 0 };
            if right == 2 {
                return Ok(());
            }
            if Instant::now() > limit && verdict.is_err() {
                return verdict;
            }
            sleep(REST).await;
        }
    }

    async fn look(&self, page: &mut Page, trees: &Value) -> Result<(), Refusal> {
        let unreadable =
            |error: ReviewError| Refusal::differs(format!("the page cannot be read any more: {error}"), json!([]));
        if let Value::String(words) = page.ask("overlay()").await.map_err(unreadable)? {
            let words: String = words.chars().take(300).collect();
            return Err(Refusal::differs(format!("the dev server says: {words}"), json!([])));
        }
        let found = read(page).await.map_err(unreadable)?;
        let complaints = page.complaints();
        if let Some(new) = complaints.difference(&self.usual).next() {
            let words: String = new.chars().take(300).collect();
            return Err(Refusal::differs(format!("the page complains: {words}"), json!([])));
        }
        let call = format!(
            "judge({{ request: {}, wanted: {}, bases: [{}], found: {found}, trees: {trees} }})",
            self.request,
            self.wanted,
            self.bases.join(", ")
        );
        let differences = page.ask(&call).await.map_err(unreadable)?;
        let Some(first) = differences.get(0) else {
            return Ok(());
        };
        let text = |key: &str| first[key].as_str().unwrap_or_default();
        let reason = format!(
            "the page does not show what was asked for: {} of {} is {} instead of {}",
            text("aspect"),
            text("element"),
            text("found"),
            text("wanted")
        );
        Err(Refusal::differs(reason, differences))
    }
}

async fn read(page: &mut Page) -> Result<String, ReviewError> {
    match page.ask("read()").await? {
        Value::String(reading) => Ok(reading),
        _ => Err(ReviewError::Page("it cannot be read".into())),
    }
}

/// The elements of each changed file, before and after.
fn trees(accepted: &Accepted) -> Value {
    let nodes = |path: &str, content: &Option<Vec<u8>>| {
        let text = String::from_utf8(content.clone().unwrap_or_default()).unwrap_or_default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        engine::outline(path, text).unwrap_or_default().tree(path)
    };
    let trees = accepted.files.iter().map(|file| {
        let (before, after) = (nodes(&file.path, &file.before), nodes(&file.path, &file.after));
        (file.path.clone(), json!({ "before": before, "after": after }))
    });
    Value::Object(trees.collect())
}
