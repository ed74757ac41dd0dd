//! Whether the page shows what was asked for after a model's step.

use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use super::app::App;
use super::edit::locate;
use super::reading::Shown;
use crate::agent::gate::{Accepted, Refusal};
use crate::agent::goal::{self, Watch};
use crate::agent::lanes::{Seen, Sight, Task};
use crate::review::ReviewError;
use crate::source::model::{self, Operation, Project, Request};
use crate::workspace::Workspace;

/// How wide a page is that nobody said anything of, in CSS pixels.
const WIDTH: u32 = 1280;

/// Why a change waits for a yes when somebody else changed the source, too.
const LOST: &str =
    "the source was changed meanwhile, and no page can say any more what would be right: look at the diff, and decide";

/// Looks at the page before a lane begins, and around each of its steps.
pub(super) struct Looking {
    app: Arc<App>,
    page: String,
    ticket: Option<String>,
    width: u32,
    /// Breaks off what is looked at.
    stop: CancellationToken,
    runtime: Handle,
    learnt: Mutex<Learnt>,
}

/// How the page should look after the edit.
struct Learnt {
    /// Nothing when no page can say it.
    watch: Option<Arc<Watch>>,
    /// The source that it was learnt from.
    state: u64,
    asked: Asked,
}

/// An edit, with the stamps of one text of its file.
#[derive(Clone)]
struct Asked {
    request: Request,
    /// The same as the user's page asked for it.
    body: Value,
    /// Of that text.
    hash: Option<String>,
}

impl Asked {
    /// Makes the stamps those of the present text.
    fn update(&mut self, workspace: &Workspace) -> Result<(), model::Refusal> {
        locate(workspace, &mut self.request, self.hash.as_deref())?;
        self.body["src"] = json!(self.request.src);
        if let Operation::Move { to, .. } = &self.request.operation {
            self.body["to"] = json!(to);
        }
        self.hash = noted(workspace, &self.request);
        Ok(())
    }
}

/// The hash of the text that the request's stamps are those of, by which its elements are found again.
pub(super) fn noted(workspace: &Workspace, request: &Request) -> Option<String> {
    let text = workspace.read(&request.src.path)?;
    let hash = model::hash(&text);
    workspace.remember(&hash, &text);
    Some(hash)
}

impl Looking {
    /// Learns how the page looks now, and how it should look after the edit: in the review browser, else where the user has it before
    /// them. `hash` is what [`noted`] gave for the request; what is looked at is broken off by `stop`.
    pub(super) async fn begin(
        app: &Arc<App>,
        task: &Task,
        hash: Option<String>,
        page: Option<&str>,
        ticket: Option<&str>,
        stop: &CancellationToken,
    ) -> Arc<Self> {
        let width = task.request.viewport.width.map_or(WIDTH, |width| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is held within"
            )]
            let width = width.clamp(200.0, 4000.0) as u32;
            width
        });
        let asked = Asked {
            request: task.request.clone(),
            body: task.asked.clone(),
            hash,
        };
        let (watch, state) = (None, 0);
        let looking = Arc::new(Self {
            app: Arc::clone(app),
            page: page.unwrap_or("/").to_owned(),
            ticket: ticket.map(str::to_owned),
            width,
            stop: stop.clone(),
            runtime: Handle::current(),
            learnt: Mutex::new(Learnt { watch, state, asked }),
        });
        let first = Arc::clone(&looking);
        if let Ok(Err(refusal)) = spawn_blocking(move || first.learn_anew()).await {
            tracing::debug!(%refusal, "no page says what would be right");
        }
        looking
    }

    /// Who looks at the page around each step; nobody when no page can say what would be right.
    pub(super) fn seen(self: &Arc<Self>) -> Option<Seen> {
        let can_say = self.learnt.lock().watch.is_some();
        can_say.then(|| Arc::clone(self) as Seen)
    }

    /// Who read the page.
    pub(super) fn reader(&self) -> Option<&'static str> {
        self.learnt.lock().watch.as_ref().map(|watch| watch.reader())
    }

    /// The edit, with the stamps that it had right before the step.
    pub(super) fn request(&self) -> Request {
        self.learnt.lock().asked.request.clone()
    }

    fn learn_anew(&self) -> Result<(), Refusal> {
        let workspace = &*self.app.parts.workspace;
        // What is changed while the page is read is noticed before the step.
        let state = goal::state(workspace);
        let mut asked = self.learnt.lock().asked.clone();
        asked.update(workspace).map_err(|_| Refusal::unseen(LOST))?;
        let watch = self.runtime.block_on(async {
            tokio::select! {
                watch = self.watch(&asked.body) => Ok(watch.map(Arc::new)),
                () = self.stop.cancelled() => Err(Refusal::stopped()),
            }
        })?;
        *self.learnt.lock() = Learnt { watch, state, asked };
        Ok(())
    }

    async fn watch(&self, asked: &Value) -> Option<Watch> {
        let begun = Watch::begin(&self.app.review, &self.page, self.width, asked).await;
        let watch = match begun {
            Ok(watch) => watch,
            Err(error) => {
                told(&self.app, &error);
                None
            }
        };
        match (watch, &self.ticket) {
            (None, Some(ticket)) => {
                let shown = Shown::new(Arc::downgrade(&self.app), &self.page, Some(ticket));
                Watch::live(Arc::new(shown), asked).await
            }
            // Who has no name for its request cannot be asked.
            (watch, _) => watch,
        }
    }
}

impl Sight for Looking {
    fn learn(&self) -> Result<(), Refusal> {
        if self.is_current() {
            return Ok(());
        }
        self.learn_anew()?;
        match self.learnt.lock().watch {
            Some(_) => Ok(()),
            None => Err(Refusal::unseen(LOST)),
        }
    }

    fn is_current(&self) -> bool {
        let state = goal::state(&*self.app.parts.workspace);
        self.learnt.lock().state == state
    }

    fn judge(&self, accepted: &Accepted) -> Result<(), Refusal> {
        let watch = self.learnt.lock().watch.clone();
        let watch = watch.ok_or_else(|| Refusal::unseen(LOST))?;
        self.runtime.block_on(async {
            tokio::select! {
                verdict = watch.judge(accepted) => verdict,
                () = self.stop.cancelled() => Err(Refusal::stopped()),
            }
        })
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
