//! Pictures of what a change of a turn is about, before and after it, by one page of the review browser for the whole turn. They
//! help the eye only: where there is none, the change is made all the same.

use std::sync::Arc;
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

/// How long a change waits for the picture before it; the browser may have to start.
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
            sight: Arc::new(sight),
            eye: Arc::default(),
        }
    }

    /// Opens the page for what comes, while the model thinks. Within a runtime only.
    pub(super) fn warm(&self) {
        let (sight, eye) = (Arc::clone(&self.sight), Arc::clone(&self.eye));
        tokio::spawn(async move {
            let mut eye = eye.lock().await;
            tokio::select! {
                _ = timeout(BEFORE_TIMEOUT, eye.page(&sight)) => {}
                () = sight.stop.cancelled() => {}
            }
        });
    }

    /// A picture of what a change is about; `None` where the page does not show it.
    pub(super) async fn before(
        &self,
        find: impl FnOnce(&dyn Project) -> Option<Subject> + Send + 'static,
    ) -> Option<Shot> {
        let mut eye = Arc::clone(&self.eye).lock_owned().await;
        if eye.is_blind {
            return None;
        }
        let (sight, workspace) = (Arc::clone(&self.sight), Arc::clone(&self.sight.workspace));
        let found = tokio::task::spawn_blocking(move || find(&*workspace)).await;
        let subject = found.ok().flatten()?;
        let looked = async {
            let page = eye.page(&sight).await?;
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

    /// Waits until everything that was changed was looked at.
    pub(super) async fn rest(&self) {
        drop(self.eye.lock().await);
    }
}

impl Eye {
    async fn page(&mut self, sight: &Sight) -> Option<&mut Page> {
        if self.page.is_none() && !self.is_blind {
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
        self.page.as_mut()
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
