//! Whether the page shows what was asked for after a model's step.

use std::sync::Arc;

use tokio::runtime::Handle;

use super::app::App;
use crate::agent::goal::Watch;
use crate::agent::lanes::{Seen, Task};
use crate::review::ReviewError;

/// How wide a page is that nobody said anything of, in CSS pixels.
const WIDTH: u32 = 1280;

/// Looks at the page before a lane begins, and after each of its steps.
pub(super) struct Looking {
    watch: Option<Arc<Watch>>,
}

impl Looking {
    /// Learns how the page looks now, and how it should look after the edit.
    pub(super) async fn begin(app: &Arc<App>, task: &Task, page: Option<&str>) -> Self {
        let width = task.request.viewport.width.map_or(WIDTH, |width| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is held within"
            )]
            let width = width.clamp(200.0, 4000.0) as u32;
            width
        });
        let begun = Watch::begin(&app.review, page.unwrap_or("/"), width, &task.asked).await;
        let watch = begun.unwrap_or_else(|error| {
            match error {
                ReviewError::Off => {}
                ReviewError::Missing => app.warn(
                    "review-surface",
                    &format!("Changes of models wait for your yes, because no page can be read: {error}"),
                ),
                error => tracing::warn!(%error, "a page could not be read"),
            }
            None
        });
        Self {
            watch: watch.map(Arc::new),
        }
    }

    /// What is asked after each step; nothing when no page can say it.
    pub(super) fn seen(&self) -> Option<Seen> {
        let watch = self.watch.clone()?;
        let runtime = Handle::current();
        Some(Arc::new(move |accepted| runtime.block_on(watch.judge(accepted))))
    }

    /// Who read the page.
    pub(super) fn reader(&self) -> Option<&'static str> {
        self.watch.is_some().then_some("review")
    }
}
