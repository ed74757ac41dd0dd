//! `galley:sites`: trees of files, and which of them is a project's live version.

use std::sync::Arc;

use wasmtime::component::Resource;

use super::contract::galley::sites::sites::{Entry, Hit, Host, HostTree, Version};
use super::handles::TreeHandle;
use super::state::{granted, or_problem};
use super::{Problem, Services, State, internal, problem};
use crate::identity::access;
use crate::storage::core::{CoreError, SiteVersion};
use crate::storage::id::now_ms;
use crate::storage::sites::{PatternError, SiteError, StagedTree};

/// The most entries of one answer.
const MAX_ENTRIES: u32 = 1_000;
const MAX_HITS: u32 = 1_000;
const MAX_READ: u32 = 1 << 20;

/// An unpacked tree that is not a version yet.
pub struct TreeEntry {
    /// `None` once it was published.
    tree: Option<Arc<StagedTree>>,
    /// Takes the tree back when the call ends without publishing it.
    lender: Option<Lender>,
}

type Lender = Box<dyn FnOnce(StagedTree) + Send>;

impl TreeEntry {
    /// A tree that belongs to the call.
    pub fn new(tree: StagedTree) -> Self {
        Self {
            tree: Some(Arc::new(tree)),
            lender: None,
        }
    }

    /// A tree on loan until the end of the call; `lender` gets it back unless it is published.
    pub fn lent(tree: StagedTree, lender: impl FnOnce(StagedTree) + Send + 'static) -> Self {
        Self {
            tree: Some(Arc::new(tree)),
            lender: Some(Box::new(lender)),
        }
    }
}

impl Drop for TreeEntry {
    fn drop(&mut self) {
        if let (Some(tree), Some(lender)) = (self.tree.take(), self.lender.take())
            && let Ok(tree) = Arc::try_unwrap(tree)
        {
            lender(tree);
        }
    }
}

fn gone() -> Problem {
    problem("gone", "The tree was published before.")
}

fn unknown_project() -> Problem {
    problem("not-found", "There is no such project.")
}

impl State {
    fn tree(&mut self, handle: &Resource<TreeHandle>) -> wasmtime::Result<Result<Arc<StagedTree>, Problem>> {
        Ok(self.handles.get::<TreeEntry, _>(handle)?.tree.clone().ok_or_else(gone))
    }

    /// Whether the current caller may change the project and what it serves.
    pub(super) fn may_manage(&self, project: &str) -> Result<(), Problem> {
        let core = &self.slot.services.core;
        if core.project(project).is_none() {
            return Err(unknown_project());
        }
        if self.call.system {
            return Ok(());
        }
        let allowed = access::manage(core, &self.call.caller, project, true);
        allowed
            .map(|_| ())
            .map_err(|refusal| problem("denied", refusal.message.into_owned()))
    }
}

fn describe(error: CoreError) -> Problem {
    match error {
        CoreError::NotFound => problem("not-found", "There is no such project or version."),
        CoreError::Exists => problem("exists", "The project has a version with this id."),
        CoreError::Live => problem("live", "This version is live: activate another one first."),
        error => internal("a version could not be changed", &error),
    }
}

/// Deletes a version's files. Files that cannot be deleted now are swept at the next boot.
fn discard(services: &Services, project: &str, version: &str) {
    if let Err(error) = services.sites.remove(project, version) {
        tracing::warn!("the files of version {version} are left for the next boot: {error}");
    }
}

impl HostTree for State {
    fn files(&mut self, handle: Resource<TreeHandle>) -> wasmtime::Result<u32> {
        self.enter()?;
        Ok(self.tree(&handle)?.map_or(0, |tree| tree.files()))
    }

    fn bytes(&mut self, handle: Resource<TreeHandle>) -> wasmtime::Result<u64> {
        self.enter()?;
        Ok(self.tree(&handle)?.map_or(0, |tree| tree.bytes()))
    }

    fn stat(&mut self, handle: Resource<TreeHandle>, path: String) -> wasmtime::Result<Option<u64>> {
        self.enter()?;
        Ok(self.tree(&handle)?.ok().and_then(|tree| tree.stat(&path)))
    }

    fn entries(
        &mut self,
        handle: Resource<TreeHandle>,
        after: Option<String>,
        max: u32,
    ) -> wasmtime::Result<Vec<Entry>> {
        self.enter()?;
        let Ok(tree) = self.tree(&handle)? else {
            return Ok(Vec::new());
        };
        let entries = tree.entries(after.as_deref(), max.min(MAX_ENTRIES) as usize);
        Ok(entries.into_iter().map(|(path, size)| Entry { path, size }).collect())
    }

