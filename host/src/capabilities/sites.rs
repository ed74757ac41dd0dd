//! `galley:sites`: the stored versions of projects, and which of them is live.

use std::sync::Arc;

use wasmtime::component::Resource;

use super::contract::galley::sites::{publishing, versions};
use super::files::gone;
use super::handles::TreeHandle;
use super::objects::TreeEntry;
use super::problem::store_away;
use super::state::{granted, or_problem};
use super::{Problem, Services, State, internal, problem, unexpected};
use crate::config::pause::{Step, wait_at};
use crate::core::CoreError;
use crate::identity::access;
use crate::projects::SiteVersion;
use crate::storage::id::now_ms;
use crate::storage::sites::SiteError;

fn unknown_project() -> Problem {
    problem("not-found", "There is no such project.")
}

impl State {
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
        error => unexpected("a version could not be changed", &error),
    }
}

/// Deletes a version's files. Files that cannot be deleted now are swept at the next boot.
async fn discard(services: &Arc<Services>, project: &str, version: &str) {
    let (services, project, version) = (services.clone(), project.to_owned(), version.to_owned());
    let discard = move || {
        if let Err(error) = services.sites.remove(&project, &version) {
            tracing::warn!("the files of version {version} are left for the next boot: {error}");
        }
    };
    // A panic there is logged as one.
    let _ = tokio::task::spawn_blocking(discard).await;
}

impl versions::Host for State {
    async fn all(&mut self, project: String) -> wasmtime::Result<Result<Vec<versions::Version>, Problem>> {
        granted!(self, Versions);
        let core = &self.slot.services.core;
        let found = or_problem!(core.project(&project).ok_or_else(unknown_project));
        let live = found.live_version.as_deref();
        Ok(core.site_versions(&project).await.map_err(describe).map(|versions| {
            let describe = |version: SiteVersion| versions::Version {
                live: live == Some(&version.id),
                id: version.id,
                files: version.files,
                bytes: version.bytes,
            };
            versions.into_iter().map(describe).collect()
        }))
    }

    fn live(&mut self, project: String) -> wasmtime::Result<Result<Option<String>, Problem>> {
        granted!(self, Versions);
        let project = self.slot.services.core.project(&project).ok_or_else(unknown_project);
        Ok(project.map(|project| project.live_version.clone()))
    }
}

impl publishing::Host for State {
    async fn publish(
        &mut self,
        handle: Resource<TreeHandle>,
        project: String,
        version: String,
    ) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Publishing);
        or_problem!(self.may_manage(&project));
        if !galley_manifest::is_id(&version) {
            return Ok(Err(problem(
                "bad-id",
                "A version's id is 1 to 64 letters, digits, `-` and `_`.",
            )));
        }
        let services = self.slot.services.clone();
        if services.core.has_version(&project, &version).await {
            return Ok(Err(describe(CoreError::Exists)));
        }
        let taken = self.handles.get::<TreeEntry, _>(&handle)?.tree.take().ok_or_else(gone);
        let tree = or_problem!(taken);
        let Ok(tree) = Arc::try_unwrap(tree) else {
            return Ok(Err(problem("internal", "The tree is still being searched.")));
        };
        let (site, own_project, own_version) = (services.clone(), project.clone(), version.clone());
        let stored = tokio::task::spawn_blocking(move || site.sites.commit(tree, &own_project, &own_version)).await;
        let stored = match stored {
            Ok(Ok(stored)) => stored,
            Ok(Err(SiteError::Exists)) => return Ok(Err(describe(CoreError::Exists))),
            Ok(Err(error @ SiteError::Away)) => {
                return Ok(Err(store_away("an upload could not be stored", &error)));
            }
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
        wait_at(Step::Publish).await;
        let published = services.core.publish_version(row).await;
        // In doubt it may be live: then its files stay, and are swept when nothing refers to them.
        if published.as_ref().is_err_and(|error| !error.is_in_doubt()) {
            discard(&services, &project, &version).await;
        } else if let Some(told) = self.handles.get::<TreeEntry, _>(&handle)?.published.take() {
            told.await;
        }
        Ok(published.map_err(describe))
    }

    async fn activate(&mut self, project: String, version: String) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Publishing);
        or_problem!(self.may_manage(&project));
        let core = self.slot.services.core.clone();
        Ok(core.activate_version(&project, &version).await.map_err(describe))
    }

    async fn remove(&mut self, project: String, version: String) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Publishing);
        or_problem!(self.may_manage(&project));
        let services = self.slot.services.clone();
        match services.core.remove_version(&project, &version).await {
            Ok(()) | Err(CoreError::NotFound) => {
                discard(&services, &project, &version).await;
                Ok(Ok(()))
            }
            Err(error) => Ok(Err(describe(error))),
        }
    }
}
