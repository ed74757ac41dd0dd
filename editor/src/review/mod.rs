//! The review surface: a headless Chromium of the Editor's own that reads the prototype's pages. It has a profile for itself, opens
//! nothing but the preview, and is spoken to through a pipe, so that no port of it can be found. It is started when a page is first
//! read, and ended when none was for a while.

mod browser;
mod channel;
mod complaint;
mod element;
mod error;
mod page;
mod script;
mod view;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use url::Url;

use browser::Browser;
pub use complaint::complaint;
pub use error::ReviewError;
pub use page::Page;
pub use script::module;
pub use view::{Clip, Scheme, View};

/// A browser that nobody used for so long is ended.
const IDLE_TIMEOUT: Duration = Duration::from_secs(300);
/// How often it is looked whether it is used.
const IDLE_CHECK: Duration = Duration::from_secs(15);

/// Opens pages of one preview.
#[derive(Clone)]
pub struct Surface {
    shared: Arc<Shared>,
}

struct Shared {
    preview: Option<Url>,
    /// The program; none when it is switched off or not there.
    program: Result<PathBuf, ReviewError>,
    running: Mutex<Option<Running>>,
}

struct Running {
    browser: Arc<Browser>,
    used: Instant,
}

impl Surface {
    /// For a preview; nothing is started yet. `browser` names the program, else it is looked for on the PATH. Without a preview
    /// no page is read.
    #[must_use]
    pub fn new(preview: &str, is_on: bool, browser: Option<&Path>) -> Self {
        let program = if is_on {
            browser::find(browser).ok_or(ReviewError::Missing)
        } else {
            Err(ReviewError::Off)
        };
        let shared = Shared {
            preview: Url::parse(preview).ok(),
            program,
            running: Mutex::default(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// The program that reads pages.
    ///
    /// # Errors
    /// Why there is none.
    pub fn program(&self) -> Result<&Path, ReviewError> {
        self.shared.program.as_deref().map_err(Clone::clone)
    }

    /// Whether the browser runs; one that is about to start does not yet.
    #[must_use]
    pub fn is_running(&self) -> bool {
        let running = self.shared.running.try_lock();
        running.is_ok_and(|running| running.as_ref().is_some_and(|found| found.browser.is_alive()))
    }

    /// Opens a page of the preview by its path, so many CSS pixels wide, and waits until it rests.
    ///
    /// # Errors
    /// When there is no browser, or the page does not load.
    pub async fn open(&self, path: &str, width: u32) -> Result<Page, ReviewError> {
        self.open_in(path, View { width, scheme: None }).await
    }

    /// Opens a page as [`Surface::open`] does, in a view.
    ///
    /// # Errors
    /// When there is no browser, or the page does not load.
    pub async fn open_in(&self, path: &str, view: View) -> Result<Page, ReviewError> {
        let preview = self.shared.preview.as_ref().ok_or(ReviewError::Off)?;
        let url = preview
            .join(path)
            .map_err(|error| ReviewError::Page(error.to_string()))?;
        if url.origin() != preview.origin() {
            return Err(ReviewError::Page("it is no page of the preview".into()));
        }
        let browser = self.browser().await?;
        let page = Page::open(browser, url, view).await?;
        self.touch().await;
        Ok(page)
    }

    async fn browser(&self) -> Result<Arc<Browser>, ReviewError> {
        let program = self.program()?.to_owned();
        let mut running = self.shared.running.lock().await;
        if let Some(found) = running.as_mut().filter(|found| found.browser.is_alive()) {
            found.used = Instant::now();
            return Ok(Arc::clone(&found.browser));
        }
        let browser = Arc::new(Browser::start(&program).await?);
        let is_first = running.is_none();
        *running = Some(Running {
            browser: Arc::clone(&browser),
            used: Instant::now(),
        });
        if is_first {
            tokio::spawn(end_when_idle(Arc::downgrade(&self.shared)));
        }
        Ok(browser)
    }

    async fn touch(&self) {
        if let Some(running) = self.shared.running.lock().await.as_mut() {
            running.used = Instant::now();
        }
    }

    /// Ends the browser, if one runs.
    pub async fn end(&self) {
        self.shared.running.lock().await.take();
    }
}

/// Ends the browser when no page was open for a while; pages hold it by themselves.
async fn end_when_idle(shared: std::sync::Weak<Shared>) {
    loop {
        tokio::time::sleep(IDLE_CHECK).await;
        let Some(shared) = shared.upgrade() else { return };
        let mut running = shared.running.lock().await;
        match running.as_ref() {
            None => return,
            Some(found) if found.used.elapsed() < IDLE_TIMEOUT || Arc::strong_count(&found.browser) > 1 => {}
            Some(_) => {
                running.take();
                return;
            }
        }
    }
}