    fn read(
        &mut self,
        handle: Resource<TreeHandle>,
        path: String,
        offset: u64,
        len: u32,
    ) -> wasmtime::Result<Result<Vec<u8>, Problem>> {
        granted!(self, Sites);
        let tree = or_problem!(self.tree(&handle)?);
        Ok(match tree.read(&path, offset, len.min(MAX_READ) as usize) {
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(problem("not-found", format!("There is no file {path}."))),
            Err(error) => Err(internal("an uploaded file could not be read", &error)),
        })
    }

    async fn search(
        &mut self,
        handle: Resource<TreeHandle>,
        suffixes: Vec<String>,
        pattern: String,
        max: u32,
    ) -> wasmtime::Result<Result<Vec<Hit>, Problem>> {
        granted!(self, Sites);
        let tree = or_problem!(self.tree(&handle)?);
        let max = max.min(MAX_HITS) as usize;
        let found = tokio::task::spawn_blocking(move || {
            let suffixes: Vec<&str> = suffixes.iter().map(String::as_str).collect();
            tree.search(&suffixes, &pattern, max)
        })
        .await;
        Ok(match found {
            Ok(Ok(hits)) => Ok(hits
                .into_iter()
                .map(|hit| Hit {
                    path: hit.path,
                    offset: hit.offset,
                    text: hit.text,
                })
                .collect()),
            Ok(Err(PatternError::Bad(reason))) => Err(problem("bad-pattern", reason)),
            Ok(Err(error)) => Err(internal("uploaded files could not be searched", &error)),
            Err(error) => Err(internal("uploaded files could not be searched", &error)),
        })
    }

    async fn publish(
        &mut self,
        handle: Resource<TreeHandle>,
        project: String,
        version: String,
    ) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Sites);
        or_problem!(self.may_manage(&project));
        if !crate::storage::logs::is_id(&version) {
            return Ok(Err(problem(
                "bad-id",
                "A version's id is 1 to 64 letters, digits, `-` and `_`.",
            )));
        }
        let taken = self.handles.get::<TreeEntry, _>(&handle)?.tree.take().ok_or_else(gone);
        let tree = or_problem!(taken);
        let Ok(tree) = Arc::try_unwrap(tree) else {
            return Ok(Err(problem("internal", "The tree is still being searched.")));
        };
        let services = self.slot.services.clone();
        if services.core.has_version(&project, &version) {
            return Ok(Err(describe(CoreError::Exists)));
        }
        let (site, own_project, own_version) = (services.clone(), project.clone(), version.clone());
        let stored = tokio::task::spawn_blocking(move || site.sites.commit(tree, &own_project, &own_version)).await;
        let stored = match stored {
            Ok(Ok(stored)) => stored,
            Ok(Err(SiteError::Exists)) => return Ok(Err(describe(CoreError::Exists))),
            Ok(Err(error)) => return Ok(Err(internal("an upload could not be stored", &error))),
            Err(error) => return Ok(Err(internal("an upload could not be stored", &error))),
        };
        let row = SiteVersion {
            id: version.clone(),
            project_id: project.clone(),
            files: stored.files,
            bytes: stored.bytes,
            created_at: now_ms(),
        };
        let published = services.core.publish_version(row).await;
        if published.is_err() {
            discard(&services, &project, &version);
        }
        Ok(published.map_err(describe))
    }

    fn drop(&mut self, handle: Resource<TreeHandle>) -> wasmtime::Result<()> {
        self.handles.forget(&handle);
        Ok(())
    }
}

impl Host for State {
    fn versions(&mut self, project: String) -> wasmtime::Result<Result<Vec<Version>, Problem>> {
        granted!(self, Sites);
        let core = &self.slot.services.core;
        let found = or_problem!(core.project(&project).ok_or_else(unknown_project));
        let live = found.live_version.as_deref();
        Ok(core.site_versions(&project).map_err(describe).map(|versions| {
            let describe = |version: SiteVersion| Version {
                live: live == Some(&version.id),
                id: version.id,
                files: version.files,
                bytes: version.bytes,
            };
            versions.into_iter().map(describe).collect()
        }))
    }

    fn live(&mut self, project: String) -> wasmtime::Result<Result<Option<String>, Problem>> {
        granted!(self, Sites);
        let project = self.slot.services.core.project(&project).ok_or_else(unknown_project);
        Ok(project.map(|project| project.live_version.clone()))
    }

    async fn activate(&mut self, project: String, version: String) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Sites);
        or_problem!(self.may_manage(&project));
        let core = self.slot.services.core.clone();
        Ok(core.activate_version(&project, &version).await.map_err(describe))
    }

    async fn remove(&mut self, project: String, version: String) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Sites);
        or_problem!(self.may_manage(&project));
        let services = self.slot.services.clone();
        match services.core.remove_version(&project, &version).await {
            Ok(()) | Err(CoreError::NotFound) => {
                discard(&services, &project, &version);
                Ok(Ok(()))
            }
            Err(error) => Ok(Err(describe(error))),
        }
    }
}
