//! Whether the page shows what was asked for after a model's step.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::app::App;
use super::reading::Shown;
use crate::agent::gate::Refusal;
use crate::agent::goal::Watch;
use crate::agent::lanes::{Seen, Task};
use crate::review::ReviewError;

/// How wide a page is that nobody said anything of, in CSS pixels.
const WIDTH: u32 = 1280;

/// Looks at the page before a lane begins, and after each of its steps.
pub(super) struct Looking {
    watch: Option<Arc<Watch>>,
    stop: CancellationToken,
}

impl Looking {
    /// Learns how the page looks now, and how it should look after the edit: in the review browser, else where the user has it before
    /// them. What is looked at after a step is broken off by `stop`.
    pub(super) async fn begin(
        app: &Arc<App>,
        task: &Task,
        page: Option<&str>,
        ticket: Option<&str>,
        stop: &CancellationToken,
    ) -> Self {
        let page = page.unwrap_or("/");
        let width = task.request.viewport.width.map_or(WIDTH, |width| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is held within"
            )]
            let width = width.clamp(200.0, 4000.0) as u32;
            width
        });
        let begun = Watch::begin(&app.review, page, width, &task.asked).await;
        let watch = match begun {
            Ok(watch) => watch,
            Err(error) => {
                told(app, &error);
                None
            }
        };
        let watch = match watch {
            // Who has no name for its request cannot be asked.
            None if ticket.is_some() => {
                Watch::live(Arc::new(Shown::new(Arc::downgrade(app), page, ticket)), &task.asked).await
            }
            watch => watch,
        };
        Self {
            watch: watch.map(Arc::new),
            stop: stop.clone(),
        }
    }

    /// What is asked after each step; nothing when no page can say it.
    pub(super) fn seen(&self) -> Option<Seen> {
        let watch = self.watch.clone()?;
        let (runtime, stop) = (Handle::current(), self.stop.clone());
        Some(Arc::new(move |accepted| {
            runtime.block_on(async {
                tokio::select! {
                    verdict = watch.judge(accepted) => verdict,
                    () = stop.cancelled() => Err(Refusal::stopped()),
                }
            })
        }))
    }

    /// Who read the page.
    pub(super) fn reader(&self) -> Option<&'static str> {
        self.watch.as_ref().map(|watch| watch.reader())
    }
}

/// Says why the review browser does not read, where that is not what somebody chose.
fn told(app: &App, error: &ReviewError) {
    match error {
        ReviewError::Off => {}
        ReviewError::Missing => app.warn(
            "review-surface",
            &format!("After a change of a model the page in the preview is read: {error}"),
        ),
        error => tracing::warn!(%error, "a page could not be read"),
    }
}
