//! A proposal of a chat: through the gate, and then the page that the turn was begun at is looked at. What breaks it is taken back. The
//! page is opened before the first proposal of a turn, and what is wrong with it then is nobody's fault.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::timeout;

use super::eyes::{LOOK_TIMEOUT, WIDTH};
use super::subject::Subject;
use super::work::Work;
use crate::agent::gate::{Accepted, Code, Limits, Proposal, Refusal};
use crate::agent::goal::Working;
use crate::source::model::{Project, Stamp};

/// Makes a proposal a step of the history, which is called `title`, with a picture of what it changes before and after.
pub(super) async fn make(
    work: &Arc<Work>,
    proposal: &Arc<Proposal>,
    limits: &Limits,
    title: String,
) -> Result<Accepted, Refusal> {
    // No page is opened for what is refused without one.
    let (at_work, proposed, allowed) = (Arc::clone(work), Arc::clone(proposal), limits.clone());
    let checked = spawn_blocking(move || at_work.gate.check(&proposed, &allowed).map(drop));
    checked.await.map_err(ended)??;
    let opened = tokio::select! {
        page = watched(work) => page,
        () = work.stop.cancelled() => return Err(Refusal::stopped()),
    };
    let (page, runtime) = (opened, Handle::current());
    let (selected, asked) = (work.selected.clone(), Arc::clone(proposal));
    let find = move |project: &dyn Project| Subject::of_proposal(project, &asked, selected.as_deref());
    let shot = work.camera.before(find).await;
    if work.stop.is_cancelled() {
        return Err(Refusal::stopped());
    }
    let (work, proposal, limits) = (Arc::clone(work), Arc::clone(proposal), limits.clone());
    let made = spawn_blocking(move || {
        let seen = |done: &Accepted| match &page {
            Some(page) => runtime.block_on(works(&work, page, done)),
            None => Ok(()),
        };
        let done = work.gate.propose(&proposal, &limits, &title, work.by(), seen)?;
        work.proposed(&done, &title, shot);
        Ok(done)
    });
    made.await.map_err(ended)?
}

fn ended(_: JoinError) -> Refusal {
    Refusal::new(Code::NotVerified, "the check of the proposal ended early")
}

/// Whether the page works after a step. When the turn is stopped meanwhile the step goes, too.
async fn works(work: &Work, page: &Working, done: &Accepted) -> Result<(), Refusal> {
    let is_compiled = || done.files.iter().all(|file| work.desk.is_compiled(&file.path));
    tokio::select! {
        verdict = page.judge(is_compiled) => verdict,
        () = work.stop.cancelled() => Err(Refusal::stopped()),
    }
}

/// The page as it was before the turn proposed anything; `None` where none can be read.
async fn watched(work: &Work) -> Option<Arc<Working>> {
    let opened = work.watched.get_or_init(|| async {
        let opened = timeout(LOOK_TIMEOUT, open(work)).await;
        opened.ok().flatten().map(Arc::new)
    });
    opened.await.clone()
}

/// In the review browser, else, where that does not show what was selected, in the preview.
async fn open(work: &Work) -> Option<Working> {
    let path = work.page.as_deref().unwrap_or("/");
    let selected = work.selected.as_deref().and_then(|src| src.parse::<Stamp>().ok());
    let file = selected.as_ref().map(|stamp| stamp.path.as_str());
    let opened = match Working::begin(&work.review, path, WIDTH, file).await {
        Ok(opened) => opened,
        Err(error) => {
            tracing::debug!(%error, "the review browser does not look at the page of a turn");
            None
        }
    };
    if opened.as_ref().is_some_and(|page| file.is_none() || page.shows()) {
        return opened;
    }
    Working::live(work.desk.preview(path), file).await.or(opened)
}
