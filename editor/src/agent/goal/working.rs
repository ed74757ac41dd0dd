//! Whether a page goes on working, where nothing certain was asked of it: no overlay, no new complaint, and it still shows what it
//! showed of the source.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

use super::browser::Browser;
use super::live::{Live, Preview};
use super::look::{self, Look, Unseen};
use super::reader::{REST, Reader};
use crate::agent::gate::Refusal;
use crate::review::{ReviewError, Surface};

/// How long the dev server may take to compile what was changed. A file that no open page shows is never compiled.
const COMPILE_TIMEOUT: Duration = Duration::from_secs(3);
/// How long the page may take to be as it should.
const LOOK_TIMEOUT: Duration = Duration::from_secs(5);
/// Between two questions whether it is compiled.
const COMPILE_PAUSE: Duration = Duration::from_millis(50);

/// A page as it was before a change.
pub struct Working {
    reader: Mutex<Reader>,
    file: Option<String>,
    before: Look,
    /// What it complains of anyway.
    usual: BTreeSet<String>,
}

impl Working {
    /// Opens the page at `path` in the review browser. `None` when it does not work before the change either.
    ///
    /// # Errors
    /// When no page can be read.
    pub async fn begin(
        surface: &Surface,
        path: &str,
        width: u32,
        file: Option<&str>,
    ) -> Result<Option<Self>, ReviewError> {
        let browser = Browser::at_work(surface, path, width, file).await?;
        Ok(Self::of(Reader::Browser(Box::new(browser)), file).await)
    }

    /// The same by the page that people look at.
    pub async fn live(preview: Arc<dyn Preview>, file: Option<&str>) -> Option<Self> {
        let (live, _) = Live::begin(preview, None, file).await?;
        Self::of(Reader::Live(live), file).await
    }

    async fn of(mut reader: Reader, file: Option<&str>) -> Option<Self> {
        let before = reader.look(&json!({})).await.ok()?;
        if before.overlay.is_some() {
            return None;
        }
        Some(Self {
            reader: Mutex::new(reader),
            file: file.map(str::to_owned),
            usual: before.complaints.clone(),
            before,
        })
    }

    /// Whether the page showed elements of the file that was asked for.
    #[must_use]
    pub fn shows(&self) -> bool {
        self.before.shows
    }

    /// Looks at the page once the dev server has the change. A page that cannot be read any more speaks against no change.
    ///
    /// # Errors
    /// `not-verified` with what is wrong with it.
    pub async fn judge(&self, is_compiled: impl Fn() -> bool) -> Result<(), Refusal> {
        let mut reader = self.reader.lock().await;
        reader.forget().await;
        let limit = Instant::now() + COMPILE_TIMEOUT;
        while !is_compiled() && Instant::now() < limit {
            sleep(COMPILE_PAUSE).await;
        }
        let limit = Instant::now() + LOOK_TIMEOUT;
        // The dev server may tell only the pages that were open: what it said is worth more than that the page is empty.
        let mut said = self.look(&mut reader).await.err().filter(is_said);
        loop {
            let Err(refusal) = self.twice(&mut reader).await else {
                return Ok(());
            };
            if Instant::now() > limit {
                return Err(said.unwrap_or(refusal));
            }
            if is_said(&refusal) {
                said = Some(refusal);
            }
            sleep(REST).await;
        }
    }

    /// What was wrong for a moment, while it was compiled, is not there when the page is loaded anew.
    async fn twice(&self, reader: &mut Reader) -> Result<(), Refusal> {
        if let Reader::Browser(browser) = reader {
            browser.forget();
            browser.load().await.map_err(Refusal::from)?;
        }
        self.look(reader).await?;
        sleep(REST).await;
        self.look(reader).await
    }

    async fn look(&self, reader: &mut Reader) -> Result<(), Refusal> {
        match reader.look(&Value::Null).await {
            Ok(look) => {
                look.works(&self.usual)?;
                look.still_shows(&self.before, self.file.as_deref())
            }
            Err(Unseen::Away(_)) => Ok(()),
            Err(unseen) => Err(unseen.into()),
        }
    }
}

/// Whether it is the dev server's own word.
fn is_said(refusal: &Refusal) -> bool {
    let first = refusal.differences.as_ref().and_then(|all| all.get(0));
    first.is_some_and(|one| one["aspect"] == look::OVERLAY)
}
