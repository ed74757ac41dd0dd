//! Pictures of what a change of a turn is about, before and after it, by one page of the review browser for the whole turn. They
//! help the eye only: where there is none, the change is made all the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::eyes::WIDTH;
use super::session::Session;
use super::subject::Subject;
use super::turn::What;
use crate::review::{Page, ReviewError, Surface};
use crate::source::model::{Project, Stamp};
use crate::workspace::Workspace;

/// How long a change waits for a browser that has to start. Without it the change has no pictures.
const START_TIMEOUT: Duration = Duration::from_secs(4);
/// How long a change waits for the page in a browser that runs.
const PAGE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the page may take to open, while nobody waits for it.
const OPEN_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a change waits for the picture before it, when the page is open.
const BEFORE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long hot reload may take to show the change.
const HOT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long the picture after it may take.
const AFTER_TIMEOUT: Duration = Duration::from_secs(30);
/// Between two looks.
const REST: Duration = Duration::from_millis(250);

/// What a turn's changes are looked at with.
pub(super) struct Sight {
    pub(super) surface: Surface,
    /// The page the user sees.
    pub(super) page: Option<String>,
    pub(super) workspace: Arc<Workspace>,
    /// Where pictures are kept and told of.
    pub(super) session: Arc<Session>,
    pub(super) stop: CancellationToken,
}

/// Looks at the page of a turn.
pub(super) struct Camera {
    sight: Arc<Sight>,
    eye: Arc<Mutex<Eye>>,
    /// Whether the page is open; asked without waiting for who looks at it.
    is_open: Arc<AtomicBool>,
    /// A change waited for the page in vain: no other one of this turn does.
    is_impatient: AtomicBool,
    /// Breaks off the opening of the page.
    enough: CancellationToken,
}

#[derive(Default)]
struct Eye {
    page: Option<Page>,
    /// No page can be read in this turn.
    is_blind: bool,
}

/// What was seen before a change. While it is there nothing else is looked at.
pub(super) struct Shot {
    sight: Arc<Sight>,
    eye: OwnedMutexGuard<Eye>,
    subject: Subject,
    before: Vec<u8>,
}

impl Camera {
    pub(super) fn new(sight: Sight) -> Camera {
        Camera {
            enough: sight.stop.child_token(),
            sight: Arc::new(sight),
            eye: Arc::default(),
            is_open: Arc::default(),
            is_impatient: AtomicBool::new(false),
        }
    }

    /// Opens the page for what comes, while the model thinks, unless it is open or about to be. Within a runtime only.
    pub(super) fn warm(&self) {
        let Ok(mut eye) = Arc::clone(&self.eye).try_lock_owned() else {
            return;
        };
        if eye.page.is_some() || eye.is_blind {
            return;
        }
        let (sight, is_open, enough) = (Arc::clone(&self.sight), Arc::clone(&self.is_open), self.enough.clone());
        tokio::spawn(async move {
            let opened = tokio::select! {
                opened = timeout(OPEN_TIMEOUT, eye.open(&sight)) => opened,
                () = enough.cancelled() => return,
            };
            eye.is_blind |= opened.is_err();
            is_open.store(eye.page.is_some(), Ordering::Release);
        });
    }

    /// A picture of what a change is about; `None` where the page does not show it, or is not open soon enough.
    pub(super) async fn before(
        &self,
        find: impl FnOnce(&dyn Project) -> Option<Subject> + Send + 'static,
    ) -> Option<Shot> {
        let mut eye = self.opened().await?;
        let (sight, workspace) = (Arc::clone(&self.sight), Arc::clone(&self.sight.workspace));
        let found = tokio::task::spawn_blocking(move || find(&*workspace)).await;
        let subject = found.ok().flatten()?;
        let looked = async {
            let page = eye.page.as_mut()?;
            page.settle().await.ok()?;
            page.element(&subject.src.to_string(), subject.item).await.ok()?
        };
        let before = tokio::select! {
            before = timeout(BEFORE_TIMEOUT, looked) => before,
            () = sight.stop.cancelled() => return None,
        };
        let Ok(before) = before else {
            // No other change of this turn waits so long.
            eye.is_blind = true;
            return None;
        };
        before.map(|before| Shot {
            sight,
            eye,
            subject,
            before,
        })
    }

