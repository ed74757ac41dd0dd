//! Pictures and runs. Runs belong to the program: a page begins one and looks on, and may come and go.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use serde::Serialize;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::error::CanvasError;
use super::picture::{self, Taken};
use super::plan::Plan;
use super::record::{Kept, PictureName, Record, ShotRecord};
use super::shot::Shot;
use super::store::{Listed, Store, Stored};
use crate::review::Surface;
use crate::workspace::{Workspace, WorkspaceError};

/// So many pages are open in the browser at once.
const MAX_OPEN: usize = 2;

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// The plan's name.
    pub plan: String,
    /// Where it stands.
    pub status: Stage,
    /// Pictures that were taken, or could not be.
    pub done: usize,
    /// All of them.
    pub of: usize,
    /// Why it failed.
    pub words: Option<String>,
}

/// Where a plan stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Pictures are being taken.
    Running,
    /// All were taken.
    Done,
    /// Somebody stopped it: what the run before gave stays.
    Stopped,
    /// It could not go on: what the run before gave stays.
    Failed,
    /// Its file is another, has another name, or is gone.
    Changed,
}

/// Who is told how a run goes on.
pub type Tell = Arc<dyn Fn(Progress) + Send + Sync>;

struct Running {
    progress: Progress,
    stop: CancellationToken,
}

/// The canvas of a prototype.
pub struct Canvas {
    store: Store,
    workspace: Arc<Workspace>,
    surface: Surface,
    tell: Tell,
    open: Semaphore,
    running: Mutex<Option<Running>>,
}

impl Canvas {
    /// Deletes what an earlier program left of runs that it did not end. Blocks.
    #[must_use]
    pub fn new(workspace: Arc<Workspace>, surface: Surface, tell: Tell) -> Arc<Self> {
        let store = Store::new(Arc::clone(&workspace));
        if let Err(error) = store.sweep() {
            tracing::warn!(%error, "old pictures could not be deleted");
        }
        Arc::new(Self {
            store,
            workspace,
            surface,
            tell,
            open: Semaphore::new(MAX_OPEN),
            running: Mutex::default(),
        })
    }

    /// Why no pictures can be taken, if that is known.
    ///
    /// # Errors
    /// [`CanvasError::NoBrowser`].
    pub fn browser(&self) -> Result<(), CanvasError> {
        let program = self.surface.program();
        program.map(|_| ()).map_err(CanvasError::NoBrowser)
    }

    /// The run that is under way.
    #[must_use]
    pub fn running(&self) -> Option<Progress> {
        self.running.lock().as_ref().map(|running| running.progress.clone())
    }

    /// All plans. Blocks.
    ///
    /// # Errors
    /// When their folder cannot be read.
    pub fn list(&self) -> Result<Vec<Listed>, CanvasError> {
        self.store.list()
    }

    /// A plan, and what its last run gave. Blocks.
    ///
    /// # Errors
    /// When there is none.
    pub fn read(&self, name: &str) -> Result<(Stored, Option<Record>), CanvasError> {
        let stored = self
            .store
            .read(name)?
            .ok_or_else(|| CanvasError::NoPlan(name.to_owned()))?;
        Ok((stored, self.store.record(name)?))
    }

    /// The plan of that name. Blocks.
    ///
    /// # Errors
    /// When there is none, or its file is broken.
    pub fn plan(&self, name: &str) -> Result<Plan, CanvasError> {
        self.store.plan(name)
    }

    /// Writes a plan whose file has the hash that was seen, or a new one; gives the new hash. Blocks.
    ///
    /// # Errors
    /// When it is another meanwhile, or no plan.
    pub fn write(&self, name: &str, plan: &Plan, seen: Option<&str>) -> Result<String, CanvasError> {
        self.is_free(name)?;
        let hash = self.store.write(name, plan, seen)?;
        self.changed(name);
        Ok(hash)
    }

    /// Gives a plan another name. Blocks.
    ///
    /// # Errors
    /// When there is none, or the name is taken.
    pub fn rename(&self, name: &str, to: &str) -> Result<(), CanvasError> {
        self.is_free(name)?;
        self.store.rename(name, to)?;
        self.changed(name);
        self.changed(to);
        Ok(())
    }

    /// Deletes a plan with its pictures. Blocks.
    ///
    /// # Errors
    /// When there is none.
    pub fn delete(&self, name: &str) -> Result<(), CanvasError> {
        self.is_free(name)?;
        self.store.delete(name)?;
        self.changed(name);
        Ok(())
    }

    /// A picture that a run of a plan gave. Blocks.
    ///
    /// # Errors
    /// When there is none.
    pub fn picture(&self, name: &str, picture: &PictureName) -> Result<Vec<u8>, CanvasError> {
        self.store.picture(name, picture)
    }

    /// Takes a picture of a page as it is now.
    ///
    /// # Errors
    /// [`CanvasError::NoBrowser`] and [`CanvasError::Page`].
    pub async fn take(&self, shot: &Shot) -> Result<Taken, CanvasError> {
        // It is never closed.
        let _place = self.open.acquire().await;
        picture::take(&self.surface, shot).await
    }

