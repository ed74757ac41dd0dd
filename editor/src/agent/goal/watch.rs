//! Whether a page shows what was asked for, and nothing else: the same edit is done to the page's own elements before, and the page is
//! read again after the source was changed. What it says then is compared, element by element.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

use super::browser::Browser;
use super::live::{Live, Preview};
use super::reader::{REST, Reader};
use crate::agent::gate::{Accepted, Refusal};
use crate::review::{ReviewError, Surface};
use crate::source::engine;

/// How long hot reload may take to show a change.
const HOT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a page that was loaded afresh may take.
const FRESH_TIMEOUT: Duration = Duration::from_secs(3);

/// A page that knows how it should look after an edit.
pub struct Watch {
    reader: Mutex<Reader>,
    name: &'static str,
    /// What the page complains of anyway.
    usual: BTreeSet<String>,
}

impl Watch {
    /// Opens the page at `path` in the review browser and learns how it should look after an edit. `None` when the page does not show
    /// the element, or cannot say what would be right.
    ///
    /// # Errors
    /// When no page can be read.
    pub async fn begin(
        surface: &Surface,
        path: &str,
        width: u32,
        request: &Value,
    ) -> Result<Option<Self>, ReviewError> {
        let begun = Browser::after_edit(surface, path, width, request).await?;
        Ok(begun.map(|mut browser| Self {
            usual: browser.complaints(),
            reader: Mutex::new(Reader::Browser(Box::new(browser))),
            name: "review",
        }))
    }

    /// The same by the page that people look at. `None` when it cannot say what would be right, or nobody shows it.
    pub async fn live(preview: Arc<dyn Preview>, request: &Value) -> Option<Self> {
        let (live, usual) = Live::begin(preview, Some(request), None).await?;
        Some(Self {
            reader: Mutex::new(Reader::Live(live)),
            name: "preview",
            usual,
        })
    }

    /// Who reads the page: `review`, or `preview`.
    #[must_use]
    pub fn reader(&self) -> &'static str {
        self.name
    }

    /// Waits until the page shows what was asked for.
    ///
    /// # Errors
    /// `not-verified` with what it shows instead. It is unseen where the page cannot say it any more.
    pub async fn judge(&self, accepted: &Accepted) -> Result<(), Refusal> {
        let mut reader = self.reader.lock().await;
        reader.forget().await;
        let trees = trees(accepted);
        let mut verdict = self.until(&mut reader, &trees, HOT_TIMEOUT).await;
        if verdict.is_err()
            && let Reader::Browser(browser) = &mut *reader
        {
            // What hot reload leaves behind, a page that is loaded afresh does not.
            verdict = match browser.load().await {
                Ok(()) => self.until(&mut reader, &trees, FRESH_TIMEOUT).await,
                Err(unseen) => Err(unseen.into()),
            };
        }
        verdict
    }

    /// Reads until two readings in a row are right, for so long at most.
    async fn until(&self, reader: &mut Reader, trees: &Value, time: Duration) -> Result<(), Refusal> {
        let limit = Instant::now() + time;
        let mut right = 0;
        loop {
            let verdict = match reader.look(trees).await {
                Ok(look) => look.works(&self.usual).and_then(|()| look.is_right()),
                Err(unseen) => Err(unseen.into()),
            };
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