    /// The eye with the page open. A page that is not open yet is waited for a moment only: it goes on opening for the changes after
    /// this one.
    async fn opened(&self) -> Option<OwnedMutexGuard<Eye>> {
        let eye = if self.is_open.load(Ordering::Acquire) {
            Arc::clone(&self.eye).lock_owned().await
        } else {
            self.warm();
            let patience = match self.is_impatient.load(Ordering::Relaxed) {
                true => Duration::ZERO,
                false if self.sight.surface.is_running() => PAGE_TIMEOUT,
                false => START_TIMEOUT,
            };
            let waited = timeout(patience, Arc::clone(&self.eye).lock_owned()).await;
            self.is_impatient.fetch_or(waited.is_err(), Ordering::Relaxed);
            waited.ok()?
        };
        (eye.page.is_some() && !eye.is_blind).then_some(eye)
    }

    /// Waits until everything that was changed was looked at. A page that is not open by now is not needed any more.
    pub(super) async fn rest(&self) {
        self.enough.cancel();
        drop(self.eye.lock().await);
    }
}

impl Eye {
    async fn open(&mut self, sight: &Sight) {
        let path = sight.page.as_deref().unwrap_or("/");
        match sight.surface.open(path, WIDTH).await {
            Ok(page) => self.page = Some(page),
            Err(error) => {
                self.is_blind = true;
                if !matches!(error, ReviewError::Off | ReviewError::Missing) {
                    tracing::warn!(%error, "a turn is without pictures");
                }
            }
        }
    }
}

impl Shot {
    /// Looks again when the page shows the change, and tells the turn's item of both pictures. Within a runtime only.
    pub(super) fn after(mut self, edit: String, item: usize) {
        tokio::spawn(async move {
            let after = self.again().await;
            let (sight, before) = (Arc::clone(&self.sight), std::mem::take(&mut self.before));
            let kept = tokio::task::spawn_blocking(move || {
                let keep = |side: &str, picture: &[u8]| match sight.session.keep_picture(&edit, side, picture) {
                    Ok(address) => Some(address),
                    Err(error) => {
                        tracing::warn!(%error, "a picture of a change could not be kept");
                        None
                    }
                };
                (keep("before", &before), after.and_then(|after| keep("after", &after)))
            });
            if let Ok(addresses) = kept.await {
                self.sight.session.update(item, |what| {
                    if let What::Edit { before, after, .. } = what {
                        (*before, *after) = addresses;
                    }
                });
            }
        });
    }

    async fn again(&mut self) -> Option<Vec<u8>> {
        let (workspace, subject) = (Arc::clone(&self.sight.workspace), self.subject.clone());
        let now = tokio::task::spawn_blocking(move || subject.now(&*workspace)).await;
        let src = now.ok().flatten()?;
        let page = self.eye.page.as_mut()?;
        tokio::select! {
            after = timeout(AFTER_TIMEOUT, changed(page, &src, self.subject.item, &self.before)) => after.ok().flatten(),
            () = self.sight.stop.cancelled() => None,
        }
    }
}

/// The element's picture once it is another one and stays so. Where hot reload shows nothing, that of the page loaded afresh.
async fn changed(page: &mut Page, src: &Stamp, item: Option<usize>, before: &[u8]) -> Option<Vec<u8>> {
    let src = src.to_string();
    let limit = Instant::now() + HOT_TIMEOUT;
    let mut last = None;
    while Instant::now() < limit {
        page.settle().await.ok()?;
        let now = page.element(&src, item).await.ok()?;
        if now.is_some() && now == last && now.as_deref() != Some(before) {
            return now;
        }
        last = now;
        sleep(REST).await;
    }
    page.load().await.ok()?;
    page.element(&src, item).await.ok()?
}