    /// Begins a run, and gives how far it is. Within a runtime only. Blocks.
    ///
    /// # Errors
    /// When there is no such plan, or another one is run.
    pub fn run(self: &Arc<Self>, name: &str) -> Result<Progress, CanvasError> {
        let plan = self.store.plan(name)?;
        self.browser()?;
        // Before the answer: what is edited behind it may be in none of the pictures.
        let step = self.workspace.last_step();
        let progress = Progress {
            plan: name.to_owned(),
            status: Stage::Running,
            done: 0,
            of: plan.shots.len(),
            words: None,
        };
        let stop = CancellationToken::new();
        {
            let mut running = self.running.lock();
            if let Some(other) = running.as_ref() {
                return Err(CanvasError::Running(other.progress.plan.clone()));
            }
            *running = Some(Running {
                progress: progress.clone(),
                stop: stop.clone(),
            });
        }
        (self.tell)(progress.clone());
        tokio::spawn(Arc::clone(self).go(plan, step, progress.clone(), stop));
        Ok(progress)
    }

    /// Stops the run of a plan; whether one ran.
    #[must_use]
    pub fn stop(&self, name: &str) -> bool {
        let running = self.running.lock();
        let found = running.as_ref().filter(|running| running.progress.plan == name);
        found.inspect(|running| running.stop.cancel()).is_some()
    }

    /// A plan that is run stays what it is.
    fn is_free(&self, name: &str) -> Result<(), CanvasError> {
        match self.running() {
            Some(running) if running.plan == name => Err(CanvasError::Running(running.plan)),
            _ => Ok(()),
        }
    }

    fn changed(&self, name: &str) {
        (self.tell)(Progress {
            plan: name.to_owned(),
            status: Stage::Changed,
            done: 0,
            of: 0,
            words: None,
        });
    }

    async fn go(self: Arc<Self>, plan: Plan, step: Option<String>, mut progress: Progress, stop: CancellationToken) {
        let ended = self.shots(plan, step, &mut progress, &stop).await;
        if !matches!(ended, Ok(Stage::Done)) {
            let name = progress.plan.clone();
            let _ = self.store(move |store| store.drop_unsettled(&name)).await;
        }
        match ended {
            Ok(stage) => progress.status = stage,
            Err(error) => {
                progress.status = Stage::Failed;
                progress.words = Some(error.to_string());
            }
        }
        *self.running.lock() = None;
        (self.tell)(progress);
    }

    /// Takes all pictures, one after the other. Only that is broken off when it is to stop: files are written to their end, so that
    /// what is deleted afterwards is all there is.
    async fn shots(
        self: &Arc<Self>,
        plan: Plan,
        step: Option<String>,
        progress: &mut Progress,
        stop: &CancellationToken,
    ) -> Result<Stage, CanvasError> {
        let name = progress.plan.clone();
        let known = name.clone();
        let last = self.store(move |store| store.record(&known)).await?;
        let mut shots = Vec::new();
        for shot in plan.shots {
            let before = last.as_ref().and_then(|last| last.of(&shot)?.newest().cloned());
            let taken = tokio::select! {
                taken = self.take(&shot) => taken,
                () = stop.cancelled() => return Ok(Stage::Stopped),
            };
            let taken = match taken {
                Ok(taken) => Ok(taken),
                Err(CanvasError::Page { words, .. }) => Err(words),
                // Without a browser there is no use in going on.
                Err(error) => return Err(error),
            };
            let plan = name.clone();
            let record = self.store(move |store| kept(store, &plan, shot, before, taken)).await?;
            shots.push(record);
            progress.done += 1;
            if let Some(running) = self.running.lock().as_mut() {
                running.progress = progress.clone();
            }
            if progress.done < progress.of {
                (self.tell)(progress.clone());
            }
        }
        let record = Record { at: now(), step, shots };
        self.store(move |store| store.settle(&name, &record)).await?;
        Ok(Stage::Done)
    }

    /// Work on files, where waiting for them is allowed.
    async fn store<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Store) -> Result<T, CanvasError> + Send + 'static,
    ) -> Result<T, CanvasError> {
        let canvas = Arc::clone(self);
        match tokio::task::spawn_blocking(move || work(&canvas.store)).await {
            Ok(done) => done,
            // A defect, which ends this run and no other.
            Err(error) => Err(CanvasError::Workspace(WorkspaceError::Io {
                path: self.workspace.root().to_owned(),
                error: std::io::Error::other(error),
            })),
        }
    }
}

/// Keeps what a run took of a page, beside the picture before.
fn kept(
    store: &Store,
    plan: &str,
    shot: Shot,
    before: Option<Kept>,
    taken: Result<Taken, String>,
) -> Result<ShotRecord, CanvasError> {
    let (after, problem) = match taken {
        Ok(taken) => (Some(store.keep(plan, &taken)?), None),
        Err(words) => (None, Some(words)),
    };
    let difference = match (&before, &after) {
        (Some(before), Some(after)) => store.difference(plan, before, after)?,
        _ => None,
    };
    Ok(ShotRecord {
        shot,
        before,
        after,
        problem,
        difference,
    })
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
